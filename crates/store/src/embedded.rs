//! The embedded queue: tasks, claims and replies in the archive's own database, for one machine.
//!
//! It implements the traits of [`queue`] with nothing to install. It holds one plan at a time,
//! calls it `embedded`, and leaves it to the coordinator to count lost workers: an expired lease is
//! a reply. All of it lives in the database, so any process may be killed at any moment.

mod tables;

use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use queue::engine::{Clock, Leases, exclusion, lock};
use queue::{
    Claim, Coordinator, Name, Outcome, QueueDepth, QueueError, QueueOptions, Receipt, Reply,
    SharedBest, Task, Worker,
};

use crate::{Archive, StoreError};

/// How often to check whether a heartbeat is due.
const TICK: Duration = Duration::from_millis(100);

/// The longest progress text that is stored, in characters.
const LONGEST_PROGRESS: usize = 4096;

/// The coordinator's side of an archive's queue.
pub struct EmbeddedCoordinator {
    archive: Arc<Mutex<Archive>>,
    options: QueueOptions,
    shared_best: EmbeddedSharedBest,
    clock: Clock,
    /// When leases were last checked.
    checked: Mutex<Instant>,
}

/// A worker's side of an archive's queue.
pub struct EmbeddedWorker {
    archive: Arc<Mutex<Archive>>,
    name: String,
    leases: Arc<Mutex<Leases<Heartbeat>>>,
    clock: Clock,
}

/// A task that a worker has claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunningTask {
    /// The task.
    pub task: String,
    /// The worker.
    pub worker: String,
    /// Since when, in milliseconds since 1970.
    pub since: i64,
    /// The progress that the worker reported last.
    pub progress: String,
}

/// What a heartbeat says.
#[derive(Debug)]
struct Heartbeat {
    task: Name,
    progress: String,
}

struct EmbeddedSharedBest(Arc<Mutex<Archive>>);

impl EmbeddedCoordinator {
    /// Opens it on a connection of its own.
    pub fn new(archive: Archive, options: &QueueOptions) -> Self {
        Self::with_clock(archive, options, Clock::default())
    }

    /// Opens it with another clock, for tests.
    pub fn with_clock(archive: Archive, options: &QueueOptions, clock: Clock) -> Self {
        let archive = Arc::new(Mutex::new(archive));
        let shared_best = EmbeddedSharedBest(archive.clone());
        let checked = Mutex::new(clock.now());
        Self { archive, options: options.clone(), shared_best, clock, checked }
    }

    fn end_expired(&self) -> Result<(), StoreError> {
        let mut checked = lock(&self.checked);
        let now = self.clock.now();
        if now - *checked >= self.options.lease / 4 {
            lock(&self.archive).end_expired(self.clock.unix_millis())?;
            *checked = now;
        }
        Ok(())
    }
}

impl Coordinator for EmbeddedCoordinator {
    fn enqueue(&self, tasks: &[Task]) -> Result<usize, QueueError> {
        Ok(lock(&self.archive).enqueue(&texts(tasks)?, self.options.lease)?)
    }

    fn replies(&self, most: usize, wait: Duration) -> Result<Vec<Reply>, QueueError> {
        poll(wait, || {
            self.end_expired()?;
            Ok(lock(&self.archive).replies(most, self.options.largest_reply)?)
        })
    }

    fn acknowledge(&self, receipts: Vec<Receipt>) -> Result<(), QueueError> {
        let numbers: Vec<i64> = receipts.into_iter().filter_map(Receipt::into_inner).collect();
        Ok(lock(&self.archive).acknowledge(&numbers)?)
    }

    fn cancel(&self, task: &Name) -> Result<(), QueueError> {
        Ok(lock(&self.archive).cancel(Some(task.as_str()))?)
    }

    fn cancel_all(&self) -> Result<(), QueueError> {
        Ok(lock(&self.archive).cancel(None)?)
    }

    fn depth(&self) -> Result<QueueDepth, QueueError> {
        Ok(lock(&self.archive).queue_depth()?)
    }

    fn shared_best(&self) -> &dyn SharedBest {
        &self.shared_best
    }

    fn close(&self) -> Result<(), QueueError> {
        Ok(lock(&self.archive).clear_queue()?)
    }
}

impl EmbeddedWorker {
    /// Opens it on a connection of its own. No other worker may have the same name.
    pub fn new(archive: Archive, name: String) -> Self {
        Self::with_clock(archive, name, Clock::default())
    }

