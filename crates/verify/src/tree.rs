//! Optima: a game, and trees that leave no room for a longer one.
//!
//! The start is the cross of the rules, which all eight symmetries map onto itself; so they map games to games.
//! Let the distance of a point be how many rows or columns it lies outside the box around the cross. A proof has
//! trees for a few cases, and the cases are all positions:
//!
//! - *leaving r*: there is no position that has exactly one dot at a distance beyond r, at r + 1 in the top row (perhaps
//!   beyond the right side, too). Consider a game and its first dot beyond distance r. It is on a line with dots within r, next to
//!   one of them, so at distance r + 1; turned or mirrored it is in the top row, and not beyond the left side. After
//!   that move the position is such a one; before it, all its dots were within r, and by the other cases it had at most N
//!   moves. So only positions of at most N + 1 moves are looked for. There is none: all dots of all positions are within r.
//! - *inside i*: no position with all dots within distance i has more than N moves.
//! - *touching t*, for each t from i + 1 to r: no position with all dots within distance t, one of them in the top row
//!   of those, has more than N moves. A position that reaches distance t and not further is one, turned or mirrored.
//!
//! A tree is about the linear program of its case (`rows.rs`; its columns are 0 or 1 in a position). Where it
//! splits it names a column: in one half it is 1, in the other 0. In a leaf, let y be whole numbers, its factors
//! of rows with the signs that the rows allow, and s its scale. As in `bound.rs`, s times the moves of a position is at
//! most y·b + sum over the columns of (s c_j - (yA)_j) x_j, each term as large as the bounds of its column
//! allow. If this is less than s (N + 1), no position there has more than N moves; with s = 0: there is none.

mod rows;

use crate::bound::text::{Cut, Lines, points, whole};
use crate::game::Replay;
use crate::refusal::{Fault, Place, Refusal};
use crate::rules::{Direction, Line, Move, Rules};
use crate::start::Start;

use rows::{Model, Sense};

pub(crate) use rows::Case;

/// The format of such proofs.
const FORMAT: &str = "morpion-tree/1";

/// How far positions may be looked for.
const MAX_REACH: i32 = 12;

/// How deep a tree may be.
const MAX_DEPTH: usize = 2000;

/// The most cuts of a tree; on the largest region they take some 200 MB.
const MAX_CUTS: usize = 4000;

/// How long the longest games are, as the judge has found. Only [`check`](crate::check) makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Optimum {
    rules: Rules,
    moves: u32,
    leaves: usize,
}

impl Optimum {
    /// The rules of the game, which starts from the usual cross.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// How many moves the longest games have.
    pub fn moves(&self) -> u32 {
        self.moves
    }

    /// How many leaves the trees of the proof have.
    pub fn leaves(&self) -> usize {
        self.leaves
    }

    /// What is proven: `4D = 35`.
    pub fn claim(&self) -> String {
        format!("{} = {}", self.rules, self.moves)
    }
}

/// Whether a text begins as such a proof does.
pub(crate) fn is_tree(text: &str) -> bool {
    text.strip_prefix('\u{feff}').unwrap_or(text).starts_with("morpion-tree/")
}

/// Judges a proof: the game, then the trees, then whether their cases are all.
pub(crate) fn check(text: &str) -> Result<Optimum, Refusal> {
    let mut lines = Lines::new(text);
    lines.format(FORMAT, "an optimum is \"morpion-tree/1\"")?;
    let words = lines.next("what is proven, in words")?.to_owned();
    let rules = lines.after("rules", "`rules` and their name, like 4D", Rules::parse)?;
    let moves = lines.after("moves", "`moves` and how many the game has", |number| {
        whole(number).and_then(|number| u32::try_from(number).ok())
    })?;
    let wanted = format!("{rules} = {moves}: a game has {moves} moves, and none has more");
    if words != wanted {
        return Err(Fault::FalseWords { wanted }.into());
    }
    replay(&mut lines, rules, moves)?;
    let (mut cases, mut leaves) = (Vec::new(), 0);
    while !lines.is_over() {
        let case = lines.read(CASE, case)?;
        if cases.contains(&case) {
            return Err(lines.fault("a case that has not come before"));
        }
        leaves += check_case(&mut lines, rules, case, moves)?.leaves;
        cases.push(case);
    }
    all_positions(&cases)?;
    Ok(Optimum { rules, moves, leaves })
}

