//! `morpion-cover`: a bound for a whole game by boards that together contain every position.
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
//!   lemma, which is not proved here. It is about the cross: after a lone diagonal line it would be
//!   false.
//!
//! Hence p <= 288 + modifier: finitely many octagons, which `octagons.rs` enumerates. A position
//! whose hull has n dots has at most n - 36 lines. So a game has at most N moves if every octagon
//! with more than N + 36 dots lies in a board, moved, turned and mirrored, whose certificate shows
//! that games on it have at most N.
//!
//! Where no board contains an octagon, version 2 has hulls: cases show that games with exactly this
//! hull have at most N moves (`hull.rs`). Version 4 has ranges instead: the sizes of lattice lines
//! show it for all hulls near a board (`range.rs`). Version 3 had weaker integers for these and is
//! no longer read.

mod octagons;

use super::board::Board;
use super::claim::{Claim, ProofStats, ProvenClaim};
use super::hull;
use super::lp::BoardProblem;
use super::range::{self, HullRange};
use super::text::{Text, number};
use crate::fault::ProofFault;
use crate::refusal::{Place, Refusal};
use crate::rules::Rules;

use octagons::Octagon;

/// The most boards of a cover.
const MAX_BOARDS: u32 = 100_000;

/// The dots of the cross.
const CROSS: i64 = 36;

/// Verifies every board, then that together they contain all octagons.
pub(super) fn verify(text: &mut Text<'_>) -> Result<ProvenClaim, Refusal> {
    let header = BoundHeader::read(text)?;
    let free = |board: Board| board.sides().map(Octagon::new);
    let boards = header.boards(text, "`board` and square:N or octagon:a0,...,a7", free)?;
    let mut stats = ProofStats { boards: boards.len(), ..ProofStats::default() };
    let (mut hulls, mut ranges) = (Vec::new(), Vec::new());
    match text.version() {
        "morpion-cover/2" => hulls = header.hulls(text)?,
        "morpion-cover/4" => (ranges, stats.leaves) = header.ranges(text)?,
        _ => {}
    }
    (stats.hulls, stats.ranges) = (hulls.len(), ranges.len());
    text.end()?;
    let most = i64::from(header.bound) + CROSS;
    match octagons::first_uncovered(&boards, &hulls, &ranges, most, text.budget())? {
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

    /// Reads the hulls, which come after the boards, and verifies their cases.
    fn hulls(&self, text: &mut Text<'_>) -> Result<Vec<Octagon>, Refusal> {
        let count = text.value("hulls", "`hulls` and how many there are, at most 100000", few)?;
        let mut hulls = Vec::new();
        for index in 1..=count {
            let octagon = |name: &str| {
                let board = Board::parse(name)?;
                Some((board, Octagon::new(board.sides()?)))
            };
            let (board, octagon) = text.value("hull", "`hull` and octagon:a0,...,a7", octagon)?;
            hull::verify_cases(text, self.rules, board, self.bound.into())
                .map_err(|refusal| refusal.at(Place::Hull(index)))?;
            hulls.push(octagon);
        }
        Ok(hulls)
    }

    /// Reads the ranges, which come after the boards, and verifies their trees; returns them with
    /// the number of all leaves.
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

/// A number of boards, hulls or ranges.
fn few(text: &str) -> Option<u32> {
    number(text).filter(|&count| count <= MAX_BOARDS)
}
