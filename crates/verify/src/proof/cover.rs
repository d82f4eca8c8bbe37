//! `morpion-cover`: a bound for a whole game by ranges of hulls, among them the hull of every
//! position.
//!
//! The argument is that of Michalewski, Nagórko and Pawlewicz (2015) for lines of five dots from
//! the cross of 36 dots, touching or disjoint (a disjoint game is a touching one, too). A dot has 8
//! half-segments, a line uses 8 of them, a move adds one dot and one line: so every position has 8
//! x 36 = 288 free half-segments. Consider its octagonal hull, the smallest octagon of the lattice
//! that contains its dots.
//!
//! - A lattice line of the four directions that has a dot has two free half-segments that point
//!   outwards from its first and last dot. Rows and columns of the hull all have dots, since every
//!   new dot is next to another; a diagonal that has none is a gap. So with p = 2 x (lattice lines
//!   that meet the hull), p - 2 gaps of the free half-segments point outwards.
//! - 2 gaps are at most the free half-segments that point inwards, plus a modifier: 0 if no
//!   diagonal side of the hull has length 0, 4 if two opposite ones have, else 2. This is their
//!   lemma; docs/explanation/bounds.md, *Gaps in hulls*, has a proof in full. It is about the
//!   cross: after a lone diagonal line it would be false.
//!
//! Hence p <= 288 + modifier: finitely many octagons, which `octagons.rs` enumerates. A position
//! whose hull has n dots has at most n - 36 lines. So a game has at most N moves if for every
//! octagon with more than N + 36 dots, moved, turned or mirrored, the integers of a range show that
//! positions with this hull have at most N (`range.rs`).

mod octagons;

use super::board::Board;
use super::claim::{Claim, ProofStats, ProvenClaim};
use super::lp::BoardProblem;
use super::range::{self, HullRange, LeafBound};
use super::text::{Text, number};
use crate::fault::ProofFault;
use crate::refusal::{Place, Refusal};
use crate::rules::Rules;

/// The most boards or ranges of a proof.
const MAX_BOARDS: u32 = 100_000;

/// Verifies every range, then that together they bound all octagons.
pub(super) fn verify(text: &mut Text<'_>) -> Result<ProvenClaim, Refusal> {
    let header = BoundHeader::read(text)?;
    let (ranges, leaves) = header.ranges(text)?;
    let stats = ProofStats { ranges: ranges.len(), leaves, ..ProofStats::default() };
    text.end()?;
    match octagons::first_uncovered(&ranges, header.bound.into(), text.budget())? {
        Some(octagon) => Err(ProofFault::Uncovered { board: octagon.to_string() }.into()),
        None => Ok(ProvenClaim::new(header.claim(), stats)),
    }
}

/// How a proof for a whole game of lines of five dots begins: what it claims.
pub(super) struct BoundHeader {
    pub(super) rules: Rules,
    pub(super) bound: u32,
}

impl BoundHeader {
    /// Reads the lines up to the bound.
    pub(super) fn read(text: &mut Text<'_>) -> Result<BoundHeader, Refusal> {
        let statement = text.statement()?;
        let header = BoundHeader { rules: text.rules()?, bound: text.bound()? };
        if header.rules.length() != 5 {
            let reason = "only octagons of games with lines of 5 dots are known";
            return Err(ProofFault::NoModel { reason }.into());
        }
        header.claim().check_statement(statement)?;
        Ok(header)
    }

    pub(super) fn claim(&self) -> Claim {
        Claim::AtMost { rules: self.rules, moves: self.bound }
    }

    /// Reads the boards, which come next, and verifies their bounds. `known` says which boards the
    /// format allows, and what it needs of them.
    pub(super) fn boards<T>(
        &self,
        text: &mut Text<'_>,
        wanted: &'static str,
        known: impl Fn(Board) -> Option<T>,
    ) -> Result<Vec<T>, Refusal> {
        let count = text.value("boards", "`boards` and how many there are, at most 100000", few)?;
        let mut boards = Vec::new();
        for index in 1..=count {
            let known =
                |name: &str| Board::parse(name).and_then(|board| Some((board, known(board)?)));
            let (board, meant) = text.value("board", wanted, known)?;
            let duals = text.duals()?;
            let problem = BoardProblem::from_cross(self.rules, board, false);
            problem
                .verify(&duals, self.bound.into(), text.budget())
                .map_err(|refusal| refusal.at(Place::Board(index)))?;
            boards.push(meant);
        }
        Ok(boards)
    }

    /// Reads the ranges, which come next, and what they prove; returns them with the number of all
    /// leaves.
    fn ranges(&self, text: &mut Text<'_>) -> Result<(Vec<HullRange>, usize), Refusal> {
        let count = text.value("ranges", "`ranges` and how many there are, at most 100000", few)?;
        let (mut ranges, mut leaves) = (Vec::new(), 0);
        for index in 1..=count {
            let (range, more) = range::verify(text, self.bound.into())
                .map_err(|refusal| refusal.at(Place::Range(index)))?;
            ranges.push(range);
            leaves += more;
        }
        Ok((ranges, leaves))
    }
}

/// A number of boards or ranges.
fn few(text: &str) -> Option<u32> {
    number(text).filter(|&count| count <= MAX_BOARDS)
}
