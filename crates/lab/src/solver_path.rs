//! Which solver is loaded: the one that is named, that lies in a folder of ours, or that is
//! installed on the system. Never one from the working directory, which may be anybody's.

use std::fmt;
use std::path::{Path, PathBuf};

use evidence::seal::{hash, hex};
use solver::{Solver, SolverError};

/// The library, as `scripts/solver` leaves it in a folder, with a file `version` beside it.
pub const LIBRARY: &str = "libhighs.so.1";

/// The names of an installed library.
const INSTALLED: [&str; 2] = [LIBRARY, "libhighs.so"];

/// How the file `version` begins if the library is the one that `scripts/solver` fetches.
const PINNED_VERSION: &str = "highspy 1.15.1 ";

/// The SHA-256 of that library on each kind of machine.
const PINNED: [&str; 2] = [
    "4964579253b67b4525fbe4985725560732dac3b8f178356e6699f9411e64d93a", // x86_64
    "48d420a9a3cc7ad373651aa1eba675a3f1daf297483402fe13c65172ca09511b", // aarch64
];

/// A solver, and where it comes from. Prints as `HiGHS 1.15.1, as pinned, from /a/libhighs.so.1`.
#[derive(Debug)]
pub struct LoadedSolver {
    /// The library.
    pub solver: Solver,
    /// Its file, or its name if the system found it.
    pub file: PathBuf,
    /// Whether it is byte for byte the one that `scripts/solver` fetches.
    pub is_pinned: bool,
}

impl fmt::Display for LoadedSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { solver, file, is_pinned } = self;
        let pinned = if *is_pinned { ", as pinned," } else { "" };
        write!(f, "{solver:?}{pinned} from {}", file.display())
    }
}

/// Opens the library that is named, or else the first there is: in these folders, or installed.
pub fn open(named: Option<&Path>, folders: &[PathBuf]) -> Result<LoadedSolver, SolverPathError> {
    if let Some(named) = named {
        // A name without a folder would be searched for among the installed libraries.
        let file = named
            .canonicalize()
            .map_err(|source| SolverPathError::File { file: named.to_owned(), source })?;
        let is_pinned = is_pinned(&file)?;
        return Ok(LoadedSolver { solver: Solver::open(&file)?, file, is_pinned });
    }
    let mut files = folders.iter().map(|folder| folder.join(LIBRARY));
    if let Some(file) = files.find(|file| file.is_file()) {
        let version = std::fs::read_to_string(file.with_file_name("version")).unwrap_or_default();
        let is_pinned = is_pinned(&file)?;
        if version.starts_with(PINNED_VERSION) && !is_pinned {
            return Err(SolverPathError::Changed(file));
        }
        return Ok(LoadedSolver { solver: Solver::open(&file)?, file, is_pinned });
    }
    let installed = INSTALLED.iter().find_map(|name| {
        let solver = Solver::open(name).ok()?;
        Some(LoadedSolver { solver, file: name.into(), is_pinned: false })
    });
    installed.ok_or(SolverPathError::Missing)
}

fn is_pinned(file: &Path) -> Result<bool, SolverPathError> {
    let bytes = std::fs::read(file)
        .map_err(|source| SolverPathError::File { file: file.to_owned(), source })?;
    Ok(PINNED.contains(&hex(&hash(&bytes)).as_str()))
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
    /// The file is not what `scripts/solver` fetched.
    #[error(
        "{} is not the library that scripts/solver fetched; run it again, or name another with \
         --solver FILE", .0.display()
    )]
    Changed(PathBuf),
    /// The library cannot be used.
    #[error(transparent)]
    Library(#[from] SolverError),
    /// There is none.
    #[error("no solver; run scripts/solver to fetch HiGHS, or name its library with --solver FILE")]
    Missing,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pinned_library_that_was_changed_is_not_loaded() {
        let folder = tempfile::tempdir().expect("a folder");
        let folders = [folder.path().to_owned()];
        std::fs::write(folder.path().join(LIBRARY), "something else").expect("written");
        std::fs::write(folder.path().join("version"), format!("{PINNED_VERSION}0123"))
            .expect("written");
        let error = open(None, &folders).expect_err("changed");
        assert!(matches!(error, SolverPathError::Changed(_)), "{error}");
        // Another version is not ours to judge; the loader refuses it.
        std::fs::write(folder.path().join("version"), "my own").expect("written");
        let error = open(None, &folders).expect_err("no library");
        assert!(matches!(error, SolverPathError::Library(_)), "{error}");
    }
}
