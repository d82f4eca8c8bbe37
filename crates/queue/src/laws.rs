//! The promises of every queue as tests, for each engine to run on itself.
//!
//! An engine implements [`QueueEngine`] in its tests and calls [`law_tests!`](crate::law_tests).

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::{
    Claim, Coordinator, Name, Outcome, QueueDepth, QueueError, QueueOptions, Reply, ReplyError,
    Task, Worker,
};

/// A fresh queue to be tested.
pub trait QueueEngine: Sync {
    /// The coordinator of a plan.
    fn coordinator(&self, plan: &Name, options: &QueueOptions) -> Box<dyn Coordinator>;

    /// A worker of this name.
    fn worker(&self, name: &Name) -> Box<dyn Worker>;

    /// Lets time pass for leases, and gives heartbeats the opportunity to be sent.
    fn pass(&self, time: Duration);

    /// A lease that [`pass`](Self::pass) gets through quickly.
    fn short_lease(&self) -> Duration {
        LEASE
    }

    /// Whether it holds several plans at once.
    fn has_plans(&self) -> bool {
        true
    }

    /// Whether it ends a task by itself that was claimed too often; if not, it sends
    /// [`ReplyError::LeaseExpired`] for the coordinator to count.
    fn counts_claims(&self) -> bool {
        true
    }
}

/// Declares one `#[test]` for each law. The argument makes a fresh engine.
#[macro_export]
macro_rules! law_tests {
    ($engine:expr) => {
        $crate::law_tests! { @each $engine;
            every_task_is_claimed_and_every_reply_arrives,
            a_queued_task_is_not_enqueued_twice,
            a_dropped_claim_is_requeued,
            a_claim_lasts_while_its_worker_is_alive,
            a_task_that_kills_its_workers_is_reported,
            a_released_task_is_claimed_at_once,
            an_unacknowledged_reply_is_delivered_to_the_next_coordinator,
            a_large_reply_arrives_whole_and_an_oversized_one_does_not,
            the_best_value_is_shared_and_never_replaced_by_a_worse_one,
            a_cancelled_task_is_not_claimed_and_replies_stay,
            an_excluded_worker_gets_no_more_tasks_and_others_do,
            a_closed_plan_leaves_nothing_and_others_are_untouched,
        }
    };
    (@each $engine:expr; $($law:ident,)*) => {
        $(
            #[test]
            fn $law() {
                $crate::laws::$law(&$engine);
            }
        )*
    };
}

/// Longer than anything takes on a busy machine.
const LONG: Duration = Duration::from_secs(120);

const LEASE: Duration = Duration::from_secs(20);

/// The largest reply accepted.
const LARGEST: u64 = 8 << 20;

/// Options with a lease.
pub fn options(lease: Duration) -> QueueOptions {
    QueueOptions { lease, deliveries: 3, largest_reply: LARGEST, replicas: 1 }
}

/// The tasks `t0`, `t1`, ...
pub fn tasks(count: usize) -> Vec<Task> {
    let task = |number| Task { id: name(&format!("t{number}")), body: vec![number as u8; 10] };
    (0..count).map(task).collect()
}

fn name(text: &str) -> Name {
    text.parse().expect("a name")
}

fn coordinator(engine: &dyn QueueEngine, lease: Duration) -> Box<dyn Coordinator> {
    engine.coordinator(&name("plan"), &options(lease))
}

fn worker(engine: &dyn QueueEngine, text: &str) -> Box<dyn Worker> {
    engine.worker(&name(text))
}

#[track_caller]
fn until(mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < LONG, "it never happened");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn replies(coordinator: &dyn Coordinator, count: usize) -> Vec<Reply> {
    let (start, mut all) = (Instant::now(), Vec::new());
    while all.len() < count && start.elapsed() < LONG {
        all.extend(
            coordinator.replies(count - all.len(), Duration::from_secs(1)).expect("a queue"),
        );
    }
    assert_eq!(all.len(), count);
    all
}

