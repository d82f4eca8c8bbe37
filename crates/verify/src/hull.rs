//! Bounds for games with a given octagonal hull, by telling cases apart.
//!
//! Such a proof is a tree. Where it branches, it names a lattice line and how cases are told apart there
//! (`bound/supposed.rs` says why there are no others); a leaf is one case, with a whole number for each row
//! of its model, and is judged like a certificate of an exact board whose games keep to what is supposed
//! on the way to it. If no case has more moves than claimed, no game with this hull has.

use crate::bound::supposed::{LatticeLine, Supposed};
use crate::bound::text::{Certificate, Lines, whole};
use crate::bound::{self, Board, BoardBound};
use crate::refusal::{Fault, Refusal};
use crate::rules::Rules;
use crate::start::Start;

/// The format of such proofs.
const FORMAT: &str = "morpion-hull/1";

/// How deep cases may be nested.
const MAX_DEPTH: usize = 200;

/// Whether a text begins as such a proof does.
pub(crate) fn is_hull(text: &str) -> bool {
    text.strip_prefix('\u{feff}').unwrap_or(text).starts_with("morpion-hull/")
}

/// Judges a proof.
pub(crate) fn check(text: &str) -> Result<BoardBound, Refusal> {
    let mut lines = Lines::new(text);
    lines.format(FORMAT, "a bound for a hull is \"morpion-hull/1\"")?;
    let words = lines.next("what is proven, in words")?.to_owned();
    let rules = lines.after("rules", "`rules` and their name, like 5T", Rules::parse)?;
    let wanted = "`hull` and octagon:a0,...,a7";
    let board = lines.after("hull", wanted, |name| Board::parse(name).filter(is_octagon))?;
    let not_negative = |number: &str| whole(number).filter(|&bound| bound >= 0);
    let claimed = lines.after("bound", "`bound` and a whole number from 0 on", not_negative)?;
    let claimed = i128::from(claimed);
    let proven = BoardBound::of_hull(rules, board, claimed);
    if proven.claim() != words {
        return Err(Fault::FalseWords { wanted: proven.claim() }.into());
    }
    check_cases(&mut lines, rules, board, claimed)?;
    lines.end()?;
    Ok(proven)
}

fn is_octagon(board: &Board) -> bool {
    matches!(board, Board::Octagon(_))
}

/// Judges the cases of a hull, which come next in a text.
pub(crate) fn check_cases(
    lines: &mut Lines<'_>,
    rules: Rules,
    board: Board,
    claimed: i128,
) -> Result<(), Refusal> {
    let mut case = Certificate {
        words: String::new(),
        rules,
        start: Start::Cross,
        board,
        births: false,
        exact: true,
        cuts: Vec::new(),
        supposed: Vec::new(),
        bound: claimed,
        scale: 1,
        duals: Vec::new(),
    };
    check_case(lines, &mut case)
}

/// Judges one case, or the cases that it falls into.
fn check_case(lines: &mut Lines<'_>, case: &mut Certificate) -> Result<(), Refusal> {
    const WANTED: &str =
        "`holds` or `phases` and a lattice line like SE 13, or `scale` and a number above 0";
    if case.supposed.len() > MAX_DEPTH {
        return Err(Fault::NoModel { reason: "cases are nested more than 200 deep" }.into());
    }
    let holds = |line: &str| LatticeLine::parse(line.strip_prefix("holds ")?);
    let phases = |line: &str| LatticeLine::parse(line.strip_prefix("phases ")?);
    let cases: Vec<Supposed> = if let Some(lattice) = lines.has(holds, WANTED)? {
        vec![Supposed::Empty(lattice), Supposed::Runs(lattice, 1)]
    } else if let Some(lattice) = lines.has(phases, WANTED)? {
        let phases = (0..i32::from(case.rules.length()) - 1).map(|of| Supposed::Phase(lattice, of));
        phases.chain([Supposed::Runs(lattice, 2)]).collect()
    } else {
        (case.scale, case.duals) = lines.scale_and_duals()?;
        return match bound::evaluate(case)? {
            bound if bound > case.bound => {
                Err(Fault::FalseBound { claimed: case.bound, bound }.into())
            }
            _ => Ok(()),
        };
    };
    for supposed in cases {
        case.supposed.push(supposed);
        check_case(lines, case)?;
        case.supposed.pop();
    }
    Ok(())
}
