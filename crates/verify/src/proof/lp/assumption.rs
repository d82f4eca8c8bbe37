//! Assumptions about lattice lines (all points in one of the four directions), by cases.
//!
//! The lines drawn on a lattice line share no segment. Where they join dots, these form runs, each
//! with one dot more than segments; a dot by itself is a run, too. So the dots of a lattice line
//! less the segments of its lines, length - 1 each, are its runs. That gives two ways to split into
//! cases:
//!
//! - It has no dot, or it has at least 1 run.
//! - Two lines of one run start a multiple of length - 1 steps apart, since each starts where
//!   another ends. So all lines have the same phase, which is how far along they start modulo
//!   length - 1, or there are at least 2 runs.

use crate::proof::text::number;
use crate::rules::{Direction, Line, Point, Rules};

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

/// What a case assumes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Assumption {
    /// The lattice line has no dot.
    Empty(LatticeLine),
    /// It has at least this many runs.
    Runs(LatticeLine, i64),
    /// All its lines have this phase.
    Phase(LatticeLine, i32),
}

impl Assumption {
    /// Whether the case has no such dot.
    pub(super) fn excludes_dot(self, dot: Point) -> bool {
        matches!(self, Assumption::Empty(lattice) if lattice.contains(dot))
    }

    /// Whether the case has no such line.
    pub(super) fn excludes_line(self, line: Line, rules: Rules) -> bool {
        let Assumption::Phase(lattice, phase) = self else { return false };
        let along = if line.direction == Direction::South { line.first.y } else { line.first.x };
        line.direction == lattice.direction
            && lattice.contains(line.first)
            && along.rem_euclid(i32::from(rules.length()) - 1) != phase
    }
}
