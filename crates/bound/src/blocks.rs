//! Size blocks: bounds for all hulls near a board, by the numbers of dots on its lattice lines.
//!
//! The relaxation of a plain board lets a game fade out towards the rim at no cost. In truth the
//! number of dots of each lattice line is an integer, a lattice line of a dots has at least
//! 1 + (a-1) mod 4 runs, of which a position has 144 in all, and lattice lines of different sizes
//! have few segments between them. So for each direction the relaxation follows the sizes of the
//! lattice lines from the first nonempty one to the last (`program.rs`). Multipliers that the
//! solver suggests are rounded and evaluated over all sizes in integers (`multipliers.rs`). The
//! proofs of all this are with the verifier, which has the last word.

mod field;
mod multipliers;
#[cfg(feature = "solver")]
mod program;
#[cfg(feature = "solver")]
mod search;

use std::fmt::{self, Write as _};
use std::str::FromStr;

use crate::certificate::INFALLIBLE;
use crate::{Board, Octagon};
use field::{DIRECTIONS, Field, counts};

pub use multipliers::Multipliers;
#[cfg(feature = "solver")]
pub use search::{BlockSolution, SizeTreeError, prove, solve};

/// The dots of the cross.
const START_DOTS: i64 = 36;

/// The hulls whose eight sides lie within a board, each at most some steps inside its side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HullRange {
    /// The board.
    pub board: Octagon,
    /// The steps for each side, clockwise from the top.
    pub slack: [u32; 8],
}

impl HullRange {
    /// The largest slack of a side.
    pub const MAX_SLACK: u32 = 64;

    /// The same slack on all sides along the axes, and on all diagonal ones.
    #[must_use]
    pub fn new(board: Octagon, axis: u32, diagonal: u32) -> Self {
        Self { board, slack: [axis, diagonal, axis, diagonal, axis, diagonal, axis, diagonal] }
    }

    /// The slack of the first and the last lattice line of each direction.
    fn by_direction(&self) -> [(usize, usize); DIRECTIONS] {
        let slack = |side: usize| self.slack[side] as usize;
        [(slack(0), slack(4)), (slack(6), slack(2)), (slack(5), slack(1)), (slack(7), slack(3))]
    }

    /// Its images under the eight symmetries.
    #[must_use]
    pub fn images(&self) -> [Self; 8] {
        let boards = self.board.images();
        // As [`Octagon::images`]: quarter turns clockwise, and left and right exchanged halfway.
        let mut slack = self.slack;
        std::array::from_fn(|i| {
            let now = Self { board: boards[i], slack };
            slack.rotate_right(2);
            if i == 3 {
                slack = std::array::from_fn(|side| slack[(8 - side) % 8]);
            }
            now
        })
    }

    /// Whether it has this hull, moved.
    #[must_use]
    pub fn contains(&self, hull: &Octagon) -> bool {
        let [top, right_top, right, right_bottom, bottom, left_bottom, left, left_top] =
            self.slack.map(|steps| steps as i32);
        let (outer, inner) = (self.board.supports(), hull.supports());
        // How far the hull may be moved so that its least and greatest place are in range.
        let moves = |i: usize, first: i32, last: i32| {
            let (least, most) = (outer[i].0 - inner[i].0, outer[i].1 - inner[i].1);
            (least.max(most - last), most.min(least + first))
        };
        let (x, y) = (moves(0, left, right), moves(1, top, bottom));
        let sum = moves(2, left_top, right_bottom);
        let difference = moves(3, left_bottom, right_top);
        (x.0..=x.1).any(|x| {
            let least = y.0.max(sum.0 - x).max(x - difference.1);
            least <= y.1.min(sum.1 - x).min(x - difference.0)
        })
    }
}

/// Prints as `octagon:8,10,9,9,10,9,9,10 0,1,0,1,0,1,0,1`: the board and the slack.
impl fmt::Display for HullRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slack = self.slack.map(|steps| steps.to_string());
        write!(f, "octagon:{} {}", self.board, slack.join(","))
    }
}

impl FromStr for HullRange {
    type Err = HullRangeError;

    fn from_str(text: &str) -> Result<Self, HullRangeError> {
        let parse = || {
            let (board, slack) = text.split_once(' ')?;
            let Ok(Board::Octagon(board)) = board.parse() else { return None };
            let slack: Vec<u32> =
                slack.split(',').map(|it| it.parse().ok()).collect::<Option<_>>()?;
            let slack: [u32; 8] = slack.try_into().ok()?;
            slack.iter().all(|&steps| steps <= Self::MAX_SLACK).then_some(Self { board, slack })
        };
        parse().ok_or_else(|| HullRangeError { text: text.to_owned() })
    }
}

