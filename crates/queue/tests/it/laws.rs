//! What every queue holds to, on every engine there is.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use queue::{Address, Answer, Coordinator, Counts, Outcome, Task, Unreadable, Worker};

use crate::common::{LONG, Server, address, coordinator, name, tasks, terms, until, worker};

const LEASE: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(700);

fn on_every_engine(law: impl Fn(&Address)) {
    let server = Server::start();
    law(&address(&server));
    let folder = tempfile::tempdir().expect("a folder");
    law(&Address::Spool(folder.path().into()));
}

fn answers(coordinator: &dyn Coordinator, count: usize) -> Vec<Answer> {
    let (start, mut all) = (Instant::now(), Vec::new());
    while all.len() < count && start.elapsed() < LONG {
        all.extend(
            coordinator.answers(count - all.len(), Duration::from_secs(1)).expect("a queue"),
        );
    }
    assert_eq!(all.len(), count);
    all
}

fn settle(coordinator: &dyn Coordinator, answers: Vec<Answer>) {
    let receipts = answers.into_iter().map(|answer| answer.receipt).collect();
    coordinator.settle(receipts).expect("a queue");
}

fn claim(worker: &dyn Worker) -> queue::Claim {
    worker.claim(1, LONG).expect("a queue").pop().expect("a task")
}

fn done(text: &str) -> Outcome {
    Outcome::Done(text.into())
}

#[test]
fn every_task_is_handed_out_and_every_answer_comes_back() {
    on_every_engine(|address| {
        let coordinator = coordinator(address, &terms(LEASE));
        assert_eq!(coordinator.put(&tasks(50)).expect("a queue"), 50);
        let workers = [worker(address, "w0"), worker(address, "w1")];
        let mut claimed = BTreeSet::new();
        for number in 0..50 {
            let claim = claim(&*workers[number % 2]);
            assert_eq!((claim.attempt, claim.plan.as_str()), (1, "plan"));
            let body = claim.task.body.clone();
            assert!(claimed.insert(claim.task.id.to_string()), "handed out twice");
            let outcome =
                if number == 7 { Outcome::Failed("no reason".into()) } else { Outcome::Done(body) };
            workers[number % 2].hand_in(vec![(claim, outcome)]).expect("a queue");
        }
        let all = answers(&*coordinator, 50);
        let failed = |answer: &&Answer| answer.outcome == Ok(Outcome::Failed("no reason".into()));
        assert_eq!(all.iter().filter(failed).count(), 1);
        for answer in &all {
            assert!(["w0", "w1"].contains(&answer.worker.as_str()));
            let number: u8 = answer.task[1..].parse().expect("t and a number");
            if let Ok(Outcome::Done(body)) = &answer.outcome {
                assert_eq!(*body, vec![number; 10]);
            }
        }
        settle(&*coordinator, all);
        until(|| coordinator.counts().expect("a queue") == Counts::default());
    });
}

#[test]
fn a_task_that_is_there_is_not_put_twice() {
    on_every_engine(|address| {
        let coordinator = coordinator(address, &terms(LEASE));
        assert_eq!(coordinator.put(&tasks(5)).expect("a queue"), 5);
        let worker = worker(address, "w");
        let held = claim(&*worker);
        assert_eq!(coordinator.put(&tasks(6)).expect("a queue"), 1, "one waits not yet");
        let counts = coordinator.counts().expect("a queue");
        assert_eq!(counts, Counts { waiting: 5, claimed: 1, answers: 0 });
        worker.hand_in(vec![(held, done("x"))]).expect("a queue");
        until(|| coordinator.put(&tasks(6)).expect("a queue") == 1);
    });
}

#[test]
fn a_claim_that_is_dropped_comes_to_another_worker() {
    on_every_engine(|address| {
        let coordinator = coordinator(address, &terms(SHORT));
        coordinator.put(&tasks(1)).expect("a queue");
        drop(claim(&*worker(address, "lost")));
        let worker = worker(address, "w");
        let again = claim_while_coordinated(&*coordinator, &*worker);
        assert_eq!((again.attempt, again.task.id.as_str()), (2, "t0"));
    });
}

