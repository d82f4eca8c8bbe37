//! Optima: a game, and a proof that none is longer.
//!
//! A tree tells positions of a [`Case`] apart by whether they have a dot, or a line with its new dot; each leaf is
//! a linear program that admits no position with more moves than claimed, and says so by whole numbers, factors of
//! its rows. Rows that make solutions obey an order of play ([`Cut`]) are found on the way and hold everywhere
//! in the tree. A few cases together are all positions: some [inside](Case::Inside) a distance from the start,
//! some [touching](Case::Touching) each distance beyond, and none [leaving](Case::Leaving) the last. The
//! format is `morpion-tree/1` of `docs/formats.md`; what is written here is a claim, and the judge's to check.
//! Cases of boxes are put together by `boxes.rs`.

mod case;
mod search;
mod step;

use std::fmt::Write as _;

use geometry::{Game, Move};

use crate::certificate::{compressed, listed};
use crate::model::cuts::Cut;

pub use case::Case;
pub use search::{NoTree, Observer, Progress, prove, prove_at_once};
pub use step::{BadStep, Step};

const TAKES: &str = "a text takes what is written";

/// The whole proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Optimum {
    /// What is played.
    pub game: Game,
    /// A game that is as long as any.
    pub moves: Vec<Move>,
    /// The texts of the trees of all cases.
    pub cases: Vec<String>,
}

/// A tree for one case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseProof {
    /// What it is about.
    pub case: Case,
    /// Further rows.
    pub cuts: Vec<Cut>,
    /// The tree.
    pub tree: Tree,
}

/// Positions told apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree {
    /// Those where this column is 1, and those where it is 0.
    Split(usize, Box<[Tree; 2]>),
    /// None has more moves than claimed.
    Leaf(Leaf),
}

/// Factors of rows, and the scale by which moves are multiplied: nothing if there are no such positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// The scale.
    pub scale: i64,
    /// Rows with their factors; the others have none.
    pub duals: Vec<(usize, i64)>,
}

impl Optimum {
    /// The text of its file.
    pub fn to_text(&self) -> String {
        let (rules, bound) = (self.game.rules, self.moves.len());
        let mut text = format!(
            "morpion-tree/1\n{rules} = {bound}: a game has {bound} moves, and none has more\n\
             rules {rules}\nmoves {bound}\n"
        );
        for mv in &self.moves {
            let line = mv.line;
            let ends = listed(&[mv.dot(), line.start]);
            writeln!(text, "{ends} {}", line.direction).expect(TAKES);
        }
        self.cases.iter().for_each(|case| text.push_str(case));
        text
    }

    /// The bytes of its file: the text, compressed with gzip.
    pub fn to_bytes(&self) -> Vec<u8> {
        compressed(&self.to_text())
    }
}

impl CaseProof {
    /// Its part of the text.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\ncuts {}\n", self.case, self.cuts.len());
        for cut in &self.cuts {
            let line = format!("{} {}\n", listed(&[cut.marked]), listed(&cut.dots));
            text.push_str(&line);
        }
        self.tree.write(&mut text);
        text
    }
}

impl Tree {
    fn write(&self, text: &mut String) {
        match self {
            Self::Split(column, halves) => {
                writeln!(text, "{}", Step::Split(*column)).expect(TAKES);
                halves.iter().for_each(|half| half.write(text));
            }
            Self::Leaf(leaf) => writeln!(text, "{}", Step::Leaf(leaf.clone())).expect(TAKES),
        }
    }

    /// How many leaves it has.
    pub fn leaves(&self) -> usize {
        match self {
            Self::Split(_, halves) => halves.iter().map(Self::leaves).sum(),
            Self::Leaf(_) => 1,
        }
    }
}
