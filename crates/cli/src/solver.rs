//! `--solver`: which library solves linear programs.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use lab::solver_path::{self, LoadedSolver};
use solver::Solver;

use crate::output::note;

/// `--solver`.
#[derive(Default, clap::Args)]
pub(crate) struct SolverArgs {
    /// HiGHS library [default: libhighs.so.1 beside the program, in a folder `solver` beside it, in
    /// ~/.local/share/morpion, or an installed one]
    #[arg(long, value_name = "FILE")]
    solver: Option<PathBuf>,
}

impl SolverArgs {
    /// The library, if one was named.
    pub(crate) fn named(&self) -> Option<&Path> {
        self.solver.as_deref()
    }

    /// The named solver, or the first there is; says which.
    pub(crate) fn open(&self) -> Result<Solver> {
        let loaded = self.load()?;
        note(format_args!("solver: {loaded}"));
        Ok(loaded.solver)
    }

    /// The same without a word, for one of many processes.
    pub(crate) fn open_quietly(&self) -> Result<Solver> {
        Ok(self.load()?.solver)
    }

    fn load(&self) -> Result<LoadedSolver> {
        let loaded = solver_path::open(self.named(), &folders());
        match self.named() {
            Some(named) => loaded.with_context(|| format!("--solver {}", named.display())),
            None => Ok(loaded?),
        }
    }

    /// The named solver, or the first there is, or none.
    #[cfg(feature = "serve")]
    pub(crate) fn find(&self) -> Result<Option<Solver>> {
        if self.solver.is_some() { self.open().map(Some) } else { Ok(self.open().ok()) }
    }
}

/// Where a library of ours may lie: beside the program, and in the user's data folder. A folder
/// further up, or the working directory, may belong to somebody else.
fn folders() -> Vec<PathBuf> {
    let program = std::env::current_exe().ok();
    let beside = program.as_deref().and_then(Path::parent).map(Path::to_owned);
    let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|it| it.is_absolute());
    let data = absolute("XDG_DATA_HOME")
        .or_else(|| Some(absolute("HOME")?.join(".local").join("share")))
        .map(|folder| folder.join("morpion"));
    let inside = beside.as_ref().map(|folder| folder.join("solver"));
    [beside, inside, data].into_iter().flatten().collect()
}
