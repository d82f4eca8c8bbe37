//! Makes the missing runs of a design on several threads and stores each result at once.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::design::{ExperimentDesign, RunIndex};
use crate::error::ExperimentError;
use crate::journal::{Journal, RunResult};
use crate::run::{self, Outcome};
use crate::{Event, OnEvent};

/// Makes all runs of a design that its journal does not have yet; the rows are in the order of the
/// design.
///
/// Every run has its own seed, so neither the number of threads nor an interruption changes a
/// score.
pub(crate) fn conduct(
    design: &ExperimentDesign,
    path: &Path,
    threads: u32,
    on: OnEvent<'_>,
) -> Result<Vec<RunResult>, ExperimentError> {
    let mut journal = Journal::open(design, path)?;
    let is_missing = |run: &RunIndex| !journal.rows().contains_key(run);
    let missing: Vec<RunIndex> = design.runs().filter(is_missing).collect();
    let total_cost = missing.iter().map(|run| design.cells[run.cell].cost).sum();
    let progress = Progress {
        design,
        on,
        failed: AtomicBool::new(false),
        start: Instant::now(),
        total_cost,
        state: Mutex::new(State { done: journal.rows().len(), cost: 0.0, active: BTreeMap::new() }),
    };
    let make = |_, index| -> Result<_, ExperimentError> {
        let outcome = run::run(design, index, &|part| progress.report(index, part));
        Ok((index, outcome.inspect_err(|_| progress.fail())?))
    };
    lab::parts::run(missing, threads, make, |(index, outcome)| {
        let Outcome::Done(row) = outcome else { return Ok(ControlFlow::Break(())) };
        journal.add(row).inspect_err(|_| progress.fail())?;
        Ok(progress.finish(index))
    })?;
    let (done, total) = (journal.rows().len(), design.total());
    if done < total {
        let (experiment, unit, file) = (design.name, "runs", path.to_owned());
        return Err(ExperimentError::Interrupted { experiment, unit, done, total, file });
    }
    Ok(journal.finish()?)
}

/// Estimates the remaining time from the costs of the design.
struct Progress<'a> {
    design: &'a ExperimentDesign,
    on: OnEvent<'a>,
    /// Whether a run has failed, which ends the others.
    failed: AtomicBool,
    start: Instant,
    total_cost: f64,
    state: Mutex<State>,
}

struct State {
    /// The number of rows in the journal.
    done: usize,
    /// The cost of the runs finished since the start.
    cost: f64,
    /// The cost already spent on the active runs.
    active: BTreeMap<RunIndex, f64>,
}

impl Progress<'_> {
    /// Reports which part of an active run is done, from 0 to 1.
    fn report(&self, run: RunIndex, part: f64) -> ControlFlow<()> {
        let cost = self.design.cells[run.cell].cost * part.clamp(0.0, 1.0);
        self.update(|state| {
            state.active.insert(run, cost);
        })
    }

    /// Ends the other runs.
    fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }

    fn finish(&self, run: RunIndex) -> ControlFlow<()> {
        self.update(|state| {
            state.active.remove(&run);
            state.cost += self.design.cells[run.cell].cost;
            state.done += 1;
        })
    }

    fn update(&self, change: impl FnOnce(&mut State)) -> ControlFlow<()> {
        if self.failed.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        let mut state = self.state.lock().expect("no thread panics holding the progress");
        change(&mut state);
        let (done, spent) = (state.done, state.cost + state.active.values().sum::<f64>());
        drop(state);
        let remaining = (spent > 0.0).then(|| {
            let ratio = (self.total_cost - spent).max(0.0) / spent;
            Duration::from_secs_f64((self.start.elapsed().as_secs_f64() * ratio).min(1e9))
        });
        let (experiment, total) = (self.design.name, self.design.total());
        (self.on)(Event::Progress { experiment, unit: "runs", done, total, remaining })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::RunLength;
    use crate::design::testing::random_games;
    use std::sync::atomic::AtomicUsize;

    fn complete(design: &ExperimentDesign, path: &Path, threads: u32) -> Vec<RunResult> {
        conduct(design, path, threads, &|_| ControlFlow::Continue(())).expect("complete")
    }

    /// The part of a journal that does not depend on the clock.
    fn scores(path: &Path) -> Vec<String> {
        let text = std::fs::read_to_string(path).expect("a file");
        let timeless = |line: &str| line.rsplit_once(',').map_or(line, |(rest, _)| rest).to_owned();
        text.lines().map(timeless).collect()
    }

    #[test]
    fn neither_threads_nor_interruptions_change_the_results() {
        let dir = tempfile::tempdir().expect("a folder");
        let design = random_games(20);
        let one = dir.path().join("one.csv");
        let rows = complete(&design, &one, 1);
        assert_eq!(rows.len(), 40);
        assert!(rows.iter().all(|row| row.score >= 12 && row.playouts > 0));
        let other = dir.path().join("other.csv");
        let (mut stops, mut before) = (0, 0);
        loop {
            let events = AtomicUsize::new(0);
            let result =
                conduct(&design, &other, 3, &|_| match events.fetch_add(1, Ordering::Relaxed) {
                    0..25 => ControlFlow::Continue(()),
                    _ => ControlFlow::Break(()),
                });
            match result {
                Ok(_) => break,
                Err(ExperimentError::Interrupted { done, total, .. }) => {
                    assert!(done >= before && done < total, "{done} of {total}");
                    (before, stops) = (done, stops + 1);
                }
                Err(error) => panic!("{error}"),
            }
        }
        assert!(stops > 1, "{stops}");
        assert_eq!(scores(&one), scores(&other));
        // A complete journal does not change.
        let before = std::fs::read(&one).expect("a file");
        complete(&design, &one, 2);
        assert_eq!(std::fs::read(&one).expect("a file"), before);
    }

    #[test]
    fn more_repeats_continue_where_fewer_ended() {
        let dir = tempfile::tempdir().expect("a folder");
        let (one, other) = (dir.path().join("one.csv"), dir.path().join("other.csv"));
        for repeats in [2, 5] {
            complete(&random_games(repeats), &one, 2);
        }
        complete(&random_games(5), &other, 2);
        assert_eq!(scores(&one), scores(&other));
    }

    #[test]
    fn a_run_limited_by_time_ends_and_lists_its_improvements() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut design = random_games(1);
        design.traced = true;
        for cell in &mut design.cells {
            cell.length = RunLength::Time(Duration::from_millis(30));
        }
        for row in complete(&design, &dir.path().join("test.csv"), 2) {
            assert!(row.cpu >= Duration::from_millis(30), "{row:?}");
            assert_eq!(row.improvements.last().map(|last| last.score), Some(row.score));
        }
    }
}
