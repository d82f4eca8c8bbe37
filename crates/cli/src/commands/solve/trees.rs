//! Trees of cases, each kept in a file, and every step on the way to it.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use bound::branch::{BranchError, BranchStep, Event, Region, prove};
use geometry::Game;
use solver::Solver;

use crate::files;
use crate::journal::Journal;
use crate::progress::Progress;

/// What is to be shown of cases: no position has more moves than the bound.
pub(super) struct Trees<'a> {
    pub(super) game: &'a Game,
    pub(super) bound: u32,
    /// The folder.
    pub(super) out: &'a Path,
    pub(super) solver: Solver,
    pub(super) stop: &'a AtomicBool,
    /// How long to work on a case; what it has come to is kept.
    pub(super) patience: Option<Duration>,
}

impl Trees<'_> {
    /// The text of the tree of a case, from its file if it is there.
    pub(super) fn text(
        &self,
        case: Region,
        failed: &AtomicBool,
        line: &Progress,
    ) -> Result<String> {
        let file = self.file(case);
        if file.exists() {
            return Ok(String::from_utf8(files::read(&file)?)?);
        }
        let steps = file.with_extension("steps");
        let work = format!("{} = {}: {case}", self.game.rules, self.bound);
        let (mut journal, known) = Journal::open(&steps, &work, usize::MAX)?;
        let mut number = known.last_key_value().map_or(0, |(last, _)| last + 1);
        let known = known.values().map(|step| step.parse());
        let known: Result<Vec<BranchStep>, _> = known.collect();
        let known = known.with_context(|| files::name(&steps))?;
        let mut unkept = Ok(());
        let deadline = self.patience.map(|patience| Instant::now() + patience);
        let proof = prove(
            self.solver,
            self.game,
            case,
            self.bound,
            known,
            &mut |Event::Step { step, done, leaves }| {
                let share = 100.0 * done;
                line.show(format_args!("{case}: {share:.2} %, {} leaves", leaves));
                unkept = journal.keep(number, &step.to_string());
                number += 1;
                let late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
                let stop =
                    late || self.stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
                match stop || unkept.is_err() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            },
        );
        unkept?;
        let proof = match proof {
            Err(unfit @ BranchError::Mismatch { .. }) => {
                let name = files::name(&steps);
                return Err(anyhow!("{name}: {unfit}; remove the file to begin this case anew"));
            }
            proof => proof?,
        };
        let text = proof.to_text();
        files::write(&file, text.as_bytes())?;
        // Whoever goes on has no use for it; if it stays it does no harm.
        let _ = std::fs::remove_file(&steps);
        Ok(text)
    }

    /// Where the tree of a case is kept until all are there.
    pub(super) fn file(&self, case: Region) -> PathBuf {
        let case = case.to_string().replace([' ', ','], "-");
        self.out.join(format!("{}-{}-{case}.txt", self.game.rules, self.bound))
    }
}
