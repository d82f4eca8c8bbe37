//! The state of a hunt, as data.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use hunt::{Checkpoint, HuntSpec};
use record::Record;
use serde::Serialize;

/// The state of a hunt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    Running,
    /// Stopped on request; it can be resumed.
    Stopped,
    /// It reached its budget or target.
    Done,
    Failed,
}

/// A hunt in progress or done.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct View {
    pub(crate) id: u64,
    /// Grows with every change.
    pub(crate) version: u64,
    pub(crate) status: Status,
    pub(crate) game: String,
    pub(crate) method: &'static str,
    /// The method that does the work, if `method` chose one.
    pub(crate) behind: &'static str,
    pub(crate) parameters: BTreeMap<&'static str, f64>,
    /// What its playouts are called.
    pub(crate) playout: &'static str,
    pub(crate) seed: u64,
    pub(crate) threads: u32,
    /// The number of first moves given.
    pub(crate) from: usize,
    /// The time limit, in seconds.
    pub(crate) time: Option<f64>,
    pub(crate) best: usize,
    /// Legal moves remaining at the end of the best game; known when it is done.
    pub(crate) left: Option<u64>,
    pub(crate) playouts: u64,
    /// Time spent, in seconds.
    pub(crate) seconds: f64,
    /// The best game, in the native format.
    #[serde(skip)]
    pub(crate) record: Option<Arc<str>>,
    /// Improvements: seconds and moves.
    #[serde(skip)]
    pub(crate) history: Arc<Vec<(f64, usize)>>,
    /// The score and id of the last game added to the archive.
    pub(crate) kept: Option<(usize, String)>,
    /// Whether it is saved on disk, so that another server can resume it.
    pub(crate) lasts: bool,
    pub(crate) reason: Option<String>,
}

impl View {
    pub(super) fn new(id: u64, spec: &HuntSpec) -> Self {
        Self {
            id,
            version: 1,
            status: Status::Running,
            game: spec.game.to_string(),
            method: spec.method.info().name,
            behind: spec.method.resolved().name,
            parameters: spec.method.values().iter().collect(),
            playout: spec.method.info().playout,
            seed: spec.seed,
            threads: spec.threads,
            from: spec.prefix.len(),
            time: spec.budget.time.map(|time| time.as_secs_f64()),
            best: spec.prefix.len(),
            left: None,
            playouts: 0,
            seconds: 0.0,
            record: None,
            history: Arc::default(),
            kept: None,
            lasts: false,
            reason: None,
        }
    }

    /// The view of a hunt that an earlier server has saved.
    pub(super) fn from_saved(id: u64, saved: &Checkpoint) -> Self {
        let mut view = Self::new(id, &saved.spec);
        view.status = Status::Stopped;
        (view.playouts, view.seconds) = (saved.playouts(), saved.wall().as_secs_f64());
        view.lasts = true;
        if saved.best().len() > saved.spec.prefix.len() {
            view.found(&saved.record());
        }
        view
    }

    /// Takes over a game at least as long as the best one.
    pub(super) fn found(&mut self, record: &Record) {
        let score = record.lines().len();
        if score < self.best {
            return;
        }
        if score > self.best {
            Arc::make_mut(&mut self.history).push((self.seconds, score));
        }
        self.best = score;
        self.record = Some(record.to_json().into());
    }

    pub(super) fn fail(&mut self, error: &dyn Error) {
        self.status = Status::Failed;
        self.reason = Some(error.to_string());
    }
}
