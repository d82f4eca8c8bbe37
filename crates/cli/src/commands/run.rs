//! `morpion run`.

mod workers;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use lab::jobs::{CoordinatorEvent, JobPlan, RunEnd, RunProgress, coordinate};
use lab::text::format_duration;
use lab::view::{BestGameView, RunResultView};
use queue::Coordinator;
use store::{Archive, EmbeddedCoordinator, StoreError};

use super::store::ArchiveArgs;
use crate::args::{MAX_THREADS, all_cores, duration};
use crate::failpoint::Failpoint;
use crate::files;
use crate::interrupt::TimeLimit;
use crate::output::{Exit, count, note, print, print_json};
use crate::progress::Progress;
use crate::queue::QueueArgs;
use crate::solver::SolverArgs;
use workers::{GiveUp, WorkerProcesses};

const EXAMPLES: &str = "\
Examples:
  morpion run plan.toml
  morpion run plan.toml --workers 8 --archive /data/archive
  morpion run plan.toml --retry          retry failed tasks
  morpion run plan.toml --queue nats://host:4222 --credentials me.toml";

/// Run a plan of hunts and proofs on several workers, into the archive
///
/// A plan is a TOML file (docs/how-to/runs.md). Its tasks are done by worker processes; a worker
/// that dies is replaced and its task re-queued. Every game and certificate is verified before it
/// counts, and stored at once. Ctrl-C stops; the same command resumes, also after a crash or a full
/// disk. More workers may join with `morpion worker`, from other machines with --queue
/// (docs/how-to/cluster.md).
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Plan, a TOML file
    #[arg(value_name = "PLAN")]
    plan: PathBuf,

    #[command(flatten)]
    archive: ArchiveArgs,

    #[command(flatten)]
    queue: QueueArgs,

    /// Replicas in a NATS cluster
    #[arg(long, value_name = "N", default_value_t = 1, requires = "address",
        value_parser = clap::value_parser!(u8).range(1..=5))]
    replicas: u8,

    /// Number of workers to start; 0 leaves the work to `morpion worker` [default: all cores;
    /// 0 with --queue]
    #[arg(long, value_name = "N",
        value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_THREADS)))]
    workers: Option<u32>,

    /// Time without a heartbeat after which a task is re-queued
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30s")]
    lease: Duration,

    /// Retry the failed tasks of this plan
    #[arg(long)]
    retry: bool,

    #[command(flatten)]
    limit: TimeLimit,

    #[command(flatten)]
    solver: SolverArgs,

    /// Print one JSON document: run, name, ending, tasks, done, failed, best, wall_seconds
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let plan = read_plan(&args)?;
    let usual = if args.queue.is_remote() { 0 } else { all_cores() };
    let workers = args.workers.unwrap_or(usual);
    if plan.needs_solver() && workers > 0 {
        args.solver.open().context("the plan has proofs")?;
    }
    let mut archive = args.archive.open_or_create()?;
    let _lock = archive.lock()?;
    if args.retry {
        let again = archive.retry_failed(plan.id.as_str())?;
        note(format_args!("retrying {}", count(again, "failed task")));
    }
    let stop = args.limit.stop_flag();
    let remote = args.queue.remote(&stop)?;
    let mut watch = Watch {
        workers: WorkerProcesses::new(workers, args.archive.folder(), &args.queue, &args.solver),
        stop,
        line: Progress::new(),
        last: RunProgress::default(),
        failpoint: Failpoint::from_environment(),
    };
    if workers == 0 {
        let place = match &remote {
            Some(remote) => format!("--queue {}", remote.address),
            None => format!("--archive {}", files::name(args.archive.folder())),
        };
        note(format_args!("no worker is started here; `morpion worker {place}` does the tasks"));
    }
    let began = Instant::now();
    let options = plan.queue_options(args.lease, args.replicas.into());
    let queue: Box<dyn Coordinator> = match &remote {
        None => {
            let own = Archive::open(args.archive.folder())?;
            Box::new(EmbeddedCoordinator::new(own, &options))
        }
        Some(remote) => queue::connect_coordinator(
            &remote.address,
            remote.credentials.as_ref(),
            &plan.id,
            &options,
            &remote.retry,
        )?,
    };
    let ending = coordinate(&mut archive, &*queue, &plan, &mut |event| watch.on(&event));
    // The archive's own queue may hold replies for other plans.
    if remote.is_some() && matches!(ending, Ok(RunEnd::Complete)) {
        queue.close()?;
    }
    let Watch { workers, line, last, .. } = watch;
    drop(line);
    let given_up = workers.give_up();
    workers.shut_down();
    let ending = ending.context("accepted results are stored; the same command resumes the run")?;
    match given_up {
        Some(GiveUp::DiskFull) => return Err(StoreError::Full.into()),
        Some(GiveUp::KeepFailing) => {
            bail!("workers keep failing; accepted results are stored, and the same command resumes")
        }
        None => {}
    }
    let row = RunResultView {
        run: plan.id.to_string(),
        name: plan.name,
        ending: if ending == RunEnd::Complete { "over" } else { "stopped" },
        tasks: last.jobs,
        done: last.done,
        failed: last.failed,
        best: last.best.map(BestGameView::from),
        wall_seconds: (began.elapsed().as_secs_f64() * 1000.0).round() / 1000.0,
    };
    report(&row, args.json)?;
    Ok(if ending == RunEnd::Complete && row.failed == 0 { Exit::Success } else { Exit::Negative })
}