fn acknowledge(coordinator: &dyn Coordinator, replies: Vec<Reply>) {
    let receipts = replies.into_iter().map(|reply| reply.receipt).collect();
    coordinator.acknowledge(receipts).expect("a queue");
}

fn claim(worker: &dyn Worker) -> Claim {
    worker.claim(1, LONG).expect("a queue").pop().expect("a task")
}

fn submit(worker: &dyn Worker, claim: Claim, outcome: Outcome) {
    worker.submit(vec![(claim, outcome)]).expect("a queue");
}

fn done(text: &str) -> Outcome {
    Outcome::Done(text.into())
}

/// Each of 50 tasks is claimed once, and its outcome arrives as it was submitted.
pub fn every_task_is_claimed_and_every_reply_arrives(engine: &dyn QueueEngine) {
    let coordinator = coordinator(engine, LEASE);
    assert_eq!(coordinator.enqueue(&tasks(50)).expect("a queue"), 50);
    let workers = [worker(engine, "w0"), worker(engine, "w1")];
    let mut claimed = BTreeSet::new();
    for number in 0..50 {
        let worker = &*workers[number % 2];
        let claim = claim(worker);
        assert!(claim.attempt.is_none_or(|attempt| attempt == 1));
        assert_eq!(claim.attempt.is_some(), engine.counts_claims());
        assert!(!engine.has_plans() || claim.plan.as_str() == "plan");
        let body = claim.task.body.clone();
        assert!(claimed.insert(claim.task.id.to_string()), "claimed twice");
        let outcome =
            if number == 7 { Outcome::Failed("no reason".into()) } else { Outcome::Done(body) };
        submit(worker, claim, outcome);
    }
    let all = replies(&*coordinator, 50);
    let failed = |reply: &&Reply| reply.outcome == Ok(Outcome::Failed("no reason".into()));
    assert_eq!(all.iter().filter(failed).count(), 1);
    for reply in &all {
        assert!(["w0", "w1"].contains(&reply.worker.as_str()));
        let number: u8 = reply.task[1..].parse().expect("t and a number");
        if let Ok(Outcome::Done(body)) = &reply.outcome {
            assert_eq!(*body, vec![number; 10]);
        }
    }
    acknowledge(&*coordinator, all);
    until(|| coordinator.depth().expect("a queue") == QueueDepth::default());
}

/// A task that waits or is claimed stays as it is when it is enqueued again.
pub fn a_queued_task_is_not_enqueued_twice(engine: &dyn QueueEngine) {
    let coordinator = coordinator(engine, LEASE);
    assert_eq!(coordinator.enqueue(&tasks(5)).expect("a queue"), 5);
    let worker = worker(engine, "w");
    let claimed = claim(&*worker);
    assert_eq!(coordinator.enqueue(&tasks(6)).expect("a queue"), 1, "one is new");
    let depth = coordinator.depth().expect("a queue");
    assert_eq!(depth, QueueDepth { waiting: 5, claimed: 1, replies: 0 });
    assert_eq!(depth.total(), 6);
    submit(&*worker, claimed, done("x"));
    acknowledge(&*coordinator, replies(&*coordinator, 1));
    until(|| coordinator.enqueue(&tasks(6)).expect("a queue") == 1);
}

/// A claim whose worker died is given to another worker.
pub fn a_dropped_claim_is_requeued(engine: &dyn QueueEngine) {
    let lease = engine.short_lease();
    let coordinator = coordinator(engine, lease);
    coordinator.enqueue(&tasks(1)).expect("a queue");
    drop(claim(&*worker(engine, "lost")));
    let worker = worker(engine, "w");
    let mut claims = Vec::new();
    until(|| {
        engine.pass(lease / 2);
        check_expired(engine, &*coordinator, "lost");
        claims = worker.claim(1, Duration::from_millis(50)).expect("a queue");
        !claims.is_empty()
    });
    assert!(claims[0].attempt.is_none_or(|attempt| attempt == 2));
    assert_eq!(claims[0].task.id.as_str(), "t0");
}

