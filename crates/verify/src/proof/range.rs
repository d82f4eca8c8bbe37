//! Ranges of hulls: bounds by the sizes of lattice lines.
//!
//! A *range* is a board, which is an octagon, with a slack for each of its sides: it stands for all
//! positions, moved, whose octagonal hull lies on the board with each of its eight sides at most
//! the slack inside that of the board. Lines have five dots and share no segment; the start is the
//! cross. The *size* a of a lattice line (a row, column or diagonal) is the number of its dots.
//!
//! **Lemma 1 (neighbouring rows or columns).** Let their sizes be a and b, m the smaller one, v the
//! segments between them along an axis, x the diagonal ones. For every l >= 0, v + l x is at most 0
//! if m = 0; else max(m + l (2m-2), l (2m-1)) if a = b; max(m + l (2m-1), 2 l m) if they differ by
//! 1; and m + 2 l m. *Proof.* Both ends of a segment are dots, and no segment is drawn twice. So v
//! <= m and x <= 2m. Diagonal segments join points of two classes: those of the first line in even
//! places with those of the second in odd places, and the other way round. The points of a class,
//! one line and the other in turn, are a path along these segments, so n >= 1 dots of a class have
//! at most n - 1 of them. If both classes have dots, x <= a + b - 2, which is 2m-2 or 2m-1 if the
//! sizes differ by at most 1. If one has none, no two dots are opposite: v = 0, and x <= a + b - 1.
//!
//! **Lemma 2 (neighbouring diagonals).** With h segments between them to the right and v down: h <=
//! m, v <= m, and h + v <= 2m, or 2m - 1 if a = b >= 1. *Proof.* The points of both, in turn, are a
//! path along these segments, on which a dot has one segment of each kind; a + b dots of a path
//! have at most a + b - 1 of its segments.
//!
//! **Lemma 3 (gaps).** Between the first and the last nonempty lattice line of a direction no row
//! or column is empty, and no two neighbouring diagonals are. *Proof.* Neighbouring dots of the
//! cross are one step along an axis apart, so its dots lie on one side of two empty neighbouring
//! diagonals, and of an empty row or column. Consider the first dot on the other side. The other
//! four dots of its line are on the side of the cross. But from one dot of a line to the next it is
//! at most one row or column, and at most two diagonals.
//!
//! **Theorem.** Say that a side of the hull of a position is at k if it is k steps inside that of
//! the board, k at most the slack. For a scale s >= 1 let there be integers: m; t(i,k) for each
//! side i and each k; for each direction d, neighbouring lattice lines j and j + 1 and count c an
//! integer C(d,c,j) >= 0, where the counts are v + l x for l = 0, 1, 2, 4 on rows and columns, and
//! h, v, h + v on diagonals, with the limit R(d,c,a,b) of lemmas 1 and 2; and prices w(p,d) of each
//! point p of the board with sum over d of w(p,d) = -m. Then the moves n of every position of the
//! range whose sides are at k(1), ..., k(8) satisfy s n <= 36 m + sum of D over the four directions
//! + sum of t(i,k(i)) over the sides, where
//!
//! - T(d,j,a) is the largest value of exactly a points of the lattice line j and lines on these
//!   points, which share no segment: the prices of the points, and for each line s + m less the C
//!   of all counts of the other directions, for each of its segments, times its weight;
//! - D is the largest sum of T(d,j,a), over the lattice lines, and C R(a,b), over neighbouring
//!   ones, for sizes a, b, ... that the slack and lemma 3 allow and that are no larger than the
//!   board, less t(i,k) of the side i at the first nonempty lattice line, which is k lines inside,
//!   and t of the side at the last one.
//!
//! *Proof.* To s n add m (36 - dots + lines), which is 0, since a move adds a dot and a line, C
//! (R - count), which is not negative by the lemmas, and t - t for each side where it is. The m of
//! each dot is shared among its four directions as the prices say. Sort what depends on dots, lines
//! and sizes by directions: on each lattice line that is what its dots and lines have, at most T of
//! its size; with the C R between them, less t of the first and the last line, it is at most D,
//! since the sizes of a position are allowed.
//!
//! So one set of integers bounds each hull of a range on its own: those to which the sides give
//! less have less. A hull is covered where that is at most what the proof claims.
//!
//! Runs need no multiplier: with k lines a lattice line has a - 4k runs, and T knows both a and k.
//!
//! **Trees.** A range may be split: the lattice line j of a direction has at most a dots, or at
//! least a + 1. Either part is a range with fewer sizes in D, so that it may have its own integers.
//! Every position is in one of them.
//!
//! T and D are found by dynamic programming, point by point and line by line (`range/lattice.rs`,
//! `range/sizes.rs`).
//! All integers in a file have less than 32 bits and a board at most 4096 dots. Then no sum reaches
//! 2^63: a sum of sizes is at most the dots of the board, a limit R at most 9 times a size, and
//! each dot enters a bounded number of terms.

