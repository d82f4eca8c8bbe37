//! A worker: takes a task, does it, hands in what came of it, and so on.

use std::panic;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use geometry::Game;

use super::execute::{Progress, Workshop, perform_watched};
use super::{Claim, Outcome, QueueError, Task, Work, WorkerQueue, shared_best};
use bound::lp::LpError;
use hunt::HuntError;

/// Is told how a worker fares.
pub trait WorkerWatcher {
    /// Whether to stop: the task at hand is given back.
    fn wants_stop(&mut self) -> bool;

    /// Whether to stop before the next task, since none has come for so long.
    fn is_idle(&mut self, since: Duration) -> bool;

    /// A task begins.
    fn begins(&mut self, task: &str);

    /// A task is over: done, or why not.
    fn ends(&mut self, task: &str, failure: Option<&WorkError>);
}

/// Why nothing came of a task.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkError {
    /// It was stopped before its end.
    #[error("stopped")]
    Stopped,
    /// It is no task.
    #[error(transparent)]
    Task(#[from] super::BadTask),
    /// Its id is not that of its message.
    #[error("the message is that of another task, {0}")]
    OtherTask(String),
    /// The hunt failed.
    #[error(transparent)]
    Hunt(#[from] HuntError),
    /// There is no solver.
    #[error(transparent)]
    NoSolver(#[from] super::NoSolver),
    /// The solver found nothing.
    #[error(transparent)]
    Certificate(#[from] LpError),
    /// A mistake in this program.
    #[error("the program made a mistake: {0}")]
    Panic(String),
}

/// How long to wait for a task before looking around.
const WAIT: Duration = Duration::from_millis(200);

/// How often to look around while a task is under way.
const LOOK: Duration = Duration::from_millis(100);

/// How often hunts of a group look what the others have.
const SHARE: Duration = Duration::from_secs(2);

/// Works until the watcher wants to stop.
pub fn work<Q: WorkerQueue>(
    queue: &mut Q,
    workshop: &Workshop,
    watcher: &mut dyn WorkerWatcher,
) -> Result<(), QueueError> {
    let mut last = Instant::now();
    while !watcher.wants_stop() {
        let Some(claim) = queue.claim(WAIT)? else {
            if watcher.is_idle(last.elapsed()) {
                break;
            }
            continue;
        };
        watcher.begins(&claim.task);
        let name = claim.task.clone();
        match attended(queue, &claim, workshop, watcher)? {
            Attended::Over(Ok(bytes)) => {
                queue.hand_in(claim, Outcome::Result(bytes))?;
                watcher.ends(&name, None);
            }
            Attended::Over(Err(stopped @ WorkError::Stopped)) => {
                queue.give_back(claim)?;
                watcher.ends(&name, Some(&stopped));
                // Its state is for whoever takes it next.
                continue;
            }
            Attended::Over(Err(failure)) => {
                queue.hand_in(claim, Outcome::Failure(told(&failure)))?;
                watcher.ends(&name, Some(&failure));
            }
            Attended::InVain => {
                watcher.ends(&name, Some(&WorkError::Stopped));
                continue;
            }
        }
        if let Some(states) = &workshop.states {
            states.remove(&name);
        }
        last = Instant::now();
    }
    Ok(())
}

/// How a task came to its end.
enum Attended {
    Over(Result<Vec<u8>, WorkError>),
    /// The claim was lost on the way.
    InVain,
}

/// Does a task on another thread, and gives signs of life meanwhile.
fn attended<Q: WorkerQueue>(
    queue: &mut Q,
    claim: &Claim<Q::Ticket>,
    workshop: &Workshop,
    watcher: &mut dyn WorkerWatcher,
) -> Result<Attended, QueueError> {
    let task = match Task::read(&claim.body) {
        Ok(task) if task.id() == claim.task => task,
        Ok(task) => return Ok(Attended::Over(Err(WorkError::OtherTask(task.id().to_owned())))),
        Err(bad) => return Ok(Attended::Over(Err(bad.into()))),
    };
    let progress = Progress::default();
    let mut sharing = Sharing::of(&task);
    let (tell, hear) = channel();
    thread::scope(|scope| {
        scope.spawn(|| {
            let work = panic::AssertUnwindSafe(|| perform_watched(&task, workshop, &progress));
            let done = panic::catch_unwind(work).unwrap_or_else(|cause| {
                let text = cause.downcast_ref::<String>().cloned();
                let text = text.or_else(|| cause.downcast_ref::<&str>().map(|&text| text.into()));
                Err(WorkError::Panic(text.unwrap_or_default()))
            });
            // The other end is there until this thread is over.
            let _ = tell.send(done);
        });
        let (mut beaten, mut in_vain) = (Instant::now(), false);
        let mut trouble = None;
        loop {
            match hear.recv_timeout(LOOK) {
                Ok(done) => {
                    if let (Some(sharing), None) = (&mut sharing, &trouble) {
                        sharing.tell(queue, claim, &progress)?;
                    }
                    return match trouble {
                        Some(trouble) => Err(trouble),
                        None if in_vain => Ok(Attended::InVain),
                        None => Ok(Attended::Over(done)),
                    };
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(Attended::InVain),
            }
            if beaten.elapsed() >= claim.lease / 3 && !in_vain {
                beaten = Instant::now();
                let word = progress.word.lock().map(|word| word.clone()).unwrap_or_default();
                match queue.beat(claim, &word) {
                    Ok(held) => in_vain = !held,
                    Err(error) => trouble = Some(error),
                }
            }
            if let (Some(sharing), None) = (&mut sharing, &trouble) {
                trouble = sharing.share(queue, claim, &progress).err();
            }
            if in_vain || trouble.is_some() || watcher.wants_stop() {
                progress.stop.store(true, Ordering::Relaxed);
            }
        }
    })
}

/// The part of a hunt in its group.
struct Sharing<'a> {
    task: &'a Task,
    game: &'a Game,
    key: String,
    shared: Instant,
}

impl<'a> Sharing<'a> {
    fn of(task: &'a Task) -> Option<Self> {
        let Work::Hunt { hunt, .. } = task.work() else { return None };
        let key = shared_best::key(task)?;
        Some(Self { task, game: &hunt.game, key, shared: Instant::now() })
    }

    /// From time to time, tells what is new and hears how long the best of all is.
    fn share<Q: WorkerQueue>(
        &mut self,
        queue: &mut Q,
        claim: &Claim<Q::Ticket>,
        progress: &Progress,
    ) -> Result<(), QueueError> {
        if self.shared.elapsed() < SHARE {
            return Ok(());
        }
        self.shared = Instant::now();
        self.tell(queue, claim, progress)?;
        if let Some(told) = queue.told(claim, &self.key)? {
            progress.others.store(shared_best::score(&told, self.game), Ordering::Relaxed);
        }
        Ok(())
    }

    /// Tells a game that has not been told.
    fn tell<Q: WorkerQueue>(
        &self,
        queue: &mut Q,
        claim: &Claim<Q::Ticket>,
        progress: &Progress,
    ) -> Result<(), QueueError> {
        let Some(best) = progress.best.lock().ok().and_then(|mut best| best.take()) else {
            return Ok(());
        };
        let body = shared_best::told(self.task, &best);
        let mine = shared_best::score(&body, self.game);
        let replaces = |there: &[u8]| shared_best::score(there, self.game) < mine;
        queue.tell(claim, &self.key, &body, &replaces)
    }
}

/// An error with its causes.
fn told(error: &WorkError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(deeper) = cause {
        text = format!("{text}: {deeper}");
        cause = deeper.source();
    }
    text
}
