//! How a hunt stands, as data.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use hunt::{Hunt, SavedHunt};
use record::Record;
use serde::Serialize;

/// What a hunt is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    Running,
    /// Somebody asked it to stop; it can go on.
    Stopped,
    /// It came to the end of what it was given.
    Done,
    Failed,
}

/// How a hunt stands.
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
    /// How many moves it began with.
    pub(crate) from: usize,
    /// How long it may take, in seconds.
    pub(crate) time: Option<f64>,
    pub(crate) best: usize,
    /// How many moves are left at the end of the best game; known at the end.
    pub(crate) left: Option<u64>,
    pub(crate) playouts: u64,
    /// How long it has taken, in seconds.
    pub(crate) seconds: f64,
    /// The best game, in the native format.
    #[serde(skip)]
    pub(crate) record: Option<Arc<str>>,
    /// When it got better, in seconds, and to how many moves.
    #[serde(skip)]
    pub(crate) history: Arc<Vec<(f64, usize)>>,
    /// The score of the last game that was put into the archive, and its id there.
    pub(crate) kept: Option<(usize, String)>,
    /// Whether it is saved, so that it can go on even after this server.
    pub(crate) lasts: bool,
    pub(crate) reason: Option<String>,
}

impl View {
    pub(super) fn new(id: u64, wish: &Hunt) -> Self {
        Self {
            id,
            version: 1,
            status: Status::Running,
            game: wish.game.to_string(),
            method: wish.method.info().name,
            behind: wish.method.behind().name,
            parameters: wish.method.values().iter().collect(),
            playout: wish.method.info().playout,
            seed: wish.seed,
            threads: wish.threads,
            from: wish.from.len(),
            time: wish.time.map(|time| time.as_secs_f64()),
            best: wish.from.len(),
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

    /// Of a hunt that an earlier server has saved.
    pub(super) fn of_saved(id: u64, saved: &SavedHunt) -> Self {
        let mut view = Self::new(id, &saved.hunt);
        view.status = Status::Stopped;
        (view.playouts, view.seconds) = (saved.playouts(), saved.wall().as_secs_f64());
        view.lasts = true;
        if saved.best().len() > saved.hunt.from.len() {
            view.found(&saved.record());
        }
        view
    }

    /// A game, if it is as long as the best one.
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
