//! A board with its lattice lines, and what the blocks of each direction count.

use geometry::Point;

use crate::Octagon;

/// The number of directions: E, S, SE, NE.
pub(super) const DIRECTIONS: usize = 4;

/// The step of each direction.
const STEPS: [(i32, i32); DIRECTIONS] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The number of segments that a line has.
pub(super) const SEGMENTS: usize = 4;

/// The weights of diagonal segments between neighbouring rows or columns, one for each count.
const WEIGHTS: [i64; 4] = [0, 1, 2, 4];

/// Where a point lies among the lattice lines of a direction.
fn key(direction: usize, (x, y): (i32, i32)) -> i32 {
    [y, x, x - y, x + y][direction]
}

/// Whether a direction is a diagonal one.
pub(super) fn is_diagonal(direction: usize) -> bool {
    direction >= 2
}

/// The number of counts of segments between neighbouring lattice lines of a direction.
pub(super) fn counts(direction: usize) -> usize {
    if is_diagonal(direction) { 3 } else { WEIGHTS.len() }
}

/// How much a segment along `other` weighs in a count of a direction.
pub(super) fn weight(direction: usize, count: usize, other: usize) -> i64 {
    match (is_diagonal(direction), is_diagonal(other)) {
        (false, false) => i64::from(other != direction),
        (false, true) => WEIGHTS[count],
        (true, false) => i64::from(count == 2 || count == other),
        (true, true) => 0,
    }
}

/// The largest count between lattice lines that differ by at least 2 in their sizes, for each dot
/// of the smaller one.
pub(super) fn slope(direction: usize, count: usize) -> i64 {
    match is_diagonal(direction) {
        true => 1 + i64::from(count == 2),
        false => 1 + 2 * WEIGHTS[count],
    }
}

/// The largest count between neighbouring lattice lines with these numbers of dots.
pub(super) fn capacity(direction: usize, count: usize, a: i64, b: i64) -> i64 {
    let (least, difference) = (a.min(b), (a - b).abs());
    let plain = slope(direction, count) * least;
    if least == 0 {
        return 0;
    }
    match (is_diagonal(direction), difference) {
        (true, 0) => plain - i64::from(count == 2),
        (false, 0) => (plain - 2 * WEIGHTS[count]).max(WEIGHTS[count] * (2 * least - 1)),
        (false, 1) => (plain - WEIGHTS[count]).max(WEIGHTS[count] * 2 * least),
        _ => plain,
    }
}

/// The least number of runs on a lattice line with this many dots.
pub(super) fn least_runs(size: i64) -> i64 {
    if size == 0 { 0 } else { 1 + (size - 1) % SEGMENTS as i64 }
}

/// The dots of a board, row by row, and its lattice lines.
pub(super) struct Field {
    pub(super) dots: Vec<Point>,
    width: i32,
    height: i32,
    places: Vec<Option<u32>>,
    /// For each direction, the dots of each lattice line in order.
    pub(super) lattice: [Vec<Vec<u32>>; DIRECTIONS],
    /// For each direction and dot, the number of its lattice line.
    pub(super) number: [Vec<u32>; DIRECTIONS],
}

impl Field {
    pub(super) fn new(board: &Octagon) -> Self {
        let dots: Vec<Point> = board.dots().collect();
        let (width, height) = (board.width() as i32, board.height() as i32);
        let mut places = vec![None; ((width + 1) * (height + 1)) as usize];
        for (index, dot) in (0..).zip(&dots) {
            places[(dot.y * (width + 1) + dot.x) as usize] = Some(index);
        }
        let mut lattice = [const { Vec::new() }; DIRECTIONS];
        let mut number = [const { Vec::new() }; DIRECTIONS];
        for direction in 0..DIRECTIONS {
            let keys = || dots.iter().map(|dot| key(direction, (dot.x, dot.y)));
            let (first, last) = (keys().min().expect("dots"), keys().max().expect("dots"));
            let mut lines = vec![Vec::new(); (last - first + 1) as usize];
            // Row by row, a diagonal that rises comes last dot first.
            for (index, key) in (0..).zip(keys()) {
                lines[(key - first) as usize].push(index);
            }
            if STEPS[direction].1 < 0 {
                lines.iter_mut().for_each(|line| line.reverse());
            }
            lattice[direction] = lines;
            number[direction] = keys().map(|key| (key - first) as u32).collect();
        }
        Self { dots, width, height, places, lattice, number }
    }

    /// The dot after `dot` in a direction.
    pub(super) fn next(&self, dot: usize, direction: usize) -> Option<usize> {
        let (Point { x, y, .. }, (dx, dy)) = (self.dots[dot], STEPS[direction]);
        let (x, y) = (x + dx, y + dy);
        let inside = (0..=self.width).contains(&x) && (0..=self.height).contains(&y);
        let place = inside.then(|| self.places[(y * (self.width + 1) + x) as usize])?;
        place.map(|index| index as usize)
    }

    /// The number of lattice lines of a direction.
    pub(super) fn lines(&self, direction: usize) -> usize {
        self.lattice[direction].len()
    }

    /// The number of dots of the board on a lattice line.
    pub(super) fn size(&self, direction: usize, line: usize) -> i64 {
        self.lattice[direction][line].len() as i64
    }

    /// The first of the two neighbouring lattice lines of `direction` that the segment from `dot`
    /// along `other` connects.
    pub(super) fn between(&self, direction: usize, dot: usize, other: usize) -> usize {
        let line = self.number[direction][dot] as usize;
        if key(direction, STEPS[other]) < 0 { line - 1 } else { line }
    }
}