    /// Opens it with another clock, for tests.
    pub fn with_clock(archive: Archive, name: String, clock: Clock) -> Self {
        let archive = Arc::new(Mutex::new(archive));
        let leases = Arc::new(Mutex::new(Leases::new(clock.clone())));
        let heartbeats = Heartbeats {
            archive: Arc::downgrade(&archive),
            leases: Arc::downgrade(&leases),
            worker: name.clone(),
            clock: clock.clone(),
        };
        std::thread::spawn(move || heartbeats.send_all());
        Self { archive, name, leases, clock }
    }
}

impl Worker for EmbeddedWorker {
    fn claim(&self, most: usize, wait: Duration) -> Result<Vec<Claim>, QueueError> {
        let rows = poll(wait, || {
            let mut archive = lock(&self.archive);
            if archive.latest_best(exclusion(&self.name).as_str())?.is_some() {
                return Err(QueueError::Excluded { worker: self.name.clone() });
            }
            Ok(archive.claim(&self.name, most, self.clock.unix_millis())?)
        })?;
        let mut leases = lock(&self.leases);
        let claim = |(task, body, lease): (String, String, Duration)| {
            let id: Name = task.parse().map_err(other)?;
            let heartbeat = Heartbeat { task: id.clone(), progress: String::new() };
            let ticket = leases.hold(heartbeat, lease);
            let plan = "embedded".parse().expect("a name");
            let task = Task { id, body: body.into_bytes() };
            Ok(Claim { plan, task, attempt: None, lease, ticket })
        };
        rows.into_iter().map(claim).collect()
    }

    fn submit(&self, outcomes: Vec<(Claim, Outcome)>) -> Result<(), QueueError> {
        for (claim, _) in &outcomes {
            lock(&self.leases).give_up(&claim.ticket);
        }
        let outcomes: Vec<(&str, &Outcome)> =
            outcomes.iter().map(|(claim, outcome)| (claim.task.id.as_str(), outcome)).collect();
        Ok(lock(&self.archive).submit(&self.name, &outcomes)?)
    }

    fn release(&self, claim: Claim) -> Result<(), QueueError> {
        lock(&self.leases).give_up(&claim.ticket);
        Ok(lock(&self.archive).release(&self.name, claim.task.id.as_str())?)
    }

    fn report_progress(&self, claim: &Claim, progress: &str) -> Result<(), QueueError> {
        if let Some(heartbeat) = lock(&self.leases).handle_mut(&claim.ticket) {
            heartbeat.progress = progress.chars().take(LONGEST_PROGRESS).collect();
        }
        Ok(())
    }

    fn shared_best(&self, _plan: &Name) -> Result<Box<dyn SharedBest>, QueueError> {
        Ok(Box::new(EmbeddedSharedBest(self.archive.clone())))
    }
}

impl SharedBest for EmbeddedSharedBest {
    fn latest(&self, key: &Name) -> Result<Option<Vec<u8>>, QueueError> {
        Ok(lock(&self.0).latest_best(key.as_str())?)
    }

    fn publish(
        &self,
        key: &Name,
        body: &[u8],
        replaces: &dyn Fn(&[u8]) -> bool,
    ) -> Result<bool, QueueError> {
        Ok(lock(&self.0).publish_best(key.as_str(), body, replaces)?)
    }
}

/// What the thread that sends a worker's heartbeats needs; it ends when the worker is dropped.
struct Heartbeats {
    archive: Weak<Mutex<Archive>>,
    leases: Weak<Mutex<Leases<Heartbeat>>>,
    worker: String,
    clock: Clock,
}

impl Heartbeats {
    fn send_all(&self) {
        while let (Some(archive), Some(leases)) = (self.archive.upgrade(), self.leases.upgrade()) {
            lock(&leases).renew_due(|Heartbeat { task, progress }| {
                let now = self.clock.unix_millis();
                let renewed = lock(&archive).renew(&self.worker, task.as_str(), progress, now);
                // If it fails, the next one may succeed.
                renewed.unwrap_or(true)
            });
            drop((archive, leases));
            std::thread::sleep(TICK);
        }
    }
}

impl From<StoreError> for QueueError {
    fn from(error: StoreError) -> Self {
        other(error)
    }
}

fn other(error: impl std::error::Error + Send + Sync + 'static) -> QueueError {
    QueueError::Other(Box::new(error))
}

