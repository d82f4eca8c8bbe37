//! What goes through a queue: tasks, claims of tasks, and replies.

use std::any::Any;
use std::fmt;
use std::time::Duration;

use crate::Name;
use crate::engine::Ticket;

/// Something to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The same for the same task, whenever it is enqueued.
    pub id: Name,
    /// What to do.
    pub body: Vec<u8>,
}

/// A task claimed by a worker. If it is dropped, the task is re-queued when the lease expires.
#[derive(Debug)]
pub struct Claim {
    /// The plan it belongs to.
    pub plan: Name,
    /// What to do.
    pub task: Task,
    /// How often the task was claimed, this time included, if the engine counts.
    pub attempt: Option<u64>,
    /// How long the claim lasts without a heartbeat.
    pub lease: Duration,
    /// Identifies the claim to the engine that made it.
    pub ticket: Ticket,
}

impl Claim {
    /// Whether the engine has found that the claim is over, so that going on is useless: the task
    /// was cancelled, done by another worker, or re-queued. Engines that cannot know say no.
    pub fn is_lost(&self) -> bool {
        self.ticket.is_lost()
    }
}

/// The outcome of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The result.
    Done(Vec<u8>),
    /// Why there is no result.
    Failed(String),
}

/// What a worker says about a task: a claim to be verified, nothing more.
#[derive(Debug)]
pub struct Reply {
    /// The task, as the worker says.
    pub task: String,
    /// The worker, as it calls itself.
    pub worker: String,
    /// The outcome, or why there is none.
    pub outcome: Result<Outcome, ReplyError>,
    /// To be acknowledged once the reply is dealt with.
    pub receipt: Receipt,
}

/// Identifies a reply to the engine that delivered it.
pub struct Receipt(Box<dyn Any + Send>);

impl Receipt {
    /// A receipt with what the engine needs to find the reply again.
    pub fn new(reply: impl Any + Send) -> Self {
        Self(Box::new(reply))
    }

    /// What the engine put into it; `None` if another engine did.
    pub fn into_inner<T: Any>(self) -> Option<T> {
        self.0.downcast().ok().map(|inner| *inner)
    }
}

impl fmt::Debug for Receipt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Receipt")
    }
}

/// Why a reply has no outcome.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplyError {
    /// Larger than the coordinator accepts.
    #[error("a reply of {size} bytes; at most {limit} are accepted")]
    TooLarge {
        /// Its size, as far as known.
        size: u64,
        /// What is accepted.
        limit: u64,
    },
    /// Some of its parts are missing.
    #[error("a part of the reply is missing")]
    Truncated,
    /// It does not say what it is.
    #[error("malformed reply: {0} is missing or wrong")]
    Malformed(&'static str),
    /// The worker's heartbeat stopped, and the task is re-queued. Sent only by engines that leave
    /// it to the coordinator to count; the others fail a task after too many claims.
    #[error("the worker's lease expired without a heartbeat")]
    LeaseExpired,
}

/// How many tasks and replies a queue holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QueueDepth {
    /// Tasks that nobody has claimed.
    pub waiting: u64,
    /// Tasks claimed by workers.
    pub claimed: u64,
    /// Replies not acknowledged.
    pub replies: u64,
}

impl QueueDepth {
    /// Tasks and replies together.
    pub fn total(&self) -> u64 {
        self.waiting + self.claimed + self.replies
    }
}

/// Why a task failed whose workers never replied.
pub(crate) fn too_many_claims(count: u64) -> String {
    format!("claimed {count} times without a reply")
}
