//! The queue on an engine that other machines reach: NATS, or a folder that they share (crate `queue`).

use std::time::Duration;

use queue::{Address, Credentials, Name, Patience, Receipt, Terms};

use super::{
    Answer, Claim, CoordinatorQueue, Held, MOST_RESULT_BYTES, Outcome, Plan, QueueError, Task,
    Told, WorkerQueue,
};

/// A server that thousands ask is asked for a task no more often than this.
const LEAST_WAIT: Duration = Duration::from_secs(2);

/// The coordinator's side.
pub struct RemoteCoordinator {
    queue: Box<dyn queue::Coordinator>,
}

/// A worker's side.
pub struct RemoteWorker {
    queue: Box<dyn queue::Worker>,
}

impl RemoteCoordinator {
    /// Connects, for a plan. A claim lasts for a `lease` without a sign of life, and NATS keeps everything on
    /// so many `replicas`.
    pub fn open(
        address: &Address,
        credentials: Option<&Credentials>,
        plan: &Plan,
        lease: Duration,
        replicas: usize,
        patience: &Patience,
    ) -> Result<Self, QueueError> {
        let terms = Terms {
            lease,
            deliveries: u64::from(plan.attempts.losses),
            largest_answer: MOST_RESULT_BYTES as u64,
            replicas,
        };
        let plan: Name = plan.id.parse().map_err(QueueError::new)?;
        let queue = queue::coordinate(address, credentials, &plan, &terms, patience);
        Ok(Self { queue: queue.map_err(QueueError::new)? })
    }

    /// Clears away all that the engine has of the plan.
    pub fn close(self) -> Result<(), QueueError> {
        self.queue.close().map_err(QueueError::new)
    }
}

impl RemoteWorker {
    /// Connects. No other worker may have the same name.
    pub fn open(
        address: &Address,
        credentials: Option<&Credentials>,
        name: &Name,
        patience: &Patience,
    ) -> Result<Self, QueueError> {
        let queue = queue::work(address, credentials, name, patience);
        Ok(Self { queue: queue.map_err(QueueError::new)? })
    }
}

impl CoordinatorQueue for RemoteCoordinator {
    type Receipt = Receipt;

    fn put(&mut self, tasks: &[Task]) -> Result<(), QueueError> {
        let tasks: Vec<queue::Task> = tasks
            .iter()
            .map(|task| Ok(queue::Task { id: name(task.id())?, body: task.body().into() }))
            .collect::<Result<_, QueueError>>()?;
        self.queue.put(&tasks).map_err(QueueError::new)?;
        Ok(())
    }

    fn answers(&mut self, most: usize, wait: Duration) -> Result<Vec<Answer<Receipt>>, QueueError> {
        let answers = self.queue.answers(most, wait).map_err(QueueError::new)?;
        Ok(answers.into_iter().map(heard).collect())
    }

    fn settle(&mut self, receipts: Vec<Receipt>) -> Result<(), QueueError> {
        self.queue.settle(receipts).map_err(QueueError::new)
    }

    fn withdraw(&mut self, task: &str) -> Result<(), QueueError> {
        self.queue.withdraw(&name(task)?).map_err(QueueError::new)
    }

    fn withdraw_all(&mut self) -> Result<(), QueueError> {
        self.queue.withdraw_all().map_err(QueueError::new)
    }

    fn told(&mut self, key: &str) -> Result<Option<Vec<u8>>, QueueError> {
        self.queue.bests().hear(&name(key)?).map_err(QueueError::new)
    }

    fn held(&mut self) -> Result<Held, QueueError> {
        let queue::Counts { waiting, claimed, answers } =
            self.queue.counts().map_err(QueueError::new)?;
        let all = usize::try_from(waiting + claimed + answers).unwrap_or(usize::MAX);
        Ok(Held { running: usize::try_from(claimed).unwrap_or(usize::MAX), all })
    }
}

impl WorkerQueue for RemoteWorker {
    type Ticket = queue::Claim;

    fn claim(&mut self, wait: Duration) -> Result<Option<Claim<queue::Claim>>, QueueError> {
        let claim = self.queue.claim(1, wait.max(LEAST_WAIT)).map_err(QueueError::new)?.pop();
        Ok(claim.map(|mut ticket| Claim {
            task: ticket.task.id.to_string(),
            // What is no text is no task either, and is refused when it is read.
            body: String::from_utf8_lossy(&std::mem::take(&mut ticket.task.body)).into_owned(),
            lease: ticket.lease,
            ticket,
        }))
    }

    fn beat(&mut self, _claim: &Claim<queue::Claim>, _progress: &str) -> Result<bool, QueueError> {
        // The engine's client gives signs of life by itself, and nobody is told that a claim is over.
        Ok(true)
    }

    fn hand_in(&mut self, claim: Claim<queue::Claim>, outcome: Outcome) -> Result<(), QueueError> {
        let outcome = match outcome {
            Outcome::Result(bytes) => queue::Outcome::Done(bytes),
            Outcome::Failure(reason) => queue::Outcome::Failed(reason),
        };
        self.queue.hand_in(vec![(claim.ticket, outcome)]).map_err(QueueError::new)
    }

    fn tell(
        &mut self,
        claim: &Claim<queue::Claim>,
        key: &str,
        body: &[u8],
        replaces: &dyn Fn(&[u8]) -> bool,
    ) -> Result<(), QueueError> {
        let bests = self.queue.bests(&claim.ticket.plan).map_err(QueueError::new)?;
        bests.tell(&name(key)?, body, replaces).map_err(QueueError::new)?;
        Ok(())
    }

    fn told(
        &mut self,
        claim: &Claim<queue::Claim>,
        key: &str,
    ) -> Result<Option<Vec<u8>>, QueueError> {
        let bests = self.queue.bests(&claim.ticket.plan).map_err(QueueError::new)?;
        bests.hear(&name(key)?).map_err(QueueError::new)
    }

    fn give_back(&mut self, claim: Claim<queue::Claim>) -> Result<(), QueueError> {
        self.queue.give_back(claim.ticket).map_err(QueueError::new)
    }
}

fn name(text: &str) -> Result<Name, QueueError> {
    text.parse().map_err(QueueError::new)
}

fn heard(answer: queue::Answer) -> Answer<Receipt> {
    let queue::Answer { task, worker, outcome, receipt } = answer;
    let told = match outcome {
        Ok(queue::Outcome::Done(bytes)) => Told::Outcome(Outcome::Result(bytes)),
        Ok(queue::Outcome::Failed(reason)) => Told::Outcome(Outcome::Failure(reason)),
        Err(unreadable) => Told::Unreadable(unreadable.to_string()),
    };
    Answer { task, worker, told, receipt }
}
