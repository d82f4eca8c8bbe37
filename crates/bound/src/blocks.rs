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
mod program;
mod search;
mod tree;

use std::fmt;
use std::str::FromStr;

use crate::{Board, Octagon};
use field::DIRECTIONS;

pub use multipliers::Multipliers;
pub use search::{BlockSolution, SizeTreeError, prove, solve};
pub use tree::{RangeBound, SizeTree};

/// The dots of the cross.
const START_DOTS: i64 = 36;

/// The number of sides of an octagon.
const SIDES: usize = 8;

/// The sides at the first and the last lattice line of a direction.
fn sides_of(direction: usize) -> (usize, usize) {
    [(0, 4), (6, 2), (5, 1), (7, 3)][direction]
}

/// How many steps each side of a hull is inside that of a board, clockwise from the top.
pub type HullPlace = [u32; SIDES];

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

    /// The slack of the first and the last lattice line of each direction.
    fn by_direction(&self) -> [(usize, usize); DIRECTIONS] {
        let slack = |side: usize| self.slack[side] as usize;
        std::array::from_fn(sides_of).map(|(first, last)| (slack(first), slack(last)))
    }

    /// The places at which a hull, moved, lies in the range.
    #[must_use]
    pub fn places(&self, hull: &Octagon) -> Vec<HullPlace> {
        let moves = |slack: u32| 0..=slack as i32;
        let moves = moves(self.slack[6]).flat_map(|x| moves(self.slack[0]).map(move |y| (x, y)));
        moves.filter_map(|by| self.place(hull, by)).collect()
    }

    /// The place of a hull whose box is moved from that of the board by `(x, y)`, if it is in the
    /// range.
    fn place(&self, hull: &Octagon, (x, y): (i32, i32)) -> Option<HullPlace> {
        let (outer, inner) = (self.board.supports(), hull.supports());
        let from_first = |i: usize, by: i32| inner[i].0 + by - outer[i].0;
        let from_last = |i: usize, by: i32| outer[i].1 - inner[i].1 - by;
        let steps = [
            from_first(1, y),
            from_last(3, x - y),
            from_last(0, x),
            from_last(2, x + y),
            from_last(1, y),
            from_first(3, x - y),
            from_first(0, x),
            from_first(2, x + y),
        ];
        let mut place = HullPlace::default();
        for ((place, steps), slack) in place.iter_mut().zip(steps).zip(self.slack) {
            *place = u32::try_from(steps).ok().filter(|steps| *steps <= slack)?;
        }
        Some(place)
    }

    /// The smallest range of these places, and how many steps the sides of its board are inside.
    #[must_use]
    pub fn tightened(&self, places: &[HullPlace]) -> (Self, HullPlace) {
        let side = |side: usize| places.iter().map(move |place| place[side]);
        let least = std::array::from_fn(|i| side(i).min().unwrap_or(0) as i32);
        let [top, right_top, right, right_bottom, bottom, left_bottom, left, left_top] = least;
        let [columns, rows, sums, differences] = self.board.supports();
        let (first, last) = (columns.0 + left, columns.1 - right);
        let (highest, lowest) = (rows.0 + top, rows.1 - bottom);
        let cuts = [
            last - highest - (differences.1 - right_top),
            last + lowest - (sums.1 - right_bottom),
            (differences.0 + left_bottom) - first + lowest,
            (sums.0 + left_top) - first - highest,
        ];
        let (width, height) = ((last - first) as u32, (lowest - highest) as u32);
        let board = Octagon::from_cuts(width, height, cuts.map(|cut| cut as u32));
        let board = board.expect("an octagon around octagons");
        let steps = self.unlimited().place(&board, (left, top)).expect("it lies inside");
        let slack = std::array::from_fn(|i| side(i).max().unwrap_or(0) - steps[i]);
        (Self { board, slack }, steps)
    }

    /// The board with any slack.
    fn unlimited(&self) -> Self {
        Self { board: self.board, slack: [u32::MAX; SIDES] }
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
