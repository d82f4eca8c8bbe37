//! What a case of a proof supposes of a lattice line: all points in one of the four directions.
//!
//! The lines drawn on a lattice line share no segment. Where they join dots, these fall into runs, each
//! with one dot more than segments; a dot by itself is a run, too. So the dots of a lattice line less the
//! segments of its lines, length - 1 each, are its runs. That gives two ways to tell cases apart:
//!
//! - It holds no dot, or it has at least 1 run.
//! - Two lines of one run begin a multiple of length - 1 steps apart, since each begins where another ends.
//!   So all lines have the same phase, which is how far along they begin modulo length - 1, or there are at
//!   least 2 runs.

use super::text::whole;
use crate::rules::{Direction, Line, Point, Rules};

/// A lattice line of a board whose bounding box begins at (0,0).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LatticeLine {
    pub(crate) direction: Direction,
    /// y to the East, x to the South, x - y to the South-East, x + y to the North-East.
    pub(crate) place: i32,
}

impl LatticeLine {
    /// Reads `SE 13`.
    pub(crate) fn parse(text: &str) -> Option<LatticeLine> {
        let (direction, place) = text.split_once(' ')?;
        let direction = Direction::named(direction)?;
        Some(LatticeLine { direction, place: i32::try_from(whole(place)?).ok()? })
    }

    /// Which lattice line of a direction a point is on.
    pub(crate) fn key(direction: Direction) -> fn(Point) -> i32 {
        match direction {
            Direction::East => |point| point.y,
            Direction::South => |point| point.x,
            Direction::SouthEast => |point| point.x - point.y,
            Direction::NorthEast => |point| point.x + point.y,
        }
    }

    pub(crate) fn holds(self, point: Point) -> bool {
        LatticeLine::key(self.direction)(point) == self.place
    }
}

/// What is supposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Supposed {
    /// It holds no dot.
    Empty(LatticeLine),
    /// It has at least so many runs.
    Runs(LatticeLine, i64),
    /// All its lines have this phase.
    Phase(LatticeLine, i32),
}

impl Supposed {
    /// Whether there is no such dot.
    pub(super) fn forbids_dot(self, dot: Point) -> bool {
        matches!(self, Supposed::Empty(lattice) if lattice.holds(dot))
    }

    /// Whether there is no such line.
    pub(super) fn forbids_line(self, line: Line, rules: Rules) -> bool {
        let Supposed::Phase(lattice, phase) = self else { return false };
        let along = if line.direction == Direction::South { line.first.y } else { line.first.x };
        line.direction == lattice.direction
            && lattice.holds(line.first)
            && along.rem_euclid(i32::from(rules.length()) - 1) != phase
    }
}
