//! Work that takes the processor: on threads of its own, and only so much at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::refusal::Refusal;

/// How long a request may wait for its turn.
const PATIENCE: Duration = Duration::from_secs(10);

/// A number of workers.
pub(crate) struct Work {
    turns: Arc<Semaphore>,
}

/// Whether whoever asked has gone away.
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(crate) fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Wants the work to stop when the request is dropped.
struct Asking(Arc<AtomicBool>);

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Work {
    pub(crate) fn new(workers: usize) -> Self {
        Self { turns: Arc::new(Semaphore::new(workers)) }
    }

    /// Does something when there is a turn.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(Stop) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let busy = Refusal::Busy("try again in a moment");
        let turn = Arc::clone(&self.turns).acquire_owned();
        let Ok(Ok(turn)) = tokio::time::timeout(PATIENCE, turn).await else { return Err(busy) };
        let stop = Arc::new(AtomicBool::new(false));
        let _asking = Asking(Arc::clone(&stop));
        let done = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work(Stop(stop))
        });
        done.await.map_err(|_| Refusal::Failed)
    }
}
