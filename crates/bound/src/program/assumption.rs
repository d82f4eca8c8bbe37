//! Assumptions on a lattice line of an exact hull, by which games are split into cases.
//!
//! The dots of a lattice line form runs joined by its lines, with one more dot than segments each,
//! so the number of runs is dots minus segments. Lines whose starts differ by other than a multiple
//! of length - 1 steps are in different runs: either all lines of a lattice line have the same
//! phase, or it has at least two runs.

use std::fmt;

use geometry::{Direction, Line, Point, Rules};

use super::area::Area;
use super::{LinearProgram, VariableMeaning, potential};

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

/// Where a line starts along its lattice line, modulo length - 1.
#[must_use]
pub fn phase(line: Line, rules: Rules) -> u8 {
    let along = if line.direction == Direction::South { line.start.y } else { line.start.x };
    along.rem_euclid(rules.length() as i32 - 1) as u8
}

/// An assumption on a lattice line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Assumption {
    /// It has no dot.
    Empty(LatticeLine),
    /// Its dots form at least this many runs.
    Runs(LatticeLine, u8),
    /// All its lines have this phase.
    Phase(LatticeLine, u8),
}

impl Assumption {
    /// The lattice line it is about.
    #[must_use]
    pub fn lattice_line(&self) -> LatticeLine {
        match *self {
            Self::Empty(lattice) | Self::Runs(lattice, _) | Self::Phase(lattice, _) => lattice,
        }
    }

    /// Adds it to a program; `false` if the lattice line does not meet the board.
    pub(crate) fn apply(&self, program: &mut LinearProgram, area: &Area) -> bool {
        let lattice = self.lattice_line();
        let first = area.dots.iter().find(|&&dot| lattice.contains(dot));
        let Some(&first) = first else { return false };
        let mut forbid = |is_forbidden: &dyn Fn(VariableMeaning) -> bool| {
            for variable in &mut program.variables {
                if is_forbidden(variable.meaning) {
                    variable.high = 0;
                }
            }
        };
        match *self {
            Self::Empty(_) => forbid(
                &|meaning| matches!(meaning, VariableMeaning::Dot(dot) if lattice.contains(dot)),
            ),
            Self::Phase(_, allowed) => forbid(&|meaning| match meaning {
                VariableMeaning::Line(line) => {
                    lattice.contains_line(line) && phase(line, area.rules) != allowed
                }
                _ => false,
            }),
            Self::Runs(_, least) => {
                let at = (first, lattice.direction);
                let on = |dot| lattice.contains(dot);
                let constraint = potential::runs(program, area, at, on, i64::from(least));
                program.constraints.push(constraint);
            }
        }
        true
    }
}
