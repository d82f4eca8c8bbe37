//! What may be supposed of a game with an exact hull, so that cases can be told apart.
//!
//! On a lattice line the dots fall into runs that its lines join: one dot more than segments each. So
//! its dots less its segments are its runs. Lines that begin a different number of steps apart than whole
//! lines are in different runs: either all lines of a lattice line have the same phase, or it has two runs.

use std::fmt;

use geometry::{Direction, Line, Point, Rules};

use super::area::Area;
use super::{Model, Unknown, potential};

/// All points in one direction, on a board whose bounding box begins at (0,0).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LatticeLine {
    /// Where it goes.
    pub direction: Direction,
    /// Which one it is: y to the East, x to the South, x - y to the South-East, x + y to the North-East.
    pub place: i32,
}

impl LatticeLine {
    /// The one through a point.
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
    pub fn holds(&self, point: Point) -> bool {
        *self == Self::through(point, self.direction)
    }

    /// Whether a line lies along it.
    pub fn has(&self, line: Line) -> bool {
        line.direction == self.direction && self.holds(line.start)
    }
}

/// Prints as `SE 13`.
impl fmt::Display for LatticeLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.direction, self.place)
    }
}

/// How far along its lattice line a line begins, up to whole lines end to end.
pub fn phase(line: Line, rules: Rules) -> u8 {
    let along = if line.direction == Direction::South { line.start.y } else { line.start.x };
    along.rem_euclid(rules.length() as i32 - 1) as u8
}

/// What is supposed of a lattice line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Supposed {
    /// There is no dot on it.
    Empty(LatticeLine),
    /// Its dots make at least so many runs.
    Runs(LatticeLine, u8),
    /// All lines on it have this phase.
    Phase(LatticeLine, u8),
}

impl Supposed {
    /// What it is about.
    pub fn lattice_line(&self) -> LatticeLine {
        match *self {
            Self::Empty(lattice) | Self::Runs(lattice, _) | Self::Phase(lattice, _) => lattice,
        }
    }

    /// Makes it hold in a model; `false` if the lattice line does not meet the board.
    pub(super) fn apply(&self, model: &mut Model, area: &Area) -> bool {
        let lattice = self.lattice_line();
        let Some(&first) = area.dots.iter().find(|&&dot| lattice.holds(dot)) else { return false };
        let mut forbid = |forbidden: &dyn Fn(Unknown) -> bool| {
            for column in &mut model.columns {
                if forbidden(column.unknown) {
                    column.high = 0;
                }
            }
        };
        match *self {
            Self::Empty(_) => {
                forbid(&|unknown| matches!(unknown, Unknown::Dot(dot) if lattice.holds(dot)));
            }
            Self::Phase(_, of) => forbid(
                &|unknown| matches!(unknown, Unknown::Line(line) if lattice.has(line) && phase(line, area.rules) != of),
            ),
            Self::Runs(_, runs) => {
                let on = |dot| lattice.holds(dot);
                let at = (first, lattice.direction);
                let row = potential::runs(model, area, at, on, i64::from(runs));
                model.rows.push(row);
            }
        }
        true
    }
}
