//! Lines of 4 and 5 in bits: how the grid is laid out, and what stands on that layout.
//!
//! Dots are kept once per direction as 32 rows of 32 bits, so that the neighbours of a dot along
//! any direction are a window of one word. Coordinates are taken modulo 32 (diagonals wrap round);
//! dots are placed only on the inner 30 x 30 points, and the ring around them stays empty. A line
//! that wraps contains two neighbouring points of the ring, so it never lacks exactly one dot.
//!
//! [`FastBoard`] plays and takes back; [`FastSheet`] draws and erases in any order; [`FastPlayout`]
//! plays games to their end, [`FastRollout`] does so by a policy; [`FastWalk`] goes forward and
//! backward at random.

mod board;
mod census;
mod playout;
mod rollout;
mod rows;
mod sheet;
#[cfg(test)]
pub(crate) mod testing;
mod walk;

pub use board::{Code, FastBoard};
pub(crate) use census::Census;
pub use playout::FastPlayout;
pub use rollout::FastRollout;
pub use sheet::{FastLines, FastSheet};
pub use walk::{FastStep, FastWalk};

use geometry::{Direction, Line, Point, Start};

/// Columns, and rows of each direction.
const SIDE: usize = 32;
/// Where dots may be placed.
const INNER: std::ops::Range<i32> = 1..SIDE as i32 - 1;

/// Where the points of a game lie on the 32 x 32 places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Layout {
    /// The place of (0,0).
    origin: Point,
}

impl Layout {
    /// Puts the dots of a start in the middle; `None` if they do not fit inside the ring.
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

    /// The number of a line that lies inside the ring with all its `length` dots.
    fn id(self, line: Line, length: usize) -> Option<u32> {
        let (x, y) = self.place(line.start)?;
        self.place(line.point(length - 1))?;
        Some(line_id(line.direction, row(line.direction, x, y), along(line.direction, x, y)))
    }

    /// The line of a number, given one of its dots.
    fn line(self, id: u32, (x, y): (u32, u32)) -> Line {
        let direction = Direction::ALL[(id >> 10) as usize];
        let back = along(direction, x, y) as i32 - (id & 31) as i32;
        Line::new(self.point(x, y) - direction.step() * back, direction)
    }
}

/// The number of the row of `direction` through a place.
const fn row(direction: Direction, x: u32, y: u32) -> u32 {
    match direction {
        Direction::East => y,
        Direction::South => x,
        Direction::SouthEast => y.wrapping_sub(x) & 31,
        Direction::NorthEast => (x + y) & 31,
    }
}

/// How far along its row a place lies.
const fn along(direction: Direction, x: u32, y: u32) -> u32 {
    if matches!(direction, Direction::South) { y } else { x }
}

/// The place at distance `along` in a row: column and row.
///
/// Sums of products, not a choice by direction: which direction comes next is anybody's guess, and a
/// wrong guess costs more than four multiplications.
#[inline(always)]
const fn place_in(direction: Direction, row: u32, along: u32) -> (u32, u32) {
    const FACTORS: [[u32; 4]; 4] = [[1, 0, 0, 1], [0, 1, 1, 0], [1, 0, 1, 1], [1, 0, 31, 1]];
    let [x_along, x_row, y_along, y_row] = FACTORS[direction as usize];
    (x_along * along + x_row * row, (y_along * along + y_row * row) & 31)
}

/// The number of a line, below 4096: direction, row, first dot.
///
/// The lines of one row are consecutive numbers, so lines overlap exactly if their numbers are
/// close: lines of different rows never are, since no line starts within 4 of the end of its row.
const fn line_id(direction: Direction, row: u32, start: u32) -> u32 {
    (direction as u32) << 10 | row << 5 | start
}
