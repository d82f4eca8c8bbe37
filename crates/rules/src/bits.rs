//! The bit engine for lines of 4 and 5, and the layout of its grid.
//!
//! Dots are stored once per direction as 32 rows of 32 bits, so that the neighbours of a dot along
//! any direction are a window of one word. Coordinates are taken modulo 32 (diagonals wrap around);
//! dots are placed only on the inner 30 x 30 points, and the ring around them stays empty. A line
//! that wraps contains two adjacent points of the ring, so it never lacks exactly one dot.
//!
//! [`BitPosition`] plays moves and takes them back; [`BitLineBoard`] draws and erases lines in any
//! order; [`BitPlayout`] plays random games to their end, [`BitPolicyRollout`] does so by a policy;
//! [`BitWalk`] takes random steps forward and backward.

mod census;
mod line_board;
mod playout;
mod policy_rollout;
mod position;
mod rows;
#[cfg(test)]
pub(crate) mod testing;
mod walk;

pub(crate) use census::Census;
pub use line_board::{BitLineBoard, BitLineSet};
pub use playout::BitPlayout;
pub use policy_rollout::BitPolicyRollout;
pub use position::{BitPosition, Code};
pub use walk::{BitStep, BitWalk};

use geometry::{Direction, Line, Point, Start};

/// Columns, and rows of each direction.
const SIDE: usize = 32;
/// The coordinates at which dots may be placed.
const INNER: std::ops::Range<i32> = 1..SIDE as i32 - 1;

/// The mapping from the points of a game to the 32 x 32 places of the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Layout {
    /// The place of (0,0).
    origin: Point,
}

impl Layout {
    /// Centres the dots of a start; `None` if they do not fit inside the ring.
    fn around(start: &Start) -> Option<Self> {
        let (low, high) = start.bounds()?;
        let middle = |low: i32, high: i32| (SIDE as i32 - (high - low + 1)) / 2 - low;
        let layout = Self { origin: Point::new(middle(low.x, high.x), middle(low.y, high.y)) };
        layout.place(low).and(layout.place(high)).map(|_| layout)
    }

    /// A point as column and row, if it lies inside the ring.
    fn place(self, point: Point) -> Option<(u32, u32)> {
        let Point { x, y } = point + self.origin;
        (INNER.contains(&x) && INNER.contains(&y)).then_some((x as u32, y as u32))
    }

    /// The point at a column and row.
    fn point(self, x: u32, y: u32) -> Point {
        Point::new(x as i32, y as i32) - self.origin
    }

    /// The id of a line whose `length` dots all lie inside the ring.
    fn id(self, line: Line, length: usize) -> Option<u32> {
        let (x, y) = self.place(line.start)?;
        self.place(line.point(length - 1))?;
        Some(line_id(line.direction, row(line.direction, x, y), along(line.direction, x, y)))
    }

    /// The line of an id, given one of its dots.
    fn line(self, id: u32, (x, y): (u32, u32)) -> Line {
        let direction = Direction::ALL[(id >> 10) as usize];
        let back = along(direction, x, y) as i32 - (id & 31) as i32;
        Line::new(self.point(x, y) - direction.step() * back, direction)
    }
}

/// The index of the row of `direction` through a place.
const fn row(direction: Direction, x: u32, y: u32) -> u32 {
    match direction {
        Direction::East => y,
        Direction::South => x,
        Direction::SouthEast => y.wrapping_sub(x) & 31,
        Direction::NorthEast => (x + y) & 31,
    }
}

/// The index of a place along its row.
const fn along(direction: Direction, x: u32, y: u32) -> u32 {
    if matches!(direction, Direction::South) { y } else { x }
}

/// The place at index `along` of a row, as column and row.
///
/// Sums of products instead of a branch on the direction, which is unpredictable: a mispredicted
/// branch costs more than four multiplications.
#[inline(always)]
const fn place_in(direction: Direction, row: u32, along: u32) -> (u32, u32) {
    const FACTORS: [[u32; 4]; 4] = [[1, 0, 0, 1], [0, 1, 1, 0], [1, 0, 1, 1], [1, 0, 31, 1]];
    let [x_along, x_row, y_along, y_row] = FACTORS[direction as usize];
    (x_along * along + x_row * row, (y_along * along + y_row * row) & 31)
}

/// The id of a line, below 4096: direction, row, first dot.
///
/// The lines of one row have consecutive ids, so two lines overlap if and only if their ids are
/// close: ids of different rows never are, since no line starts within 4 of the end of its row.
const fn line_id(direction: Direction, row: u32, start: u32) -> u32 {
    (direction as u32) << 10 | row << 5 | start
}