/// A claim of something that only comes back if the coordinator looks, as it does all the time.
fn claim_while_coordinated(coordinator: &dyn Coordinator, worker: &dyn Worker) -> queue::Claim {
    let mut claims = Vec::new();
    until(|| {
        assert!(coordinator.answers(1, Duration::ZERO).expect("a queue").is_empty());
        claims = worker.claim(1, Duration::from_millis(50)).expect("a queue");
        !claims.is_empty()
    });
    claims.remove(0)
}

#[test]
fn a_claim_lasts_as_long_as_its_worker_is_alive() {
    on_every_engine(|address| {
        let coordinator = coordinator(address, &terms(SHORT));
        coordinator.put(&tasks(1)).expect("a queue");
        let (slow, eager) = (worker(address, "slow"), worker(address, "eager"));
        let held = claim(&*slow);
        let end = Instant::now() + 4 * SHORT;
        while Instant::now() < end {
            assert!(coordinator.answers(1, Duration::ZERO).expect("a queue").is_empty());
            let claims = eager.claim(1, Duration::from_millis(50)).expect("a queue");
            assert!(claims.is_empty(), "taken from the hands of a living worker");
        }
        slow.hand_in(vec![(held, done("at last"))]).expect("a queue");
        let all = answers(&*coordinator, 1);
        assert_eq!(all[0].outcome, Ok(done("at last")));
    });
}

#[test]
fn what_kills_its_workers_fails_in_the_end() {
    on_every_engine(|address| {
        let coordinator = coordinator(address, &terms(SHORT));
        coordinator.put(&tasks(1)).expect("a queue");
        let worker = worker(address, "w");
        let mut found = Vec::new();
        until(|| {
            drop(worker.claim(1, Duration::from_millis(50)).expect("a queue"));
            found = coordinator.answers(1, Duration::ZERO).expect("a queue");
            !found.is_empty()
        });
        let reason = "handed out 3 times and never answered";
        assert_eq!(found[0].outcome, Ok(Outcome::Failed(reason.into())));
        assert_eq!(found[0].task, "t0");
    });
}

#[test]
fn what_is_given_back_is_handed_out_at_once() {
    on_every_engine(|address| {
        let coordinator = coordinator(address, &terms(Duration::from_secs(600)));
        coordinator.put(&tasks(1)).expect("a queue");
        let worker = worker(address, "w");
        worker.give_back(claim(&*worker)).expect("a queue");
        assert_eq!(claim(&*worker).attempt, 2);
    });
}

#[test]
fn an_answer_that_was_not_settled_comes_to_the_next_coordinator() {
    on_every_engine(|address| {
        let first = coordinator(address, &terms(LEASE));
        first.put(&tasks(2)).expect("a queue");
        let worker = worker(address, "w");
        for _ in 0..2 {
            worker.hand_in(vec![(claim(&*worker), done("x"))]).expect("a queue");
        }
        let mut both = answers(&*first, 2);
        settle(&*first, vec![both.pop().expect("two")]);
        let task = both[0].task.clone();
        drop((first, both));
        let second = coordinator(address, &terms(LEASE));
        assert_eq!(answers(&*second, 1)[0].task, task);
        assert!(second.answers(1, SHORT).expect("a queue").is_empty());
    });
}

#[test]
fn a_large_answer_comes_whole_and_one_of_100_megabytes_not_at_all() {
    on_every_engine(|address| {
        let coordinator = coordinator(address, &terms(LEASE));
        coordinator.put(&tasks(2)).expect("a queue");
        let worker = worker(address, "w");
        let large: Vec<u8> = (0..5_000_000_u32).map(|number| (number % 251) as u8).collect();
        worker.hand_in(vec![(claim(&*worker), Outcome::Done(large.clone()))]).expect("a queue");
        let all = answers(&*coordinator, 1);
        assert!(all[0].outcome == Ok(Outcome::Done(large)), "not what was handed in");
        settle(&*coordinator, all);

        let huge = Outcome::Done(vec![1; 100_000_000]);
        worker.hand_in(vec![(claim(&*worker), huge)]).expect("a queue");
        let all = answers(&*coordinator, 1);
        let refused = Unreadable::TooLarge { size: 100_000_000, limit: 8 << 20 };
        assert_eq!(all[0].outcome, Err(refused));
        assert_eq!((all[0].worker.as_str(), all[0].task.as_str()).0, "w");
        settle(&*coordinator, all);
        until(|| coordinator.counts().expect("a queue").answers == 0);
    });
}

