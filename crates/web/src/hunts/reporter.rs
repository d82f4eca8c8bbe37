//! Reports the progress of a running hunt to its view.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use hunt::Event;

use super::{Entry, HuntState};

/// The minimum time between two updates of counters.
const PAUSE: Duration = Duration::from_millis(250);
/// The interval between checkpoints.
pub(super) const SAVE: Duration = Duration::from_secs(10);

/// Updates the view of a hunt.
pub(super) struct HuntReporter<'a> {
    entry: &'a Entry,
    /// The start of this session, and the seconds of earlier ones.
    began: Instant,
    before: f64,
    /// The last update.
    updated: Mutex<Instant>,
}

impl<'a> HuntReporter<'a> {
    pub(super) fn new(entry: &'a Entry) -> Self {
        let (before, began) = (entry.state().view.seconds, Instant::now());
        Self { entry, began, before, updated: Mutex::new(began) }
    }

    fn seconds(&self) -> f64 {
        self.before + self.began.elapsed().as_secs_f64()
    }
}

impl HuntReporter<'_> {
    pub(super) fn report(&self, event: Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Improved(record) => self.entry.change(|state| {
                state.view.seconds = self.seconds();
                state.found(record);
            }),
            Event::Progress { playouts, .. } => self.update(playouts),
            Event::Checkpoint(checkpoint) => self.entry.save(checkpoint),
            _ => {}
        }
        match self.entry.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn update(&self, playouts: u64) {
        // Another thread is updating the view right now.
        let Ok(mut updated) = self.updated.try_lock() else { return };
        if updated.elapsed() < PAUSE {
            return;
        }
        *updated = Instant::now();
        self.entry.change(|HuntState { view, .. }| {
            view.seconds = self.seconds();
            view.playouts = playouts;
        });
    }
}
