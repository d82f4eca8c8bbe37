//! CPU-bound work: on blocking threads, a limited number at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::refusal::Refusal;

/// How long a request may wait for a free worker.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// A limited number of workers.
pub(crate) struct WorkPool {
    turns: Arc<Semaphore>,
}

/// Whether the client has gone away.
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(crate) fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Stops the work when the request is dropped.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl WorkPool {
    pub(crate) fn new(workers: usize) -> Self {
        Self { turns: Arc::new(Semaphore::new(workers)) }
    }

    /// Does some work on the next free worker.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(Stop) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let busy = Refusal::Busy("try again in a moment");
        let turn = Arc::clone(&self.turns).acquire_owned();
        let Ok(Ok(turn)) = tokio::time::timeout(MAX_WAIT, turn).await else { return Err(busy) };
        let stop = Arc::new(AtomicBool::new(false));
        let _stop_on_drop = StopOnDrop(Arc::clone(&stop));
        let done = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work(Stop(stop))
        });
        done.await.map_err(|_| Refusal::Failed)
    }
}
