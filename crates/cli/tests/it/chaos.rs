//! Runs whose workers and coordinators die at failpoints, through the real binary, with a hostile
//! worker among the honest.
//!
//! `scripts/chaos` runs those on all queues with more tasks and kills, which they read from
//! MORPION_CHAOS: tasks, kills of workers, of coordinators, of the queue's server if it has one.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender, TryRecvError};
use std::thread::JoinHandle;
use std::time::Duration;

use queue::{Address, Coordinator as _, Outcome, QueueDepth, QueueOptions, RetryPolicy, Worker};
use serde_json::Value;
use store::{Archive, EmbeddedCoordinator, EmbeddedWorker, GameFilter, ProofFilter};

use crate::common::{Bench, Ran, Random, solver};
use crate::server::Server;
use crate::until::{until, until_within};

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

/// Processes that die at a failpoint each, as often as wanted, and are replaced.
struct Mortals {
    /// Where they die.
    failpoints: &'static [&'static str],
    /// How many of them are to die.
    deaths: usize,
    armed: usize,
    died: usize,
}

impl Mortals {
    fn new(deaths: usize, failpoints: &'static [&'static str]) -> Self {
        Self { failpoints, deaths, armed: 0, died: 0 }
    }

    fn start(&mut self, mut command: Command, random: &mut Random) -> Child {
        if self.armed < self.deaths {
            let name = self.failpoints[self.armed % self.failpoints.len()];
            // The first is certain to get there.
            let count = if self.armed == 0 { 1 } else { 1 + random.below(3) };
            command.env("MORPION_FAILPOINT", format!("{name}:{count}"));
            self.armed += 1;
        }
        begin(command)
    }

    /// Whether a process is dead, which is no error only at its failpoint.
    fn is_dead(&mut self, child: &mut Child) -> bool {
        let Some(status) = child.try_wait().expect("a child") else { return false };
        assert_eq!(status.code(), None, "it ended by itself");
        self.died += 1;
        true
    }
}

/// Kills all who take part, and counts at the end.
fn chaos(queue: &[&str], mut server: Option<Server>) {
    let wanted = std::env::var("MORPION_CHAOS").unwrap_or_else(|_| "40,6,2,2".to_owned());
    let numbers: Vec<usize> =
        wanted.split(',').map(|number| number.parse().expect("four numbers")).collect();
    let [tasks, worker_kills, coordinator_kills, server_kills] = numbers[..] else {
        panic!("{wanted}")
    };
    let mut random = Random(88_172_645_463_325_252);
    let (bench, solver) = (Bench::new(), solver());
    bench.write("plan.toml", plan(tasks));
    let run = ["run", "plan.toml", "--workers", "0", "--lease", "1s", "--json"];
    let coordinator = || bench.command(&[&run, queue].concat());
    let worker = || bench.command(&[&["worker", "--solver", &solver], queue].concat());
    // Before a result is acknowledged, and at any time.
    let mut coordinators = Mortals::new(coordinator_kills, &["stored", "progress"]);
    // With a claim, in the middle of the work, and after the submission.
    let mut crew = Mortals::new(worker_kills, &["started", "working", "finished"]);
    let mut leading = coordinators.start(coordinator(), &mut random);
    until(|| is_begun(&bench));
    let mallory = Mallory::start(&bench, queue);
    until(|| quarantined(&bench) == ["mallory"]);
    let mut workers = [(); 2].map(|()| crew.start(worker(), &mut random));
    let server_kills = if server.is_some() { server_kills } else { 0 };
    let mut killed_servers = 0;
    until_within(Duration::from_secs(1800), || {
        if leading.try_wait().expect("a child").is_some_and(|status| status.success()) {
            return true;
        }
        if coordinators.is_dead(&mut leading) {
            leading = coordinators.start(coordinator(), &mut random);
        }
        for child in &mut workers {
            if crew.is_dead(child) {
                *child = crew.start(worker(), &mut random);
            }
        }
        // Spread over the first half of the run.
        if killed_servers < server_kills
            && done(&bench) as usize >= killed_servers * tasks / (2 * server_kills)
        {
            let server = server.as_mut().expect("there is one to kill");
            server.kill();
            server.restart();
            killed_servers += 1;
        }
        false
    });
    if cfg!(debug_assertions) {
        assert!(coordinators.died > 0 || coordinator_kills == 0, "no coordinator died");
        assert!(crew.died > 0 || worker_kills == 0, "no worker died");
    }
    assert!(killed_servers > 0 || server_kills == 0, "no server died");
    let ran = Ran::of(leading.wait_with_output().expect("it ends")).succeeds();
    let end = ran.json();
    assert_eq!((&end["done"], &end["failed"]), (&tasks.into(), &0.into()), "{end}");
    workers.iter_mut().for_each(kill);
    mallory.stop();
    assert_eq!(quarantined(&bench), ["mallory"], "and no honest worker");
    each_once(&bench, tasks);
    // Once more: nothing is left to do, and nothing changes.
    let again = ["run", "plan.toml", "--workers", "1", "--solver", &solver];
    bench.run(&[&again, queue].concat()).succeeds();
    each_once(&bench, tasks);
    bench.run(&["store", "check"]).succeeds();
}

