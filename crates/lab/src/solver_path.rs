//! Where the solver is: named, fetched by `scripts/solver`, or installed on the system.

use std::path::{Path, PathBuf};

use solver::{Solver, SolverError};

/// The library, as `scripts/solver` leaves it in a folder.
const FETCHED: &str = "solver/libhighs.so.1";

/// The names of an installed library.
const INSTALLED: [&str; 2] = ["libhighs.so.1", "libhighs.so"];

/// Opens the library that is named, or else the first there is: fetched into the working directory
/// or into a folder above the program, as when that is built in `target`; or installed.
pub fn open(
    named: Option<&Path>,
    working_directory: &Path,
    program: &Path,
) -> Result<Solver, SolverPathError> {
    if let Some(named) = named {
        // A name without a folder would be searched for among the installed libraries.
        let file = named
            .canonicalize()
            .map_err(|source| SolverPathError::File { file: named.to_owned(), source })?;
        return Ok(Solver::open(file)?);
    }
    let above = program.ancestors().skip(1).take(3);
    let folders = std::iter::once(working_directory).chain(above);
    let fetched: Option<PathBuf> =
        folders.map(|folder| folder.join(FETCHED)).find(|file| file.is_file());
    if let Some(file) = fetched {
        return Ok(Solver::open(file)?);
    }
    let installed = INSTALLED.iter().find_map(|name| Solver::open(name).ok());
    installed.ok_or(SolverPathError::Missing)
}

/// Why there is no solver.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolverPathError {
    /// The file that was named does not exist.
    #[error("no solver in {}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What the system reports.
        #[source]
        source: std::io::Error,
    },
    /// The library cannot be used.
    #[error(transparent)]
    Library(#[from] SolverError),
    /// There is none.
    #[error("no solver; run scripts/solver to fetch HiGHS, or name its library with --solver FILE")]
    Missing,
}
