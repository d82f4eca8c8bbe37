//! What a running hunt tells of itself.

use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use hunt::{SavedHunt, Watcher};
use record::Record;

use super::Entry;

/// How often a view is replaced when nothing but numbers change.
const PAUSE: Duration = Duration::from_millis(250);
/// How often the search is kept, to go on from.
const SAVE: Duration = Duration::from_secs(10);

/// Passes on what a hunt tells.
pub(super) struct Watch<'a> {
    entry: &'a Entry,
    /// When this session began, and how many seconds there were before it.
    began: Instant,
    before: f64,
    /// When the view was last replaced.
    told: Mutex<Instant>,
}

impl<'a> Watch<'a> {
    pub(super) fn new(entry: &'a Entry) -> Self {
        let (before, began) = (entry.view().seconds, Instant::now());
        Self { entry, began, before, told: Mutex::new(began) }
    }

    fn seconds(&self) -> f64 {
        self.before + self.began.elapsed().as_secs_f64()
    }
}

impl Watcher for Watch<'_> {
    fn improved(&self, record: &Record) {
        self.entry.change(|view| {
            view.seconds = self.seconds();
            view.found(record);
        });
    }

    fn stands(&self, _best: usize, playouts: u64) {
        // Whoever finds another thread here has nothing newer to tell.
        let Ok(mut told) = self.told.try_lock() else { return };
        if told.elapsed() < PAUSE {
            return;
        }
        *told = Instant::now();
        self.entry.change(|view| {
            view.seconds = self.seconds();
            view.playouts = playouts;
        });
    }

    fn wants_stop(&self) -> bool {
        self.entry.stop.load(Ordering::Relaxed)
    }

    fn save_every(&self) -> Option<Duration> {
        Some(SAVE)
    }

    fn save(&self, saved: &SavedHunt) {
        self.entry.save(saved);
    }
}
