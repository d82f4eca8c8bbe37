//! Doing one task.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use bound::BoardProblem;
use record::Record;
use solver::{LpMethod, Solver};
use store::States;

use super::{Task, TaskResult, Work, WorkError};
use bound::lp::certify;
use hunt::{Find, Hunt, SavedHunt, Watcher, hunt, resume};

/// What a worker has at hand.
pub struct Workshop {
    /// Opens the solver when a task needs one; an error says why there is none.
    pub solver: Box<dyn Fn() -> Result<Solver, NoSolver> + Send + Sync>,
    /// Where hunts are saved, so that they go on after the worker was killed.
    pub states: Option<States>,
    /// How often they are.
    pub save_every: Duration,
}

/// Why there is no solver, as whoever opens it says.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NoSolver(pub Box<dyn std::error::Error + Send + Sync>);

/// A task under way, as seen from outside.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// Set to stop.
    pub(super) stop: AtomicBool,
    /// How it goes, in a few words.
    pub(super) word: Mutex<String>,
    /// The best game so far, to be told to others.
    pub(super) best: Mutex<Option<Record>>,
    /// How long the best game is that others have told.
    pub(super) others: AtomicU32,
}

/// Does a task and gives the message of what came of it.
pub fn perform(task: &Task, workshop: &Workshop) -> Result<Vec<u8>, WorkError> {
    perform_watched(task, workshop, &Progress::default())
}

/// Does a task, under the eyes of another thread.
pub(super) fn perform_watched(
    task: &Task,
    workshop: &Workshop,
    progress: &Progress,
) -> Result<Vec<u8>, WorkError> {
    let began = Instant::now();
    let mut result = TaskResult::new(task, 0.0);
    match task.work() {
        Work::Hunt { hunt, .. } => {
            let find = hunted(task.id(), hunt, workshop, progress)?;
            result.game = Some(find.record.to_json());
            result.playouts = Some(find.playouts);
            result.seconds = find.wall.as_secs_f64();
        }
        Work::Board(board) => {
            result.certificate = Some(certified(board, workshop)?);
            result.seconds = began.elapsed().as_secs_f64();
        }
        Work::Nothing(_) => {}
    }
    Ok(result.to_bytes())
}

/// What a hunt finds, in all its sessions.
fn hunted(
    id: &str,
    wish: &Hunt,
    workshop: &Workshop,
    progress: &Progress,
) -> Result<Find, WorkError> {
    let target = wish.target.and_then(|target| u32::try_from(target).ok()).unwrap_or(u32::MAX);
    let watch = Watch { id, workshop, progress, target, began: Instant::now() };
    let find = match saved(id, wish, workshop) {
        // A state that cannot go on after all is worth nothing.
        Some(saved) => resume(saved, &watch).or_else(|_| hunt(wish, &watch))?,
        None => hunt(wish, &watch)?,
    };
    match progress.stop.load(Ordering::Relaxed) {
        true => Err(WorkError::Stopped),
        false => Ok(find),
    }
}

/// The hunt as it was saved, if it was, and is the same.
fn saved(id: &str, wish: &Hunt, workshop: &Workshop) -> Option<SavedHunt> {
    let bytes = workshop.states.as_ref()?.read(id, SavedHunt::MOST_BYTES)?;
    let mut saved = SavedHunt::from_bytes(&bytes).ok()?;
    let Hunt { game, from, method, seed, threads, .. } = &saved.hunt;
    let same = (game, from, seed, threads) == (&wish.game, &wish.from, &wish.seed, &wish.threads)
        && method.info().name == wish.method.info().name
        && method.values() == wish.method.values();
    if !same {
        return None;
    }
    saved.hunt = wish.clone();
    // Its time is for all sessions.
    saved.hunt.time = wish.time.map(|time| time.saturating_sub(saved.wall()));
    Some(saved)
}

struct Watch<'a> {
    id: &'a str,
    workshop: &'a Workshop,
    progress: &'a Progress,
    /// When somebody has a game of so many moves, it is over.
    target: u32,
    began: Instant,
}

impl Watcher for Watch<'_> {
    fn improved(&self, record: &Record) {
        if let Ok(mut best) = self.progress.best.lock() {
            *best = Some(record.clone());
        }
    }

    fn stands(&self, best: usize, playouts: u64) {
        // Whoever asks for it now gets it the next time.
        if let Ok(mut word) = self.progress.word.try_lock() {
            *word = format!("best {best} after {playouts} playouts");
        }
    }

    fn wants_stop(&self) -> bool {
        self.progress.stop.load(Ordering::Relaxed)
            || self.progress.others.load(Ordering::Relaxed) >= self.target
    }

    fn save_every(&self) -> Option<Duration> {
        self.workshop.states.as_ref().map(|_| self.workshop.save_every)
    }

    fn save(&self, saved: &SavedHunt) {
        let Some(states) = &self.workshop.states else { return };
        // A hunt that is over soon need not be saved, unless it is to stop.
        if self.began.elapsed() < self.workshop.save_every && !self.wants_stop() {
            return;
        }
        // The search is worth more than its state: what cannot be saved now may be later.
        if let Ok(bytes) = saved.to_bytes() {
            let _ = states.save(self.id, &bytes);
        }
    }
}

/// The text of a board's certificate.
fn certified(task: &BoardProblem, workshop: &Workshop) -> Result<String, WorkError> {
    let solver = (workshop.solver)()?;
    let solved = certify(solver, task, LpMethod::InteriorPoint)?;
    Ok(solved.certificate.to_text())
}
