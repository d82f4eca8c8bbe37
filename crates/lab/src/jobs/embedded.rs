//! The queue in the archive itself: for one machine, with nothing to install.

use std::time::{Duration, Instant};

use store::queue::{self as stored};
use store::{Archive, StoreError};

use super::{
    Answer, Claim, CoordinatorQueue, Held, MOST_RESULT_BYTES, Outcome, QueueError, Task, Told,
    WorkerQueue,
};

/// The coordinator's side of an archive's queue.
#[derive(Debug)]
pub struct EmbeddedCoordinator {
    archive: Archive,
    lease: Duration,
    /// When claims were last looked through.
    looked: Instant,
}

impl EmbeddedCoordinator {
    /// Opens it. A claim lasts for a `lease` without a sign of life.
    pub fn new(archive: Archive, lease: Duration) -> Self {
        Self { archive, lease, looked: Instant::now() }
    }
}

/// A worker's side of an archive's queue.
///
/// While tasks are over at once it claims some at a time, so that the queue is not what takes the time.
#[derive(Debug)]
pub struct EmbeddedWorker {
    archive: Archive,
    name: String,
    /// Claimed and not begun, the next one last.
    stock: Vec<stored::Claimed>,
    /// How many were claimed together last, and when.
    drawn: Option<(usize, Instant)>,
}

/// The most tasks that are claimed together.
const MOST_CLAIMS: usize = 16;

/// Tasks that were claimed together and done in this time are over at once.
const AT_ONCE: Duration = Duration::from_millis(20);

impl EmbeddedWorker {
    /// Opens it. No other worker may have the same name.
    pub fn new(archive: Archive, name: String) -> Self {
        Self { archive, name, stock: Vec::new(), drawn: None }
    }

    /// Claims tasks: more than the last time if those were over at once, else one.
    fn draw(&mut self) -> Result<Option<stored::Claimed>, QueueError> {
        if self.stock.is_empty() {
            let most = match self.drawn {
                Some((last, since)) if since.elapsed() < AT_ONCE => (2 * last).min(MOST_CLAIMS),
                _ => 1,
            };
            self.stock = self.archive.claim(&self.name, most)?;
            self.stock.reverse();
            self.drawn = (!self.stock.is_empty()).then(|| (self.stock.len(), Instant::now()));
        }
        Ok(self.stock.pop())
    }

    /// Lets others have what was claimed and not begun.
    fn clear_stock(&mut self) -> Result<(), QueueError> {
        while let Some(claim) = self.stock.pop() {
            self.archive.give_back(&self.name, &claim.task)?;
        }
        Ok(())
    }
}

impl Drop for EmbeddedWorker {
    fn drop(&mut self) {
        // What cannot be given back comes to others when its lease ends.
        let _ = self.clear_stock();
    }
}

impl From<StoreError> for QueueError {
    fn from(error: StoreError) -> Self {
        Self::new(error)
    }
}

impl CoordinatorQueue for EmbeddedCoordinator {
    type Receipt = i64;

    fn put(&mut self, tasks: &[Task]) -> Result<(), QueueError> {
        let tasks: Vec<(String, String)> =
            tasks.iter().map(|task| (task.id().to_owned(), task.body().to_owned())).collect();
        self.archive.put(&tasks, self.lease)?;
        Ok(())
    }

    fn answers(&mut self, most: usize, wait: Duration) -> Result<Vec<Answer<i64>>, QueueError> {
        let found = patiently(wait, || {
            if self.looked.elapsed() >= self.lease / 4 {
                self.archive.end_claims()?;
                self.looked = Instant::now();
            }
            let found = self.archive.answers(most, MOST_RESULT_BYTES)?;
            Ok((!found.is_empty()).then_some(found))
        })?;
        Ok(found.unwrap_or_default().into_iter().map(heard).collect())
    }

    fn settle(&mut self, receipts: Vec<i64>) -> Result<(), QueueError> {
        Ok(self.archive.settle(&receipts)?)
    }

    fn withdraw(&mut self, task: &str) -> Result<(), QueueError> {
        Ok(self.archive.withdraw(Some(task))?)
    }

    fn withdraw_all(&mut self) -> Result<(), QueueError> {
        Ok(self.archive.withdraw(None)?)
    }

    fn told(&mut self, key: &str) -> Result<Option<Vec<u8>>, QueueError> {
        Ok(self.archive.best_told(key)?)
    }

    fn held(&mut self) -> Result<Held, QueueError> {
        Ok(Held { running: self.archive.running()?.len(), all: self.archive.queued()? })
    }
}

impl WorkerQueue for EmbeddedWorker {
    type Ticket = ();

    fn claim(&mut self, wait: Duration) -> Result<Option<Claim<()>>, QueueError> {
        let claimed = patiently(wait, || self.draw())?;
        Ok(claimed.map(|stored::Claimed { task, body, lease }| Claim {
            task,
            body,
            lease,
            ticket: (),
        }))
    }

    fn beat(&mut self, claim: &Claim<()>, progress: &str) -> Result<bool, QueueError> {
        // This one is not over at once.
        self.clear_stock()?;
        Ok(self.archive.beat(&self.name, &claim.task, progress)?)
    }

    fn hand_in(&mut self, claim: Claim<()>, outcome: Outcome) -> Result<(), QueueError> {
        let outcome = match outcome {
            Outcome::Result(bytes) => stored::Outcome::Result(bytes),
            Outcome::Failure(reason) => stored::Outcome::Failure(reason),
        };
        Ok(self.archive.hand_in(&self.name, &[(&claim.task, outcome)])?)
    }

    fn tell(
        &mut self,
        _: &Claim<()>,
        key: &str,
        body: &[u8],
        replaces: &dyn Fn(&[u8]) -> bool,
    ) -> Result<(), QueueError> {
        Ok(self.archive.tell_best(key, body, replaces)?)
    }

    fn told(&mut self, _: &Claim<()>, key: &str) -> Result<Option<Vec<u8>>, QueueError> {
        Ok(self.archive.best_told(key)?)
    }

    fn give_back(&mut self, claim: Claim<()>) -> Result<(), QueueError> {
        Ok(self.archive.give_back(&self.name, &claim.task)?)
    }
}

fn heard(answer: stored::Answer) -> Answer<i64> {
    let stored::Answer { number, task, worker, told } = answer;
    let told = match told {
        stored::Told::Outcome(stored::Outcome::Result(bytes)) => {
            Told::Outcome(Outcome::Result(bytes))
        }
        stored::Told::Outcome(stored::Outcome::Failure(reason)) => {
            Told::Outcome(Outcome::Failure(reason))
        }
        stored::Told::TooLarge(size) => Told::Unreadable(format!(
            "a result of {size} bytes; at most {MOST_RESULT_BYTES} are taken"
        )),
        stored::Told::Lost => Told::Lost,
    };
    Answer { task, worker, told, receipt: number }
}

/// Looks again and again, ever more seldom, until there is something or the time is over.
fn patiently<T>(
    wait: Duration,
    mut look: impl FnMut() -> Result<Option<T>, QueueError>,
) -> Result<Option<T>, QueueError> {
    let began = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(found) = look()? {
            return Ok(Some(found));
        }
        let left = wait.saturating_sub(began.elapsed());
        if left.is_zero() {
            return Ok(None);
        }
        std::thread::sleep(pause.min(left));
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}
