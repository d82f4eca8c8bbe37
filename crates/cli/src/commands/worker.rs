//! `morpion worker`.

use std::io::Read as _;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result};
use lab::jobs::{OpenSolverError, WorkerContext, WorkerEvent, work};
use queue::{QueueError, Worker};
use store::{Archive, EmbeddedWorker, StoreError};

use super::store::ArchiveArgs;
use crate::args::duration;
use crate::failpoint::Failpoint;
use crate::files;
use crate::interrupt::TimeLimit;
use crate::output::{Exit, note};
use crate::queue::{QueueArgs, Remote};
use crate::solver::SolverArgs;

const EXAMPLES: &str = "\
Examples:
  morpion worker
  morpion worker --archive /data/archive --idle 10m
  morpion worker --queue nats://host:4222 --credentials me.toml
  morpion worker --queue spool:/shared/folder";

/// Join a run: take tasks from a queue and do them
///
/// Works for the plan that `morpion run` has in progress on this machine, or on the queue named by
/// --queue, and waits while there is none. Results are verified before they count. Ctrl-C releases
/// the current task; a hunt resumes from its last checkpoint with whichever worker takes it next.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    archive: ArchiveArgs,

    #[command(flatten)]
    queue: QueueArgs,

    /// Name in logs [default: host name and process id]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Exit after this time without a task [default: never]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    idle: Option<Duration>,

    /// Interval between checkpoints of a running hunt
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "15s")]
    save_every: Duration,

    #[command(flatten)]
    time: TimeLimit,

    #[command(flatten)]
    solver: SolverArgs,

    /// Exit when standard input closes
    #[arg(long, hide = true)]
    attached: bool,
}

/// Ends with an exit code of 1 if the disk is full and the run that it belongs to says so.
pub(crate) fn run(args: Args) -> Result<Exit> {
    let is_attached = args.attached;
    match join(args) {
        Err(error) if is_attached && is_full(&error) => Ok(Exit::Negative),
        ended => ended,
    }
}

fn is_full(error: &anyhow::Error) -> bool {
    let store = match error.downcast_ref() {
        Some(QueueError::Other(inner)) => inner.downcast_ref(),
        _ => error.downcast_ref(),
    };
    matches!(store, Some(StoreError::Full))
}

fn join(args: Args) -> Result<Exit> {
    let stop = args.time.stop_flag();
    if args.attached {
        let closed = Arc::clone(&stop);
        std::thread::spawn(move || {
            // End or error: the parent is gone.
            let _ = std::io::stdin().lock().read_to_end(&mut Vec::new());
            closed.store(true, Ordering::Relaxed);
        });
    }
    let remote = args.queue.remote(&stop)?;
    let place = match &remote {
        Some(remote) => format!("on {}", remote.address),
        None => format!("in {}", files::name(args.archive.folder())),
    };
    // Without the archive there are no checkpoints: interrupted hunts restart.
    let archive = match &remote {
        None => Some(args.archive.open()?),
        Some(_) => args.archive.open().ok(),
    };
    let context = WorkerContext {
        checkpoints: archive.as_ref().map(Archive::checkpoints),
        save_every: args.save_every,
        open_solver: Box::new(move || {
            args.solver.open_quietly().map_err(|error| OpenSolverError(format!("{error:#}").into()))
        }),
        poll: if remote.is_some() { Duration::from_secs(2) } else { Duration::from_millis(200) },
    };
    let queue: Box<dyn Worker> = match (remote, archive) {
        (Some(Remote { address, credentials, retry }), _) => {
            let name = args.name.unwrap_or_else(|| plain(&usual_name()));
            let name = name.parse().context("--name")?;
            queue::connect_worker(&address, credentials.as_ref(), &name, &retry)?
        }
        (None, Some(archive)) => {
            Box::new(EmbeddedWorker::new(archive, args.name.unwrap_or_else(usual_name)))
        }
        (None, None) => unreachable!("without a remote queue the archive was opened"),
    };
    let (idle, quiet) = (args.idle, args.attached);
    let mut failpoint = Failpoint::from_environment();
    let mut is_told = false;
    let worked = work(&*queue, &context, &mut |event| {
        let mut stops = stop.load(Ordering::Relaxed);
        failpoint.reach(match event {
            WorkerEvent::Started(_) => "started",
            WorkerEvent::Working(_) => "working",
            WorkerEvent::Finished { .. } => "finished",
            _ => "",
        });
        match event {
            WorkerEvent::Idle(time) => {
                stops |= idle.is_some_and(|idle| time >= idle);
                if !quiet && !std::mem::replace(&mut is_told, true) {
                    note(format_args!("waiting for tasks of a `morpion run` {place}"));
                }
            }
            WorkerEvent::Started(_) => is_told = false,
            // Attached, the coordinator reports.
            WorkerEvent::Finished { job, error: None } if !quiet => {
                note(format_args!("task {job}: submitted"));
            }
            WorkerEvent::Finished { job, error: Some(error) } if !quiet => {
                note(format_args!("task {job}: {error}"));
            }
            _ => {}
        }
        if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match worked {
        Err(error) if error.is_stop() => {}
        worked => worked?,
    }
    Ok(Exit::Success)
}

/// A name that every queue accepts.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect()
}

/// The host name and the process id.
fn usual_name() -> String {
    let host = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let host = host.trim();
    let host = if host.is_empty() { "worker" } else { host };
    format!("{host}-{}", std::process::id())
}
