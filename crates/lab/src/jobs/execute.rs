//! Executing one job.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use bound::BoardProblem;
use bound::lp::certify;
use hunt::{Checkpoint, Event, HuntBudget, HuntResult, HuntSpec};
use record::Record;
use solver::{LpMethod, Solver};
use store::Checkpoints;

use super::{Job, JobResult, Work, WorkError};

/// What a worker needs to execute jobs.
pub struct WorkerContext {
    /// Opens the solver when a job needs one.
    pub open_solver: Box<dyn Fn() -> Result<Solver, OpenSolverError> + Send + Sync>,
    /// Where hunts are saved, so that they resume after the worker was killed.
    pub checkpoints: Option<Checkpoints>,
    /// How often they are saved.
    pub save_every: Duration,
    /// How long to wait for a job before an event says that the worker is idle. A server that many
    /// workers share is asked no more often than this.
    pub poll: Duration,
}

/// Why there is no solver.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct OpenSolverError(pub Box<dyn std::error::Error + Send + Sync>);

/// A job under way, as seen from the thread that attends to the queue.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// Set to stop.
    pub(super) stop: AtomicBool,
    /// A short text on how it is going.
    pub(super) text: Mutex<String>,
    /// The best game so far, if it was not published yet.
    pub(super) best: Mutex<Option<Record>>,
    /// How long the best game is that others have published.
    pub(super) best_of_others: AtomicU32,
}

/// Executes a job and returns the message of its result.
pub fn execute(job: &Job, context: &WorkerContext) -> Result<Vec<u8>, WorkError> {
    execute_watched(job, context, &Progress::default())
}

/// Executes a job, watched by another thread.
pub(super) fn execute_watched(
    job: &Job,
    context: &WorkerContext,
    progress: &Progress,
) -> Result<Vec<u8>, WorkError> {
    let start = Instant::now();
    let mut result = JobResult::new(job, 0.0);
    match job.work() {
        Work::Hunt { hunt, .. } => {
            let find = run_hunt(job.id().as_str(), hunt, context, progress)?;
            result.game = Some(find.game.to_json());
            result.playouts = Some(find.playouts);
            result.seconds = find.wall.as_secs_f64();
        }
        Work::Board(board) => {
            result.certificate = Some(certificate(board, context)?);
            result.seconds = start.elapsed().as_secs_f64();
        }
        Work::Nothing(_) => {}
    }
    Ok(result.to_bytes())
}

/// Runs a hunt, or resumes it from its checkpoint.
fn run_hunt(
    id: &str,
    spec: &HuntSpec,
    context: &WorkerContext,
    progress: &Progress,
) -> Result<HuntResult, WorkError> {
    let target = spec.budget.target.and_then(|target| u32::try_from(target).ok());
    let reporter = HuntReporter {
        id,
        context,
        progress,
        target: target.unwrap_or(u32::MAX),
        started: Instant::now(),
    };
    let every = context.checkpoints.as_ref().map(|_| context.save_every);
    let on = |event: Event<'_>| reporter.report(event);
    let found = match checkpoint(id, spec, context) {
        Some(checkpoint) => {
            // Its time is for all sessions.
            let time = spec.budget.time.map(|time| time.saturating_sub(checkpoint.wall()));
            let budget = HuntBudget { time, ..spec.budget };
            // A checkpoint that cannot be resumed after all is worth nothing.
            hunt::resume(checkpoint, budget, every, &on).or_else(|_| hunt::run(spec, every, &on))?
        }
        None => hunt::run(spec, every, &on)?,
    };
    match progress.stop.load(Ordering::Relaxed) {
        true => Err(WorkError::Stopped),
        false => Ok(found),
    }
}

/// The checkpoint of a hunt, if there is one and it is of the same search.
fn checkpoint(id: &str, spec: &HuntSpec, context: &WorkerContext) -> Option<Checkpoint> {
    let bytes = context.checkpoints.as_ref()?.read(id, Checkpoint::MAX_BYTES)?;
    let checkpoint = Checkpoint::from_bytes(&bytes).ok()?;
    checkpoint.check_compatible(spec).ok()?;
    Some(checkpoint)
}

struct HuntReporter<'a> {
    id: &'a str,
    context: &'a WorkerContext,
    progress: &'a Progress,
    /// When any hunt of the group has a game of this length, all are over.
    target: u32,
    started: Instant,
}

impl HuntReporter<'_> {
    fn report(&self, event: Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Improved(record) => {
                if let Ok(mut best) = self.progress.best.lock() {
                    *best = Some(record.clone());
                }
            }
            Event::Progress { best, playouts } => {
                // Whoever reads it now gets it the next time.
                if let Ok(mut text) = self.progress.text.try_lock() {
                    *text = format!("best {best} after {playouts} playouts");
                }
            }
            Event::Checkpoint(checkpoint) => self.save(checkpoint),
            _ => {}
        }
        match self.wants_stop() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn wants_stop(&self) -> bool {
        self.progress.stop.load(Ordering::Relaxed)
            || self.progress.best_of_others.load(Ordering::Relaxed) >= self.target
    }

    fn save(&self, checkpoint: &Checkpoint) {
        let Some(checkpoints) = &self.context.checkpoints else { return };
        // A hunt that is over soon need not be saved, unless it is to stop.
        if self.started.elapsed() < self.context.save_every && !self.wants_stop() {
            return;
        }
        // The search is worth more than its checkpoint: saving may succeed later.
        if let Ok(bytes) = checkpoint.to_bytes() {
            let _ = checkpoints.save(self.id, &bytes);
        }
    }
}

/// The text of a board's certificate.
fn certificate(task: &BoardProblem, context: &WorkerContext) -> Result<String, WorkError> {
    let solver = (context.open_solver)()?;
    let solved = certify(solver, task, LpMethod::InteriorPoint)?;
    Ok(solved.certificate.to_text())
}
