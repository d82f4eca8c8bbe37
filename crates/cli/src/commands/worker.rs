//! `morpion worker`.

use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use lab::jobs::embedded::EmbeddedWorker;
use lab::jobs::remote::RemoteWorker;
use lab::jobs::{NoSolver, WorkError, WorkerWatcher, Workshop, work};
use store::Archive;

use super::store::ArchiveArgs;
use crate::args::duration;
use crate::interrupt::stop_flag;
use crate::output::{Answer, note};
use crate::queue::{QueueArgs, Remote};
use crate::solver::SolverArgs;

/// Joins a run: takes tasks from a queue and does them
///
/// Works for whichever plan `morpion run` has under way on this machine, or on the queue that --queue names, and
/// waits when there is none.
/// What it hands in is judged before it counts. Ctrl-C gives the task at hand back; a hunt that was under
/// way for a while goes on from where it was saved, with whichever worker takes it next.
///
/// Examples:
///   morpion worker
///   morpion worker --archive /data/archive --idle 10m
///   morpion worker --queue nats://host:4222 --credentials me.toml
///   morpion worker --queue spool:/shared/folder
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    archive: ArchiveArgs,

    #[command(flatten)]
    queue: QueueArgs,

    /// What it is called in logs [default: the machine's name and the process id]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// End when there was no task for so long [default: never]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    idle: Option<Duration>,

    /// How often to save a hunt that is under way
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "15s")]
    save_every: Duration,

    #[command(flatten)]
    solver: SolverArgs,

    /// End when standard input does
    #[arg(long, hide = true)]
    attached: bool,
}

pub(crate) fn run(args: Args) -> Result<Answer> {
    let stop = stop_flag()?;
    if args.attached {
        let closed = Arc::clone(&stop);
        std::thread::spawn(move || {
            // Whether it ends or breaks: nobody is there any more.
            let _ = std::io::stdin().lock().read_to_end(&mut Vec::new());
            closed.store(true, Ordering::Relaxed);
        });
    }
    let remote = args.queue.remote(&stop)?;
    // Far from the archive, hunts that were interrupted begin again.
    let archive = match &remote {
        None => Some(args.archive.open()?),
        Some(_) => args.archive.open().ok(),
    };
    let workshop = Workshop {
        states: archive.as_ref().map(Archive::states),
        save_every: args.save_every,
        solver: Box::new(move || {
            args.solver.open().map_err(|error| NoSolver(format!("{error:#}").into()))
        }),
    };
    let mut watch = Watch { stop, idle: args.idle, quiet: args.attached };
    match (remote, archive) {
        (Some(Remote { address, credentials, patience }), _) => {
            let name = args.name.unwrap_or_else(|| plain(&usual_name()));
            let name = name.parse().context("--name")?;
            let mut queue = RemoteWorker::open(&address, credentials.as_ref(), &name, &patience)?;
            match work(&mut queue, &workshop, &mut watch) {
                Err(error) if error.is_stop() => {}
                ended => ended?,
            }
        }
        (None, Some(archive)) => {
            let mut queue = EmbeddedWorker::new(archive, args.name.unwrap_or_else(usual_name));
            work(&mut queue, &workshop, &mut watch)?;
        }
        (None, None) => unreachable!("without a remote queue the archive was opened"),
    }
    Ok(Answer::Yes)
}

/// A name that every queue takes.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect()
}

/// The machine's name and the process id.
fn usual_name() -> String {
    let host = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let host = host.trim();
    let host = if host.is_empty() { "worker" } else { host };
    format!("{host}-{}", std::process::id())
}

struct Watch {
    stop: Arc<AtomicBool>,
    idle: Option<Duration>,
    /// Whether somebody else tells how it goes.
    quiet: bool,
}

impl WorkerWatcher for Watch {
    fn wants_stop(&mut self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn is_idle(&mut self, since: Duration) -> bool {
        self.idle.is_some_and(|idle| since >= idle)
    }

    fn begins(&mut self, _task: &str) {}

    fn ends(&mut self, task: &str, failure: Option<&WorkError>) {
        if self.quiet {
            return;
        }
        match failure {
            None => note(format_args!("task {task}: handed in")),
            Some(failure) => note(format_args!("task {task}: {failure}")),
        }
    }
}
