//! Why a queue cannot do what was asked.

use crate::Name;

/// Why a queue cannot do what was asked. What it had accepted is still there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueueError {
    /// The server cannot be reached, or refuses the connection.
    #[error("no connection to {address}: {reason}")]
    Connect {
        /// The server.
        address: String,
        /// Why, in the words of NATS.
        reason: String,
    },
    /// This build has no client for the server.
    #[error("{address}: this build has no NATS support; rebuild with `cargo build --release`")]
    NotBuilt {
        /// The server.
        address: String,
    },
    /// JetStream is switched off.
    #[error("{address} has no JetStream ({reason}); start it with nats-server -js -sd FOLDER")]
    NoJetStream {
        /// The server.
        address: String,
        /// The answer, in the words of NATS.
        reason: String,
    },
    /// The server did not do it, however often it was asked.
    #[error("the queue cannot {what}: {reason}")]
    Engine {
        /// What it should have done.
        what: &'static str,
        /// Why not, in the words of NATS.
        reason: String,
    },
    /// The caller's flag said stop.
    #[error("stopped while the queue was out of reach")]
    Stopped,
    /// The coordinator gives this worker no more tasks.
    #[error("{worker} is quarantined: its results were refused, so it gets no more tasks")]
    Excluded {
        /// The worker.
        worker: String,
    },
    /// A task that does not fit into one message.
    #[error("task {id} has {size} bytes; at most {limit} fit into a message of this queue")]
    TaskTooLarge {
        /// The task.
        id: Name,
        /// Its size.
        size: usize,
        /// What fits.
        limit: usize,
    },
    /// A task that is not text, in a queue that stores text.
    #[error("task {id} is not UTF-8 text, which this queue requires")]
    TaskNotText {
        /// The task.
        id: Name,
    },
    /// A file or folder of the spool.
    #[error("{path}: {error}")]
    Spool {
        /// The file or folder.
        path: String,
        /// What is wrong with it.
        error: std::io::Error,
    },
    /// The error of an engine that is not in this crate.
    #[error(transparent)]
    Other(Box<dyn std::error::Error + Send + Sync>),
}

impl QueueError {
    /// Whether nothing is wrong except that the caller wanted to stop.
    pub fn is_stop(&self) -> bool {
        matches!(self, Self::Stopped)
    }
}
