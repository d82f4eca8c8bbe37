//! Where the solver is: named, fetched, or the system's.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use solver::Solver;

/// The library, as `scripts/solver` leaves it in a folder.
const FETCHED: &str = "solver/libhighs.so.1";

/// `--solver`: which library solves linear programs.
#[derive(clap::Args)]
pub(crate) struct SolverArgs {
    /// HiGHS's library [default: solver/libhighs.so.1 here or near the program, or the system's libhighs]
    #[arg(long, value_name = "FILE")]
    solver: Option<PathBuf>,
}

impl SolverArgs {
    /// The library, if one was named.
    pub(crate) fn named(&self) -> Option<&Path> {
        self.solver.as_deref()
    }

    /// The solver that was asked for, or the first there is.
    pub(crate) fn open(&self) -> Result<Solver> {
        if let Some(named) = &self.solver {
            // A name without a folder would be looked for where the system keeps its libraries.
            let file =
                named.canonicalize().with_context(|| format!("--solver {}", named.display()));
            return Solver::open(file?).context("no solver");
        }
        if let Some(fetched) = candidates().into_iter().find(|file| file.is_file()) {
            return Solver::open(fetched).context("no solver");
        }
        for name in ["libhighs.so.1", "libhighs.so"] {
            if let Ok(solver) = Solver::open(name) {
                return Ok(solver);
            }
        }
        bail!(
            "no solver: run scripts/solver to fetch HiGHS, or name its library with --solver FILE"
        )
    }

    /// The solver that was asked for, or the first there is, or none: for those who can do without.
    #[cfg(feature = "serve")]
    pub(crate) fn find(&self) -> Result<Option<Solver>> {
        if self.solver.is_some() { self.open().map(Some) } else { Ok(self.open().ok()) }
    }
}

/// Where the fetched library may be: here, or in a folder around the program, as when it is built in
/// `target`.
fn candidates() -> Vec<PathBuf> {
    let here = Path::new(".").canonicalize().unwrap_or_default();
    let program = std::env::current_exe().unwrap_or_default();
    let around = program.ancestors().skip(1).take(3);
    std::iter::once(&*here).chain(around).map(|folder| folder.join(FETCHED)).collect()
}
