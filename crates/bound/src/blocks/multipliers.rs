//! Multipliers of the block relaxation, and the bound that they prove.
//!
//! The bound is evaluated in integers over all sizes, whichever of them the solver knew.

use super::field::{DIRECTIONS, Field, SEGMENTS, capacity, counts, is_diagonal, weight};
use super::{HullPlace, HullRange, SIDES, START_DOTS, SizeRanges, SizedLine, sides_of};

/// No sequence of sizes.
const NEVER: i64 = i64::MIN / 4;

/// Multipliers of the relaxation; integers over a common denominator, or floats.
#[derive(Debug, Clone, PartialEq)]
pub struct Multipliers<T = i64> {
    /// The common denominator.
    pub scale: T,
    /// For dots less lines.
    pub balance: T,
    /// For each side of the hull and how many steps it is inside that of the board: what hulls get
    /// and the first or last lattice line of a direction pays.
    pub sides: [Vec<T>; SIDES],
    /// For each direction, count and neighbouring lattice lines, not negative: the segments between
    /// them are at most what their sizes allow.
    pub segments: [Vec<Vec<T>>; DIRECTIONS],
    /// What each dot is worth in the directions E, S and SE; to the NE, what these and the balance
    /// leave of 0.
    pub prices: [Vec<T>; DIRECTIONS - 1],
}

/// What multipliers prove.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Evaluation {
    /// The bound on the moves times the scale, without what hulls get; `None` if there are no sizes
    /// in the ranges.
    pub(super) total: Option<i64>,
    /// The sizes at which each direction reaches its maximum.
    pub(super) sizes: Vec<SizedLine>,
}

impl Multipliers<f64> {
    /// Rounded at a scale.
    pub(super) fn round(&self, scale: i64) -> Multipliers {
        let round = |value: &f64| (value * scale as f64).round() as i64;
        let list = |values: &Vec<f64>| values.iter().map(round).collect::<Vec<i64>>();
        Multipliers {
            scale,
            balance: round(&self.balance),
            sides: std::array::from_fn(|side| list(&self.sides[side])),
            segments: std::array::from_fn(|direction| {
                self.segments[direction].iter().map(list).collect()
            }),
            prices: std::array::from_fn(|direction| list(&self.prices[direction])),
        }
    }
}

impl Multipliers {
    /// What a hull gets.
    pub(super) fn of_hull(&self, place: &HullPlace) -> i64 {
        let sides = self.sides.iter().zip(place);
        sides.filter_map(|(prices, &steps)| prices.get(steps as usize)).sum()
    }

    /// The bound for positions of a range with these sizes.
    pub(super) fn evaluate(
        &self,
        field: &Field,
        range: &HullRange,
        ranges: &SizeRanges,
    ) -> Evaluation {
        let slack = range.by_direction();
        let mut total = Some(START_DOTS * self.balance);
        let mut sizes = Vec::new();
        for direction in 0..DIRECTIONS {
            let worth = self.worth(field, direction);
            let segments = &self.segments[direction];
            let slack = slack[direction];
            let (first, last) = sides_of(direction);
            let ends = [&self.sides[first][..], &self.sides[last][..]];
            let chain = SizeChain { field, direction, slack, ends, ranges, worth, segments };
            let best = chain.maximum();
            total = total.zip(best.as_ref()).map(|(total, (value, _))| total + value);
            sizes.extend(best.into_iter().flat_map(|(_, path)| path));
        }
        Evaluation { total, sizes }
    }

    /// What each lattice line of a direction yields at most, by the number of its dots.
    fn worth(&self, field: &Field, direction: usize) -> Vec<Vec<i64>> {
        let price = |dot: usize| match self.prices.get(direction) {
            Some(prices) => prices[dot],
            None => -self.balance - self.prices.iter().map(|prices| prices[dot]).sum::<i64>(),
        };
        let lattice_line = |dots: &Vec<u32>| {
            let prices: Vec<i64> = dots.iter().map(|&dot| price(dot as usize)).collect();
            let segments: Vec<i64> = dots
                .iter()
                .map(|&dot| self.segment_price(field, direction, dot as usize))
                .collect();
            best_by_size(&prices, &segments, self.scale + self.balance)
        };
        field.lattice[direction].iter().map(lattice_line).collect()
    }

    /// What the segment from a dot costs in the counts of the other directions.
    fn segment_price(&self, field: &Field, along: usize, dot: usize) -> i64 {
        if field.next(dot, along).is_none() {
            return 0;
        }
        let mut price = 0;
        for direction in (0..DIRECTIONS).filter(|&direction| direction != along) {
            for count in 0..counts(direction) {
                let weight = weight(direction, count, along);
                if weight != 0 {
                    let pair = field.between(direction, dot, along);
                    price += weight * self.segments[direction][count][pair];
                }
            }
        }
        price
    }
}

/// The best dots of a lattice line and lines on them, for each number of dots.
fn best_by_size(prices: &[i64], segments: &[i64], line: i64) -> Vec<i64> {
    let count = prices.len();
    let mut best = vec![NEVER; count + 1];
    best[0] = 0;
    // For each of the last places, the best by the number of dots with this place as the last.
    let mut ending: Vec<Vec<i64>> = Vec::with_capacity(count);
    for place in 0..count {
        let mut now = vec![NEVER; count + 1];
        for size in 1..=place + 1 {
            now[size] = best[size - 1] + prices[place];
        }
        if place >= SEGMENTS {
            let first = place - SEGMENTS;
            let used: i64 = segments[first..place].iter().sum();
            let gained = line - used + prices[first + 1..=place].iter().sum::<i64>();
            for size in SEGMENTS + 1..=place + 1 {
                now[size] = now[size].max(ending[first][size - SEGMENTS] + gained);
            }
        }
        best.iter_mut().zip(&now).for_each(|(best, now)| *best = (*best).max(*now));
        ending.push(now);
    }
    best
}

