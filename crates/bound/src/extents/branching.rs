//! What to split a node by: pseudo-costs.
//!
//! How much each split has lowered the value per unit of change is learned from trials of a few
//! iterations and from the tree itself. The number of lines along a lattice line is the best thing
//! to split by: fractional solutions mix lattice lines of two and of three lines.

use std::collections::HashMap;

use solver::Solution;

use super::ExtentSplit;
use super::program::ExtentProgram;
use super::relaxation::Relaxation;
use crate::branch::Node;

/// A split that a fractional solution suggests, with how far the solution is from each half.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Candidate {
    pub(super) split: ExtentSplit,
    /// From the half with more, and from the other.
    pub(super) distances: [f64; 2],
}

/// How far a dot must be from an integer to be split by, and the lines of a lattice line.
const DOT_TOLERANCE: f64 = 1e-5;
const LINES_TOLERANCE: f64 = 0.08;

/// The splits that a fractional solution suggests.
pub(super) fn candidates(
    shape: &ExtentProgram,
    node: &Node,
    relaxation: &Relaxation,
    solution: &Solution,
) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    let mut values = vec![0.0; node.bounds.len()];
    for (&variable, &value) in relaxation.columns.iter().zip(&solution.columns) {
        values[variable] = value;
    }
    for (index, &dot) in shape.dots.iter().enumerate() {
        let value = values[index];
        let is_open = node.bounds[index] == (0, 1);
        if is_open && value > DOT_TOLERANCE && value < 1.0 - DOT_TOLERANCE {
            let split = ExtentSplit::Dot(dot);
            candidates.push(Candidate { split, distances: [1.0 - value, value] });
        }
    }
    for line in &shape.lattice {
        let value: f64 = line.variables.iter().map(|&variable| values[variable]).sum();
        let most = (value + 1e-7).floor();
        let above = value - most;
        if (LINES_TOLERANCE..=1.0 - LINES_TOLERANCE).contains(&above) {
            let (direction, index) = (line.direction, line.index);
            let split = ExtentSplit::Lines { direction, index, most: most as i64 };
            candidates.push(Candidate { split, distances: [1.0 - above, above] });
        }
    }
    candidates
}

/// How good a split is that lowers the value by so much in its halves, if it need not fall by more
/// than `over`.
pub(super) fn score(gains: [f64; 2], over: f64) -> f64 {
    let [a, b] = gains.map(|gain| gain.clamp(1e-3, over.max(1e-3)));
    a * b + 0.02 * (a + b)
}

/// How much splits have lowered the value per unit of change.
#[derive(Default)]
pub(super) struct PseudoCosts {
    of_split: HashMap<(ExtentSplit, bool), Mean>,
    /// By kind of split, for those that were not tried yet.
    of_kind: HashMap<(u8, bool), Mean>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: u32,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    fn value(self) -> f64 {
        self.sum / f64::from(self.count)
    }
}

impl PseudoCosts {
    const UNKNOWN: f64 = 5.0;

    fn kind(split: ExtentSplit) -> u8 {
        match split {
            ExtentSplit::Dot(_) => 0,
            ExtentSplit::Extent(..) => 1,
            ExtentSplit::Lines { .. } => 2,
        }
    }

    /// Learns by how much the value fell in the half of a split with more, or in the other.
    pub(super) fn learn(&mut self, candidate: Candidate, more: bool, gain: f64) {
        let Candidate { split, distances } = candidate;
        let rate = gain / distances[usize::from(!more)];
        self.of_split.entry((split, more)).or_default().add(rate);
        self.of_kind.entry((Self::kind(split), more)).or_default().add(rate);
    }

    /// By how much the value should fall in the two halves.
    pub(super) fn expected(&self, candidate: Candidate) -> [f64; 2] {
        let [first, second] = candidate.distances;
        [first * self.rate(candidate.split, true), second * self.rate(candidate.split, false)]
    }

    fn rate(&self, split: ExtentSplit, more: bool) -> f64 {
        let of_kind = self.of_kind.get(&(Self::kind(split), more)).filter(|mean| mean.count > 5);
        self.of_split.get(&(split, more)).map(|mean| mean.value()).unwrap_or_else(|| {
            // Something new is worth a trial.
            of_kind.map_or(Self::UNKNOWN, |of_kind| 1.3 * of_kind.value())
        })
    }

    /// How often both halves of a split have been seen.
    pub(super) fn trials(&self, split: ExtentSplit) -> u32 {
        let count = |more| self.of_split.get(&(split, more)).map_or(0, |mean| mean.count);
        count(true).min(count(false))
    }
}
