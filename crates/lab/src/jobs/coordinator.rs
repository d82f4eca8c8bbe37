//! The coordinator: keeps the ledger, enqueues jobs, verifies every result.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use evidence::VerifiedRecord;
use queue::{Coordinator, Name, Outcome, QueueError, Reply, ReplyError};
use store::{AcceptedResult, Archive, Completion, RunState, StoreError, TaskFailure, TaskState};

use super::result::job_of;
use super::{Job, JobPlan, ParseJobError, shared_best, verify_result};

/// What happens during a run. `Break` stops it; what was accepted is stored.
#[derive(Debug)]
#[non_exhaustive]
pub enum CoordinatorEvent<'a> {
    /// How the run is going; sent several times a second.
    Progress(&'a RunProgress),
    /// This many results were stored; their replies are acknowledged next.
    Stored(usize),
    /// A worker is quarantined: it gets no more jobs.
    Quarantine {
        /// The worker.
        worker: &'a str,
        /// Why.
        reason: QuarantineReason,
    },
    /// A job failed, and is retried unless it was given up.
    Failure {
        /// The job.
        job: &'a str,
        /// The worker.
        worker: &'a str,
        /// What went wrong.
        failure: TaskFailure,
        /// Why.
        reason: &'a str,
        /// Whether the job is not retried.
        is_given_up: bool,
    },
}

/// Why a worker is quarantined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuarantineReason {
    /// Too many of its results were refused.
    Refused,
    /// It fails, and others do not.
    Failing,
}

impl fmt::Display for QuarantineReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Refused => "its results were refused",
            Self::Failing => "it fails, and others do not",
        })
    }
}

/// How a run is going.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunProgress {
    /// How many jobs there are.
    pub jobs: usize,
    /// How many are done.
    pub done: usize,
    /// How many were given up.
    pub failed: usize,
    /// How many are claimed by workers.
    pub running: usize,
    /// The longest game of the run: its game and its number of moves.
    pub best: Option<(String, u32)>,
    /// The time left, estimated from the recent throughput.
    pub left: Option<Duration>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnd {
    /// Every job is done or was given up.
    Complete,
    /// It was stopped, and can be resumed.
    Stopped,
}

/// Why a run cannot continue. What was accepted is stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CoordinatorError {
    /// The archive failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The queue failed.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// A stored job cannot be read.
    #[error("the task {id} in the archive is invalid")]
    Job {
        /// The job.
        id: String,
        /// Why not.
        source: ParseJobError,
    },
}

/// How many replies are dealt with together.
const MOST_REPLIES: usize = 256;

/// How long to wait for replies before the next event.
const WAIT: Duration = Duration::from_millis(100);

/// How often to check the depth of the queue, and whether the run was stopped from outside.
const CHECK_EVERY: Duration = Duration::from_millis(500);

/// Runs a plan, or resumes it, until every job is done or given up or `on` breaks.
pub fn coordinate(
    archive: &mut Archive,
    queue: &dyn Coordinator,
    plan: &JobPlan,
    on: &mut dyn FnMut(CoordinatorEvent<'_>) -> ControlFlow<()>,
) -> Result<RunEnd, CoordinatorError> {
    let bodies = plan.jobs.iter().map(|job| (job.id().as_str(), job.body()));
    archive.begin_run(plan.id.as_str(), &plan.name, &plan.text, bodies)?;
    let is_open: HashSet<String> = archive.open_tasks(plan.id.as_str())?.into_iter().collect();
    let jobs = plan.jobs.iter().filter(|job| is_open.contains(job.id().as_str()));
    queue.enqueue(&jobs.clone().map(Job::task).collect::<Vec<_>>())?;
    let open = jobs.map(|job| (job.id().as_str(), job)).collect();
    let counts = archive.counts(plan.id.as_str())?;
    let progress = RunProgress {
        jobs: counts.open + counts.done + counts.failed,
        done: counts.done,
        failed: counts.failed,
        running: 0,
        best: archive.best_of_run(plan.id.as_str())?,
        left: None,
    };
    let groups = plan.jobs.iter().filter_map(shared_best::key).map(|key| (key, None)).collect();
    let quarantined = HashSet::new();
    let mut run = Run { archive, queue, on, plan, open, progress, groups, quarantined };
    for worker in run.archive.quarantined(plan.id.as_str())? {
        run.quarantine(&worker, QuarantineReason::Refused)?;
    }
    run.exclude_failing()?;
    let mut throughput = Throughput::default();
    let mut checked: Option<Instant> = None;
    let mut is_idle = false;
    while !run.open.is_empty() {
        if checked.is_none_or(|checked| checked.elapsed() >= CHECK_EVERY) {
            checked = Some(Instant::now());
            run.store_shared_bests()?;
            if std::mem::replace(&mut is_idle, true) {
                run.queue.recover()?;
            }
            let depth = run.queue.depth()?;
            run.progress.running = usize::try_from(depth.claimed).unwrap_or(usize::MAX);
            if depth.total() < run.open.len() as u64 {
                // Some job is neither queued nor answered: its worker submitted something that was
                // refused, and let go of it after it had been enqueued again; or the queue was
                // cleared.
                let open: Vec<queue::Task> = run.open.values().map(|job| job.task()).collect();
                run.queue.enqueue(&open)?;
            }
            if is_stopped(run.archive, plan.id.as_str())? {
                return run.stop();
            }
        }
        run.progress.left = throughput.time_left(run.progress.done, run.open.len());
        if (run.on)(CoordinatorEvent::Progress(&run.progress)).is_break() {
            return run.stop();
        }
        let replies = run.queue.replies(MOST_REPLIES, WAIT)?;
        is_idle &= replies.is_empty();
        if !replies.is_empty() {
            run.receive(replies)?;
            run.exclude_failing()?;
        }
    }
    let end = RunProgress { running: 0, left: Some(Duration::ZERO), ..run.progress };
    let _ = (run.on)(CoordinatorEvent::Progress(&end));
    archive.set_run_state(plan.id.as_str(), RunState::Over)?;
    Ok(RunEnd::Complete)
}

/// Whether the run was stopped from outside.
fn is_stopped(archive: &Archive, id: &str) -> Result<bool, StoreError> {
    let runs = archive.runs()?;
    Ok(runs.iter().any(|run| run.id == id && run.state == RunState::Stopped))
}

struct Run<'a, 'p> {
    archive: &'a mut Archive,
    queue: &'a dyn Coordinator,
    on: &'a mut dyn FnMut(CoordinatorEvent<'_>) -> ControlFlow<()>,
    plan: &'p JobPlan,
    open: HashMap<&'p str, &'p Job>,
    progress: RunProgress,
    /// What the groups of hunts published last.
    groups: HashMap<Name, Option<Vec<u8>>>,
    quarantined: HashSet<String>,
}

