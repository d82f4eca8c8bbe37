//! Branch and bound: optima, each a game and a proof that none is longer.
//!
//! A tree branches on the variables of a [`Region`], a dot or a line with its new dot. Each leaf is
//! a linear program that admits no position with more moves than claimed, certified by integer
//! duals. Order cuts ([`Cut`]) are found on the way and hold everywhere in the tree. A few regions
//! together contain all positions: some [inside](Region::Inside) a distance from the start, some
//! [touching](Region::Touching) each distance beyond, and none [leaving](Region::Leaving) the last.
//! The format is `morpion-tree/1` of `docs/reference/certificates.md`; what is written here is a
//! claim for the verifier to check. `boxes.rs` combines regions that are boxes.

mod node;
mod region;
#[cfg(feature = "solver")]
mod search;
mod step;

use std::fmt::Write as _;

use geometry::{Game, Move};

use crate::certificate::{INFALLIBLE, compressed, point_list};
use crate::program::Cut;

pub use node::{Node, SparseDuals};
pub use region::Region;
#[cfg(feature = "solver")]
pub use search::{BranchError, Event, prove, prove_at_root};
pub use step::{BranchStep, ParseStepError};

/// The whole proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptimumProof {
    /// The game.
    pub game: Game,
    /// The moves of an optimal game.
    pub moves: Vec<Move>,
    /// The texts of the proofs of all regions.
    pub regions: Vec<String>,
}

/// A tree for one region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionProof {
    /// The region.
    pub region: Region,
    /// Order cuts.
    pub cuts: Vec<Cut>,
    /// The tree.
    pub tree: BranchTree,
}

/// A tree of positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BranchTree {
    /// The positions where this variable is 1, and those where it is 0.
    Branch(usize, Box<[BranchTree; 2]>),
    /// No position has more moves than claimed.
    Leaf(SparseDuals),
}

impl OptimumProof {
    /// The text of its file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let (rules, bound) = (self.game.rules, self.moves.len());
        let mut text = format!(
            "morpion-tree/1\n{rules} = {bound}: a game has {bound} moves, and none has more\n\
             rules {rules}\nmoves {bound}\n"
        );
        for mv in &self.moves {
            let line = mv.line;
            let ends = point_list(&[mv.dot(), line.start]);
            writeln!(text, "{ends} {}", line.direction).expect(INFALLIBLE);
        }
        self.regions.iter().for_each(|region| text.push_str(region));
        text
    }

    /// The bytes of its file: the text, compressed with gzip.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        compressed(&self.to_text())
    }
}

impl RegionProof {
    /// Its part of the text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\ncuts {}\n", self.region, self.cuts.len());
        for cut in &self.cuts {
            let line = format!("{} {}\n", point_list(&[cut.marked]), point_list(&cut.dots));
            text.push_str(&line);
        }
        self.tree.write(&mut text);
        text
    }
}

impl BranchTree {
    fn write(&self, text: &mut String) {
        match self {
            Self::Branch(variable, halves) => {
                writeln!(text, "{}", BranchStep::Branch(*variable)).expect(INFALLIBLE);
                halves.iter().for_each(|half| half.write(text));
            }
            Self::Leaf(leaf) => {
                writeln!(text, "{}", BranchStep::Leaf(leaf.clone())).expect(INFALLIBLE);
            }
        }
    }

    /// The number of leaves.
    #[must_use]
    pub fn leaves(&self) -> usize {
        match self {
            Self::Branch(_, halves) => halves.iter().map(Self::leaves).sum(),
            Self::Leaf(_) => 1,
        }
    }
}
