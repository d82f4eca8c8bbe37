//! Tasks handed out to other processes and machines, and their answers, by engines that exist.
//!
//! A [`Coordinator`] puts tasks, any [`Worker`] claims them, and its answers come back to the
//! coordinator, who settles each when it has kept what it wants of it. An [`Address`] says where:
//! a NATS server with JetStream (`nats`) or a folder that all can reach (`spool`).
//!
//! Both hold to the same terms. A task is there once, however often it is put. A claim lasts as
//! long as its worker gives signs of life, which happens behind the scenes; then another may have
//! the task. So a task may be answered twice, and an answer may come twice: the coordinator knows
//! what it has. A task or an answer is lost at no moment, whoever is killed. What tasks and answers
//! say is not known here: they are bytes from others, of which only the size is limited.

mod address;
mod claims;
mod credentials;
mod name;
#[cfg(feature = "nats")]
mod nats;
#[cfg(not(feature = "nats"))]
#[path = "nats/absent.rs"]
mod nats;
mod spool;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub use address::{Address, BadAddress};
pub use credentials::{BadCredentials, Credentials};
pub use name::{BadName, Name};

/// The side that hands out the tasks of one plan and takes the answers.
pub trait Coordinator: Send + Sync {
    /// Puts tasks; says how many were not there already.
    fn put(&self, tasks: &[Task]) -> Result<usize, QueueError>;

    /// Some answers, or none if none has come within `wait`.
    fn answers(&self, most: usize, wait: Duration) -> Result<Vec<Answer>, QueueError>;

    /// These answers need not come again.
    fn settle(&self, answers: Vec<Receipt>) -> Result<(), QueueError>;

    /// Takes a task out, whoever has it.
    fn withdraw(&self, task: &Name) -> Result<(), QueueError>;

    /// Takes all tasks out. Answers stay.
    fn withdraw_all(&self) -> Result<(), QueueError>;

    /// How much lies where. What moves meanwhile may be counted twice, but is never left out.
    fn counts(&self) -> Result<Counts, QueueError>;

    /// The channel for best games of this plan.
    fn bests(&self) -> &dyn Bests;

    /// Clears away all that the queue has of this plan.
    fn close(&self) -> Result<(), QueueError>;
}

/// The side that does tasks, of any plan.
pub trait Worker: Send + Sync {
    /// Some tasks to do, or none if there was none within `wait`.
    fn claim(&self, most: usize, wait: Duration) -> Result<Vec<Claim>, QueueError>;

    /// Hands in what came of tasks. After it they are not given to others.
    fn hand_in(&self, done: Vec<(Claim, Outcome)>) -> Result<(), QueueError>;

    /// Gives a task back undone, for others to have at once.
    fn give_back(&self, claim: Claim) -> Result<(), QueueError>;

    /// The channel for best games of a plan.
    fn bests(&self, plan: &Name) -> Result<Box<dyn Bests>, QueueError>;
}

/// What the searches of one plan tell each other: one value for each key, the last one told.
///
/// Anybody may tell anything: who hears it checks it.
pub trait Bests: Send + Sync {
    /// What was told last.
    fn hear(&self, key: &Name) -> Result<Option<Vec<u8>>, QueueError>;

    /// Tells `body` unless what is there shall stay, whoever else tells something at the same time.
    ///
    /// Says whether it was told.
    fn tell(
        &self,
        key: &Name,
        body: &[u8],
        replaces: &dyn Fn(&[u8]) -> bool,
    ) -> Result<bool, QueueError>;
}

/// Something to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The same for the same task, whenever it is put.
    pub id: Name,
    /// What to do.
    pub body: Vec<u8>,
}

/// A task in the hands of a worker. Who drops it lets it go back when its lease is over.
#[derive(Debug)]
pub struct Claim {
    /// The plan it belongs to.
    pub plan: Name,
    /// What to do.
    pub task: Task,
    /// How often it was handed out, this time included.
    pub attempt: u64,
    /// How long the claim would last without signs of life.
    pub lease: Duration,
    /// Names the claim to the queue that gave it, and is alive as long as the claim is.
    pub(crate) number: Arc<u64>,
}

/// What came of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is done, and this is the result.
    Done(Vec<u8>),
    /// It failed, and this is the reason.
    Failed(String),
}

/// What a worker says came of a task: its word, nothing more.
#[derive(Debug)]
pub struct Answer {
    /// The task, as the worker says.
    pub task: String,
    /// The worker, as it calls itself.
    pub worker: String,
    /// What came of it, or why nothing can be read.
    pub outcome: Result<Outcome, Unreadable>,
    /// To be handed back when it is dealt with.
    pub receipt: Receipt,
}

