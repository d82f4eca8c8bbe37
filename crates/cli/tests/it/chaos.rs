//! Runs whose workers and coordinators are killed at random moments, through the real binary.
//!
//! `scripts/chaos` runs those on all queues with more tasks and kills, which they read from MORPION_CHAOS:
//! tasks, kills of workers, kills of coordinators, kills of the queue's server if it has one.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use queue::{Coordinator as _, QueueDepth, QueueOptions};
use serde_json::Value;
use store::{Archive, EmbeddedCoordinator, GameFilter, ProofFilter};

use crate::common::{Bench, Chance, Ran, solver};
use crate::server::Server;

/// A plan of so many tasks: half hunts by the clock, a quarter hunts by playouts, a quarter boards.
fn plan(tasks: usize) -> String {
    let (timed, counted) = (tasks / 2, tasks / 4);
    let boards = tasks - timed - counted;
    // Octagons of different widths and heights.
    let board = |number: usize| {
        format!("\"octagon:{0},2,{1},2,{0},2,{1},2\"", 6 + number % 9, 6 + number / 9)
    };
    let boards: Vec<String> = (0..boards).map(board).collect();
    format!(
        "losses = 1000\n\
         [[hunt]]\ngame = \"5D\"\nmethod = \"random\"\ntime = \"200ms\"\nrepetitions = {timed}\n\
         [[hunt]]\ngame = \"4T\"\nplayouts = 2000\nrepetitions = {counted}\n\
         [[proof]]\ngame = \"5T\"\nboards = [{}]\n",
        boards.join(", ")
    )
}

fn begin(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program runs")
}

fn kill(child: &mut Child) {
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
}

/// How many tasks of the only run are done, if it was begun.
fn done(bench: &Bench) -> u64 {
    let status = bench.run(&["status", "--json"]);
    if status.code != Some(0) {
        return 0;
    }
    status.json()["runs"][0]["done"].as_u64().unwrap_or(0)
}

#[test]
fn whoever_is_killed_every_task_is_done_once() {
    chaos(&[], None);
}

#[test]
fn the_same_on_nats_whose_server_is_killed_too() {
    let server = Server::start();
    let url = server.url();
    chaos(&["--queue", &url], Some(server));
}

#[test]
fn the_same_in_a_shared_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    chaos(&["--queue", &format!("spool:{}", folder.path().display())], None);
}

