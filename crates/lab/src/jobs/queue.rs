//! What a queue does, whichever it is.
//!
//! A task is there once, however often it is put. A claim lasts as long as its worker gives signs of
//! life; then another may have the task. So a task may be done twice and an answer may come twice: the
//! coordinator knows what it has. Nothing that was put or handed in is lost, whoever is killed.

use std::time::Duration;

use super::Task;

/// The coordinator's side: hands out tasks and takes answers.
pub trait CoordinatorQueue {
    /// Names an answer to the queue that brought it.
    type Receipt;

    /// Puts tasks; those that are there stay as they are.
    fn put(&mut self, tasks: &[Task]) -> Result<(), QueueError>;

    /// Some answers, or none if none has come within `wait`.
    fn answers(
        &mut self,
        most: usize,
        wait: Duration,
    ) -> Result<Vec<Answer<Self::Receipt>>, QueueError>;

    /// These answers have been dealt with and need not come again.
    fn settle(&mut self, receipts: Vec<Self::Receipt>) -> Result<(), QueueError>;

    /// Nobody need do this task any more.
    fn withdraw(&mut self, task: &str) -> Result<(), QueueError>;

    /// Nobody need do any task any more; those who are at one may stop.
    fn withdraw_all(&mut self) -> Result<(), QueueError>;

    /// What was told last under a key by [`WorkerQueue::tell`].
    fn told(&mut self, key: &str) -> Result<Option<Vec<u8>>, QueueError>;

    /// How much it has. What moves meanwhile may be counted twice, but is never left out.
    fn held(&mut self) -> Result<Held, QueueError>;
}

/// How much a queue has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Held {
    /// Tasks in the hands of workers.
    pub running: usize,
    /// Tasks and answers in all.
    pub all: usize,
}

/// A worker's side: takes tasks and hands in what came of them.
pub trait WorkerQueue {
    /// Names a claim to the queue that gave it.
    type Ticket;

    /// A task to do, or none if there was none within `wait`.
    fn claim(&mut self, wait: Duration) -> Result<Option<Claim<Self::Ticket>>, QueueError>;

    /// A sign of life, with a word on how it goes; `false` if the claim is over and the work in vain.
    fn beat(&mut self, claim: &Claim<Self::Ticket>, progress: &str) -> Result<bool, QueueError>;

    /// Hands in what came of a task.
    fn hand_in(&mut self, claim: Claim<Self::Ticket>, outcome: Outcome) -> Result<(), QueueError>;

    /// Tells the others something under a key, unless what is there shall stay.
    fn tell(
        &mut self,
        claim: &Claim<Self::Ticket>,
        key: &str,
        body: &[u8],
        replaces: &dyn Fn(&[u8]) -> bool,
    ) -> Result<(), QueueError>;

    /// What was told last under a key.
    fn told(
        &mut self,
        claim: &Claim<Self::Ticket>,
        key: &str,
    ) -> Result<Option<Vec<u8>>, QueueError>;

    /// Gives a task back undone, for others to have at once.
    fn give_back(&mut self, claim: Claim<Self::Ticket>) -> Result<(), QueueError>;
}

/// A task in the hands of a worker.
#[derive(Debug)]
pub struct Claim<T> {
    /// What the task is called.
    pub task: String,
    /// What to do: `morpion-task/1`, not read yet.
    pub body: String,
    /// How long the claim lasts without a sign of life.
    pub lease: Duration,
    /// Names the claim.
    pub ticket: T,
}

/// What came of a task, as a worker says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// This: `morpion-result/1`, not read yet.
    Result(Vec<u8>),
    /// Nothing, for this reason.
    Failure(String),
}

/// Something that the coordinator hears.
#[derive(Debug)]
pub struct Answer<R> {
    /// The task, as the worker says.
    pub task: String,
    /// The worker, as it calls itself.
    pub worker: String,
    /// What there is to hear.
    pub told: Told,
    /// To be handed back when it is dealt with.
    pub receipt: R,
}

/// What an answer tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// What came of the task, which nobody has in hand any more.
    Outcome(Outcome),
    /// Something that cannot be read, for this reason; nobody has the task in hand any more.
    Unreadable(String),
    /// The worker vanished; the task is handed out again.
    Lost,
}

/// Why a queue cannot do what it should. What was accepted is still there.
#[derive(Debug, thiserror::Error)]
#[error("the queue")]
pub struct QueueError(#[source] Box<dyn std::error::Error + Send + Sync>);

impl QueueError {
    /// Whether there was no trouble but the wish to stop.
    pub fn is_stop(&self) -> bool {
        matches!(self.0.downcast_ref(), Some(queue::QueueError::Stopped))
    }

    /// What the engine said.
    pub fn new(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self(cause.into())
    }
}
