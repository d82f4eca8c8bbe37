//! Covers: certificates of boards, and proofs for hulls, that together bound a whole game.
//!
//! [`CoverSearch`] decides what to certify next; [`UncoveredHulls::enlarge`] finds a board that
//! covers many hulls. [`Cover`] is the finished proof, in the formats `morpion-cover/1` and
//! `morpion-cover/2` of `docs/formats.md`. Whether it covers every hull of a position is for the
//! verifier to decide.

mod enlarge;
mod search;

use geometry::Rules;

use crate::certificate::{Certificate, compressed, write_boards};
use crate::{Board, Octagon};

pub use enlarge::Enlargement;
pub use search::{CoverSearch, UncoveredHulls};

/// Boards and hulls with their proofs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    /// The rules of the game, which starts from the usual cross.
    pub rules: Rules,
    /// The claimed upper bound.
    pub bound: u32,
    /// Certificates with the formulation of lines, for all games on squares and octagons, whose
    /// bounds are no larger.
    pub certificates: Vec<Certificate>,
    /// Hulls that are bounded on their own, each with its cases as they are written.
    pub hulls: Vec<(Octagon, String)>,
}

impl Cover {
    /// Removes boards that lie in another, and hulls that lie in a board.
    pub fn remove_redundant(&mut self) {
        self.certificates.sort_by_key(|certificate| {
            octagon(certificate).map(|board| std::cmp::Reverse(board.area()))
        });
        let mut boards: Vec<Octagon> = Vec::new();
        self.certificates.retain(|certificate| {
            let Some(board) = octagon(certificate) else { return false };
            let is_new = !boards.iter().any(|larger| larger.fits_any_image(&board));
            if is_new {
                boards.push(board);
            }
            is_new
        });
        self.hulls.retain(|(hull, _)| !boards.iter().any(|board| board.fits_any_image(hull)));
    }

    /// The boards, as octagons.
    #[must_use]
    pub fn boards(&self) -> Vec<Octagon> {
        self.certificates.iter().filter_map(octagon).collect()
    }

    /// The text of its file.
    #[must_use]
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
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        compressed(&self.to_text())
    }
}

/// The board of a certificate, unless it is a box.
fn octagon(certificate: &Certificate) -> Option<Octagon> {
    match certificate.problem.board {
        Board::Octagon(octagon) => Some(octagon),
        Board::Square(square) => Some(square.octagon()),
        Board::Box(_) => None,
    }
}