/// The sizes of the lattice lines of a direction, one after the other.
struct SizeChain<'a> {
    field: &'a Field,
    direction: usize,
    slack: (usize, usize),
    /// The prices of the first and of the last lattice line, from the outside.
    ends: [&'a [i64]; 2],
    ranges: &'a SizeRanges,
    worth: Vec<Vec<i64>>,
    segments: &'a [Vec<i64>],
}

/// What came before a size.
#[derive(Debug, Clone, Copy)]
enum Before {
    Nothing,
    Gap(usize),
    Size(usize),
}

impl SizeChain<'_> {
    /// What it costs to begin or to end so many steps inside.
    fn end_price(&self, end: usize, steps: usize) -> i64 {
        self.ends[end].get(steps).copied().unwrap_or(0)
    }

    /// The best sizes and their value.
    fn maximum(&self) -> Option<(i64, Vec<SizedLine>)> {
        let lines = self.field.lines(self.direction);
        let last = lines - 1 - self.slack.1.min(lines - 1);
        let mut starts = true;
        let mut values: Vec<Vec<i64>> = Vec::with_capacity(lines);
        let mut before: Vec<Vec<Before>> = Vec::with_capacity(lines);
        // The value and largest size before a gap at the line before.
        let mut gap: Option<(i64, usize)> = None;
        let mut ended: Option<(i64, usize, usize)> = None;
        for line in 0..lines {
            let range = self.ranges.get(self.direction, line);
            let full = self.field.size(self.direction, line) as usize;
            let may_be_empty = range.0 == 0;
            let mut now = vec![NEVER; full + 1];
            let mut from = vec![Before::Nothing; full + 1];
            let steps = line.checked_sub(1).map(|before| self.steps(before, &values[before], full));
            for size in (range.0.max(1) as usize)..=(range.1.max(0) as usize).min(full) {
                let mut best = NEVER;
                if starts && line <= self.slack.0 {
                    best = -self.end_price(0, line);
                }
                if let Some((value, size_before)) = gap.filter(|(value, _)| *value > best) {
                    (best, from[size]) = (value, Before::Gap(size_before));
                }
                if let Some((value, size_before)) = steps.as_ref().map(|steps| steps[size])
                    && value > best
                {
                    (best, from[size]) = (value, Before::Size(size_before));
                }
                if best > NEVER / 2 {
                    now[size] = best + self.worth[line][size];
                }
            }
            let top = line.checked_sub(1).and_then(|before| largest(&values[before]));
            gap = top.filter(|_| is_diagonal(self.direction) && may_be_empty);
            if !may_be_empty {
                ended = None;
            } else if let Some((value, size)) = top.filter(|_| line > last) {
                let value = value - self.end_price(1, lines - line);
                if ended.is_none_or(|ended| ended.0 < value) {
                    ended = Some((value, line - 1, size));
                }
            }
            starts &= may_be_empty;
            values.push(now);
            before.push(from);
        }
        if let Some((value, size)) = largest(&values[lines - 1]) {
            let value = value - self.end_price(1, 0);
            if ended.is_none_or(|ended| ended.0 < value) {
                ended = Some((value, lines - 1, size));
            }
        }
        let (value, mut line, mut size) = ended?;
        let mut path = Vec::new();
        loop {
            path.push(SizedLine { direction: self.direction, line, size: size as i64 });
            match before[line][size] {
                Before::Nothing => break,
                Before::Gap(other) => (line, size) = (line - 2, other),
                Before::Size(other) => (line, size) = (line - 1, other),
            }
        }
        Some((value, path))
    }

    /// For each size of the line after `line`, the best value of a size there and the segments
    /// between, and that size.
    ///
    /// Segments depend on the smaller size, and on the difference only if it is at most 1.
    fn steps(&self, line: usize, values: &[i64], full: usize) -> Vec<(i64, usize)> {
        let between = |a: usize, b: usize| -> i64 {
            let counts = self.segments.iter().enumerate();
            let worth = |(count, pairs): (usize, &Vec<i64>)| {
                pairs[line] * capacity(self.direction, count, a as i64, b as i64)
            };
            counts.map(worth).sum()
        };
        let far: Vec<i64> =
            (0..=full.max(values.len())).map(|size| between(size, size + 2)).collect();
        // The best of all sizes up to and from each size.
        let mut below = vec![(NEVER, 0); values.len() + 1];
        for size in 1..values.len() {
            below[size + 1] = below[size].max((values[size].saturating_add(far[size]), size));
        }
        let mut above = vec![(NEVER, 0); values.len() + 1];
        for size in (1..values.len()).rev() {
            above[size] = above[size + 1].max((values[size], size));
        }
        let step = |size: usize| {
            let mut best = below[size.saturating_sub(1).min(values.len())];
            if let Some(&(value, other)) = above.get(size + 2) {
                best = best.max((value + far[size], other));
            }
            let near = size.saturating_sub(1).max(1)..=(size + 1).min(values.len() - 1);
            let known = near.map(|other| (values[other], other));
            for (value, other) in known.filter(|(value, _)| *value > NEVER / 2) {
                best = best.max((value + between(other, size), other));
            }
            best
        };
        (0..=full).map(step).collect()
    }
}

/// The largest value and its place, if there is any.
fn largest(values: &[i64]) -> Option<(i64, usize)> {
    let values = values.iter().copied().zip(0..);
    values.filter(|(value, _)| *value > NEVER / 2).max()
}