/// Receives replies, which must all say that the lease of this worker has expired.
fn check_expired(engine: &dyn QueueEngine, coordinator: &dyn Coordinator, worker: &str) -> usize {
    let replies = coordinator.replies(9, Duration::ZERO).expect("a queue");
    for reply in &replies {
        assert_eq!(reply.outcome, Err(ReplyError::LeaseExpired));
        assert_eq!((reply.worker.as_str(), reply.task.as_str()), (worker, "t0"));
        assert!(!engine.counts_claims());
    }
    let count = replies.len();
    acknowledge(coordinator, replies);
    count
}

/// The engine's heartbeats keep a claim for several leases.
pub fn a_claim_lasts_while_its_worker_is_alive(engine: &dyn QueueEngine) {
    let lease = engine.short_lease();
    let coordinator = coordinator(engine, lease);
    coordinator.enqueue(&tasks(1)).expect("a queue");
    let (slow, eager) = (worker(engine, "slow"), worker(engine, "eager"));
    let claimed = claim(&*slow);
    for _ in 0..12 {
        slow.report_progress(&claimed, "half way").expect("a queue");
        engine.pass(lease / 4);
        assert!(coordinator.replies(1, Duration::ZERO).expect("a queue").is_empty());
        let claims = eager.claim(1, Duration::ZERO).expect("a queue");
        assert!(claims.is_empty(), "taken from a living worker");
        assert!(!claimed.is_lost());
    }
    submit(&*slow, claimed, done("at last"));
    assert_eq!(replies(&*coordinator, 1)[0].outcome, Ok(done("at last")));
}

/// A task whose workers all die fails, or each death is reported.
pub fn a_task_that_kills_its_workers_is_reported(engine: &dyn QueueEngine) {
    let lease = engine.short_lease();
    let coordinator = coordinator(engine, lease);
    coordinator.enqueue(&tasks(1)).expect("a queue");
    let worker = worker(engine, "w");
    if !engine.counts_claims() {
        let mut expired = 0;
        until(|| {
            drop(worker.claim(1, Duration::ZERO).expect("a queue"));
            engine.pass(2 * lease);
            expired += check_expired(engine, &*coordinator, "w");
            expired >= 3
        });
        return;
    }
    let mut found = Vec::new();
    until(|| {
        drop(worker.claim(1, Duration::from_millis(50)).expect("a queue"));
        engine.pass(lease / 2);
        found = coordinator.replies(1, Duration::ZERO).expect("a queue");
        !found.is_empty()
    });
    let reason = "claimed 3 times without a reply";
    assert_eq!(found[0].outcome, Ok(Outcome::Failed(reason.into())));
    assert_eq!(found[0].task, "t0");
}

/// Nobody waits for the lease of a task that was given back.
pub fn a_released_task_is_claimed_at_once(engine: &dyn QueueEngine) {
    let coordinator = coordinator(engine, Duration::from_secs(600));
    coordinator.enqueue(&tasks(1)).expect("a queue");
    let worker = worker(engine, "w");
    worker.release(claim(&*worker)).expect("a queue");
    assert!(claim(&*worker).attempt.is_none_or(|attempt| attempt == 2));
}

/// A coordinator may die with replies in its hands.
pub fn an_unacknowledged_reply_is_delivered_to_the_next_coordinator(engine: &dyn QueueEngine) {
    let first = coordinator(engine, LEASE);
    first.enqueue(&tasks(2)).expect("a queue");
    let worker = worker(engine, "w");
    for _ in 0..2 {
        submit(&*worker, claim(&*worker), done("x"));
    }
    let mut both = replies(&*first, 2);
    acknowledge(&*first, vec![both.pop().expect("two")]);
    let task = both[0].task.clone();
    drop((first, both));
    let second = coordinator(engine, LEASE);
    let again = replies(&*second, 1);
    assert_eq!(again[0].task, task);
    acknowledge(&*second, again);
    assert!(second.replies(1, Duration::from_millis(500)).expect("a queue").is_empty());
}

