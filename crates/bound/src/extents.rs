//! Upper bounds for disjoint games by extents: one branch-and-bound tree for each largest extent.
//!
//! A position is turned so that it extends furthest above the cross. If it extends m rows there, it
//! extends at most m to the other sides, and all its rows up to there have dots, which is
//! expensive: no position extends beyond some distance ([`find_exit`]), and those that extend less
//! far are excluded by trees over linear programs ([`ExtentProgram`]). The lemmas and the proof
//! that the cases are complete are the verifier's (`morpion-extents/2` of
//! `docs/reference/certificates.md`); what is written here is a claim for it to check.

mod branching;
mod prices;
mod program;
mod relaxation;
mod rounding;
mod search;
mod sketch;
mod step;

use std::fmt;

use geometry::Game;

use crate::certificate::compressed;

pub use prices::PriceLeaf;
pub use program::{ExtentProgram, ExtentSplit, Side};
pub use search::{Event, ExtentError, find_exit, prove};
pub use sketch::Sketch;
pub use step::ExtentStep;

/// Positions by their largest extent, which is above the cross. Prints as `case 3 3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ExtentCase {
    /// The least extent above.
    pub from: u32,
    /// The largest extent above; those to the other sides are no larger.
    pub to: u32,
}

impl fmt::Display for ExtentCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "case {} {}", self.from, self.to)
    }
}

/// Why there is no such proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExtentCasesError {
    /// The lemmas do not apply.
    #[error("bounds by extents are for disjoint lines of at least 5 dots from the usual cross")]
    OtherGame,
}

/// Whether the lemmas apply to a game.
pub fn check_game(game: &Game) -> Result<(), ExtentCasesError> {
    let rules = game.rules;
    match !rules.touching() && rules.length() >= 5 && game.is_usual() {
        true => Ok(()),
        false => Err(ExtentCasesError::OtherGame),
    }
}

/// Extents up to this one form one case.
const FIRST: u32 = 2;

/// The cases of a proof, if no position extends as far as `exit`.
#[must_use]
pub fn cases(exit: u32) -> Vec<ExtentCase> {
    let first = FIRST.min(exit.saturating_sub(1));
    let mut cases = vec![ExtentCase { from: 0, to: first }];
    cases.extend((first + 1..exit).map(|extent| ExtentCase { from: extent, to: extent }));
    cases
}

/// The whole proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtentProof {
    /// The game.
    pub game: Game,
    /// The number of moves that no game exceeds.
    pub bound: u32,
    /// The text of the tree that shows how far no position extends.
    pub exit: String,
    /// The texts of the trees of all cases.
    pub cases: Vec<String>,
}

impl ExtentProof {
    /// The text of its file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let (rules, bound) = (self.game.rules, self.bound);
        let head = format!(
            "morpion-extents/2\n{rules}: no game has more than {bound} moves\nrules {rules}\n\
             bound {bound}\n"
        );
        let trees = std::iter::once(&self.exit).chain(&self.cases);
        trees.fold(head, |text, tree| text + tree)
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
    fn cases_contain_every_largest_extent_up_to_the_exit() {
        let words: Vec<String> = cases(6).iter().map(ToString::to_string).collect();
        assert_eq!(words, ["case 0 2", "case 3 3", "case 4 4", "case 5 5"]);
        for exit in 1..9 {
            let cases = cases(exit);
            let contains = |m| cases.iter().any(|case| (case.from..=case.to).contains(&m));
            assert!((0..exit).all(contains) && !contains(exit), "{exit}");
        }
    }

    #[test]
    fn games_that_the_lemmas_are_not_about_are_refused() {
        let check = |name: &str| check_game(&Game::named(name).expect("known"));
        assert!(["5D", "6D", "9D"].iter().all(|name| check(name).is_ok()));
        for name in ["5T", "6T", "4D", "3D"] {
            assert_eq!(check(name), Err(ExtentCasesError::OtherGame), "{name}");
        }
    }
}
