//! A work queue between processes and machines, on brokers that already exist.
//!
//! A [`Coordinator`] enqueues the tasks of one plan, any [`Worker`] claims them, and the workers'
//! replies come back to the coordinator, which acknowledges each once it has stored what it needs.
//! An [`Address`] says where the queue is: a NATS server with JetStream (`nats`) or a folder that
//! all can reach (`spool`). An engine elsewhere implements the same two traits with the parts in
//! [`engine`]; every engine passes the tests in `laws` (feature `laws`).
//!
//! All engines keep the same promises. A task is queued once, however often it is enqueued. A claim
//! lasts as long as its worker's heartbeat, which the engine sends from a thread of its own; then
//! the task is re-queued. So a task may be done twice, and a reply may be delivered twice: the
//! coordinator knows what it has. No task and no reply is lost, whichever process is killed. What
//! tasks and replies mean is not known here: they are bytes from others, limited in size.
//!
//! ```
//! # extern crate morpion_queue as queue;
//! use std::time::Duration;
//!
//! use queue::{Address, Outcome, QueueOptions, RetryPolicy, Task};
//!
//! let folder = tempfile::tempdir()?;
//! let address = Address::Spool(folder.path().into());
//! let retry = RetryPolicy::new(Duration::from_secs(10));
//! let plan = "plan".parse()?;
//! let options = QueueOptions::default();
//! let coordinator = queue::connect_coordinator(&address, None, &plan, &options, &retry)?;
//! coordinator.enqueue(&[Task { id: "double".parse()?, body: vec![21] }])?;
//!
//! let worker = queue::connect_worker(&address, None, &"worker".parse()?, &retry)?;
//! for claim in worker.claim(1, Duration::ZERO)? {
//!     let result = vec![2 * claim.task.body[0]];
//!     worker.submit(vec![(claim, Outcome::Done(result))])?;
//! }
//!
//! for reply in coordinator.replies(10, Duration::ZERO)? {
//!     assert_eq!(reply.outcome, Ok(Outcome::Done(vec![42])));
//!     coordinator.acknowledge(vec![reply.receipt])?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod address;
mod credentials;
pub mod engine;
mod error;
#[cfg(feature = "laws")]
pub mod laws;
mod message;
mod name;
#[cfg(feature = "nats")]
mod nats;
#[cfg(not(feature = "nats"))]
#[path = "nats/absent.rs"]
mod nats;
mod options;
mod spool;

use std::time::Duration;

pub use address::{Address, ParseAddressError};
pub use credentials::{Credentials, CredentialsError};
pub use error::QueueError;
pub use message::{Claim, Outcome, QueueDepth, Receipt, Reply, ReplyError, Task};
pub use name::{Name, ParseNameError};
pub use options::{QueueOptions, RetryPolicy};

/// The side that enqueues the tasks of one plan and receives the replies.
pub trait Coordinator: Send + Sync {
    /// Enqueues tasks; those that are queued already stay as they are. Returns how many were new.
    fn enqueue(&self, tasks: &[Task]) -> Result<usize, QueueError>;

    /// Up to `most` replies; none if none arrives within `wait`.
    fn replies(&self, most: usize, wait: Duration) -> Result<Vec<Reply>, QueueError>;

    /// Removes replies from the queue; until then they are delivered again.
    fn acknowledge(&self, receipts: Vec<Receipt>) -> Result<(), QueueError>;

    /// Removes a task, whoever has claimed it.
    fn cancel(&self, task: &Name) -> Result<(), QueueError>;

    /// Removes all tasks. Replies stay.
    fn cancel_all(&self) -> Result<(), QueueError>;

    /// How many tasks and replies there are. What moves meanwhile may be counted twice, but is
    /// never left out.
    fn depth(&self) -> Result<QueueDepth, QueueError>;

    /// Delivers again what the queue holds and delivers to nobody: a server that was killed may
    /// remember that a message was acknowledged, and not that it was removed. For a queue that is
    /// idle though it is not empty; claims may be lost by it. Returns whether there was anything.
    fn recover(&self) -> Result<bool, QueueError> {
        Ok(false)
    }

    /// The best values that the workers of this plan share.
    fn shared_best(&self) -> &dyn SharedBest;

    /// Gives a worker of this name no more tasks of this plan: it finds [`QueueError::Excluded`]
    /// instead. What it has claimed it keeps until it answers or its lease ends.
    fn exclude(&self, worker: &str) -> Result<(), QueueError> {
        self.shared_best().publish(&engine::exclusion(worker), &[], &|_| false).map(|_| ())
    }

    /// Removes everything that the queue holds of this plan.
    fn close(&self) -> Result<(), QueueError>;
}

/// The side that does tasks, of any plan.
pub trait Worker: Send + Sync {
    /// Claims up to `most` tasks; none if there is none within `wait`. An error if all plans there
    /// are exclude this worker.
    fn claim(&self, most: usize, wait: Duration) -> Result<Vec<Claim>, QueueError>;

    /// Submits the outcome of tasks, which are then not claimed again.
    fn submit(&self, outcomes: Vec<(Claim, Outcome)>) -> Result<(), QueueError>;

    /// Gives a task back undone, for others to claim at once.
    fn release(&self, claim: Claim) -> Result<(), QueueError>;

    /// A short text for people on how a task is going, sent with the next heartbeat by engines that
    /// show it.
    fn report_progress(&self, claim: &Claim, progress: &str) -> Result<(), QueueError>;

    /// The best values that the workers of a plan share.
    fn shared_best(&self, plan: &Name) -> Result<Box<dyn SharedBest>, QueueError>;
}

/// What the workers of one plan share: one value for each key, the last one published.
///
/// Anybody may publish anything: readers verify it.
pub trait SharedBest: Send + Sync {
    /// The value published last.
    fn latest(&self, key: &Name) -> Result<Option<Vec<u8>>, QueueError>;

    /// Publishes `body`, unless there is a value that it does not replace; whoever else publishes
    /// at the same time. Returns whether it was published.
    fn publish(
        &self,
        key: &Name,
        body: &[u8],
        replaces: &dyn Fn(&[u8]) -> bool,
    ) -> Result<bool, QueueError>;
}

/// Opens the coordinator's side of a plan; what an earlier coordinator enqueued is still there.
pub fn connect_coordinator(
    address: &Address,
    credentials: Option<&Credentials>,
    plan: &Name,
    options: &QueueOptions,
    retry: &RetryPolicy,
) -> Result<Box<dyn Coordinator>, QueueError> {
    Ok(match address {
        Address::Nats(url) => nats::coordinator(url, credentials, plan, options, retry)?,
        Address::Spool(folder) => {
            let clock = engine::Clock::default();
            Box::new(spool::SpoolCoordinator::open(folder, plan, options, clock)?)
        }
    })
}

/// Opens a worker's side. No other worker may have the same name.
pub fn connect_worker(
    address: &Address,
    credentials: Option<&Credentials>,
    worker: &Name,
    retry: &RetryPolicy,
) -> Result<Box<dyn Worker>, QueueError> {
    Ok(match address {
        Address::Nats(url) => nats::worker(url, credentials, worker, retry)?,
        Address::Spool(folder) => {
            Box::new(spool::SpoolWorker::open(folder, worker, engine::Clock::default())?)
        }
    })
}
