//! Certificates of boards, and proofs for hulls, that together bound a game, as one file
//! (`morpion-cover/1` and `morpion-cover/2` of `docs/formats.md`). Which to take is the caller's choice;
//! whether they hold every hull of a position is the judge's to say.

use geometry::Rules;

use crate::Octagon;
use crate::certificate::{Certificate, compressed, write_boards};

/// Boards with their certificates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    /// The rules of the game, which starts from the usual cross.
    pub rules: Rules,
    /// The most moves that are claimed.
    pub bound: u32,
    /// Certificates of the model of lines on squares and octagons, for all games on them, whose bounds
    /// are no larger.
    pub certificates: Vec<Certificate>,
    /// Hulls that are bounded by themselves, each with its cases as they are written.
    pub hulls: Vec<(Octagon, String)>,
}

impl Cover {
    /// The text of its file.
    pub fn to_text(&self) -> String {
        let Self { rules, bound, certificates, hulls } = self;
        let version = if hulls.is_empty() { 1 } else { 2 };
        let mut text = format!(
            "morpion-cover/{version}\n{rules}: no game has more than {bound} moves\n\
            rules {rules}\nbound {bound}\n"
        );
        write_boards(&mut text, certificates);
        if version == 2 {
            text.push_str(&format!("hulls {}\n", hulls.len()));
        }
        for (hull, cases) in hulls {
            text.push_str(&format!("hull octagon:{hull}\n{cases}"));
        }
        text
    }

    /// The bytes of its file: the text, compressed with gzip.
    pub fn to_bytes(&self) -> Vec<u8> {
        compressed(&self.to_text())
    }
}