/// A hostile worker, which submits junk until it is excluded, and after that tries again.
struct Mallory {
    stop: Sender<Infallible>,
    thread: JoinHandle<()>,
}

impl Mallory {
    fn start(bench: &Bench, queue: &[&str]) -> Self {
        // Dropping the sender stops it.
        let (stop, stopped) = mpsc::channel::<Infallible>();
        let folder = bench.path("archive");
        let address = queue.get(1).map(|address| (*address).to_owned());
        let thread = std::thread::spawn(move || {
            while stopped.recv_timeout(Duration::from_millis(100)) == Err(RecvTimeoutError::Timeout)
            {
                let Some(worker) = hostile_worker(&folder, address.as_deref()) else { continue };
                while stopped.try_recv() == Err(TryRecvError::Empty) {
                    let Ok(claims) = worker.claim(1, Duration::from_millis(200)) else { break };
                    let junk = |claim| (claim, Outcome::Done(b"junk".to_vec()));
                    // It does not care whether anybody listens.
                    let _ = worker.submit(claims.into_iter().map(junk).collect());
                }
            }
        });
        Self { stop, thread }
    }

    fn stop(self) {
        drop(self.stop);
        self.thread.join().expect("it ends");
    }
}

fn hostile_worker(folder: &Path, address: Option<&str>) -> Option<Box<dyn Worker>> {
    let Some(address) = address else {
        let archive = Archive::open(folder).ok()?;
        return Some(Box::new(EmbeddedWorker::new(archive, "mallory".to_owned())));
    };
    let address: Address = address.parse().expect("an address");
    let name = "mallory".parse().expect("a name");
    queue::connect_worker(&address, None, &name, &RetryPolicy::new(Duration::from_secs(5))).ok()
}

/// The workers that the only run has quarantined.
fn quarantined(bench: &Bench) -> Vec<String> {
    let archive = Archive::open(&bench.path("archive")).expect("an archive");
    let run = &archive.runs().expect("runs")[0].id;
    archive.quarantined(run).expect("names")
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
    let hunt = ["5D", "--method", "temper", "--playouts", "1500000", "--seed", "4"];
    let whole = ["--threads", "1", "--out", "whole.json"];
    bench.run(&[&["search"], &hunt[..], &whole].concat()).succeeds();
    let hunt = "game = \"5D\"\nmethod = \"temper\"\nplayouts = 1500000\nseed = 4\n";
    bench.write("plan.toml", format!("losses = 1000\n[[hunt]]\n{hunt}"));
    let run = ["run", "plan.toml", "--workers", "0", "--lease", "300ms", "--json"];
    let mut leading = begin(bench.command(&run));
    let (mut round, mut kills) = (0, 0);
    until(|| {
        round += 1;
        let mut command = bench.command(&["worker", "--save-every", "10ms"]);
        command.env("MORPION_FAILPOINT", format!("working:{round}"));
        let mut worker = begin(command);
        let mut is_over = false;
        until(|| {
            is_over = leading.try_wait().expect("a child").is_some();
            is_over || worker.try_wait().expect("a child").is_some()
        });
        kill(&mut worker);
        kills += usize::from(!is_over && saved_states(&bench) > 0);
        is_over
    });
    assert!(kills > 0 || !cfg!(debug_assertions), "it was killed after it was saved");
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
    until(|| is_begun(&bench) && done(&bench) >= 2);
    let second = bench.run(&run).fails();
    assert!(second.err.contains("another `morpion run`"), "{}", second.err);
    bench.run(&["stop"]).succeeds();
    let first = Ran::of(leading.wait_with_output().expect("it ends")).ends_negative().json();
    assert_eq!(first["ending"], "stopped");
    let some = first["done"].as_u64().expect("a number");
    assert!((2..30).contains(&some), "{some}");
    bench.run(&["stop"]).ends_negative();
    let status = bench.run(&["status", "--json"]).succeeds().json();
    assert_eq!(status["runs"][0]["state"], "stopped");
    assert_eq!(status["running"], Value::Array(vec![]));
    let second = bench.run(&run).succeeds().json();
    assert_eq!((&second["done"], &second["ending"]), (&30.into(), &"over".into()));
    each_once(&bench, 30);
}