/// A text is not a range of hulls.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a range of hulls, like octagon:9,9,9,9,9,9,9,9 0,1,0,1,0,1,0,1")]
pub struct HullRangeError {
    /// The text.
    pub text: String,
}

/// A lattice line of a board, by direction (E, S, SE, NE) and number, and how many dots it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct SizedLine {
    direction: usize,
    line: usize,
    size: i64,
}

/// The sizes that lattice lines may have in a part of a tree; without an entry, any.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SizeRanges(Vec<(usize, usize, i64, i64)>);

impl SizeRanges {
    fn get(&self, direction: usize, line: usize) -> (i64, i64) {
        let mut range = (0, i64::MAX);
        for &(_, _, least, most) in self.0.iter().filter(|it| (it.0, it.1) == (direction, line)) {
            range = (range.0.max(least), range.1.min(most));
        }
        range
    }

    /// The same with the size of a lattice line (direction E, S, SE, NE; number from 0) limited.
    #[must_use]
    pub fn with(&self, direction: usize, line: usize, least: i64, most: i64) -> Self {
        let mut ranges = self.clone();
        ranges.0.push((direction, line, least, most));
        ranges
    }
}

/// A tree over the sizes of lattice lines, with multipliers at its leaves.
#[derive(Debug, Clone, PartialEq)]
pub enum SizeTree {
    /// Multipliers that prove the bound.
    Leaf(Box<Multipliers>),
    /// The positions in which a lattice line has at most some dots, then the others.
    Split {
        /// The direction: E, S, SE, NE.
        direction: usize,
        /// The number of the lattice line, from 0.
        line: usize,
        /// The number of dots.
        most: i64,
        /// The trees of both parts.
        parts: Box<[SizeTree; 2]>,
    },
}

impl SizeTree {
    /// The number of leaves.
    #[must_use]
    pub fn leaves(&self) -> usize {
        match self {
            Self::Leaf(_) => 1,
            Self::Split { parts, .. } => parts.iter().map(Self::leaves).sum(),
        }
    }

    /// Writes it as it stands in a proof.
    pub fn write(&self, text: &mut String) {
        match self {
            Self::Leaf(multipliers) => multipliers.write(text),
            Self::Split { direction, line, most, parts } => {
                let name = ["E", "S", "SE", "NE"][*direction];
                writeln!(text, "split {name} {line} {most}").expect(INFALLIBLE);
                parts.iter().for_each(|part| part.write(text));
            }
        }
    }
}

impl Multipliers {
    /// Reads the leaf of a tree.
    #[must_use]
    pub fn parse(board: &Octagon, text: &str) -> Option<Self> {
        let field = Field::new(board);
        let mut lines = text.lines();
        let (scale, balance) = lines.next()?.strip_prefix("leaf ")?.split_once(' ')?;
        let (scale, balance) = (scale.parse().ok()?, balance.parse().ok()?);
        let mut list = |count: usize| {
            let numbers = lines.next()?.split_ascii_whitespace().map(|word| word.parse().ok());
            numbers.collect::<Option<Vec<i64>>>().filter(|numbers| numbers.len() == count)
        };
        let mut segments = Vec::new();
        for direction in 0..DIRECTIONS {
            let pairs = field.lines(direction) - 1;
            segments.push((0..counts(direction)).map(|_| list(pairs)).collect::<Option<_>>()?);
        }
        let mut prices = || list(field.dots.len());
        let prices = [prices()?, prices()?, prices()?];
        Some(Self { scale, balance, segments: segments.try_into().ok()?, prices })
    }

    /// The bound on the moves of all hulls in a range; `None` if there are none.
    #[must_use]
    pub fn bound(&self, hulls: &HullRange) -> Option<i64> {
        let field = Field::new(&hulls.board);
        let total = self.evaluate(&field, hulls.by_direction(), &SizeRanges::default()).total;
        total.map(|total| total.div_euclid(self.scale))
    }

    /// Whether no multiplier of an inequality is negative.
    #[must_use]
    pub fn has_valid_signs(&self) -> bool {
        self.segments.iter().flatten().flatten().all(|multiplier| *multiplier >= 0)
    }

    fn write(&self, text: &mut String) {
        writeln!(text, "leaf {} {}", self.scale, self.balance).expect(INFALLIBLE);
        let mut line = |values: &[i64]| {
            let words: Vec<String> = values.iter().map(i64::to_string).collect();
            text.push_str(&words.join(" "));
            text.push('\n');
        };
        self.segments.iter().flatten().for_each(|pairs| line(pairs));
        self.prices.iter().for_each(|prices| line(prices));
    }
}
