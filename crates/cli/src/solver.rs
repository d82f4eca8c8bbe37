//! `--solver`: which library solves linear programs.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use lab::solver_path;
use solver::Solver;

/// `--solver`.
#[derive(clap::Args)]
pub(crate) struct SolverArgs {
    /// HiGHS library [default: solver/libhighs.so.1 here or near the program, or an installed one]
    #[arg(long, value_name = "FILE")]
    solver: Option<PathBuf>,
}

impl SolverArgs {
    /// The library, if one was named.
    pub(crate) fn named(&self) -> Option<&Path> {
        self.solver.as_deref()
    }

    /// The named solver, or the first there is.
    pub(crate) fn open(&self) -> Result<Solver> {
        let here = Path::new(".").canonicalize().unwrap_or_default();
        let program = std::env::current_exe().unwrap_or_default();
        let solver = solver_path::open(self.named(), &here, &program);
        match self.named() {
            Some(named) => solver.with_context(|| format!("--solver {}", named.display())),
            None => Ok(solver?),
        }
    }

    /// The named solver, or the first there is, or none.
    #[cfg(feature = "serve")]
    pub(crate) fn find(&self) -> Result<Option<Solver>> {
        if self.solver.is_some() { self.open().map(Some) } else { Ok(self.open().ok()) }
    }
}
