//! Upper bounds for disjoint games by extents: one branch-and-bound tree for each largest extent.
//!
//! A position is turned so that it extends furthest above the cross. If it extends m rows there, it
//! extends at most m to the other sides, and if it has many moves, all its rows up to there have
//! dots, which is expensive: so no position with many moves extends far, and those that
//! extend a little are excluded by trees over linear programs ([`ExtentProgram`]). The lemmas and
//! the
//! proof that the cases are complete are the verifier's (`morpion-extents/1` of
//! `docs/formats.md`); what is written here is a claim for it to check.

mod program;
#[cfg(feature = "solver")]
mod search;
mod step;

use std::fmt;

use geometry::Game;

use crate::certificate::compressed;

pub use program::{ExtentProgram, ExtentSplit, Side};
#[cfg(feature = "solver")]
pub use search::{Effort, Event, ExtentError, prove};
pub use step::ExtentStep;

/// Positions by how far they extend beyond the cross. Prints as `case 3 3 3 3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ExtentCase {
    /// The least extent above.
    pub from: u32,
    /// The largest extent above.
    pub to: u32,
    /// The largest extent to the right and to the left.
    pub sides: u32,
    /// The largest extent below.
    pub below: u32,
}

impl fmt::Display for ExtentCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, sides, below } = self;
        write!(f, "case {from} {to} {sides} {below}")
    }
}

/// Why there is no such proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExtentCasesError {
    /// The lemmas do not apply.
    #[error("bounds by extents are for disjoint lines of at least 4 dots from the usual cross")]
    OtherGame,
}

/// The largest sum of two opposite extents of a position with one move more than the bound
/// (lemma 4 of the verifier); `None` if there is no such position at all.
pub fn reach(game: &Game, bound: u32) -> Result<Option<u32>, ExtentCasesError> {
    let rules = game.rules;
    if rules.touching() || rules.length() < 4 || !game.is_usual() {
        return Err(ExtentCasesError::OtherGame);
    }
    let (length, dots) = (rules.length() as i64, game.start.dots().len() as i64);
    let moves = i64::from(bound) + 1;
    let waste = 4 * dots - (length - 4) * moves;
    let rows = (dots + moves + (length - 1) * waste).div_euclid(length);
    let (low, high) = game.start.bounds().expect("a cross has dots");
    let reach = rows - i64::from(high.y - low.y + 1);
    Ok(if waste < 0 { None } else { u32::try_from(reach).ok() })
}

/// The cases of a proof: those of extent up to `first` together, then one for each extent, and
/// all from `tail` on together.
pub fn cases(
    game: &Game,
    bound: u32,
    first: u32,
    tail: u32,
) -> Result<Vec<ExtentCase>, ExtentCasesError> {
    let Some(reach) = reach(game, bound)? else { return Ok(Vec::new()) };
    let below = |extent: u32| extent.min(reach - extent);
    let case = |from: u32, to: u32| {
        let below = (from..=to).map(below).max().unwrap_or(0);
        ExtentCase { from, to, sides: to, below }
    };
    let first = first.min(reach);
    let tail = tail.clamp(first + 1, reach + 1);
    let mut cases = vec![case(0, first)];
    cases.extend((first + 1..tail).map(|extent| case(extent, extent)));
    if tail <= reach {
        cases.push(case(tail, reach));
    }
    Ok(cases)
}

/// The whole proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtentProof {
    /// The game.
    pub game: Game,
    /// The number of moves that no game exceeds.
    pub bound: u32,
    /// The texts of the trees of all cases.
    pub cases: Vec<String>,
}

impl ExtentProof {
    /// The text of its file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let (rules, bound) = (self.game.rules, self.bound);
        let head = format!(
            "morpion-extents/1\n{rules}: no game has more than {bound} moves\nrules {rules}\n\
             bound {bound}\n"
        );
        std::iter::once(head).chain(self.cases.iter().cloned()).collect()
    }

    /// The bytes of its file: the text, compressed with gzip.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        compressed(&self.to_text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_contain_every_largest_extent() {
        let game = Game::named("5D").expect("known");
        assert_eq!(reach(&game, 121), Ok(Some(39)));
        assert_eq!(reach(&game, 99), Ok(Some(52)));
        assert_eq!(
            reach(&Game::named("5T").expect("known"), 500),
            Err(ExtentCasesError::OtherGame)
        );
        let cases = cases(&game, 121, 2, 14).expect("5D is disjoint");
        let words: Vec<String> = cases.iter().map(ToString::to_string).collect();
        assert_eq!(words[..2], ["case 0 2 2 2", "case 3 3 3 3"]);
        assert_eq!(words.last().map(String::as_str), Some("case 14 39 39 19"));
        assert_eq!(words.len(), 13);
    }
}