mod lattice;
mod sizes;

use super::board::Board;
use super::text::{Text, integer, number};
use crate::fault::ProofFault;
use crate::refusal::Refusal;
use crate::rules::Direction;

use lattice::Lattice;
use sizes::{ENDS, SizeLimits};

/// The most dots of the board of a range.
const MAX_DOTS: usize = 4096;

/// The most second parts of splits that wait while first parts are read.
const MAX_DEPTH: usize = 100;

/// The largest integer in a file.
const MAX_INTEGER: i64 = (1 << 31) - 1;

/// The largest slack.
const MAX_SLACK: i32 = 64;

/// The dots of the cross.
const CROSS: i64 = 36;

/// A range of hulls: the sides of its board, the slack of each, clockwise from the top, and what
/// its leaves prove.
#[derive(Debug)]
pub(super) struct HullRange {
    pub(super) sides: [u32; 8],
    pub(super) slack: [i32; 8],
    pub(super) leaves: Vec<LeafBound>,
}

/// What a leaf proves for a hull: `scale` times its moves are at most `total` and t of its sides.
#[derive(Debug)]
pub(super) struct LeafBound {
    pub(super) scale: i64,
    pub(super) total: i64,
    /// t, by side and steps.
    pub(super) sides: Vec<Vec<i64>>,
}

impl LeafBound {
    /// Whether a hull has at most so many moves; `of_side` is its t of each side.
    pub(super) fn is_at_most(&self, moves: i64, of_side: impl Fn(&[i64], usize) -> i64) -> bool {
        let sides = self.sides.iter().enumerate().map(|(side, prices)| of_side(prices, side));
        (self.total + sides.sum::<i64>()).div_euclid(self.scale) <= moves
    }
}

/// The integers of the theorem, except for the fourth price of each point, which follows.
#[derive(Debug)]
struct Multipliers {
    scale: i64,
    /// m.
    balance: i64,
    /// t, by side and steps.
    sides: Vec<Vec<i64>>,
    /// C, by direction, count and neighbouring lattice lines.
    segments: Vec<Vec<Vec<i64>>>,
    /// By direction, for each point row by row.
    prices: Vec<Vec<i64>>,
}

/// Reads a range, which comes next in a text, and finds what its leaves prove. Returns it with the
/// number of leaves of its tree. A range none of whose hulls has at most `claimed` moves is
/// refused.
pub(super) fn verify(text: &mut Text<'_>, claimed: i64) -> Result<(HullRange, usize), Refusal> {
    let octagon = |name: &str| match Board::parse(name) {
        Some(Board::Octagon(sides)) => Some(sides),
        _ => None,
    };
    let sides = text.value("range", "`range` and octagon:a0,...,a7", octagon)?;
    let slack = text.value("slack", "`slack` and eight integers from 0 to 64", |line| {
        let slack: Vec<i32> = line.split(' ').map(number).collect::<Option<_>>()?;
        let slack: [i32; 8] = slack.try_into().ok()?;
        slack.iter().all(|steps| (0..=MAX_SLACK).contains(steps)).then_some(slack)
    })?;
    let board = Board::Octagon(sides);
    text.budget().spend(board.cells(MAX_DOTS + 1))?;
    let dots = board.dots(&[], MAX_DOTS + 1);
    if dots.len() > MAX_DOTS {
        let reason = "the board of a range has at most 4096 dots";
        return Err(ProofFault::NoModel { reason }.into());
    }
    let mut range = HullRange { sides, slack, leaves: Vec::new() };
    let lattice = Lattice::new(&dots);
    let mut pending = vec![SizeLimits::new(&lattice, slack)];
    let mut leaves = 0;
    while let Some(limits) = pending.pop() {
        if let Some(split) = text.optional(NODE, Split::parse)? {
            let parts = limits.split(&split).filter(|_| pending.len() < MAX_DEPTH);
            let [less, more] = parts.ok_or_else(|| text.fault(SPLIT))?;
            pending.extend([more, less]);
            continue;
        }
        let multipliers = Multipliers::read(text, &lattice, slack)?;
        text.budget().spend(lattice.steps())?;
        leaves += 1;
        if let Some(total) = multipliers.total(&lattice, &limits) {
            let Multipliers { scale, sides, .. } = multipliers;
            let leaf = LeafBound { scale, total, sides };
            let least = |prices: &[i64]| prices.iter().copied().min().unwrap_or(0);
            if !leaf.is_at_most(claimed, |prices, _| least(prices)) {
                let sides: i64 = leaf.sides.iter().map(|prices| least(prices)).sum();
                let bound = (total + sides).div_euclid(scale);
                let (claimed, bound) = (claimed.into(), bound.into());
                return Err(ProofFault::FalseBound { claimed, bound }.into());
            }
            range.leaves.push(leaf);
        }
    }
    Ok((range, leaves))
}

