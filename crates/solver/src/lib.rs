//! Linear programs, solved in floating point by HiGHS.
//!
//! A [`Problem`] is plain data. A [`Solver`] is the HiGHS library, loaded at run time from the file
//! that `scripts/solver` fetches, so that building needs no C++ compiler. A [`Session`] is a
//! problem inside the solver: change it a little and the next solve starts from the last basis.
//!
//! The solver suggests and never decides. Whoever wants a bound rounds the duals to integers and
//! has an exact verifier evaluate them.
//!
//! ```
//! use morpion_solver::{Column, LpMethod, Problem, Row, SolveOptions, Solver};
//!
//! // Maximise 3x + 2y for x, y in [0, 10] with x + y <= 4.
//! let column = |cost| Column { cost, low: 0.0, high: 10.0 };
//! let row = Row { low: f64::NEG_INFINITY, high: 4.0, entries: vec![(0, 1.0), (1, 1.0)] };
//! let problem = Problem { columns: vec![column(3.0), column(2.0)], rows: vec![row] };
//! if let Ok(highs) = Solver::open("libhighs.so.1") {
//!     let solution = highs.solve(&problem, &SolveOptions::new(LpMethod::DualSimplex))?;
//!     assert!((solution.value - 12.0).abs() < 1e-6);
//! }
//! # Ok::<(), morpion_solver::SolverError>(())
//! ```
//!
//! This is the only crate with `unsafe` code, all of it in `library.rs`.

mod library;
mod problem;
mod session;

pub use library::Solver;
pub use problem::{Column, Problem, Row};
pub use session::{Basis, LpMethod, Session, Solution, SolveOptions, SolveStatus};

/// Why a problem could not be passed to the solver or solved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// The library cannot be loaded.
    #[error("cannot load {file}: {reason}")]
    Library {
        /// The file or library name.
        file: String,
        /// The message of the dynamic loader.
        reason: String,
    },
    /// The library has another ABI than the one declared here.
    #[error("{file} is HiGHS {found}, but 1.x with 32-bit integers is needed")]
    Version {
        /// The file or library name.
        file: String,
        /// The version that the library reports.
        found: String,
    },
    /// A row refers to a column that is missing or repeated, or contains NaN.
    #[error("row {row}: an entry is not a number, or its column is missing or repeated")]
    Row {
        /// The index of the row.
        row: usize,
    },
    /// A column does not exist or contains NaN.
    #[error("column {column} does not exist, or one of its values is not a number")]
    Column {
        /// The index of the column.
        column: usize,
    },
    /// A file that the solver cannot parse.
    #[error("cannot read {file}; the solver reads .mps and .lp")]
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
