//! The embedded queue: tasks, claims and replies in the archive's own database, for one machine.
//!
//! It implements the traits of [`queue`] with nothing to install. It holds one plan at a time,
//! calls it `embedded`, and leaves it to the coordinator to count lost workers: an expired lease is
//! a reply. All of it lives in the database, so any process may be killed at any moment.

use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use queue::engine::{Clock, Leases, lock};
use queue::{
    Claim, Coordinator, Name, Outcome, QueueDepth, QueueError, QueueOptions, Receipt, Reply,
    ReplyError, SharedBest, Task, Worker,
};
use rusqlite::{OptionalExtension as _, params};

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
            Ok(lock(&self.archive).claim(&self.name, most, self.clock.unix_millis())?)
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

impl Archive {
    /// The tasks that workers have claimed.
    pub fn running_tasks(&self) -> Result<Vec<RunningTask>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT task, worker, since, progress FROM queue
             WHERE worker NOTNULL ORDER BY since, number",
        )?;
        let rows = statement.query_map([], |row| {
            let (task, worker) = (row.get(0)?, row.get(1)?);
            Ok(RunningTask { task, worker, since: row.get(2)?, progress: row.get(3)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The worker that has claimed a task, if any.
    pub fn claimed_by(&self, task: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT worker FROM queue WHERE task = ?1";
        let found = self.connection.query_row(sql, [task], |row| row.get(0)).optional()?;
        Ok(found.flatten())
    }

    /// Enqueues tasks with their bodies; one that is queued, or has a reply waiting, stays as it
    /// is. Returns how many were new.
    fn enqueue(&mut self, tasks: &[(&str, &str)], lease: Duration) -> Result<usize, StoreError> {
        let lease = i64::try_from(lease.as_millis()).unwrap_or(i64::MAX / 4);
        let change = self.change()?;
        let mut new = 0;
        {
            let mut insert = change.prepare_cached(
                "INSERT OR IGNORE INTO queue (task, body, lease) SELECT ?1, ?2, ?3
                 WHERE NOT EXISTS (SELECT 1 FROM answers WHERE task = ?1 AND what <> 'lost')",
            )?;
            for (task, body) in tasks {
                new += insert.execute(params![task, body, lease])?;
            }
        }
        change.commit()?;
        Ok(new)
    }

    /// Claims waiting tasks in their order: id, body and lease of each.
    fn claim(
        &mut self,
        worker: &str,
        most: usize,
        now: i64,
    ) -> Result<Vec<(String, String, Duration)>, StoreError> {
        // Looking takes no lock; there may be nothing to write.
        let waiting = "SELECT 1 FROM queue WHERE worker IS NULL LIMIT 1";
        let mut look = self.connection.prepare_cached(waiting)?;
        if !look.exists([])? {
            return Ok(Vec::new());
        }
        drop(look);
        let change = self.change()?;
        let claimed = {
            let mut update = change.prepare_cached(
                "UPDATE queue SET worker = ?1, since = ?2, expires = ?2 + lease, progress = ''
                 WHERE number IN
                     (SELECT number FROM queue WHERE worker IS NULL ORDER BY number LIMIT ?3)
                 RETURNING task, body, lease",
            )?;
            let claimed = |row: &rusqlite::Row<'_>| {
                let lease = Duration::from_millis(row.get::<_, i64>(2)?.unsigned_abs());
                Ok((row.get(0)?, row.get(1)?, lease))
            };
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            let rows = update.query_map(params![worker, now, most], claimed)?;
            rows.collect::<Result<_, _>>()?
        };
        change.commit()?;
        Ok(claimed)
    }

    /// A heartbeat; `false` if the claim is over.
    fn renew(
        &mut self,
        worker: &str,
        task: &str,
        progress: &str,
        now: i64,
    ) -> Result<bool, StoreError> {
        let change = self.change()?;
        let renewed = change
            .prepare_cached(
                "UPDATE queue SET expires = ?3 + lease, progress = ?4
                 WHERE task = ?1 AND worker = ?2",
            )?
            .execute(params![task, worker, now, progress])?;
        change.commit()?;
        Ok(renewed > 0)
    }

    /// Stores the outcome of tasks. For a task that is no longer queued, as another worker has done
    /// it or it was cancelled, nothing is stored.
    fn submit(&mut self, worker: &str, outcomes: &[(&str, &Outcome)]) -> Result<(), StoreError> {
        let change = self.change()?;
        {
            let mut leave = change.prepare_cached("DELETE FROM queue WHERE task = ?1")?;
            let mut insert = change.prepare_cached(
                "INSERT INTO answers (task, worker, what, body) VALUES (?1, ?2, ?3, ?4)",
            )?;
            for (task, outcome) in outcomes {
                if leave.execute([task])? > 0 {
                    let (what, body) = match outcome {
                        Outcome::Done(bytes) => ("result", &bytes[..]),
                        Outcome::Failed(reason) => ("failure", reason.as_bytes()),
                    };
                    insert.execute(params![task, worker, what, body])?;
                }
            }
        }
        change.commit()?;
        Ok(())
    }

    fn release(&mut self, worker: &str, task: &str) -> Result<(), StoreError> {
        let change = self.change()?;
        change
            .prepare_cached("UPDATE queue SET worker = NULL WHERE task = ?1 AND worker = ?2")?
            .execute([task, worker])?;
        change.commit()?;
        Ok(())
    }

    /// Ends the claims whose lease has expired, with a reply for each.
    fn end_expired(&mut self, now: i64) -> Result<(), StoreError> {
        let late = "SELECT 1 FROM queue WHERE worker NOTNULL AND expires < ?1 LIMIT 1";
        let mut look = self.connection.prepare_cached(late)?;
        if !look.exists([now])? {
            return Ok(());
        }
        drop(look);
        let change = self.change()?;
        change.execute(
            "INSERT INTO answers (task, worker, what, body)
             SELECT task, worker, 'lost', x'' FROM queue WHERE worker NOTNULL AND expires < ?1",
            [now],
        )?;
        change.execute(
            "UPDATE queue SET worker = NULL WHERE worker NOTNULL AND expires < ?1",
            [now],
        )?;
        change.commit()?;
        Ok(())
    }

    /// The oldest replies, of at most `limit` bytes each.
    fn replies(&self, most: usize, limit: u64) -> Result<Vec<Reply>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT number, task, worker, what, length(body),
                    CASE WHEN length(body) <= ?2 THEN body END
             FROM answers ORDER BY number LIMIT ?1",
        )?;
        let limits = [most as u64, limit].map(|limit| i64::try_from(limit).unwrap_or(i64::MAX));
        let rows = statement.query_map(limits, |row| {
            let what: String = row.get(3)?;
            let body: Option<Vec<u8>> = row.get(5)?;
            let outcome = match (body, what.as_str()) {
                (None, _) => {
                    let size = row.get::<_, i64>(4)?.unsigned_abs();
                    Err(ReplyError::TooLarge { size, limit })
                }
                (Some(_), "lost") => Err(ReplyError::LeaseExpired),
                (Some(body), "result") => Ok(Outcome::Done(body)),
                (Some(body), _) => Ok(Outcome::Failed(String::from_utf8_lossy(&body).into_owned())),
            };
            let receipt = Receipt::new(row.get::<_, i64>(0)?);
            Ok(Reply { task: row.get(1)?, worker: row.get(2)?, outcome, receipt })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn acknowledge(&mut self, replies: &[i64]) -> Result<(), StoreError> {
        let change = self.change()?;
        for number in replies {
            change.prepare_cached("DELETE FROM answers WHERE number = ?1")?.execute([number])?;
        }
        change.commit()?;
        Ok(())
    }

    /// Removes a task from the queue, or all tasks.
    fn cancel(&mut self, task: Option<&str>) -> Result<(), StoreError> {
        let change = self.change()?;
        change.execute("DELETE FROM queue WHERE ?1 IS NULL OR task = ?1", [task])?;
        change.commit()?;
        Ok(())
    }

    fn clear_queue(&mut self) -> Result<(), StoreError> {
        let change = self.change()?;
        change.execute_batch("DELETE FROM queue; DELETE FROM answers; DELETE FROM bests;")?;
        change.commit()?;
        Ok(())
    }

    fn queue_depth(&self) -> Result<QueueDepth, StoreError> {
        let sql = "SELECT (SELECT count(*) FROM queue WHERE worker IS NULL),
                          (SELECT count(*) FROM queue WHERE worker NOTNULL),
                          (SELECT count(*) FROM answers)";
        let mut statement = self.connection.prepare_cached(sql)?;
        let [waiting, claimed, replies] = statement.query_row([], |row| {
            let count = |column| row.get::<_, i64>(column).map(i64::unsigned_abs);
            Ok([count(0)?, count(1)?, count(2)?])
        })?;
        Ok(QueueDepth { waiting, claimed, replies })
    }

    fn latest_best(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let mut look = self.connection.prepare_cached("SELECT body FROM bests WHERE key = ?1")?;
        Ok(look.query_row([key], |row| row.get(0)).optional()?)
    }

    fn publish_best(
        &mut self,
        key: &str,
        body: &[u8],
        replaces: &dyn Fn(&[u8]) -> bool,
    ) -> Result<bool, StoreError> {
        let change = self.change()?;
        let mut look = change.prepare_cached("SELECT body FROM bests WHERE key = ?1")?;
        let latest: Option<Vec<u8>> = look.query_row([key], |row| row.get(0)).optional()?;
        drop(look);
        let is_better = latest.is_none_or(|latest| replaces(&latest));
        if is_better {
            change
                .prepare_cached("INSERT OR REPLACE INTO bests (key, body) VALUES (?1, ?2)")?
                .execute(params![key, body])?;
            change.commit()?;
        }
        Ok(is_better)
    }
}

#[cfg(test)]
mod tests {
    use queue::laws::{self, Engine};

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

    impl Engine for EmbeddedEngine {
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