/// The size of replies is limited by the options, not by the engine's messages.
pub fn a_large_reply_arrives_whole_and_an_oversized_one_does_not(engine: &dyn QueueEngine) {
    let coordinator = coordinator(engine, LEASE);
    coordinator.enqueue(&tasks(2)).expect("a queue");
    let worker = worker(engine, "w");
    let large: Vec<u8> = (0..5_000_000_u32).map(|number| (number % 251) as u8).collect();
    submit(&*worker, claim(&*worker), Outcome::Done(large.clone()));
    let all = replies(&*coordinator, 1);
    assert!(all[0].outcome == Ok(Outcome::Done(large)), "not what was submitted");
    acknowledge(&*coordinator, all);

    submit(&*worker, claim(&*worker), Outcome::Done(vec![1; 100_000_000]));
    let all = replies(&*coordinator, 1);
    let refused = ReplyError::TooLarge { size: 100_000_000, limit: LARGEST };
    assert_eq!(all[0].outcome, Err(refused));
    assert_eq!(all[0].worker, "w");
    acknowledge(&*coordinator, all);
    until(|| coordinator.depth().expect("a queue").replies == 0);
}

/// A worker whose results were refused is shut out by its name.
pub fn an_excluded_worker_gets_no_more_tasks_and_others_do(engine: &dyn QueueEngine) {
    let coordinator = coordinator(engine, LEASE);
    coordinator.enqueue(&tasks(3)).expect("a queue");
    let mallory = worker(engine, "mallory");
    let mut claims = mallory.claim(1, LONG).expect("a queue");
    coordinator.exclude("mallory").expect("a queue");
    coordinator.exclude("mallory").expect("again, which changes nothing");
    // What it has it may submit.
    let junk = claims.pop().map(|claim| (claim, Outcome::Done(b"junk".to_vec())));
    mallory.submit(junk.into_iter().collect()).expect("a queue");
    // A worker of the same name that starts again is the same.
    let again = worker(engine, "mallory");
    let refused = again.claim(3, Duration::ZERO);
    assert!(matches!(refused, Err(QueueError::Excluded { .. })), "{refused:?}");
    let honest = worker(engine, "honest").claim(3, LONG).expect("a queue");
    assert_eq!(honest.len(), 2);
    let [reply] = &replies(&*coordinator, 1)[..] else { panic!("one reply") };
    assert_eq!(reply.worker, "mallory");
}

/// Four workers publish at once; the best of all remains.
pub fn the_best_value_is_shared_and_never_replaced_by_a_worse_one(engine: &dyn QueueEngine) {
    let coordinator = coordinator(engine, LEASE);
    let key = name("5T");
    assert_eq!(coordinator.shared_best().latest(&key).expect("a queue"), None);
    let published = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for number in 0..4_u8 {
            let (key, published) = (&key, &published);
            scope.spawn(move || {
                let worker = worker(engine, &format!("w{number}"));
                let best = worker.shared_best(&name("plan")).expect("a queue");
                for score in 0..10 {
                    let mine = [score * 4 + number];
                    let is_better = |latest: &[u8]| latest < &mine[..];
                    let is_published = best.publish(key, &mine, &is_better).expect("a queue");
                    published.fetch_add(u64::from(is_published), Ordering::Relaxed);
                    let latest = best.latest(key).expect("a queue").expect("something");
                    assert!(latest[..] >= mine[..]);
                }
            });
        }
    });
    assert_eq!(coordinator.shared_best().latest(&key).expect("a queue"), Some(vec![39]));
    assert!(published.into_inner() >= 10);
}