#[test]
fn the_best_told_is_heard_by_all_and_never_replaced_by_a_worse_one() {
    on_every_engine(|address| {
        let coordinator = coordinator(address, &terms(LEASE));
        let key = name("5T");
        assert_eq!(coordinator.bests().hear(&key).expect("a queue"), None);
        let told = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for number in 0..4_u8 {
                let (key, told) = (&key, &told);
                scope.spawn(move || {
                    let worker = worker(address, &format!("w{number}"));
                    let bests = worker.bests(&name("plan")).expect("a queue");
                    for score in 0..10 {
                        let mine = [score * 4 + number];
                        let better = |there: &[u8]| there < &mine[..];
                        let was = bests.tell(key, &mine, &better).expect("a queue");
                        told.fetch_add(u64::from(was), Ordering::Relaxed);
                        let heard = bests.hear(key).expect("a queue").expect("something");
                        assert!(heard[..] >= mine[..]);
                    }
                });
            }
        });
        assert_eq!(coordinator.bests().hear(&key).expect("a queue"), Some(vec![39]));
        assert!(told.into_inner() >= 10);
    });
}

#[test]
fn what_is_withdrawn_is_handed_out_no_more_and_answers_stay() {
    on_every_engine(|address| {
        let coordinator = coordinator(address, &terms(LEASE));
        coordinator.put(&tasks(4)).expect("a queue");
        let worker = worker(address, "w");
        let (first, second) = (claim(&*worker), claim(&*worker));
        coordinator.withdraw(&name("t3")).expect("a queue");
        assert_eq!(coordinator.put(&tasks(4)).expect("a queue"), 1, "it was there no more");
        worker.hand_in(vec![(first, done("in time"))]).expect("a queue");
        coordinator.withdraw_all().expect("a queue");
        worker.hand_in(vec![(second, done("too late"))]).expect("a queue");
        assert!(worker.claim(1, Duration::from_millis(300)).expect("a queue").is_empty());
        let mut outcomes: Vec<_> =
            answers(&*coordinator, 2).into_iter().map(|answer| answer.outcome).collect();
        outcomes.sort_by_key(|outcome| format!("{outcome:?}"));
        let mut expected = [Ok(done("in time")), Ok(done("too late"))];
        expected.sort_by_key(|outcome| format!("{outcome:?}"));
        assert_eq!(outcomes, expected);
        until(|| {
            let counts = coordinator.counts().expect("a queue");
            counts.waiting + counts.claimed == 0
        });
    });
}

#[test]
fn a_closed_plan_leaves_nothing_and_others_are_untouched() {
    on_every_engine(|address| {
        let patience = queue::Patience::of(LONG);
        let terms = terms(LEASE);
        let open = |plan| queue::coordinate(address, None, &name(plan), &terms, &patience);
        let (one, other) = (open("one").expect("a queue"), open("other").expect("a queue"));
        let task = |body: &str| vec![Task { id: name("t"), body: body.into() }];
        one.put(&task("one")).expect("a queue");
        other.put(&task("other")).expect("a queue");
        let worker = worker(address, "w");
        let mut claims = [claim(&*worker), claim(&*worker)].map(|claim| claim.task.body);
        claims.sort();
        assert_eq!(claims, [b"one".to_vec(), b"other".to_vec()], "both plans have their turn");
        one.close().expect("a queue");
        one.close().expect("again is no mistake");
        other.put(&[Task { id: name("u"), body: b"u".to_vec() }]).expect("a queue");
        assert_eq!(claim(&*worker).task.body, b"u");
    });
}
