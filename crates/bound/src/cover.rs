//! Covers: ranges of hulls whose bounds together hold for a whole game.
//!
//! [`HullCell`] parts the hulls of a family until each part is bounded; [`Cover`] is the finished
//! proof, `morpion-cover/5` of `docs/reference/certificates.md`. Whether it covers every hull of a
//! position is for the verifier to decide.

mod cells;

use geometry::Rules;

use crate::blocks::HullRange;
use crate::certificate::compressed;

pub use cells::{CellName, CellSplit, HullCell};

/// Ranges of hulls with their proofs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    /// The rules of the game, which starts from the usual cross.
    pub rules: Rules,
    /// The claimed upper bound.
    pub bound: u32,
    /// Ranges of hulls, each with its tree as it is written.
    pub ranges: Vec<(HullRange, String)>,
}

impl Cover {
    /// The text of its file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let Self { rules, bound, ranges } = self;
        let mut text = format!(
            "morpion-cover/5\n{rules}: no game has more than {bound} moves\n\
            rules {rules}\nbound {bound}\nranges {}\n",
            ranges.len()
        );
        for (range, tree) in ranges {
            let slack = range.slack.map(|steps| steps.to_string()).join(" ");
            text.push_str(&format!("range octagon:{}\nslack {slack}\n{tree}", range.board));
        }
        text
    }

    /// The bytes of its file: the text, compressed with gzip.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        compressed(&self.to_text())
    }
}