const CASE: &str = "`leaving`, `inside` or `touching` and a whole number up to 12";

fn case(line: &str) -> Option<Case> {
    let (kind, reach) = line.split_once(' ')?;
    let reach =
        i32::try_from(whole(reach)?).ok().filter(|reach| (0..=MAX_REACH).contains(reach))?;
    match kind {
        "leaving" => Some(Case::Leaving(reach)),
        "inside" => Some(Case::Inside(reach)),
        "touching" => Some(Case::Touching(reach)),
        _ => None,
    }
}

/// Whether every position is in one of the cases.
fn all_positions(cases: &[Case]) -> Result<(), Refusal> {
    let missing = |case| Err(Fault::MissingCase { case }.into());
    let leaving = cases.iter().find_map(|case| match case {
        Case::Leaving(reach) => Some(*reach),
        _ => None,
    });
    let inside = cases.iter().filter_map(|case| match case {
        Case::Inside(reach) => Some(*reach),
        _ => None,
    });
    let Some(reach) = leaving else { return missing("leaving".to_owned()) };
    let Some(inside) = inside.max() else { return missing("inside".to_owned()) };
    let open = (inside + 1..=reach).find(|&reach| !cases.contains(&Case::Touching(reach)));
    open.map_or(Ok(()), |reach| missing(format!("touching {reach}")))
}

/// Plays the game.
fn replay(lines: &mut Lines<'_>, rules: Rules, moves: u32) -> Result<(), Refusal> {
    const MOVE: &str = "a move: its new dot, the first dot of its line, and E, S, SE or NE";
    let mut replay = Replay::new(rules, Start::Cross)?;
    for number in 1..=moves {
        let mv = lines.read(MOVE, |line| {
            let (dots, direction) = line.rsplit_once(' ')?;
            let direction = Direction::named(direction)?;
            let [new, first] = points(dots)?[..] else { return None };
            let near = new.within_limit() && first.within_limit();
            near.then_some(Move { new, line: Line { first, direction } })
        })?;
        replay.play(mv).map_err(|fault| Refusal::new(Place::Move(number), fault))?;
    }
    Ok(())
}

/// A tree that the judge has gone through.
pub(crate) struct Checked {
    /// How many leaves it has.
    pub(crate) leaves: usize,
    /// Whether it shows that there is no position of its case at all: all its scales are 0.
    pub(crate) is_empty: bool,
}

