//! The workers that `morpion run` starts: programs of their own, replaced when they die.
//!
//! Each holds the other end of a pipe. When this program ends, in whatever way, the pipe closes and the
//! worker gives its task back and ends, too.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::output::note;
use crate::queue::QueueArgs;
use crate::solver::SolverArgs;

/// Workers are not started faster than this, each in its place.
const PAUSE: Duration = Duration::from_secs(1);

/// How long a worker may take to end when it is asked to.
const FAREWELL: Duration = Duration::from_secs(10);

pub(super) struct Crew {
    command: Command,
    places: Vec<Place>,
    /// Whether it was told that no worker can be started.
    told: bool,
}

/// So many workers in a row that end in trouble are enough.
const MOST_TROUBLE: u32 = 5;

#[derive(Default)]
struct Place {
    worker: Option<Child>,
    started: Option<Instant>,
    /// How many ended in trouble, which they have told, one after the other.
    troubles: u32,
}

impl Crew {
    /// So many workers for an archive, not started yet.
    pub(super) fn new(
        workers: u32,
        archive: &Path,
        queue: &QueueArgs,
        solver: &SolverArgs,
    ) -> Self {
        let program = std::env::current_exe().unwrap_or_else(|_| "morpion".into());
        let mut command = Command::new(program);
        command.args(["worker", "--attached", "--archive"]).arg(archive).args(queue.flags());
        if let Some(file) = solver.named() {
            command.arg("--solver").arg(file);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::null());
        let places = (0..workers).map(|_| Place::default()).collect();
        Self { command, places, told: false }
    }

    /// Whether workers end in trouble again and again: then more of them will not help.
    pub(super) fn is_hopeless(&self) -> bool {
        self.places.iter().any(|place| place.troubles >= MOST_TROUBLE)
    }

    /// Starts those who are missing.
    pub(super) fn keep_up(&mut self) {
        for place in &mut self.places {
            if let Some(worker) = &mut place.worker {
                match worker.try_wait() {
                    Ok(None) => continue,
                    Ok(Some(ended)) if ended.code() == Some(2) => place.troubles += 1,
                    _ => place.troubles = 0,
                }
                place.worker = None;
            }
            if place.started.is_some_and(|started| started.elapsed() < PAUSE) {
                continue;
            }
            place.started = Some(Instant::now());
            match self.command.spawn() {
                Ok(worker) => place.worker = Some(worker),
                Err(error) if !self.told => {
                    note(format_args!("morpion: cannot start a worker: {error}"));
                    self.told = true;
                }
                Err(_) => {}
            }
        }
    }

    /// Lets all go, and waits for them.
    pub(super) fn dismiss(mut self) {
        let mut workers: Vec<Child> =
            self.places.iter_mut().filter_map(|place| place.worker.take()).collect();
        for worker in &mut workers {
            drop(worker.stdin.take());
        }
        let asked = Instant::now();
        while workers.iter_mut().any(|worker| matches!(worker.try_wait(), Ok(None))) {
            if asked.elapsed() > FAREWELL {
                // What they are at is still open, and done another time.
                for worker in &mut workers {
                    let _ = worker.kill();
                    let _ = worker.wait();
                }
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
