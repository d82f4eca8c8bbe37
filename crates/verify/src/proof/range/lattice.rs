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

    /// The points of a lattice line.
    pub(super) fn size(&self, direction: usize, line: usize) -> i64 {
        self.lines[direction][line].len() as i64
    }

    /// The sum of L over all lattice lines.
    pub(super) fn largest(&self, multipliers: &Multipliers) -> i64 {
        let mut total = 0;
        let last: Vec<i64> =
            (0..self.dots()).map(|dot| self.last_price(multipliers, dot)).collect();
        for (direction, lines) in self.lines.iter().enumerate() {
            let prices = multipliers.prices.get(direction).unwrap_or(&last);
            for (number, dots) in lines.iter().enumerate() {
                let runs = multipliers.blocks[direction].runs[number];
                let line = multipliers.scale + multipliers.balance - SEGMENTS as i64 * runs;
                let steps = dots.windows(2);
                let segments: Vec<i64> = steps
                    .map(|step| self.segment(multipliers, direction, step[0], step[1]))
                    .collect();
                let prices: Vec<i64> = dots.iter().map(|&dot| prices[dot]).collect();
                total += best_lines(&prices, &segments, line);
            }
        }
        total
    }

    /// The price of a dot to the North-East: what the others leave of all four.
    fn last_price(&self, multipliers: &Multipliers, dot: usize) -> i64 {
        let blocks = multipliers.blocks.iter().zip(self.places[dot]);
        let all: i64 = blocks.map(|(block, line)| block.runs[line] - block.sizes[line]).sum();
        let others: i64 = multipliers.prices.iter().map(|prices| prices[dot]).sum();
        all - multipliers.balance - others
    }

    /// The C of a segment along a direction between two dots, times its weight, in all counts.
    fn segment(&self, multipliers: &Multipliers, along: usize, from: usize, to: usize) -> i64 {
        let mut sum = 0;
        for (direction, block) in multipliers.blocks.iter().enumerate() {
            let (one, other) = (self.places[from][direction], self.places[to][direction]);
            if one.abs_diff(other) == 1 {
                for (count, pairs) in block.segments.iter().enumerate() {
                    sum += weight(direction, count, along) * pairs[one.min(other)];
                }
            }
        }
        sum
    }
}

/// The largest value of some points in a row and lines on them that share no segment: the prices of
/// the points, and `line` less its segments for each line.
fn best_lines(prices: &[i64], segments: &[i64], line: i64) -> i64 {
    let mut best = 0;
    // The best with this point as the last.
    let mut ending: Vec<i64> = Vec::with_capacity(prices.len());
    for (place, price) in prices.iter().enumerate() {
        let mut value = best + price;
        if let Some(first) = place.checked_sub(SEGMENTS) {
            let used: i64 = segments[first..place].iter().sum();
            let gained: i64 = prices[first + 1..=place].iter().sum();
            value = value.max(ending[first] + line - used + gained);
        }
        ending.push(value);
        best = best.max(value);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::board::Board;

    /// All sets of points and lines, one after the other.
    fn plainly(prices: &[i64], segments: &[i64], line: i64) -> i64 {
        let count = prices.len();
        let mut best = i64::MIN;
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
                    let points = (0..count).filter(|it| points >> it & 1 == 1);
                    let used = (0..count).filter(|it| used >> it & 1 == 1);
                    let value = points.map(|it| prices[it]).sum::<i64>()
                        - used.map(|it| segments[it]).sum::<i64>()
                        + line * i64::from(lines.count_ones());
                    best = best.max(value);
                }
            }
        }
        best
    }

    #[test]
    fn the_best_lines_are_those_of_all_sets() {
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
            assert_eq!(best_lines(&prices, &segments, line), expected, "{prices:?} {segments:?}");
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
