//! The points of a board on their lattice lines, and the best lines there.

use super::Multipliers;
use crate::rules::{Direction, Point};

/// The segments of a line.
const SEGMENTS: usize = 4;

/// l of the counts of rows and columns.
pub(super) const WEIGHTS: [i64; 4] = [0, 1, 2, 4];

/// The number of counts of a direction: E and S have those of rows and columns.
pub(super) fn counts(direction: usize) -> usize {
    if direction < 2 { WEIGHTS.len() } else { 3 }
}

/// How much a segment along one direction weighs in a count of another.
fn weight(direction: usize, count: usize, along: usize) -> i64 {
    match (direction < 2, along < 2) {
        (true, true) => 1,
        (true, false) => WEIGHTS[count],
        // h counts segments to the right, v those down, h + v both.
        (false, true) => i64::from(count == along || count == 2),
        (false, false) => 0,
    }
}

/// The lattice lines of a board.
pub(super) struct Lattice {
    /// By direction and lattice line, the dots on it in the direction of lines.
    lines: [Vec<Vec<usize>>; 4],
    /// By dot and direction, its lattice line.
    places: Vec<[usize; 4]>,
}

/// y to the East, x to the South, x - y to the South-East, x + y to the North-East.
fn place(direction: usize, (x, y): (i32, i32)) -> i32 {
    [y, x, x - y, x + y][direction]
}

impl Lattice {
    /// The lattice lines of dots that are listed row by row.
    pub(super) fn new(dots: &[Point]) -> Lattice {
        let mut places = vec![[0; 4]; dots.len()];
        let lines = std::array::from_fn(|direction| {
            let place = |dot: &Point| place(direction, (dot.x, dot.y));
            let first = dots.iter().map(place).min().unwrap_or(0);
            let mut lines: Vec<Vec<usize>> = Vec::new();
            for (index, dot) in dots.iter().enumerate() {
                let line = (place(dot) - first) as usize;
                places[index][direction] = line;
                lines.resize(lines.len().max(line + 1), Vec::new());
                lines[line].push(index);
            }
            if Direction::ALL[direction].step().1 < 0 {
                // A rising diagonal is met last dot first.
                lines.iter_mut().for_each(|line| line.reverse());
            }
            lines
        });
        Lattice { lines, places }
    }

    pub(super) fn dots(&self) -> usize {
        self.places.len()
    }

    pub(super) fn lines(&self, direction: usize) -> usize {
        self.lines[direction].len()
    }

    /// About how long it takes to find T of all lattice lines.
    pub(super) fn steps(&self) -> usize {
        self.lines.iter().flatten().map(|line| line.len() * line.len()).sum()
    }

    /// The points of a lattice line.
    pub(super) fn size(&self, direction: usize, line: usize) -> i64 {
        self.lines[direction][line].len() as i64
    }

    /// T of each lattice line of a direction, by its size.
    pub(super) fn values(&self, multipliers: &Multipliers, direction: usize) -> Vec<Vec<i64>> {
        let price = |dot: usize| match multipliers.prices.get(direction) {
            Some(prices) => prices[dot],
            // To the North-East: what the other three leave.
            None => {
                let others: i64 = multipliers.prices.iter().map(|prices| prices[dot]).sum();
                -multipliers.balance - others
            }
        };
        let line = multipliers.scale + multipliers.balance;
        let values = |dots: &Vec<usize>| {
            let prices: Vec<i64> = dots.iter().map(|&dot| price(dot)).collect();
            let segments: Vec<i64> = dots
                .windows(2)
                .map(|step| self.segment(multipliers, direction, step[0], step[1]))
                .collect();
            best_by_size(&prices, &segments, line)
        };
        self.lines[direction].iter().map(values).collect()
    }

