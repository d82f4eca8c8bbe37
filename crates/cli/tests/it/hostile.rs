//! A dishonest worker on a real coordinator.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use lab::jobs::{Job, JobResult, Work};
use queue::{Address, Claim, Outcome, RetryPolicy, Worker};
use serde_json::Value;
use store::{Archive, EmbeddedWorker};

use crate::common::{Bench, Ran, solver};
use crate::server::Server;
use crate::until::until;

const PLAN: &str = r#"
[[hunt]]
game = "5T"
method = "random"
playouts = 20
repetitions = 4

[[proof]]
game = "5T"
boards = ["square:8", "square:9"]
"#;

/// A coordinator without workers, whose archive is there.
fn begin(bench: &Bench, queue: &[&str]) -> (Child, Archive) {
    bench.write("plan.toml", PLAN);
    let run = ["run", "plan.toml", "--workers", "0", "--json"];
    let run = [&run, queue].concat();
    let leading = bench.command(&run).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let leading = leading.expect("the program runs");
    (leading, opened(&bench.path("archive")))
}

/// The archive in a folder, once it exists.
fn opened(folder: &Path) -> Archive {
    let mut archive = None;
    until(|| {
        archive = Archive::open(folder).ok();
        archive.is_some()
    });
    archive.expect("an archive")
}

fn claim(liar: &dyn Worker) -> Claim {
    let claims = liar.claim(1, Duration::from_secs(120)).expect("a queue");
    claims.into_iter().next().expect("a task")
}

/// The worker and the reason of a task's failure, once the coordinator has recorded it.
fn recorded(archive: &Archive, task: &str) -> (String, String) {
    let mut found = None;
    until(|| {
        found = archive.failures(Some(task), 1).expect("events").pop();
        found.is_some()
    });
    let event = found.expect("a failure");
    assert_eq!(event.failure.name(), "refused");
    (event.worker, event.reason)
}

#[test]
fn what_a_liar_submits_is_refused_under_its_name_and_the_task_is_done_again() {
    lies(&[], |bench| {
        let archive = Archive::open(&bench.path("archive")).expect("an archive");
        Box::new(EmbeddedWorker::new(archive, "mallory".to_owned()))
    });
}

#[test]
fn the_same_on_nats() {
    let server = Server::start();
    lies(&["--queue", &server.url()], |_| remote(&server.url()));
}

#[test]
fn the_same_in_a_shared_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let spool = format!("spool:{}", folder.path().display());
    lies(&["--queue", &spool], |_| remote(&spool));
}

fn remote(address: &str) -> Box<dyn Worker> {
    let address: Address = address.parse().expect("an address");
    let name = "mallory".parse().expect("a name");
    let retry = RetryPolicy::new(Duration::from_secs(60));
    queue::connect_worker(&address, None, &name, &retry).expect("a queue")
}

