//! Bounds for a whole game: boards that together hold every position.
//!
//! The argument is that of Michalewski, Nagórko and Pawlewicz (2015) for lines of five dots from the
//! cross of 36 dots, touching or disjoint (a disjoint game is a touching one, too). A dot has 8
//! half-segments, a line uses 8 of them, a move adds one of each: a position has 8 x 36 = 288 free ones
//! for ever. Consider its octagonal hull, the least octagon of the lattice that holds its dots.
//!
//! - A lattice line of the four directions that holds a dot has two free half-segments that look
//!   outwards from its first and last dot. Rows and columns of the hull all hold dots, since every new
//!   dot is next to another; a diagonal that does not is a gap. So with p = 2 x (lattice lines that meet
//!   the hull), p - 2 gaps of the free half-segments look outwards.
//! - 2 gaps are at most the free half-segments that look inwards, plus a modifier: 0 if no diagonal side of
//!   the hull has length 0, 4 if two opposite ones have, else 2. This is their lemma, taken from them and not
//!   shown here. It is about the cross: after a lone diagonal line it would be false.
//!
//! Hence p <= 288 + modifier: finitely many octagons, which `octagons.rs` goes through. A position whose
//! hull has n dots has at most n - 36 lines. So a game has at most N moves if every octagon with more
//! than N + 36 dots lies in a board, moved, turned and mirrored at will, whose certificate shows that
//! games on it have at most N. An octagon in a larger one of them need not be looked at.
//!
//! Where no board does, an octagon may be shown to have at most N moves in games whose hull it is exactly
//! (`hull.rs`). Then the octagons inside it must be looked at.

mod octagons;

use crate::bound::text::{Certificate, Lines, whole};
use crate::bound::{self, Board};
use crate::hull;
use crate::refusal::{Fault, Place, Refusal};
use crate::rules::Rules;
use crate::start::Start;

use octagons::Octagon;

/// The format of such proofs.
const FORMAT: &str = "morpion-cover/1";

/// The format of such proofs with hulls.
const WITH_HULLS: &str = "morpion-cover/2";

/// The most boards of a cover.
const MAX_BOARDS: u32 = 100_000;

/// The dots of the cross.
const CROSS: i64 = 36;

/// A bound for a game that the judge has found to hold. Only [`check`](crate::check) makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameBound {
    rules: Rules,
    bound: u32,
    boards: usize,
    hulls: usize,
}

impl GameBound {
    /// The rules of the game, which starts from the usual cross.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// No game has more moves.
    pub fn bound(&self) -> u32 {
        self.bound
    }

    /// How many certified boards the proof has.
    pub fn boards(&self) -> usize {
        self.boards
    }

    /// How many hulls the proof has that are bounded by themselves.
    pub fn hulls(&self) -> usize {
        self.hulls
    }

    /// What is proven: `5T <= 586`.
    pub fn claim(&self) -> String {
        format!("{} <= {}", self.rules, self.bound)
    }
}

/// Whether a text begins as such a proof does.
pub(crate) fn is_cover(text: &str) -> bool {
    text.strip_prefix('\u{feff}').unwrap_or(text).starts_with("morpion-cover/")
}

/// Judges a proof: every board, then whether together they hold all octagons.
pub(crate) fn check(text: &str) -> Result<GameBound, Refusal> {
    let mut lines = Lines::new(text);
    let with_hulls = text.strip_prefix('\u{feff}').unwrap_or(text).starts_with(WITH_HULLS);
    let format = if with_hulls { WITH_HULLS } else { FORMAT };
    let wanted = "a bound for a game is \"morpion-cover/1\" or \"morpion-cover/2\"";
    let head = Head::read(&mut lines, format, wanted)?;
    let free = |board: Board| board.sides().map(Octagon::new);
    let boards = head.boards(&mut lines, "`board` and square:N or octagon:a0,...,a7", free)?;
    let hulls = if with_hulls { head.hulls(&mut lines)? } else { Vec::new() };
    lines.end()?;
    match octagons::first_outside(&boards, &hulls, i64::from(head.bound) + CROSS) {
        Some(octagon) => Err(Fault::Uncovered { board: octagon.to_string() }.into()),
        None => Ok(GameBound { hulls: hulls.len(), ..head.proven(boards.len()) }),
    }
}

