//! Lattice lines: all points in one of the four directions.

use crate::proof::text::number;
use crate::rules::{Direction, Point};

/// A lattice line of a board whose bounding box starts at (0,0).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LatticeLine {
    pub(crate) direction: Direction,
    /// y to the East, x to the South, x - y to the South-East, x + y to the North-East.
    pub(crate) place: i32,
}

impl LatticeLine {
    /// Parses `SE 13`.
    pub(crate) fn parse(text: &str) -> Option<LatticeLine> {
        let (direction, place) = text.split_once(' ')?;
        Some(LatticeLine { direction: Direction::parse(direction)?, place: number(place)? })
    }

    /// The lattice line of this direction through a point.
    pub(crate) fn through(point: Point, direction: Direction) -> LatticeLine {
        let place = match direction {
            Direction::East => point.y,
            Direction::South => point.x,
            Direction::SouthEast => point.x - point.y,
            Direction::NorthEast => point.x + point.y,
        };
        LatticeLine { direction, place }
    }

    pub(super) fn contains(self, point: Point) -> bool {
        LatticeLine::through(point, self.direction) == self
    }
}
