//! A worker: claims jobs, executes them and submits the results.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::panic;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use bound::lp::LpError;
use geometry::Game;
use hunt::HuntError;
use queue::{Claim, Name, Outcome, QueueError, SharedBest, Worker};

use super::execute::{OpenSolverError, Progress, WorkerContext, execute_watched};
use super::{Job, ParseJobError, Work, shared_best};

/// What happens to a worker. `Break` stops it; the job at hand is released.
#[derive(Debug)]
#[non_exhaustive]
pub enum WorkerEvent<'a> {
    /// There has been no job for this long.
    Idle(Duration),
    /// A job starts.
    Started(&'a Name),
    /// A job is being executed; sent several times a second.
    Working(&'a Name),
    /// The result of a job was submitted, or the job failed.
    Finished {
        /// The job.
        job: &'a Name,
        /// Why there is no result.
        error: Option<&'a WorkError>,
    },
}

/// Why a job has no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkError {
    /// It was stopped before its end.
    #[error("stopped")]
    Stopped,
    /// The task is not a job.
    #[error(transparent)]
    Job(#[from] ParseJobError),
    /// The task's id is not that of its job.
    #[error("the message is that of another task, {0}")]
    OtherJob(Name),
    /// The hunt failed.
    #[error(transparent)]
    Hunt(#[from] HuntError),
    /// There is no solver.
    #[error(transparent)]
    OpenSolver(#[from] OpenSolverError),
    /// The solver found no certificate.
    #[error(transparent)]
    Certificate(#[from] LpError),
    /// A bug in this program.
    #[error("the program panicked, which is a bug: {0}")]
    Panic(String),
}

/// How often to send events and check for the end while a job is executed.
const TICK: Duration = Duration::from_millis(100);

/// How often the hunts of a group share their bests.
const SHARE_EVERY: Duration = Duration::from_secs(2);

/// The most jobs that are claimed together.
const LARGEST_BATCH: usize = 16;

/// Jobs of a batch that were done in this time are over at once.
const AT_ONCE: Duration = Duration::from_millis(20);

/// Works until `on` breaks.
pub fn work(
    queue: &dyn Worker,
    context: &WorkerContext,
    on: &mut dyn FnMut(WorkerEvent<'_>) -> ControlFlow<()>,
) -> Result<(), QueueError> {
    let mut batch = Batch::default();
    let worked = work_on(queue, context, &mut batch, on);
    let released = batch.release(queue);
    worked.and(released)
}

fn work_on(
    queue: &dyn Worker,
    context: &WorkerContext,
    batch: &mut Batch,
    on: &mut dyn FnMut(WorkerEvent<'_>) -> ControlFlow<()>,
) -> Result<(), QueueError> {
    let mut last = Instant::now();
    loop {
        let Some(claim) = batch.next(queue, context.poll)? else {
            if on(WorkerEvent::Idle(last.elapsed())).is_break() {
                return Ok(());
            }
            continue;
        };
        let id = claim.task.id.clone();
        if on(WorkerEvent::Started(&id)).is_break() {
            return queue.release(claim);
        }
        let error = match run_claim(queue, &claim, context, batch, on)? {
            Ok(bytes) => {
                queue.submit(vec![(claim, Outcome::Done(bytes))])?;
                None
            }
            // Its checkpoint is for the worker that claims it next.
            Err(ClaimEnd::Lost) => {
                if on(finished(&id, Some(&WorkError::Stopped))).is_break() {
                    return Ok(());
                }
                continue;
            }
            Err(ClaimEnd::Failed(WorkError::Stopped)) => {
                queue.release(claim)?;
                let _ = on(finished(&id, Some(&WorkError::Stopped)));
                return Ok(());
            }
            Err(ClaimEnd::Failed(error)) => {
                queue.submit(vec![(claim, Outcome::Failed(with_causes(&error)))])?;
                Some(error)
            }
        };
        if let Some(checkpoints) = &context.checkpoints {
            checkpoints.remove(id.as_str());
        }
        if on(finished(&id, error.as_ref())).is_break() {
            return Ok(());
        }
        last = Instant::now();
    }
}

fn finished<'a>(job: &'a Name, error: Option<&'a WorkError>) -> WorkerEvent<'a> {
    WorkerEvent::Finished { job, error }
}

/// Claims that were made together: while jobs are over at once, claiming them one by one would take
/// most of the time.
#[derive(Default)]
struct Batch {
    claims: VecDeque<Claim>,
    /// How many were claimed together last, and when.
    last: Option<(usize, Instant)>,
}

impl Batch {
    /// The next claim; when there is none left, claims more than the last time if those were over
    /// at once, else one.
    fn next(&mut self, queue: &dyn Worker, wait: Duration) -> Result<Option<Claim>, QueueError> {
        if self.claims.is_empty() {
            let most = match self.last {
                Some((count, since)) if since.elapsed() < AT_ONCE => (2 * count).min(LARGEST_BATCH),
                _ => 1,
            };
            self.claims = queue.claim(most, wait)?.into();
            self.last =
                Some(self.claims.len()).filter(|&count| count > 0).zip(Some(Instant::now()));
        }
        Ok(self.claims.pop_front())
    }

    /// Lets others have what was claimed and not started.
    fn release(&mut self, queue: &dyn Worker) -> Result<(), QueueError> {
        while let Some(claim) = self.claims.pop_front() {
            queue.release(claim)?;
        }
        Ok(())
    }
}

/// Why a claim ended without a result.
enum ClaimEnd {
    /// Another worker has the job, or nobody wants it any more.
    Lost,
    Failed(WorkError),
}

/// Executes a job on another thread, while this one attends to the queue.
fn run_claim(
    queue: &dyn Worker,
    claim: &Claim,
    context: &WorkerContext,
    batch: &mut Batch,
    on: &mut dyn FnMut(WorkerEvent<'_>) -> ControlFlow<()>,
) -> Result<Result<Vec<u8>, ClaimEnd>, QueueError> {
    let job = match Job::parse(&String::from_utf8_lossy(&claim.task.body)) {
        Ok(job) if *job.id() == claim.task.id => job,
        Ok(job) => return Ok(Err(ClaimEnd::Failed(WorkError::OtherJob(job.id().clone())))),
        Err(error) => return Ok(Err(ClaimEnd::Failed(error.into()))),
    };
    let progress = Progress::default();
    let mut sharing = match shared_best::key(&job) {
        Some(key) => Sharing::new(&job, key, queue.shared_best(&claim.plan)?),
        None => None,
    };
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        scope.spawn(|| {
            let work = panic::AssertUnwindSafe(|| execute_watched(&job, context, &progress));
            let result = panic::catch_unwind(work).unwrap_or_else(|cause| {
                let text = cause.downcast_ref::<String>().cloned();
                let text = text.or_else(|| cause.downcast_ref::<&str>().map(|&text| text.into()));
                Err(WorkError::Panic(text.unwrap_or_default()))
            });
            // The receiver exists until this thread is over.
            let _ = sender.send(result);
        });
        let mut queue_error = None;
        loop {
            match receiver.recv_timeout(TICK) {
                Ok(result) => {
                    if let Some(error) = queue_error {
                        return Err(error);
                    }
                    if let Some(sharing) = &mut sharing {
                        sharing.publish(&progress)?;
                    }
                    if claim.is_lost() {
                        return Ok(Err(ClaimEnd::Lost));
                    }
                    return Ok(result.map_err(ClaimEnd::Failed));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(Err(ClaimEnd::Lost)),
            }
            let mut attend = || {
                // This job is not over at once.
                batch.release(queue)?;
                let text = progress.text.lock().map(|text| text.clone()).unwrap_or_default();
                queue.report_progress(claim, &text)?;
                sharing.as_mut().map_or(Ok(()), |sharing| sharing.share(&progress))
            };
            if queue_error.is_none() {
                queue_error = attend().err();
            }
            let stops = on(WorkerEvent::Working(job.id())).is_break();
            if stops || claim.is_lost() || queue_error.is_some() {
                progress.stop.store(true, Ordering::Relaxed);
            }
        }
    })
}

/// The part of a hunt in its group.
struct Sharing<'a> {
    job: &'a Job,
    game: &'a Game,
    key: Name,
    best: Box<dyn SharedBest>,
    shared: Instant,
}

impl<'a> Sharing<'a> {
    fn new(job: &'a Job, key: Name, best: Box<dyn SharedBest>) -> Option<Self> {
        let Work::Hunt { hunt, .. } = job.work() else { return None };
        Some(Self { job, game: &hunt.game, key, best, shared: Instant::now() })
    }

    /// From time to time, publishes what is new and reads how long the best of all is.
    fn share(&mut self, progress: &Progress) -> Result<(), QueueError> {
        if self.shared.elapsed() < SHARE_EVERY {
            return Ok(());
        }
        self.shared = Instant::now();
        self.publish(progress)?;
        if let Some(latest) = self.best.latest(&self.key)? {
            let score = shared_best::score(&latest, self.game);
            progress.best_of_others.store(score, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Publishes a game that was not published yet.
    fn publish(&self, progress: &Progress) -> Result<(), QueueError> {
        let Some(best) = progress.best.lock().ok().and_then(|mut best| best.take()) else {
            return Ok(());
        };
        let body = shared_best::message(self.job, &best);
        let score = shared_best::score(&body, self.game);
        let replaces = |latest: &[u8]| shared_best::score(latest, self.game) < score;
        self.best.publish(&self.key, &body, &replaces)?;
        Ok(())
    }
}

/// An error with its causes.
fn with_causes(error: &WorkError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(deeper) = cause {
        text = format!("{text}: {deeper}");
        cause = deeper.source();
    }
    text
}