/// A liar on a coordinator's queue.
fn lies(queue: &[&str], liar: impl FnOnce(&Bench) -> Box<dyn Worker>) {
    let bench = Bench::new();
    let (leading, archive) = begin(&bench, queue);
    let liar = liar(&bench);
    let mut claims: Vec<Claim> = (0..6).map(|_| claim(&*liar)).collect();
    let job = |claim: &Claim| {
        let body = std::str::from_utf8(&claim.task.body).expect("text");
        Job::parse(body).expect("a job")
    };
    let tasks: Vec<Job> = claims.iter().map(job).collect();
    let game = |task: &Job, game: &str| {
        let mut result = JobResult::new(task, 0.1);
        result.game = Some(game.to_owned());
        result.to_bytes()
    };
    let head = r#"{"format":"morpion-game/1","rules":"5T","start":"cross","moves":"#;
    let illegal = format!(r#"{head}[{{"new":[4,3],"line":[[3,3],"E"]}}]}}"#);
    let legal = format!(r#"{head}[{{"new":[7,0],"line":[[3,0],"E"]}}]}}"#);
    let (boards, hunts): (Vec<&Job>, Vec<&Job>) =
        tasks.iter().partition(|task| matches!(task.work(), Work::Board(_)));
    assert_eq!((boards.len(), hunts.len()), (2, 4));
    let whole = game(hunts[1], &legal);
    let lies = [
        (hunts[0], game(hunts[0], &illegal), "refuses"),
        (hunts[1], whole[..whole.len() / 2].to_vec(), "not a result"),
        (hunts[2], vec![b'x'; 100 << 20], "104857600 bytes"),
        (hunts[3], whole.clone(), "another task"),
        (boards[0], certificate(boards[0], boards[0], true), "refuses"),
        // A certificate that holds, but of a smaller board.
        (boards[1], certificate(boards[1], boards[0], false), "proves something else"),
    ];
    for (task, bytes, reason) in lies {
        let place = claims.iter().position(|claim| claim.task.id == *task.id());
        let place = place.expect("claimed");
        let claim = claims.swap_remove(place);
        liar.submit(vec![(claim, Outcome::Done(bytes))]).expect("submitted");
        let (worker, recorded) = recorded(&archive, task.id().as_str());
        assert_eq!(worker, "mallory");
        assert!(recorded.contains(reason), "{recorded}: {reason}");
    }
    let list = bench.run(&["store", "list", "--json"]).succeeds().json();
    assert_eq!(list, Value::Array(vec![]), "nothing of it counts");
    // All tasks wait again, and an honest worker does them.
    let solver = solver();
    let honest = [&["worker", "--solver", &solver], queue].concat();
    let mut honest = bench.command(&honest).stderr(Stdio::null()).spawn().expect("runs");
    let ran = Ran::of(leading.wait_with_output().expect("it ends")).succeeds();
    honest.kill().expect("it can be killed");
    honest.wait().expect("it ends");
    assert_eq!(ran.json()["done"], 6);
    assert_eq!(ran.err.matches("mallory: refused").count(), 6, "{}", ran.err);
    let told = bench.run(&["status", "--task", tasks[0].id().as_str(), "--json"]).succeeds().json();
    // Refusals count against the worker.
    assert_eq!((&told["state"], &told["failures"]), (&"done".into(), &0.into()));
    assert!(ran.err.contains("worker mallory is quarantined"), "{}", ran.err);
    assert_eq!(told["mishaps"][0]["worker"], "mallory");
    bench.run(&["store", "check"]).succeeds();
}

#[test]
fn a_worker_at_which_everything_fails_ends_no_task() {
    fails(&[], |bench| {
        let archive = Archive::open(&bench.path("archive")).expect("an archive");
        Box::new(EmbeddedWorker::new(archive, "mallory".to_owned()))
    });
}

#[test]
fn nor_does_it_on_nats() {
    let server = Server::start();
    fails(&["--queue", &server.url()], |_| remote(&server.url()));
}

#[test]
fn nor_does_it_in_a_shared_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let spool = format!("spool:{}", folder.path().display());
    fails(&["--queue", &spool], |_| remote(&spool));
}

/// A worker that fails at all tasks but one until they are given up, before anybody else begins.
fn fails(queue: &[&str], broken: impl FnOnce(&Bench) -> Box<dyn Worker>) {
    let bench = Bench::new();
    let (leading, archive) = begin(&bench, queue);
    let broken = broken(&bench);
    let fail = |claim: Claim| {
        let outcome = Outcome::Failed("no solver".to_owned());
        broken.submit(vec![(claim, outcome)]).expect("submitted");
    };
    let mut last = vec![claim(&*broken)];
    let given_up = || {
        let runs = archive.runs().expect("runs");
        archive.counts(&runs[0].id).expect("counts").failed
    };
    until(|| {
        for claim in broken.claim(1, Duration::from_millis(100)).expect("a queue") {
            // A queue may hand out a task twice.
            match claim.task.id == last[0].task.id {
                true => last.push(claim),
                false => fail(claim),
            }
        }
        given_up() == 5
    });
    fail(last.swap_remove(0));
    drop(last);
    let solver = solver();
    let honest = [&["worker", "--solver", &solver], queue].concat();
    let mut honest = bench.command(&honest).stderr(Stdio::null()).spawn().expect("runs");
    let ran = Ran::of(leading.wait_with_output().expect("it ends")).succeeds();
    honest.kill().expect("it can be killed");
    honest.wait().expect("it ends");
    assert_eq!((&ran.json()["done"], &ran.json()["failed"]), (&6.into(), &0.into()));
    assert!(ran.err.contains("worker mallory is quarantined"), "{}", ran.err);
}

/// The result of a task: a certificate of a board, which claims what its numbers show, or less.
fn certificate(task: &Job, of: &Job, false_claim: bool) -> Vec<u8> {
    let Work::Board(board) = of.work() else { panic!("a board") };
    let program = board.program().expect("a program");
    // Without duals, every line counts.
    let duals = vec![0; program.constraints.len()];
    let shown = bound::certificate::dual_bound(&program, 1, &duals);
    let bound = if false_claim { shown - 1 } else { shown };
    let problem = (**board).clone();
    let certificate = bound::certificate::Certificate { problem, bound, scale: 1, duals };
    let mut result = JobResult::new(task, 0.1);
    result.certificate = Some(certificate.to_text());
    result.to_bytes()
}
