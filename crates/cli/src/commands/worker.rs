//! `morpion worker`.

use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use run::tasks::embedded::EmbeddedWorker;
use run::tasks::{WorkError, WorkerWatcher, Workshop, work};

use super::store::ArchiveArgs;
use crate::args::duration;
use crate::output::{Answer, note};
use crate::solver::SolverArgs;

/// Joins a run: takes tasks from the archive's queue and does them
///
/// Works for whichever plan `morpion run` has under way on this machine, and waits when there is none.
/// What it hands in is judged before it counts. Ctrl-C gives the task at hand back; a hunt that was under
/// way for a while goes on from where it was saved, with whichever worker takes it next.
///
/// Examples:
///   morpion worker
///   morpion worker --archive /data/archive --idle 10m
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    archive: ArchiveArgs,

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
    let archive = args.archive.open()?;
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    ctrlc::set_handler(move || asked.store(true, Ordering::Relaxed))
        .context("cannot listen to Ctrl-C")?;
    if args.attached {
        let closed = Arc::clone(&stop);
        std::thread::spawn(move || {
            // Whether it ends or breaks: nobody is there any more.
            let _ = std::io::stdin().lock().read_to_end(&mut Vec::new());
            closed.store(true, Ordering::Relaxed);
        });
    }
    let workshop = Workshop {
        states: Some(archive.states()),
        save_every: args.save_every,
        solver: Box::new(move || args.solver.open().map_err(|error| format!("{error:#}"))),
    };
    let name = args.name.unwrap_or_else(usual_name);
    let mut queue = EmbeddedWorker::new(archive, name);
    let mut watch = Watch { stop, idle: args.idle, quiet: args.attached };
    work(&mut queue, &workshop, &mut watch)?;
    Ok(Answer::Yes)
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