    /// The C of a segment along a direction between two dots, times its weight, in all counts.
    fn segment(&self, multipliers: &Multipliers, along: usize, from: usize, to: usize) -> i64 {
        let mut sum = 0;
        for (direction, counts) in multipliers.segments.iter().enumerate() {
            let (one, other) = (self.places[from][direction], self.places[to][direction]);
            if one.abs_diff(other) == 1 {
                for (count, pairs) in counts.iter().enumerate() {
                    sum += weight(direction, count, along) * pairs[one.min(other)];
                }
            }
        }
        sum
    }
}

/// For each number of points in a row the largest value of so many of them and lines on them that
/// share no segment: the prices of the points, and `line` less its segments for each line.
fn best_by_size(prices: &[i64], segments: &[i64], line: i64) -> Vec<i64> {
    // The best among the points so far, by their number; every number up to all is possible.
    let mut best = vec![0];
    // The same with each point as the last, by the number of the others.
    let mut ending: Vec<Vec<i64>> = Vec::new();
    for (place, price) in prices.iter().enumerate() {
        let mut last: Vec<i64> = best.iter().map(|value| value + price).collect();
        if let Some(first) = place.checked_sub(SEGMENTS) {
            let used: i64 = segments[first..place].iter().sum();
            let gained = line - used + prices[first + 1..=place].iter().sum::<i64>();
            for (others, before) in ending[first].iter().enumerate() {
                let value = &mut last[others + SEGMENTS];
                *value = (*value).max(before + gained);
            }
        }
        let all = last[place];
        best.iter_mut().skip(1).zip(&last).for_each(|(best, last)| *best = (*best).max(*last));
        best.push(all);
        ending.push(last);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::board::Board;

    /// All sets of points and lines, one after the other.
    fn plainly(prices: &[i64], segments: &[i64], line: i64) -> Vec<i64> {
        let count = prices.len();
        let mut best = vec![i64::MIN; count + 1];
        for points in 0..1u32 << count {
            for lines in 0..1u32 << count.saturating_sub(SEGMENTS) {
                let mut used = 0u32;
                let fits = (0..count).filter(|first| lines >> first & 1 == 1).all(|first| {
                    let on = 0b11111 << first;
                    let along = 0b1111 << first;
                    let is_free = points & on == on && used & along == 0;
                    used |= along;
                    is_free
                });
                if fits {
                    let size = points.count_ones() as usize;
                    let points = (0..count).filter(|it| points >> it & 1 == 1);
                    let used = (0..count).filter(|it| used >> it & 1 == 1);
                    let value = points.map(|it| prices[it]).sum::<i64>()
                        - used.map(|it| segments[it]).sum::<i64>()
                        + line * i64::from(lines.count_ones());
                    best[size] = best[size].max(value);
                }
            }
        }
        best
    }

    #[test]
    fn the_best_by_size_are_those_of_all_sets() {
        let mut state = 7u64;
        let mut random = |range: i64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as i64 % range - range / 2
        };
        for round in 0..60 {
            let count = 1 + round % 10;
            let prices: Vec<i64> = (0..count).map(|_| random(9) - 1).collect();
            let segments: Vec<i64> = (1..count).map(|_| random(5)).collect();
            let line = random(20) + 8;
            let expected = plainly(&prices, &segments, line);
            assert_eq!(best_by_size(&prices, &segments, line), expected, "{prices:?} {segments:?}");
        }
    }

    #[test]
    fn dots_lie_on_their_lattice_lines_in_the_direction_of_lines() {
        let dots = Board::Octagon([2, 1, 2, 0, 3, 1, 1, 1]).dots(&[], 100);
        let lattice = Lattice::new(&dots);
        for (direction, lines) in lattice.lines.iter().enumerate() {
            let (dx, dy) = Direction::ALL[direction].step();
            assert_eq!(lines.iter().map(Vec::len).sum::<usize>(), dots.len());
            for pair in lines.iter().flat_map(|line| line.windows(2)) {
                let (one, next) = (dots[pair[0]], dots[pair[1]]);
                assert_eq!((next.x - one.x, next.y - one.y), (dx, dy));
            }
        }
    }
}