fn read_plan(args: &Args) -> Result<JobPlan> {
    let name = files::name(&args.plan);
    let bytes = files::read(&args.plan)?;
    let Ok(text) = String::from_utf8(bytes) else { bail!("{name}: not UTF-8 text") };
    let stem = args.plan.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into());
    JobPlan::parse(&text, &stem).context(name)
}

fn report(row: &RunResultView, json: bool) -> Result<()> {
    if json {
        return print_json(row);
    }
    let RunResultView { name, tasks, done, failed, .. } = row;
    let best = row.best.as_ref();
    let best = best
        .map_or_else(String::new, |best| format!("; best: {}, {} moves", best.game, best.score));
    let failed = if *failed > 0 { format!(", {failed} failed") } else { String::new() };
    print(format_args!("{name}: {done} of {} done{failed}{best}", count(*tasks, "task")))?;
    if row.ending == "stopped" {
        note("stopped; the same command resumes the run");
    } else if row.failed > 0 {
        note("`morpion status` shows why tasks failed; --retry retries them");
    }
    Ok(())
}

/// Shows the progress line, replaces dead workers and passes Ctrl-C on.
struct Watch {
    workers: WorkerProcesses,
    stop: Arc<AtomicBool>,
    line: Progress,
    last: RunProgress,
    failpoint: Failpoint,
}

impl Watch {
    fn on(&mut self, event: &CoordinatorEvent<'_>) -> ControlFlow<()> {
        match event {
            CoordinatorEvent::Progress(progress) => {
                self.failpoint.reach("progress");
                self.show(progress);
            }
            CoordinatorEvent::Stored(_) => self.failpoint.reach("stored"),
            CoordinatorEvent::Quarantine { worker, reason } => {
                note(format_args!("worker {worker} is quarantined: {reason}"));
            }
            CoordinatorEvent::Failure { job, worker, failure, reason, is_given_up } => {
                let end = if *is_given_up { "; given up" } else { "" };
                let reason: String = reason.chars().filter(|letter| !letter.is_control()).collect();
                note(format_args!("task {job}, {worker}: {}: {reason}{end}", failure.name()));
            }
            _ => {}
        }
        match self.stop.load(Ordering::Relaxed) || self.workers.give_up().is_some() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn show(&mut self, progress: &RunProgress) {
        if self.last != *progress {
            self.last = progress.clone();
        }
        if progress.done + progress.failed < progress.jobs {
            self.workers.keep_up();
        }
        let RunProgress { jobs, done, failed, running, best, left } = progress;
        let best = best
            .as_ref()
            .map_or_else(String::new, |(game, score)| format!(", best {game} {score}"));
        let left =
            left.map_or_else(String::new, |left| format!(", {} left", format_duration(left)));
        self.line.show(format_args!(
            "{done} of {jobs} done, {running} running, {failed} failed{best}{left}"
        ));
    }
}