/// A reply without an acceptable result.
struct FailedReply {
    job: String,
    worker: String,
    failure: TaskFailure,
    reason: String,
}

impl Run<'_, '_> {
    /// Deals with replies: stores the good results in one transaction, then records the failures.
    fn receive(&mut self, replies: Vec<Reply>) -> Result<(), CoordinatorError> {
        if replies.is_empty() {
            return Ok(());
        }
        let (mut good, mut failed, mut receipts) = (Vec::new(), Vec::new(), Vec::new());
        for Reply { task: job, worker, outcome, receipt } in replies {
            receipts.push(receipt);
            // Names come from others and are shown to people.
            let worker: String =
                worker.chars().take(100).map(|c| if c.is_control() { '?' } else { c }).collect();
            let Some(known) = self.known(&job)? else { continue };
            let (failure, reason) = match outcome {
                Ok(Outcome::Done(bytes)) => match verify_result(&known, &bytes) {
                    Ok((accepted, seconds)) => {
                        good.push(Completion { task: job, worker, seconds, accepted });
                        continue;
                    }
                    Err(error) => (TaskFailure::Refused, error.to_string()),
                },
                Ok(Outcome::Failed(reason)) => (TaskFailure::Failed, reason),
                Err(error @ ReplyError::LeaseExpired) => (TaskFailure::Lost, error.to_string()),
                Err(error) => (TaskFailure::Refused, error.to_string()),
            };
            let reason: String = reason.chars().take(1000).collect();
            failed.push(FailedReply { job, worker, failure, reason });
        }
        self.store(&good)?;
        let mut again = Vec::new();
        for reply in failed {
            again.extend(self.record_failure(reply)?);
        }
        // First: a queue accepts no task whose reply it still holds.
        self.queue.acknowledge(receipts)?;
        if !again.is_empty() {
            self.queue.enqueue(&again)?;
        }
        Ok(())
    }

