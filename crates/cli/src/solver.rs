//! `--solver`: a named library, the fetched one, or the system's.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use solver::Solver;

/// Where `scripts/solver` puts the library.
const FETCHED: &str = "solver/libhighs.so.1";

/// `--solver`.
#[derive(clap::Args)]
pub(crate) struct SolverArgs {
    /// HiGHS library [default: solver/libhighs.so.1 here or near the program, or the system's]
    #[arg(long, value_name = "FILE")]
    solver: Option<PathBuf>,
}

impl SolverArgs {
    /// The library, if one is named.
    pub(crate) fn named(&self) -> Option<&Path> {
        self.solver.as_deref()
    }

    /// The named solver, or the first one found.
    pub(crate) fn open(&self) -> Result<Solver> {
        if let Some(named) = &self.solver {
            // A bare name would be searched for in the system's library folders.
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
            "no solver found; run scripts/solver to fetch HiGHS, or name its library with --solver"
        )
    }

    /// The named solver, or the first one found, or none.
    #[cfg(feature = "serve")]
    pub(crate) fn find(&self) -> Result<Option<Solver>> {
        if self.solver.is_some() { self.open().map(Some) } else { Ok(self.open().ok()) }
    }
}

/// Where the fetched library may be: here, or in a folder above the program, as when it is built
/// in `target`.
fn candidates() -> Vec<PathBuf> {
    let here = Path::new(".").canonicalize().unwrap_or_default();
    let program = std::env::current_exe().unwrap_or_default();
    let around = program.ancestors().skip(1).take(3);
    std::iter::once(&*here).chain(around).map(|folder| folder.join(FETCHED)).collect()
}
