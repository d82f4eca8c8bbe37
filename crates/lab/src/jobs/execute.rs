//! Executing one job.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use bound::BoardProblem;
use bound::lp::certify;
use hunt::{Find, Hunt, SavedHunt, Watcher, hunt, resume};
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
    spec: &Hunt,
    context: &WorkerContext,
    progress: &Progress,
) -> Result<Find, WorkError> {
    let target = spec.target.and_then(|target| u32::try_from(target).ok()).unwrap_or(u32::MAX);
    let watch = Watch { id, context, progress, target, started: Instant::now() };
    let find = match checkpoint(id, spec, context) {
        // A checkpoint that cannot be resumed after all is worth nothing.
        Some(saved) => resume(saved, &watch).or_else(|_| hunt(spec, &watch))?,
        None => hunt(spec, &watch)?,
    };
    match progress.stop.load(Ordering::Relaxed) {
        true => Err(WorkError::Stopped),
        false => Ok(find),
    }
}

/// The checkpoint of a hunt, if there is one and it is of the same search.
fn checkpoint(id: &str, spec: &Hunt, context: &WorkerContext) -> Option<SavedHunt> {
    let bytes = context.checkpoints.as_ref()?.read(id, SavedHunt::MOST_BYTES)?;
    let mut saved = SavedHunt::from_bytes(&bytes).ok()?;
    let Hunt { game, from, method, seed, threads, .. } = &saved.hunt;
    let is_same = (game, from, seed, threads)
        == (&spec.game, &spec.from, &spec.seed, &spec.threads)
        && method.info().name == spec.method.info().name
        && method.values() == spec.method.values();
    if !is_same {
        return None;
    }
    saved.hunt = spec.clone();
    // Its time is for all sessions.
    saved.hunt.time = spec.time.map(|time| time.saturating_sub(saved.wall()));
    Some(saved)
}

struct Watch<'a> {
    id: &'a str,
    context: &'a WorkerContext,
    progress: &'a Progress,
    /// When any hunt of the group has a game of this length, all are over.
    target: u32,
    started: Instant,
}

impl Watcher for Watch<'_> {
    fn improved(&self, record: &Record) {
        if let Ok(mut best) = self.progress.best.lock() {
            *best = Some(record.clone());
        }
    }

    fn stands(&self, best: usize, playouts: u64) {
        // If it is being read, the next one will do.
        if let Ok(mut text) = self.progress.text.try_lock() {
            *text = format!("best {best} after {playouts} playouts");
        }
    }

    fn wants_stop(&self) -> bool {
        self.progress.stop.load(Ordering::Relaxed)
            || self.progress.best_of_others.load(Ordering::Relaxed) >= self.target
    }

    fn save_every(&self) -> Option<Duration> {
        self.context.checkpoints.as_ref().map(|_| self.context.save_every)
    }

    fn save(&self, saved: &SavedHunt) {
        let Some(checkpoints) = &self.context.checkpoints else { return };
        // A hunt that is over soon need not be saved, unless it is to stop.
        if self.started.elapsed() < self.context.save_every && !self.wants_stop() {
            return;
        }
        // The search matters more than its checkpoint: the next one may succeed.
        if let Ok(bytes) = saved.to_bytes() {
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