/// Kills all who take part, at random moments, and counts at the end.
fn chaos(queue: &[&str], mut server: Option<Server>) {
    let wanted = std::env::var("MORPION_CHAOS").unwrap_or_else(|_| "40,6,2,2".to_owned());
    let numbers: Vec<usize> =
        wanted.split(',').map(|number| number.parse().expect("four numbers")).collect();
    let [tasks, worker_kills, coordinator_kills, server_kills] = numbers[..] else {
        panic!("{wanted}")
    };
    let mut chance = Chance(88_172_645_463_325_252);
    let server_kills = if server.is_some() { server_kills } else { 0 };
    let times = [
        (Killed::Worker, worker_kills),
        (Killed::Coordinator, coordinator_kills),
        (Killed::Server, server_kills),
    ];
    // Each of them once, then in any order.
    let mut kills: Vec<Killed> = Vec::new();
    let mut rest: Vec<Killed> = Vec::new();
    for (who, times) in times.into_iter().filter(|(_, times)| *times > 0) {
        kills.push(who);
        rest.extend(std::iter::repeat_n(who, times - 1));
    }
    let first = kills.len();
    while !rest.is_empty() {
        kills.push(rest.swap_remove(chance.below(rest.len())));
    }
    let (bench, solver) = (Bench::new(), solver());
    bench.write("plan.toml", plan(tasks));
    let run = ["run", "plan.toml", "--workers", "0", "--lease", "1s", "--json"];
    let coordinator = || begin(bench.command(&[&run, queue].concat()));
    let worker = || begin(bench.command(&[&["worker", "--solver", &solver], queue].concat()));
    let mut leading = coordinator();
    while !bench.path("archive/archive.sqlite").exists() || done(&bench) == 0 && !is_begun(&bench) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let mut workers = [worker(), worker()];
    // Spread over the run: the next kill comes when its share of the tasks is done.
    let (mut killed, began) = (0, Instant::now());
    while killed < kills.len() {
        assert!(began.elapsed() < Duration::from_secs(1800), "it comes to no end");
        std::thread::sleep(Duration::from_millis(chance.below(150) as u64));
        if leading.try_wait().expect("a child").is_some() {
            assert!(killed >= first, "over after {killed} kills");
            break;
        }
        if (done(&bench) as usize) < killed * tasks / (2 * kills.len()) {
            continue;
        }
        match kills[killed] {
            Killed::Worker => {
                let chosen = chance.below(2);
                kill(&mut workers[chosen]);
                workers[chosen] = worker();
            }
            Killed::Coordinator => {
                kill(&mut leading);
                leading = coordinator();
            }
            Killed::Server => {
                let server = server.as_mut().expect("there is one to kill");
                server.kill();
                std::thread::sleep(Duration::from_millis(chance.below(300) as u64));
                server.restart();
            }
        }
        killed += 1;
    }
    let ran = Ran::of(leading.wait_with_output().expect("it ends")).succeeds();
    let end = ran.json();
    assert_eq!((&end["done"], &end["failed"]), (&tasks.into(), &0.into()), "{end}");
    workers.iter_mut().for_each(kill);
    each_once(&bench, tasks);
    // Once more: nothing is left to do, and nothing changes.
    let again = ["run", "plan.toml", "--workers", "1", "--solver", &solver];
    bench.run(&[&again, queue].concat()).succeeds();
    each_once(&bench, tasks);
    bench.run(&["store", "check"]).succeeds();
}

/// Who is killed.
#[derive(Clone, Copy)]
enum Killed {
    Worker,
    Coordinator,
    Server,
}

fn is_begun(bench: &Bench) -> bool {
    let status = bench.run(&["status", "--json"]);
    status.code == Some(0) && status.json()["runs"][0]["tasks"].as_u64() > Some(0)
}

/// Every task has left exactly one trace in the archive.
fn each_once(bench: &Bench, tasks: usize) {
    let archive = Archive::open(&bench.path("archive")).expect("an archive");
    let mut traces: BTreeMap<String, usize> = BTreeMap::new();
    let mut note = |origin: &str| {
        let task = origin.split(' ').nth(1).expect("`task` and its id").to_owned();
        *traces.entry(task).or_default() += 1;
    };
    for entry in archive.games(&GameFilter::default()).expect("games") {
        let game = archive.game(entry.id.as_str()).expect("a game");
        game.discoveries.iter().for_each(|discovery| note(&discovery.origin));
    }
    for entry in archive.proofs(&ProofFilter::default()).expect("proofs") {
        note(&entry.origin);
    }
    assert_eq!(traces.len(), tasks);
    assert!(traces.values().all(|&traces| traces == 1), "{traces:?}");
    let run = &archive.runs().expect("runs")[0];
    assert_eq!(archive.counts(&run.id).expect("counts").done, tasks);
    let queue = EmbeddedCoordinator::new(archive, &QueueOptions::default());
    assert_eq!(queue.depth().expect("a queue"), QueueDepth::default(), "nothing is left queued");
}

/// How many hunts are saved.
fn saved_states(bench: &Bench) -> usize {
    let entries = std::fs::read_dir(bench.path("archive/states")).into_iter().flatten().flatten();
    entries.filter(|entry| entry.path().extension().is_some_and(|end| end == "state")).count()
}