/// Tasks as the database stores them.
fn texts(tasks: &[Task]) -> Result<Vec<(&str, &str)>, QueueError> {
    let texts = tasks.iter().map(|Task { id, body }| match std::str::from_utf8(body) {
        Ok(body) => Ok((id.as_str(), body)),
        Err(_) => Err(QueueError::TaskNotText { id: id.clone() }),
    });
    texts.collect()
}

/// Looks again and again, ever less often, until something is found or the time is over.
fn poll<T>(
    wait: Duration,
    mut look: impl FnMut() -> Result<Vec<T>, QueueError>,
) -> Result<Vec<T>, QueueError> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        let found = look()?;
        let left = wait.saturating_sub(start.elapsed());
        if !found.is_empty() || left.is_zero() {
            return Ok(found);
        }
        std::thread::sleep(pause.min(left));
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

#[cfg(test)]
mod tests {
    use queue::ReplyError;
    use queue::laws::{self, QueueEngine};

    use super::*;

    struct EmbeddedEngine {
        folder: tempfile::TempDir,
        clock: Clock,
    }

    impl EmbeddedEngine {
        fn new() -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            Archive::open_or_create(folder.path()).expect("an archive");
            Self { folder, clock: Clock::default() }
        }

        fn archive(&self) -> Archive {
            Archive::open(self.folder.path()).expect("an archive")
        }
    }

    impl QueueEngine for EmbeddedEngine {
        fn coordinator(&self, _plan: &Name, options: &QueueOptions) -> Box<dyn Coordinator> {
            let clock = self.clock.clone();
            Box::new(EmbeddedCoordinator::with_clock(self.archive(), options, clock))
        }

        fn worker(&self, name: &Name) -> Box<dyn Worker> {
            let (name, clock) = (name.to_string(), self.clock.clone());
            Box::new(EmbeddedWorker::with_clock(self.archive(), name, clock))
        }

        fn pass(&self, time: Duration) {
            self.clock.advance(time);
            // A few turns of the thread that sends heartbeats.
            std::thread::sleep(3 * TICK);
        }

        fn has_plans(&self) -> bool {
            false
        }

        fn counts_claims(&self) -> bool {
            false
        }
    }

    queue::law_tests!(EmbeddedEngine::new());

    const LEASE: Duration = Duration::from_secs(3600);

    fn archive() -> (tempfile::TempDir, Archive) {
        let EmbeddedEngine { folder, .. } = EmbeddedEngine::new();
        let archive = Archive::open(folder.path()).expect("an archive");
        (folder, archive)
    }

    const TASKS: [(&str, &str); 4] = [("t0", "a"), ("t1", "b"), ("t2", "c"), ("t3", "d")];

    fn claimed(archive: &mut Archive, worker: &str, most: usize) -> Vec<String> {
        let claims = archive.claim(worker, most, 0).expect("claimed");
        claims.into_iter().map(|(task, ..)| task).collect()
    }

    fn outcomes(archive: &Archive) -> Vec<Result<Outcome, ReplyError>> {
        let replies = archive.replies(9, 10).expect("replies");
        replies.into_iter().map(|reply| reply.outcome).collect()
    }

    #[test]
    fn tasks_are_claimed_in_their_order_by_one_worker_each() {
        let (_folder, mut archive) = archive();
        assert_eq!(archive.enqueue(&TASKS[..3], LEASE).expect("enqueued"), 3);
        assert_eq!(archive.enqueue(&TASKS, LEASE).expect("enqueued"), 1);
        assert_eq!(claimed(&mut archive, "ann", 2), ["t0", "t1"]);
        assert_eq!(claimed(&mut archive, "bob", 9), ["t2", "t3"]);
        assert!(claimed(&mut archive, "ann", 1).is_empty());
        archive.release("bob", "t2").expect("released");
        archive.release("bob", "t1").expect("not his");
        assert_eq!(claimed(&mut archive, "ann", 9), ["t2"]);
        assert_eq!(archive.claimed_by("t2").expect("known").as_deref(), Some("ann"));
    }

    #[test]
    fn what_another_run_left_behind_waits_for_that_run() {
        let (_folder, mut archive) = archive();
        archive.begin_run("crashed", "one", "", TASKS[..3].to_vec()).expect("begun");
        archive.enqueue(&TASKS[..3], LEASE).expect("enqueued");
        archive.begin_run("next", "another", "", TASKS[2..].to_vec()).expect("begun");
        archive.enqueue(&TASKS[2..], LEASE).expect("enqueued");
        assert_eq!(claimed(&mut archive, "ann", 9), ["t2", "t3"]);
    }

    #[test]
    fn a_claim_without_a_heartbeat_is_over_but_a_late_result_counts() {
        let (_folder, mut archive) = archive();
        archive.enqueue(&TASKS[..1], Duration::from_millis(100)).expect("enqueued");
        archive.claim("ann", 1, 0).expect("claimed");
        assert!(archive.renew("ann", "t0", "", 90).expect("renewed"));
        archive.end_expired(190).expect("none has");
        assert!(outcomes(&archive).is_empty());
        archive.end_expired(191).expect("ended");
        assert_eq!(outcomes(&archive), [Err(ReplyError::LeaseExpired)]);
        assert!(!archive.renew("ann", "t0", "", 192).expect("known"), "it is no longer hers");
        assert_eq!(claimed(&mut archive, "bob", 1), ["t0"]);
        // Ann comes back with a result after all: it counts, and Bob's claim is over.
        archive.submit("ann", &[("t0", &Outcome::Done(b"x".into()))]).expect("stored");
        assert!(!archive.renew("bob", "t0", "", 200).expect("known"));
        archive.submit("bob", &[("t0", &Outcome::Done(b"y".into()))]).expect("ignored");
        let all = [Err(ReplyError::LeaseExpired), Ok(Outcome::Done(b"x".into()))];
        assert_eq!(outcomes(&archive), all);
    }

    #[test]
    fn replies_wait_until_they_are_acknowledged_and_large_ones_are_not_read() {
        let (_folder, mut archive) = archive();
        archive.enqueue(&TASKS[..3], LEASE).expect("enqueued");
        archive.claim("ann", 3, 0).expect("claimed");
        let all = [
            Outcome::Done(vec![7; 10]),
            Outcome::Done(vec![7; 11]),
            Outcome::Failed("tired".to_owned()),
        ];
        let submitted: Vec<_> = TASKS.iter().map(|(task, _)| *task).zip(&all).collect();
        archive.submit("ann", &submitted).expect("stored");
        let large = ReplyError::TooLarge { size: 11, limit: 10 };
        for _ in 0..2 {
            let expected = [Ok(all[0].clone()), Err(large.clone()), Ok(all[2].clone())];
            assert_eq!(outcomes(&archive), expected);
        }
        // What has a reply is not enqueued again; what was acknowledged is.
        assert_eq!(archive.enqueue(&TASKS[..1], LEASE).expect("enqueued"), 0);
        let replies = archive.replies(9, 0).expect("replies");
        let numbers: Vec<i64> =
            replies.into_iter().filter_map(|reply| reply.receipt.into_inner()).collect();
        archive.acknowledge(&numbers).expect("acknowledged");
        assert!(outcomes(&archive).is_empty());
        assert_eq!(archive.enqueue(&TASKS[..1], LEASE).expect("enqueued"), 1);
    }

    #[test]
    fn progress_is_shown_and_a_worker_learns_that_its_task_was_cancelled() {
        let engine = EmbeddedEngine::new();
        let coordinator = engine.coordinator(&"p".parse().expect("a name"), &laws::options(LEASE));
        coordinator.enqueue(&laws::tasks(1)).expect("enqueued");
        let worker = engine.worker(&"ann".parse().expect("a name"));
        let claim = worker.claim(1, Duration::ZERO).expect("claimed").pop().expect("a task");
        worker.report_progress(&claim, "best 50").expect("reported");
        let mut shown = String::new();
        while shown != "best 50" {
            engine.pass(LEASE / 2);
            shown.clone_from(&engine.archive().running_tasks().expect("one")[0].progress);
        }
        coordinator.cancel_all().expect("cancelled");
        while !claim.is_lost() {
            engine.pass(LEASE / 2);
        }
        worker.submit(vec![(claim, Outcome::Done(vec![]))]).expect("ignored");
        assert_eq!(coordinator.depth().expect("a queue"), QueueDepth::default());
    }

    #[test]
    fn a_task_that_is_not_text_is_refused() {
        let engine = EmbeddedEngine::new();
        let coordinator = engine.coordinator(&"p".parse().expect("a name"), &laws::options(LEASE));
        let task = Task { id: "t".parse().expect("a name"), body: vec![0xff] };
        let refused = coordinator.enqueue(&[task]).expect_err("not text");
        assert!(matches!(refused, QueueError::TaskNotText { .. }), "{refused}");
    }
}