/// Cancelling removes tasks, waiting or claimed, and no reply. What is submitted for a cancelled
/// task may be delivered or not.
pub fn a_cancelled_task_is_not_claimed_and_replies_stay(engine: &dyn QueueEngine) {
    let coordinator = coordinator(engine, LEASE);
    coordinator.enqueue(&tasks(4)).expect("a queue");
    let worker = worker(engine, "w");
    let (first, second) = (claim(&*worker), claim(&*worker));
    // Whichever waits: engines need not keep the order.
    let claimed = [&first, &second].map(|claim| claim.task.id.clone());
    let waiting = tasks(4).into_iter().find(|task| !claimed.contains(&task.id));
    coordinator.cancel(&waiting.expect("two wait").id).expect("a queue");
    assert_eq!(coordinator.enqueue(&tasks(4)).expect("a queue"), 1, "it was cancelled");
    submit(&*worker, first, done("in time"));
    coordinator.cancel_all().expect("a queue");
    submit(&*worker, second, done("too late"));
    assert!(worker.claim(1, Duration::from_millis(300)).expect("a queue").is_empty());
    let mut outcomes = Vec::new();
    until(|| {
        let new = coordinator.replies(9, Duration::from_millis(300)).expect("a queue");
        outcomes.extend(new.iter().map(|reply| reply.outcome.clone()));
        let is_over = new.is_empty() && !outcomes.is_empty();
        acknowledge(&*coordinator, new);
        is_over
    });
    assert!(outcomes.contains(&Ok(done("in time"))), "{outcomes:?}");
    outcomes.retain(|outcome| *outcome != Ok(done("in time")));
    assert!(outcomes.is_empty() || outcomes == [Ok(done("too late"))], "{outcomes:?}");
    until(|| coordinator.depth().expect("a queue").total() == 0);
}

/// Closing a plan removes its tasks and no others.
pub fn a_closed_plan_leaves_nothing_and_others_are_untouched(engine: &dyn QueueEngine) {
    let open = |plan| engine.coordinator(&name(plan), &options(LEASE));
    let task = |id: &str, body: &str| [Task { id: name(id), body: body.into() }];
    let one = open("one");
    one.enqueue(&task("t", "one")).expect("a queue");
    let worker = worker(engine, "w");
    if !engine.has_plans() {
        one.close().expect("a queue");
        one.close().expect("again is no error");
        assert!(worker.claim(1, Duration::ZERO).expect("a queue").is_empty());
        assert_eq!(one.depth().expect("a queue"), QueueDepth::default());
        return;
    }
    let other = open("other");
    other.enqueue(&task("t", "other")).expect("a queue");
    let mut claims = [claim(&*worker), claim(&*worker)].map(|claim| claim.task.body);
    claims.sort();
    assert_eq!(claims, [b"one".to_vec(), b"other".to_vec()], "both plans have their turn");
    one.close().expect("a queue");
    one.close().expect("again is no error");
    other.enqueue(&task("u", "u")).expect("a queue");
    assert_eq!(claim(&*worker).task.body, b"u");
}

/// The spool with a clock that is advanced, for tests.
#[derive(Debug)]
pub struct SpoolEngine {
    folder: tempfile::TempDir,
    clock: crate::engine::Clock,
}

impl SpoolEngine {
    /// An empty spool.
    #[expect(clippy::new_without_default, reason = "it makes a folder")]
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder"), clock: Default::default() }
    }
}

impl QueueEngine for SpoolEngine {
    fn coordinator(&self, plan: &Name, options: &QueueOptions) -> Box<dyn Coordinator> {
        let (folder, clock) = (self.folder.path(), self.clock.clone());
        let opened = crate::spool::SpoolCoordinator::open(folder, plan, options, clock);
        Box::new(opened.expect("a spool"))
    }

    fn worker(&self, name: &Name) -> Box<dyn Worker> {
        let opened = crate::spool::SpoolWorker::open(self.folder.path(), name, self.clock.clone());
        Box::new(opened.expect("a spool"))
    }

    fn pass(&self, time: Duration) {
        self.clock.advance(time);
        // A few turns of the thread that sends heartbeats.
        std::thread::sleep(Duration::from_millis(350));
    }
}
