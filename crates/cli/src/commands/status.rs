//! `morpion status` and `morpion stop`.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};
use lab::jobs::Job;
use queue::{Coordinator as _, QueueOptions};
use serde::Serialize;
use serde_json::Value;
use store::{
    Archive, EmbeddedCoordinator, FailureEvent, RunEntry, RunState, RunningTask, StoreError,
};

use super::run::in_words;
use super::store::ArchiveArgs;
use crate::output::{Exit, count, note, print, print_json};

const EXAMPLES: &str = "\
Examples:
  morpion status
  morpion status --task 3f9c2a          details of one task
  morpion status --json";

/// Show the state of runs: what is done, in progress, failed, and why
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    archive: ArchiveArgs,

    /// Show one task, by its id or the first digits
    #[arg(long, value_name = "ID")]
    task: Option<String>,

    /// Show at most N runs and N failures
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: u32,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

const STOP_EXAMPLES: &str = "\
Examples:
  morpion stop
  morpion stop --archive hunts";

/// Stop the run in progress
///
/// Accepted results are stored, workers release their tasks, and the same `morpion run` resumes
/// later.
#[derive(clap::Args)]
#[command(after_help = STOP_EXAMPLES)]
pub(crate) struct StopArgs {
    #[command(flatten)]
    archive: ArchiveArgs,
}

#[derive(Serialize)]
struct Status {
    runs: Vec<RunRow>,
    running: Vec<RunningRow>,
    mishaps: Vec<EventRow>,
}

#[derive(Serialize)]
struct RunRow {
    id: String,
    name: String,
    /// `running`, `interrupted` (its coordinator is gone), `stopped` or `over`.
    state: &'static str,
    tasks: usize,
    done: usize,
    failed: usize,
    open: usize,
    best: Option<BestRow>,
    /// The total time of the finished tasks.
    task_seconds: f64,
    /// Recent throughput.
    per_minute: Option<f64>,
    /// The remaining time at this throughput.
    seconds_left: Option<f64>,
    begun: i64,
}

#[derive(Serialize)]
struct BestRow {
    game: String,
    score: u32,
}

#[derive(Serialize)]
struct RunningRow {
    task: String,
    what: String,
    worker: String,
    seconds: f64,
    /// What the worker reports, not verified yet.
    progress: String,
}

#[derive(Serialize)]
struct EventRow {
    task: String,
    time: i64,
    worker: String,
    what: &'static str,
    reason: String,
}

#[derive(Serialize)]
struct TaskRow {
    id: String,
    what: String,
    state: &'static str,
    failures: u32,
    losses: u32,
    worker: Option<String>,
    seconds: Option<f64>,
    ended: Option<i64>,
    game: Option<String>,
    proof: Option<String>,
    /// The worker that has claimed it.
    holder: Option<String>,
    mishaps: Vec<EventRow>,
    body: Value,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let archive = args.archive.open()?;
    match &args.task {
        Some(task) => show_task(&archive, task, args.json),
        None => show_all(&archive, args.limit, args.json),
    }
}

pub(crate) fn stop(args: StopArgs) -> Result<Exit> {
    let mut archive = args.archive.open()?;
    let running = archive.runs()?.into_iter().find(|run| run.state == RunState::Running);
    let Some(running) = running else {
        print("no run is in progress")?;
        return Ok(Exit::Negative);
    };
    archive.set_run_state(&running.id, RunState::Stopped)?;
    let asked = Instant::now();
    loop {
        match archive.lock() {
            Ok(_lock) => {
                // If there was no coordinator, the workers still have to stop.
                EmbeddedCoordinator::new(archive, &QueueOptions::default()).cancel_all()?;
                print(format_args!("{} is stopped", running.name))?;
                return Ok(Exit::Success);
            }
            Err(StoreError::Locked(_)) if asked.elapsed() < Duration::from_secs(60) => {
                std::thread::sleep(Duration::from_millis(50));
            }
            Err(StoreError::Locked(_)) => {
                bail!("{} did not stop within a minute", running.name)
            }
            Err(other) => return Err(other.into()),
        }
    }
}

fn show_all(archive: &Archive, limit: u32, json: bool) -> Result<Exit> {
    let led = matches!(archive.lock(), Err(StoreError::Locked(_)));
    let mut runs = Vec::new();
    for run in archive.runs()?.into_iter().take(limit as usize) {
        runs.push(run_row(archive, run, led)?);
    }
    let running = archive.running_tasks()?.into_iter().map(|running| running_row(archive, running));
    let status = Status {
        runs,
        running: running.collect::<Result<_>>()?,
        mishaps: archive.failures(None, limit)?.into_iter().map(event_row).collect(),
    };
    if json {
        print_json(&status)?;
        return Ok(Exit::Success);
    }
    if status.runs.is_empty() {
        print("no runs yet")?;
    }
    for run in &status.runs {
        print(run_line(run))?;
    }
    for RunningRow { task, what, worker, seconds, progress } in &status.running {
        let time = in_words(Duration::from_secs_f64(*seconds));
        let progress = if progress.is_empty() { String::new() } else { format!(": {progress}") };
        print(format_args!("  {} {what}, {worker}, for {time}{progress}", short(task)))?;
    }
    if !status.mishaps.is_empty() {
        print("failures, the latest first:")?;
    }
    for event in &status.mishaps {
        print(event_line(event))?;
    }
    Ok(Exit::Success)
}