    /// The job with this id, of this run or, still open, of another.
    fn known(&self, id: &str) -> Result<Option<Cow<'_, Job>>, CoordinatorError> {
        if let Some(job) = self.open.get(id) {
            return Ok(Some(Cow::Borrowed(job)));
        }
        match self.archive.task(id) {
            Ok(entry) if entry.id == id && entry.state == TaskState::Open => {
                let job = Job::parse(&entry.body);
                let job = job.map_err(|source| CoordinatorError::Job { id: entry.id, source })?;
                Ok(Some(Cow::Owned(job)))
            }
            Ok(_) | Err(StoreError::Unknown(_) | StoreError::Ambiguous(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Stores the best games of hunts that are not over; what the verifier refuses is for the hunts
    /// to replace.
    fn store_shared_bests(&mut self) -> Result<(), CoordinatorError> {
        let keys: Vec<Name> = self.groups.keys().cloned().collect();
        for key in keys {
            let latest = self.queue.shared_best().latest(&key)?;
            let last = self.groups.entry(key).or_default();
            if *last == latest {
                continue;
            }
            *last = latest;
            let Some((job, bytes)) = last.as_ref().and_then(|bytes| Some((job_of(bytes)?, bytes)))
            else {
                continue;
            };
            let Some(Ok((AcceptedResult::Game(game), _))) =
                self.open.get(job.as_str()).map(|job| verify_result(job, bytes))
            else {
                continue;
            };
            self.archive.add_game(&game, &format!("task {job}, before its end"))?;
            self.update_best(&game);
        }
        Ok(())
    }

    fn update_best(&mut self, game: &VerifiedRecord) {
        let score = game.score();
        if self.progress.best.as_ref().is_none_or(|(_, best)| score > *best) {
            self.progress.best = Some((evidence::game_key(game.game()), score));
        }
    }

    /// Stores results, and marks their jobs as done.
    fn store(&mut self, good: &[Completion]) -> Result<(), CoordinatorError> {
        if good.is_empty() {
            return Ok(());
        }
        self.archive.complete(good)?;
        // Whoever wants to stop now is asked again soon.
        let _ = (self.on)(CoordinatorEvent::Stored(good.len()));
        let checkpoints = self.archive.checkpoints();
        for completion in good {
            checkpoints.remove(&completion.task);
            if self.open.remove(completion.task.as_str()).is_none() {
                continue;
            }
            self.progress.done += 1;
            if let AcceptedResult::Game(game) = &completion.accepted {
                self.update_best(game);
            }
        }
        Ok(())
    }

    /// Records a failure, and returns the task if it is to be enqueued again.
    fn record_failure(
        &mut self,
        reply: FailedReply,
    ) -> Result<Option<queue::Task>, CoordinatorError> {
        let FailedReply { job, worker, failure, reason } = reply;
        if failure == TaskFailure::Failed && self.quarantined.contains(&worker) {
            return Ok(self.open.get(job.as_str()).map(|job| job.task()));
        }
        let limits = self.plan.limits;
        let record = self.archive.record_failure(&job, &worker, failure, &reason, limits)?;
        let state = record.map(|record| record.state);
        let is_given_up = state == Some(TaskState::Failed);
        let Some(known) = self.open.get(job.as_str()).copied() else { return Ok(None) };
        let (job, worker, reason) = (&*job, &*worker, &*reason);
        // Whoever wants to stop now is asked again soon.
        let _ = (self.on)(CoordinatorEvent::Failure { job, worker, failure, reason, is_given_up });
        if record.is_some_and(|record| record.quarantines) {
            self.quarantine(worker, QuarantineReason::Refused)?;
        }
        if is_given_up {
            self.open.remove(job);
            self.progress.failed += 1;
            self.queue.cancel(known.id())?;
            return Ok(None);
        }
        // A lost one is queued already.
        let again = failure != TaskFailure::Lost && state == Some(TaskState::Open);
        Ok(again.then(|| known.task()))
    }

    /// Quarantines the workers that fail at what others can do, and retries what was given up for
    /// them.
    fn exclude_failing(&mut self) -> Result<(), CoordinatorError> {
        let id = self.plan.id.as_str();
        for worker in self.archive.failing_workers(id)? {
            if self.quarantined.contains(&worker) {
                continue;
            }
            let reopened = self.archive.take_back(id, &worker, self.plan.limits)?;
            let reopened: HashSet<String> = reopened.into_iter().collect();
            let jobs = self.plan.jobs.iter().filter(|job| reopened.contains(job.id().as_str()));
            let jobs: Vec<&Job> =
                jobs.filter(|job| !self.open.contains_key(job.id().as_str())).collect();
            self.progress.failed -= jobs.len();
            self.queue.enqueue(&jobs.iter().map(|job| job.task()).collect::<Vec<_>>())?;
            self.open.extend(jobs.into_iter().map(|job| (job.id().as_str(), job)));
            self.quarantine(&worker, QuarantineReason::Failing)?;
        }
        Ok(())
    }

    /// Gives a worker no more jobs. One that takes them all the same is refused as before.
    fn quarantine(
        &mut self,
        worker: &str,
        reason: QuarantineReason,
    ) -> Result<(), CoordinatorError> {
        self.quarantined.insert(worker.to_owned());
        self.queue.exclude(worker)?;
        // Whoever wants to stop now is asked again soon.
        let _ = (self.on)(CoordinatorEvent::Quarantine { worker, reason });
        Ok(())
    }

    fn stop(self) -> Result<RunEnd, CoordinatorError> {
        self.queue.cancel_all()?;
        self.archive.set_run_state(self.plan.id.as_str(), RunState::Stopped)?;
        Ok(RunEnd::Stopped)
    }
}

/// How fast jobs are done, over the last minutes.
#[derive(Default)]
struct Throughput {
    /// How many were done when.
    marks: VecDeque<(Instant, usize)>,
}

impl Throughput {
    fn time_left(&mut self, done: usize, open: usize) -> Option<Duration> {
        let now = Instant::now();
        if self.marks.back().is_none_or(|(last, _)| now - *last >= Duration::from_secs(1)) {
            self.marks.push_back((now, done));
        }
        while self.marks.len() > 600 {
            self.marks.pop_front();
        }
        let &(since, before) = self.marks.front()?;
        let new = done.checked_sub(before).filter(|&new| new > 0)?;
        Some((now - since).div_f64(new as f64).mul_f64(open as f64))
    }
}