const NODE: &str = "`split`, a direction, a lattice line and a size, or `leaf`, a scale and m";
const SPLIT: &str = "a split of a lattice line that exists, at a size that it may have, with one \
    that it may have beyond, while at most 100 second parts wait";

/// Where a tree splits: the size of a lattice line of a direction, counting from 0.
struct Split {
    direction: usize,
    line: usize,
    /// The largest size of the first part.
    most: i64,
}

impl Split {
    /// Parses `split SE 13 4`.
    fn parse(line: &str) -> Option<Split> {
        let words: Vec<&str> = line.strip_prefix("split ")?.split(' ').collect();
        let [direction, line, most] = words[..] else { return None };
        let direction = Direction::parse(direction)?;
        let direction = Direction::ALL.iter().position(|other| *other == direction)?;
        Some(Split { direction, line: number(line)?, most: integer(most)? })
    }
}

impl Multipliers {
    fn read(
        text: &mut Text<'_>,
        lattice: &Lattice,
        slack: [i32; 8],
    ) -> Result<Multipliers, Refusal> {
        let (scale, balance) = text.value("leaf", NODE, |line| {
            let (scale, balance) = line.split_once(' ')?;
            Some((small(scale).filter(|&scale| scale >= 1)?, small(balance)?))
        })?;
        let sides = slack.iter().map(|&steps| list(text, steps as usize + 1, false));
        let sides = sides.collect::<Result<_, _>>()?;
        let mut segments = Vec::new();
        for direction in 0..Direction::ALL.len() {
            let pairs = lattice.lines(direction) - 1;
            let counts = (0..lattice::counts(direction)).map(|_| list(text, pairs, true));
            segments.push(counts.collect::<Result<_, _>>()?);
        }
        let dots = lattice.dots();
        let prices =
            (1..Direction::ALL.len()).map(|_| list(text, dots, false)).collect::<Result<_, _>>()?;
        Ok(Multipliers { scale, balance, sides, segments, prices })
    }

    /// The right-hand side of the theorem without the sides of hulls; `None` if no sizes are
    /// allowed.
    fn total(&self, lattice: &Lattice, limits: &SizeLimits) -> Option<i64> {
        let mut total = CROSS * self.balance;
        for (direction, segments) in self.segments.iter().enumerate() {
            let (first, last) = ENDS[direction];
            let ends = (&self.sides[first][..], &self.sides[last][..]);
            let values = lattice.values(self, direction);
            total += limits.largest(direction, &values, segments, ends)?;
        }
        Some(total)
    }
}

/// An integer of less than 32 bits.
fn small(text: &str) -> Option<i64> {
    integer(text).filter(|number| (-MAX_INTEGER..=MAX_INTEGER).contains(number))
}

/// Reads a line of integers; those of an inequality must not be negative.
fn list(text: &mut Text<'_>, count: usize, inequality: bool) -> Result<Vec<i64>, Refusal> {
    const COUNT: &str = "an integer of less than 32 bits for each place of a side, each pair of \
        lattice lines or each dot";
    let line = text.next(COUNT)?;
    let numbers: Option<Vec<i64>> = line.split_ascii_whitespace().map(small).collect();
    let numbers = numbers.filter(|numbers| numbers.len() == count);
    let numbers = numbers.ok_or_else(|| text.fault(COUNT))?;
    match inequality && numbers.iter().any(|&number| number < 0) {
        true => Err(ProofFault::WrongSign.into()),
        false => Ok(numbers),
    }
}
