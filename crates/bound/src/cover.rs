//! Certificates of boards, and proofs for hulls, that together bound a game, as one file
//! (`morpion-cover/1` and `morpion-cover/2` of `docs/formats.md`). Which to take is the caller's choice;
//! whether they hold every hull of a position is the judge's to say.

use std::fmt::Write as _;

use geometry::Rules;

use crate::Octagon;
use crate::certificate::{Certificate, compressed, write_duals};

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
            rules {rules}\nbound {bound}\nboards {}\n",
            certificates.len()
        );
        if version == 2 {
            writeln!(text, "hulls {}", hulls.len()).expect("a text takes what is written");
        }
        for certificate in certificates {
            writeln!(text, "board {}", certificate.task.board)
                .expect("a text takes what is written");
            write_duals(&mut text, certificate.scale, &certificate.duals);
        }
        for (hull, cases) in hulls {
            write!(text, "hull octagon:{hull}\n{cases}").expect("a text takes what is written");
        }
        text
    }

    /// The bytes of its file: the text, compressed with gzip.
    pub fn to_bytes(&self) -> Vec<u8> {
        compressed(&self.to_text())
    }
}