#[test]
fn a_long_hunt_goes_on_when_its_worker_is_killed() {
    let bench = Bench::new();
    let hunt = ["5D", "--method", "temper", "--playouts", "150000", "--seed", "4"];
    let whole = ["--threads", "1", "--out", "whole.json"];
    bench.run(&[&["search"], &hunt[..], &whole].concat()).succeeds();
    let hunt = "game = \"5D\"\nmethod = \"temper\"\nplayouts = 150000\nseed = 4\n";
    bench.write("plan.toml", format!("losses = 1000\n[[hunt]]\n{hunt}"));
    let run = ["run", "plan.toml", "--workers", "0", "--lease", "300ms", "--json"];
    let mut leading = begin(bench.command(&run));
    let mut chance = Chance(12_345);
    let mut kills = 0;
    for round in 1.. {
        let worker = ["worker", "--save-every", "10ms"];
        let mut worker = begin(bench.command(&worker));
        std::thread::sleep(Duration::from_millis(chance.below(100 * round) as u64));
        let over = leading.try_wait().expect("a child").is_some();
        let saved = saved_states(&bench) > 0;
        kill(&mut worker);
        if over {
            break;
        }
        kills += usize::from(saved);
    }
    assert!(kills > 0, "it was killed after it was saved");
    Ran::of(leading.wait_with_output().expect("it ends")).succeeds();
    let list = bench.run(&["store", "list", "--json"]).succeeds().json();
    let id = list[0]["id"].as_str().expect("an id");
    bench.run(&["store", "get", id, "--out", "found.json"]).succeeds();
    assert_eq!(bench.read("found.json"), bench.read("whole.json"));
    assert_eq!(saved_states(&bench), 0, "a task that is done leaves no state");
}

#[test]
fn a_full_disk_loses_nothing() {
    let bench = Bench::new();
    bench.write(
        "plan.toml",
        "[[hunt]]\ngame = \"5T\"\nmethod = \"random\"\nplayouts = 3\nrepetitions = 60\n",
    );
    // Files may not grow beyond some 120 KiB: as if the disk were full.
    let limited = format!(
        "trap '' XFSZ; ulimit -f 240; exec {} run plan.toml --workers 1 --lease 500ms",
        env!("CARGO_BIN_EXE_morpion")
    );
    let output = bench.in_folder("sh").args(["-c", &limited]).output().expect("a shell");
    let ran = Ran::of(output).fails();
    assert!(ran.err.contains("resumes the run"), "{}", ran.err);
    let before = done(&bench);
    assert!(before < 60, "the limit was too high for this test");
    let ran = bench.run(&["run", "plan.toml", "--workers", "2", "--json"]).succeeds();
    assert_eq!(ran.json()["done"], 60);
    each_once(&bench, 60);
    bench.run(&["store", "check"]).succeeds();
}

#[test]
fn a_run_stops_when_it_is_asked_to_and_goes_on() {
    let bench = Bench::new();
    bench.write(
        "plan.toml",
        "[[hunt]]\ngame = \"5D\"\nmethod = \"random\"\ntime = \"100ms\"\nrepetitions = 30\n",
    );
    bench.run(&["stop"]).fails();
    let run = ["run", "plan.toml", "--workers", "2", "--json"];
    let leading = begin(bench.command(&run));
    while !is_begun(&bench) || done(&bench) < 2 {
        std::thread::sleep(Duration::from_millis(20));
    }
    let second = bench.run(&run).fails();
    assert!(second.err.contains("another `morpion run`"), "{}", second.err);
    bench.run(&["stop"]).succeeds();
    let first = Ran::of(leading.wait_with_output().expect("it ends")).is_negative().json();
    assert_eq!(first["ending"], "stopped");
    let some = first["done"].as_u64().expect("a number");
    assert!((2..30).contains(&some), "{some}");
    bench.run(&["stop"]).is_negative();
    let status = bench.run(&["status", "--json"]).succeeds().json();
    assert_eq!(status["runs"][0]["state"], "stopped");
    assert_eq!(status["running"], Value::Array(vec![]));
    let second = bench.run(&run).succeeds().json();
    assert_eq!((&second["done"], &second["ending"]), (&30.into(), &"over".into()));
    each_once(&bench, 30);
}