/// How a proof for a whole game begins: what it claims.
pub(crate) struct Head {
    pub(crate) rules: Rules,
    pub(crate) bound: u32,
}

impl Head {
    /// Reads the first lines of a proof in this format.
    pub(crate) fn read(
        lines: &mut Lines<'_>,
        format: &str,
        wanted: &'static str,
    ) -> Result<Head, Refusal> {
        lines.format(format, wanted)?;
        let words = lines.next("what is proven, in words")?.to_owned();
        let rules = lines.after("rules", "`rules` and their name, like 5T", Rules::parse)?;
        let number = |text: &str| whole(text).and_then(|number| u32::try_from(number).ok());
        let bound = lines.after("bound", "`bound` and a whole number from 0 on", number)?;
        if rules.length() != 5 {
            let reason = "only octagons of games with lines of 5 dots are known";
            return Err(Fault::NoModel { reason }.into());
        }
        let wanted = format!("{rules}: no game has more than {bound} moves");
        match words == wanted {
            true => Ok(Head { rules, bound }),
            false => Err(Fault::FalseWords { wanted }.into()),
        }
    }

    /// Reads the boards, which come next, and finds out whether their bounds are low enough.
    pub(crate) fn boards<T>(
        &self,
        lines: &mut Lines<'_>,
        wanted: &'static str,
        known: impl Fn(Board) -> Option<T>,
    ) -> Result<Vec<T>, Refusal> {
        let count =
            lines.after("boards", "`boards` and how many there are, at most 100000", few)?;
        let mut boards = Vec::new();
        for index in 1..=count {
            let known =
                |name: &str| Board::parse(name).and_then(|board| Some((board, known(board)?)));
            let (board, meant) = lines.after("board", wanted, known)?;
            self.certified(lines, board).map_err(|no| no.at(Place::Board(index)))?;
            boards.push(meant);
        }
        Ok(boards)
    }

    /// Reads the hulls, which come after the boards, and judges their cases.
    fn hulls(&self, lines: &mut Lines<'_>) -> Result<Vec<Octagon>, Refusal> {
        let count = lines.after("hulls", "`hulls` and how many there are, at most 100000", few)?;
        let mut hulls = Vec::new();
        for index in 1..=count {
            let octagon = |name: &str| {
                let board = Board::parse(name)?;
                Some((board, Octagon::new(board.sides()?)))
            };
            let (board, octagon) = lines.after("hull", "`hull` and octagon:a0,...,a7", octagon)?;
            hull::check_cases(lines, self.rules, board, i128::from(self.bound))
                .map_err(|no| no.at(Place::Hull(index)))?;
            hulls.push(octagon);
        }
        Ok(hulls)
    }

    /// Reads the certificate of a board, and finds out whether its bound is low enough.
    fn certified(&self, lines: &mut Lines<'_>, board: Board) -> Result<(), Refusal> {
        let (scale, duals) = lines.scale_and_duals()?;
        let claimed = i128::from(self.bound);
        let certificate = Certificate {
            words: String::new(),
            rules: self.rules,
            start: Start::Cross,
            board,
            births: false,
            exact: false,
            cuts: Vec::new(),
            supposed: Vec::new(),
            bound: claimed,
            scale,
            duals,
        };
        match bound::evaluate(&certificate)? {
            bound if bound > claimed => Err(Fault::FalseBound { claimed, bound }.into()),
            _ => Ok(()),
        }
    }

    /// What is proven, once all has been checked.
    pub(crate) fn proven(&self, boards: usize) -> GameBound {
        GameBound { rules: self.rules, bound: self.bound, boards, hulls: 0 }
    }
}

/// A number of boards or hulls.
fn few(text: &str) -> Option<u32> {
    let count = whole(text).and_then(|count| u32::try_from(count).ok());
    count.filter(|&count| count <= MAX_BOARDS)
}
