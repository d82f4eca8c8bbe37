//! Certificates of boards that together bound a game, as one file (`morpion-cover/1` of
//! `docs/formats.md`). Which boards to take is the caller's choice; whether they hold every hull of a
//! position is the judge's to say.

use geometry::Rules;

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
}

impl Cover {
    /// The text of its file.
    pub fn to_text(&self) -> String {
        let Self { rules, bound, certificates } = self;
        let mut text = format!(
            "morpion-cover/1\n{rules}: no game has more than {bound} moves\n\
            rules {rules}\nbound {bound}\n"
        );
        write_boards(&mut text, certificates);
        text
    }

    /// The bytes of its file: the text, compressed with gzip.
    pub fn to_bytes(&self) -> Vec<u8> {
        compressed(&self.to_text())
    }
}
