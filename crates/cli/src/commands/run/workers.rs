//! The worker processes that `morpion run` starts, replaced when they die.
//!
//! Each holds the other end of a pipe. When this program ends, in any way, the pipe closes and the
//! worker releases its task and exits.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::output::note;
use crate::queue::QueueArgs;
use crate::solver::SolverArgs;

/// The minimum time between two starts in one slot.
const RESTART_PAUSE: Duration = Duration::from_secs(1);

/// How long a worker may take to exit when asked to.
const GRACE: Duration = Duration::from_secs(10);

pub(super) struct WorkerProcesses {
    command: Command,
    slots: Vec<Slot>,
    /// Whether a failure to start a worker was reported.
    is_reported: bool,
    /// Whether a worker found the disk full.
    is_disk_full: bool,
}

/// Why a run ends before its work is done.
pub(super) enum GiveUp {
    /// There is no room for results; the workers have not said so.
    DiskFull,
    /// Workers end with errors, which they have reported.
    KeepFailing,
}

/// This many consecutive failures in one slot end the run.
const MAX_FAILURES: u32 = 5;

#[derive(Default)]
struct Slot {
    worker: Option<Child>,
    started: Option<Instant>,
    /// Consecutive workers that exited with an error, which they have reported.
    failures: u32,
}

impl WorkerProcesses {
    /// Workers for an archive, not started yet.
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
        let slots = (0..workers).map(|_| Slot::default()).collect();
        Self { command, slots, is_reported: false, is_disk_full: false }
    }

    /// Why starting more workers will not help, if so.
    pub(super) fn give_up(&self) -> Option<GiveUp> {
        let keeps_failing = self.slots.iter().any(|slot| slot.failures >= MAX_FAILURES);
        match self.is_disk_full {
            true => Some(GiveUp::DiskFull),
            false => keeps_failing.then_some(GiveUp::KeepFailing),
        }
    }

    /// Starts the missing workers.
    pub(super) fn keep_up(&mut self) {
        for slot in &mut self.slots {
            if let Some(worker) = &mut slot.worker {
                match worker.try_wait() {
                    Ok(None) => continue,
                    Ok(Some(ended)) if ended.code() == Some(2) => slot.failures += 1,
                    Ok(Some(ended)) if ended.code() == Some(1) => self.is_disk_full = true,
                    _ => slot.failures = 0,
                }
                slot.worker = None;
            }
            if slot.started.is_some_and(|started| started.elapsed() < RESTART_PAUSE) {
                continue;
            }
            slot.started = Some(Instant::now());
            match self.command.spawn() {
                Ok(worker) => slot.worker = Some(worker),
                Err(error) if !self.is_reported => {
                    note(format_args!("morpion: cannot start a worker: {error}"));
                    self.is_reported = true;
                }
                Err(_) => {}
            }
        }
    }

    /// Asks all workers to exit, and waits for them.
    pub(super) fn shut_down(mut self) {
        let mut workers: Vec<Child> =
            self.slots.iter_mut().filter_map(|slot| slot.worker.take()).collect();
        for worker in &mut workers {
            drop(worker.stdin.take());
        }
        let asked = Instant::now();
        while workers.iter_mut().any(|worker| matches!(worker.try_wait(), Ok(None))) {
            if asked.elapsed() > GRACE {
                // Their tasks stay open, and are done another time.
                for worker in &mut workers {
                    let _ = worker.kill();
                    let _ = worker.wait();
                }
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
