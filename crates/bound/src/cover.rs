//! Covers: certificates of boards, and proofs for hulls, that together bound a whole game.
//!
//! [`CoverSearch`] decides what to certify next; [`UncoveredHulls::enlarge`] finds a board that
//! covers many hulls. [`RangeSearch`] does the same for ranges of hulls. [`Cover`] is the finished
//! proof, in the versions of `morpion-cover` of `docs/reference/certificates.md`. Whether it covers
//! every hull of a position is for the verifier to decide.

mod enlarge;
mod ranges;
mod search;

use geometry::Rules;

use crate::blocks::HullRange;
use crate::certificate::{Certificate, compressed, write_boards};
use crate::{Board, HullFamily, Octagon};

pub use enlarge::Enlargement;
pub use ranges::{RangeAttempt, RangeSearch};
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
    /// Ranges of hulls, each with its tree as it is written; a cover has hulls or ranges.
    pub ranges: Vec<(HullRange, String)>,
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

    /// Leaves out ranges that others make unnecessary: takes the one that covers most classes of
    /// the family that are left, again and again.
    pub fn select_ranges(&mut self, family: &HullFamily) {
        let mut left = RangeSearch::new(family, self.bound);
        self.boards().iter().for_each(|board| left.cover_board(board));
        let mut selected = Vec::new();
        let mut open: Vec<(usize, usize)> = self
            .ranges
            .iter()
            .enumerate()
            .map(|(number, (hulls, _))| (left.count(hulls), number))
            .collect();
        // What a range covers of the rest only shrinks: count again only what may be the most.
        while let Some(most) = (0..open.len()).max_by_key(|&place| open[place].0) {
            let (known, number) = open[most];
            let now = left.count(&self.ranges[number].0);
            if now == 0 {
                open.swap_remove(most);
            } else if now < known {
                open[most].0 = now;
            } else {
                left.cover(&self.ranges[number].0);
                selected.push(self.ranges[number].clone());
                open.swap_remove(most);
            }
        }
        self.ranges = selected;
    }

    /// The boards, as octagons.
    #[must_use]
    pub fn boards(&self) -> Vec<Octagon> {
        self.certificates.iter().filter_map(octagon).collect()
    }

    /// The text of its file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let Self { rules, bound, certificates, hulls, ranges } = self;
        let version = match (hulls.is_empty(), ranges.is_empty()) {
            (_, false) => 4,
            (false, _) => 2,
            _ => 1,
        };
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
        if version == 4 {
            text.push_str(&format!("ranges {}\n", ranges.len()));
        }
        for (hulls, tree) in ranges {
            let slack = hulls.slack.map(|steps| steps.to_string()).join(" ");
            text.push_str(&format!("range octagon:{}\nslack {slack}\n{tree}", hulls.board));
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
