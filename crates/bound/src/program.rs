//! Linear programs in integers: variables from 0 to 1 and the constraints that every game
//! satisfies.
//!
//! [`BoardProblem::program`](crate::BoardProblem::program) and
//! [`Region::program`](crate::branch::Region::program) build them. Every game in question is a
//! feasible point, so no game has more moves than the optimum of the relaxation. There is one file
//! for each family of constraints. The order of variables and constraints is part of the
//! certificate formats (`docs/reference/certificates.md`): the verifier builds them again on its
//! own.

mod area;
mod births;
pub mod cut;
mod drawing;
mod dual;
mod lines;
mod order;
mod potential;
#[cfg(feature = "solver")]
mod symmetry;
mod write;

use geometry::{Direction, Game, Line, Move, Point};

pub use cut::Cut;
pub use drawing::{DrawingSymmetry, SolutionError, SymmetryError, drawing_of_solution};
#[cfg(feature = "solver")]
pub use symmetry::SymmetryReduced;
pub use write::ProgramFormat;

pub(crate) use area::Area;
pub(crate) use births::program as births;
pub(crate) use dual::at_worst;
pub(crate) use lines::program as lines;
pub(crate) use potential::{add_constraints as add_potential, is_without_gaps};

/// A linear program in integers that maximises the sum of its costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinearProgram {
    /// The variables, dots first.
    pub variables: Vec<Variable>,
    /// The constraints.
    pub constraints: Vec<Constraint>,
}

/// A variable from 0 to 1, one that is fixed, or a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable {
    /// What it stands for.
    pub meaning: VariableMeaning,
    /// Its objective coefficient: 1 for a move.
    pub cost: i64,
    /// The lower bound: 0, or 1 for a dot of the start.
    pub low: i64,
    /// The upper bound.
    pub high: i64,
}

/// What a variable stands for; but for turns it is 1 in a game that has it, else 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VariableMeaning {
    /// There is a dot at the end of the game.
    Dot(Point),
    /// The line is drawn.
    Line(Line),
    /// The line is drawn with this new dot.
    Birth(Move),
    /// When the dot is placed: later than all others of the line that places it.
    Turn(Point),
}

/// A linear constraint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constraint {
    /// What it says.
    pub kind: ConstraintKind,
    /// Indices of variables, each at most once, with their coefficients.
    pub terms: Vec<(usize, i64)>,
    /// How the sum compares to the right-hand side.
    pub sense: Sense,
    /// The right-hand side.
    pub rhs: i64,
}

/// How the sum of a constraint compares to its right-hand side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sense {
    /// `<=`.
    AtMost,
    /// `>=`.
    AtLeast,
    /// `=`.
    Equal,
}

/// What a constraint says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConstraintKind {
    /// Every line adds one dot to those of the start.
    Balance,
    /// At most one line uses the segment in this direction that ends at this dot, none without it.
    Behind(Point, Direction),
    /// At most one line uses the segment in this direction that starts at this dot, none without
    /// it.
    Ahead(Point, Direction),
    /// At most one line in this direction passes through this dot, none without it.
    Through(Point, Direction),
    /// A dot that is not in the start is placed by exactly one line.
    Placed(Point),
    /// A lattice line in this direction that has a dot has more dots than segments; the point is
    /// its first on the board.
    Holds(Point, Direction),
    /// The first dot of a set is placed by a line that has no other dot of the set.
    First(usize),
    /// If a line through the first dot places the second, it comes after the first.
    After(Point, Point),
    /// A dot is there, or a line is drawn, if and only if its image is.
    Symmetric(usize),
    /// The positions of a region satisfy this, perhaps after a rotation or reflection.
    Region,
}

/// The births program on these dots, which come row by row.
pub(crate) fn births_on(game: &Game, dots: Vec<Point>) -> LinearProgram {
    births(game, &Area::new(dots, game.rules), game.start.dots())
}

#[cfg(feature = "solver")]
impl LinearProgram {
    /// The same program in floats.
    #[must_use]
    pub fn to_solver(&self) -> solver::Problem {
        let column = |variable: &Variable| solver::Column {
            cost: variable.cost as f64,
            low: variable.low as f64,
            high: variable.high as f64,
        };
        solver::Problem {
            columns: self.variables.iter().map(column).collect(),
            rows: self.constraints.iter().map(Constraint::to_solver).collect(),
        }
    }
}

#[cfg(feature = "solver")]
impl Constraint {
    /// The same constraint in floats.
    #[must_use]
    pub fn to_solver(&self) -> solver::Row {
        let rhs = self.rhs as f64;
        let (low, high) = match self.sense {
            Sense::AtMost => (f64::NEG_INFINITY, rhs),
            Sense::AtLeast => (rhs, f64::INFINITY),
            Sense::Equal => (rhs, rhs),
        };
        let entry = |&(variable, factor): &(usize, i64)| (variable, factor as f64);
        solver::Row { low, high, entries: self.terms.iter().map(entry).collect() }
    }
}
