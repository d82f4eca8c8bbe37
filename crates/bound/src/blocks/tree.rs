//! Trees over the sizes of lattice lines, as they stand in a proof, and what they prove.

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::str::Lines;

use super::field::{DIRECTIONS, Field, counts};
use super::{HullPlace, HullRange, Multipliers, SIDES, SizeRanges};
use crate::certificate::INFALLIBLE;

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

const NAMES: [&str; DIRECTIONS] = ["E", "S", "SE", "NE"];

/// The most nested splits that are read, more than a search makes for one hull.
const MAX_DEPTH: usize = 200;

/// The most second parts of splits that may wait while first parts are read, as for the verifier.
pub(super) const MAX_WAITING: usize = 100;

/// Which multipliers are read: those that the verifier takes.
const MULTIPLIERS: RangeInclusive<i64> = -(1 << 31) + 1..=(1 << 31) - 1;

impl SizeTree {
    /// Writes it as it stands in a proof.
    pub fn write(&self, text: &mut String) {
        match self {
            Self::Leaf(multipliers) => multipliers.write(text),
            Self::Split { direction, line, most, parts } => {
                writeln!(text, "split {} {line} {most}", NAMES[*direction]).expect(INFALLIBLE);
                parts.iter().for_each(|part| part.write(text));
            }
        }
    }

    /// Reads the tree of a range.
    #[must_use]
    pub fn parse(range: &HullRange, text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let tree = Self::read(range, &Field::new(&range.board), (MAX_DEPTH, 0), &mut lines)?;
        lines.next().is_none().then_some(tree)
    }

    /// Reads a tree that may have so many nested splits, while so many second parts wait.
    fn read(
        range: &HullRange,
        field: &Field,
        (depth, waiting): (usize, usize),
        lines: &mut Lines<'_>,
    ) -> Option<Self> {
        let first = lines.next()?;
        let Some(split) = first.strip_prefix("split ") else {
            return Multipliers::read(range, field, first, lines).map(Box::new).map(Self::Leaf);
        };
        let words: Vec<&str> = split.split(' ').collect();
        let [direction, line, most] = words[..] else { return None };
        let direction = NAMES.iter().position(|name| *name == direction)?;
        let line = line.parse().ok().filter(|&line| line < field.lines(direction))?;
        let most = most.parse().ok()?;
        let depth = depth.checked_sub(1)?;
        if waiting == MAX_WAITING {
            return None;
        }
        let mut part = |waiting| Self::read(range, field, (depth, waiting), lines);
        let parts = [part(waiting + 1)?, part(waiting)?];
        Some(Self::Split { direction, line, most, parts: Box::new(parts) })
    }

    /// What it proves for the hulls of a range.
    #[must_use]
    pub fn bound(&self, range: &HullRange) -> RangeBound {
        let mut bound = RangeBound { leaves: Vec::new() };
        self.add_leaves(range, &Field::new(&range.board), &SizeRanges::default(), &mut bound);
        bound
    }

    fn add_leaves(
        &self,
        range: &HullRange,
        field: &Field,
        sizes: &SizeRanges,
        bound: &mut RangeBound,
    ) {
        match self {
            Self::Leaf(multipliers) => {
                let total = multipliers.evaluate(field, range, sizes).total;
                bound.leaves.extend(total.map(|total| (total, (**multipliers).clone())));
            }
            &Self::Split { direction, line, most, ref parts } => {
                let [less, more] = [(0, most), (most + 1, i64::MAX)]
                    .map(|(least, most)| sizes.with(direction, line, least, most));
                parts[0].add_leaves(range, field, &less, bound);
                parts[1].add_leaves(range, field, &more, bound);
            }
        }
    }
}

/// What a tree proves for each hull of its range.
#[derive(Debug, Clone)]
pub struct RangeBound {
    /// The leaves with sizes that are possible, each with its bound without what hulls get, times
    /// the scale.
    leaves: Vec<(i64, Multipliers)>,
}

impl RangeBound {
    /// The bound on the moves of a hull; `None` if no position has it.
    #[must_use]
    pub fn at(&self, place: &HullPlace) -> Option<i64> {
        let of_leaf = |(total, multipliers): &(i64, Multipliers)| {
            (total + multipliers.of_hull(place)).div_euclid(multipliers.scale)
        };
        self.leaves.iter().map(of_leaf).max()
    }
}

impl Multipliers {
    fn write(&self, text: &mut String) {
        writeln!(text, "leaf {} {}", self.scale, self.balance).expect(INFALLIBLE);
        let mut line = |values: &[i64]| {
            let words: Vec<String> = values.iter().map(i64::to_string).collect();
            text.push_str(&words.join(" "));
            text.push('\n');
        };
        self.sides.iter().for_each(|prices| line(prices));
        self.segments.iter().flatten().for_each(|pairs| line(pairs));
        self.prices.iter().for_each(|prices| line(prices));
    }

    fn read(range: &HullRange, field: &Field, first: &str, lines: &mut Lines<'_>) -> Option<Self> {
        let (scale, balance) = first.strip_prefix("leaf ")?.split_once(' ')?;
        let number = |word: &str| word.parse().ok().filter(|it| MULTIPLIERS.contains(it));
        let (scale, balance) = (number(scale).filter(|it| *it > 0)?, number(balance)?);
        let mut list = |count: usize| {
            let numbers = lines.next()?.split_ascii_whitespace().map(number);
            numbers.collect::<Option<Vec<i64>>>().filter(|numbers| numbers.len() == count)
        };
        let mut sides = [const { Vec::new() }; SIDES];
        for (side, slack) in sides.iter_mut().zip(range.slack) {
            *side = list(slack as usize + 1)?;
        }
        let mut segments = Vec::new();
        for direction in 0..DIRECTIONS {
            let pairs = field.lines(direction) - 1;
            segments.push((0..counts(direction)).map(|_| list(pairs)).collect::<Option<_>>()?);
        }
        let mut prices = || list(field.dots.len());
        let prices = [prices()?, prices()?, prices()?];
        let read = Self { scale, balance, sides, segments: segments.try_into().ok()?, prices };
        Some(read).filter(Self::has_valid_signs)
    }

    /// Whether no multiplier of an inequality is negative.
    fn has_valid_signs(&self) -> bool {
        self.segments.iter().flatten().flatten().all(|multiplier| *multiplier >= 0)
    }
}
