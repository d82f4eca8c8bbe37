//! Linear programs, solved in floats.
//!
//! A [`Problem`] is plain data; a [`Solver`] is HiGHS, loaded at run time from a library that
//! `scripts/solver` fetches, so that nothing here needs a C++ compiler; a [`Model`] is a problem in the
//! solver's hands that can be changed and solved again from where it stood. What comes back suggests and
//! never decides: whoever wants a bound rounds the duals to integers and has them judged.
//!
//! This is the one crate with `unsafe` in it, all of it in `library.rs`.

mod library;
mod model;
mod problem;

pub use library::Solver;
pub use model::{Basis, Method, Model, Settings, Solution, Status};
pub use problem::{Column, Problem, Row};

/// Why there is no solution to look at.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// The library cannot be loaded.
    #[error("{file}: {reason}")]
    Library {
        /// What was to be loaded.
        file: String,
        /// What the system says.
        reason: String,
    },
    /// The library is another than the one whose functions are called here.
    #[error("{file}: HiGHS {found}, but 1.x with numbers of 32 bits is needed")]
    Version {
        /// What was loaded.
        file: String,
        /// What it says of itself.
        found: String,
    },
    /// The problem makes no sense: a column that is not there or there twice, or a number that is none.
    #[error("row {row}: an entry is no number, or its column is missing or repeated")]
    Row {
        /// The number of the row, counting from 0.
        row: usize,
    },
    /// A column makes no sense.
    #[error("column {column} does not exist, or a number of it is none")]
    Column {
        /// The number of the column, counting from 0.
        column: usize,
    },
    /// A file that cannot be read as a problem.
    #[error("{file}: the solver cannot read it")]
    File {
        /// The file.
        file: String,
    },
    /// A function of the library failed.
    #[error("the solver failed in {function}")]
    Failed {
        /// The name of the function.
        function: &'static str,
    },
}
