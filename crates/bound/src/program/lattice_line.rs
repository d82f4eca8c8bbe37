//! Lattice lines of a board.

use std::fmt;

use geometry::{Direction, Line, Point};

/// All points on one line of the lattice, on a board whose bounding box starts at (0,0).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LatticeLine {
    /// Its direction.
    pub direction: Direction,
    /// Which one: y if East, x if South, x - y if South-East, x + y if North-East.
    pub place: i32,
}

impl LatticeLine {
    /// The one through a point.
    #[must_use]
    pub fn through(point: Point, direction: Direction) -> Self {
        let place = match direction {
            Direction::East => point.y,
            Direction::South => point.x,
            Direction::SouthEast => point.x - point.y,
            Direction::NorthEast => point.x + point.y,
        };
        Self { direction, place }
    }

    /// Whether a point is on it.
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        *self == Self::through(point, self.direction)
    }

    /// Whether a line lies along it.
    #[must_use]
    pub fn contains_line(&self, line: Line) -> bool {
        line.direction == self.direction && self.contains(line.start)
    }
}

/// Prints as `SE 13`.
impl fmt::Display for LatticeLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.direction, self.place)
    }
}