fn show_task(archive: &Archive, digits: &str, json: bool) -> Result<Exit> {
    let entry = archive.task(digits)?;
    let mishaps = archive.failures(Some(&entry.id), 1000)?;
    let row = TaskRow {
        what: summary(&entry.body),
        state: entry.state.name(),
        failures: entry.failures,
        losses: entry.losses,
        worker: entry.worker,
        seconds: entry.seconds,
        ended: entry.ended,
        game: entry.game.map(|id| id.to_string()),
        proof: entry.proof.map(|id| id.to_string()),
        holder: archive.claimed_by(&entry.id)?,
        mishaps: mishaps.into_iter().map(event_row).collect(),
        body: serde_json::from_str(&entry.body)?,
        id: entry.id,
    };
    if json {
        print_json(&row)?;
        return Ok(Exit::Success);
    }
    print(format_args!("{}: {}, {}", row.id, row.what, row.state))?;
    if let (Some(worker), Some(seconds)) = (&row.worker, row.seconds) {
        let time = in_words(Duration::from_secs_f64(seconds));
        print(format_args!(
            "  done by {worker} in {time}, {}",
            when(row.ended.unwrap_or_default())
        ))?;
    }
    if let Some(id) = row.game.as_ref().or(row.proof.as_ref()) {
        print(format_args!("  morpion store get {}", short(id)))?;
    }
    if let Some(holder) = &row.holder {
        print(format_args!("  claimed by {holder}"))?;
    }
    for event in &row.mishaps {
        print(event_line(event))?;
    }
    note(format_args!("{}", row.body));
    Ok(Exit::Success)
}

fn run_row(archive: &Archive, run: RunEntry, led: bool) -> Result<RunRow> {
    let counts = archive.counts(&run.id)?;
    let best = archive.best_of_run(&run.id)?;
    let state = match run.state {
        RunState::Running if !led => "interrupted",
        state => state.name(),
    };
    // Over the last ten minutes, or since it was resumed.
    let (now, mut per_minute) = (now_millis(), None);
    if state == "running" {
        let since = run.changed.max(now - 600_000);
        let minutes = (now - since).max(1) as f64 / 60_000.0;
        per_minute = Some(archive.done_since(since)? as f64 / minutes);
    }
    let left = per_minute.filter(|&rate| rate > 0.0).map(|rate| counts.open as f64 / rate * 60.0);
    Ok(RunRow {
        id: run.id,
        name: run.name,
        state,
        tasks: counts.open + counts.done + counts.failed,
        done: counts.done,
        failed: counts.failed,
        open: counts.open,
        best: best.map(|(game, score)| BestRow { game, score }),
        task_seconds: counts.seconds,
        per_minute,
        seconds_left: left,
        begun: run.started,
    })
}

fn run_line(run: &RunRow) -> String {
    let mut line = format!(
        "{}: {}, {} of {} done, {} failed",
        run.name,
        run.state,
        run.done,
        count(run.tasks, "task"),
        run.failed
    );
    if let Some(BestRow { game, score }) = &run.best {
        line += &format!(", best {game} {score}");
    }
    if let Some(rate) = run.per_minute {
        line += &format!(", {rate:.1} per minute");
    }
    if let Some(left) = run.seconds_left {
        line += &format!(", {} left", in_words(Duration::from_secs_f64(left.min(1e9))));
    }
    if run.state == "interrupted" {
        line += "; the same `morpion run` resumes it";
    }
    line
}

fn running_row(archive: &Archive, running: RunningTask) -> Result<RunningRow> {
    let RunningTask { task, worker, since, progress } = running;
    let what = match archive.task(&task) {
        Ok(entry) => summary(&entry.body),
        Err(StoreError::Unknown(_)) => String::new(),
        Err(other) => return Err(other.into()),
    };
    let seconds = (now_millis() - since).max(0) as f64 / 1000.0;
    let progress = progress.chars().filter(|letter| !letter.is_control()).collect();
    Ok(RunningRow { task, what, worker, seconds, progress })
}

fn event_row(event: FailureEvent) -> EventRow {
    let FailureEvent { task, time, worker, failure, reason } = event;
    EventRow { task, time, worker, what: failure.name(), reason }
}

fn event_line(event: &EventRow) -> String {
    let EventRow { task, time, worker, what, reason } = event;
    let reason: String = reason.chars().filter(|letter| !letter.is_control()).collect();
    format!("  {}, task {}, {worker}: {what}: {reason}", when(*time), short(task))
}

/// One line about a task.
fn summary(body: &str) -> String {
    Job::parse(body).map_or_else(|error| error.to_string(), |job| job.summary())
}

fn short(id: &str) -> &str {
    id.get(..12).unwrap_or(id)
}

/// How long ago a moment was.
fn when(millis: i64) -> String {
    let ago = Duration::from_millis((now_millis() - millis).max(0).unsigned_abs());
    format!("{} ago", in_words(ago))
}

fn now_millis() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
