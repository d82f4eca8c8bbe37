//! How a queue is to behave, and how long to try to reach it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How the tasks of a plan are treated, as its coordinator sets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueOptions {
    /// How long a claim lasts without a heartbeat; a reply that is not acknowledged by then is
    /// delivered again.
    pub lease: Duration,
    /// How often a task is claimed before it counts as failed: one that kills its workers must not
    /// kill them all. The embedded engine leaves this to its coordinator.
    pub deliveries: u64,
    /// The largest reply accepted, in bytes.
    pub largest_reply: u64,
    /// On how many servers of a cluster NATS stores everything.
    pub replicas: usize,
}

impl Default for QueueOptions {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(30),
            deliveries: 10,
            largest_reply: 64 << 20,
            replicas: 1,
        }
    }
}

/// How long to retry, and when to stop.
#[derive(Debug, Clone)]
pub struct RetryPolicy {
    /// How long to retry while a server does not answer.
    pub retry_for: Duration,
    /// Set from outside to stop retrying.
    pub stop: Arc<AtomicBool>,
}

impl RetryPolicy {
    /// A policy that nobody ends early.
    pub fn new(retry_for: Duration) -> Self {
        Self { retry_for, stop: Arc::default() }
    }

    #[cfg(feature = "nats")]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(std::sync::atomic::Ordering::Relaxed)
    }
}