/// Names an answer to the queue that brought it.
pub struct Receipt(pub(crate) Mark);

impl std::fmt::Debug for Receipt {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Receipt")
    }
}

pub(crate) enum Mark {
    #[cfg(feature = "nats")]
    Nats {
        acker: Box<async_nats::jetstream::message::Acker>,
        parts: Option<String>,
    },
    Spool(std::path::PathBuf),
}

/// Why an answer cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unreadable {
    /// Larger than the coordinator takes.
    #[error("an answer of {size} bytes; at most {limit} are taken")]
    TooLarge {
        /// Its size, as far as it was looked at.
        size: u64,
        /// What is taken.
        limit: u64,
    },
    /// A part of it is not there.
    #[error("a part of the answer is missing")]
    Truncated,
    /// It does not say what it is.
    #[error("no answer: {0} is missing or wrong")]
    Malformed(&'static str),
}

/// How much lies where in a queue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tasks that nobody has claimed.
    pub waiting: u64,
    /// Tasks in the hands of workers.
    pub claimed: u64,
    /// Answers not settled.
    pub answers: u64,
}

/// What holds for the tasks of a plan, as the coordinator sets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// How long a claim lasts without a sign of life; an answer that is not settled by then comes
    /// again.
    pub lease: Duration,
    /// How often a task is handed out before it counts as failed: one that kills its workers must
    /// not kill them all.
    pub deliveries: u64,
    /// The largest answer taken, in bytes.
    pub largest_answer: u64,
    /// On how many servers of a cluster NATS keeps everything.
    pub replicas: usize,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(30),
            deliveries: 10,
            largest_answer: 64 << 20,
            replicas: 1,
        }
    }
}

/// How long to try, and when to stop.
#[derive(Debug, Clone)]
pub struct Patience {
    /// How long to try to reach an engine that does not answer.
    pub tries: Duration,
    /// Set from outside to stop trying.
    pub stop: Arc<AtomicBool>,
}

impl Patience {
    /// Patience that nobody ends early.
    pub fn of(tries: Duration) -> Self {
        Self { tries, stop: Arc::default() }
    }

    #[cfg(feature = "nats")]
    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(std::sync::atomic::Ordering::Relaxed)
    }
}

/// Why a queue cannot do what it should. What was accepted is still there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueueError {
    /// The server cannot be reached or refuses.
    #[error("no connection to {address}: {reason}")]
    Connect {
        /// Where.
        address: String,
        /// Why, in the engine's words.
        reason: String,
    },
    /// There is no way to reach any server.
    #[error("{address}: this program was built without NATS; `cargo build --release` has it")]
    NotBuilt {
        /// Where.
        address: String,
    },
    /// The server has JetStream switched off.
    #[error("{address} has no JetStream ({reason}); start it with nats-server -js -sd FOLDER")]
    NoJetStream {
        /// Where.
        address: String,
        /// What it says, in the engine's words.
        reason: String,
    },
    /// The engine did not do it, however often it was asked.
    #[error("the queue cannot {what}: {reason}")]
    Engine {
        /// What it should have done.
        what: &'static str,
        /// Why not, in the engine's words.
        reason: String,
    },
    /// The caller's flag said stop.
    #[error("stopped while the queue was out of reach")]
    Stopped,
    /// A task that does not fit in one message.
    #[error("task {id} has {size} bytes; at most {limit} fit in a message of this queue")]
    TaskTooLarge {
        /// The task.
        id: Name,
        /// Its size.
        size: usize,
        /// What fits.
        limit: usize,
    },
    /// A file or folder of the spool.
    #[error("{path}: {error}")]
    Spool {
        /// Which.
        path: String,
        /// What is wrong with it.
        error: std::io::Error,
    },
}

/// Opens the coordinator's side of a plan; what an earlier coordinator put is still there.
pub fn coordinate(
    address: &Address,
    credentials: Option<&Credentials>,
    plan: &Name,
    terms: &Terms,
    patience: &Patience,
) -> Result<Box<dyn Coordinator>, QueueError> {
    Ok(match address {
        Address::Nats(url) => nats::coordinate(url, credentials, plan, terms, patience)?,
        Address::Spool(folder) => Box::new(spool::SpoolCoordinator::open(folder, plan, terms)?),
    })
}

/// Opens a worker's side.
pub fn work(
    address: &Address,
    credentials: Option<&Credentials>,
    worker: &Name,
    patience: &Patience,
) -> Result<Box<dyn Worker>, QueueError> {
    Ok(match address {
        Address::Nats(url) => nats::work(url, credentials, worker, patience)?,
        Address::Spool(folder) => Box::new(spool::SpoolWorker::open(folder, worker)?),
    })
}