/// Judges the tree of a case.
pub(crate) fn check_case(
    lines: &mut Lines<'_>,
    rules: Rules,
    case: Case,
    moves: u32,
) -> Result<Checked, Refusal> {
    let few = |number: &str| {
        whole(number).and_then(|number| usize::try_from(number).ok()).filter(|&n| n <= MAX_CUTS)
    };
    let count = lines.after("cuts", "`cuts` and how many there are, up to 4000", few)?;
    let mut cuts = Vec::new();
    for _ in 0..count {
        cuts.push(lines.read("a marked dot, then all dots of a cut", |line| {
            let [marked, dots @ ..] = &points(line)?[..] else { return None };
            Some(Cut { marked: *marked, dots: dots.to_vec() })
        })?);
    }
    let mut model = Model::new(rules, case, moves, &cuts)?;
    // The splits on the way, and whether this is the first half of each.
    let mut path: Vec<(usize, bool)> = Vec::new();
    let (mut leaves, mut is_empty) = (0, true);
    loop {
        let column = |line: &str| line.strip_prefix("split ").map(str::to_owned);
        const WANTED: &str = "`split` and an open column, or `leaf`, a scale and rows with factors";
        if let Some(column) = lines.has(column, WANTED)? {
            let column = whole(&column).and_then(|column| usize::try_from(column).ok());
            let column = column.filter(|&column| model.is_open(column) && path.len() < MAX_DEPTH);
            let column = column.ok_or_else(|| lines.fault(WANTED))?;
            model.fix(column, Some(1));
            path.push((column, true));
            continue;
        }
        let leaf = lines.after("leaf", WANTED, Leaf::parse)?;
        if leaf.duals.iter().any(|&(row, _)| row >= model.rows().len()) {
            return Err(lines.fault("a leaf with rows that there are"));
        }
        leaves += 1;
        is_empty &= leaf.scale == 0;
        let wrong = |row| Refusal::new(Place::Row(row), Fault::WrongSign);
        if !closes(&model, &leaf, case, moves).map_err(wrong)? {
            return Err(Fault::OpenLeaf { number: leaves, case: case.to_string() }.into());
        }
        // The next half is that of the last split whose second one has not been seen.
        loop {
            match path.pop() {
                None => return Ok(Checked { leaves, is_empty }),
                Some((column, true)) => {
                    model.fix(column, Some(0));
                    path.push((column, false));
                    break;
                }
                Some((column, false)) => model.fix(column, None),
            }
        }
    }
}

/// Factors of rows.
struct Leaf {
    scale: i64,
    duals: Vec<(usize, i64)>,
}

impl Leaf {
    /// Reads `8 3:1 17:-2 5`: the last is of row 18.
    fn parse(text: &str) -> Option<Leaf> {
        let mut words = text.split_ascii_whitespace();
        let scale = whole(words.next()?).filter(|&scale| scale >= 0)?;
        let mut next: Option<usize> = None;
        let duals = words.map(|word| {
            let (row, dual) = match word.split_once(':') {
                Some((row, dual)) => (usize::try_from(whole(row)?).ok()?, dual),
                None => (next?, word),
            };
            next = row.checked_add(1);
            Some((row, whole(dual)?))
        });
        Some(Leaf { scale, duals: duals.collect::<Option<_>>()? })
    }
}

/// Whether a leaf leaves no room; the error is the number of a row with a factor that it does not allow.
fn closes(model: &Model, leaf: &Leaf, case: Case, moves: u32) -> Result<bool, u32> {
    const FITS: &str = "there are fewer than 2^40 products of two numbers of 64 bits";
    let counts = !matches!(case, Case::Leaving(_));
    let scale = i128::from(leaf.scale);
    let costs = (0..model.columns()).map(|column| counts && !model.is_dot(column));
    let mut left: Vec<i128> = costs.map(|counts| if counts { scale } else { 0 }).collect();
    let mut total = 0i128;
    for &(number, dual) in &leaf.duals {
        let row = &model.rows()[number];
        let allowed = match row.sense {
            Sense::AtMost => dual >= 0,
            Sense::AtLeast => dual <= 0,
            Sense::Equal => true,
        };
        if !allowed {
            return Err(u32::try_from(number).unwrap_or(u32::MAX));
        }
        let product = |factor: i64| i128::from(dual).checked_mul(i128::from(factor)).expect(FITS);
        total = total.checked_add(product(row.right)).expect(FITS);
        for &(column, factor) in &row.terms {
            left[column] = left[column].checked_sub(product(factor)).expect(FITS);
        }
    }
    for (column, left) in left.into_iter().enumerate() {
        let most = match model.value(column) {
            Some(value) => left.checked_mul(i128::from(value)).expect(FITS),
            None => left.max(0),
        };
        total = total.checked_add(most).expect(FITS);
    }
    let room = if counts { scale * (i128::from(moves) + 1) } else { 0 };
    Ok(total < room)
}
