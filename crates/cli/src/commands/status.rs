//! `morpion status` and `morpion stop`.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use lab::text::format_duration;
use lab::view::{BestGameView, ClaimView, FailureView, RunView, StatusView, TaskView, now_millis};
use queue::{Coordinator as _, QueueOptions};
use store::{Archive, EmbeddedCoordinator, RunState, StoreError};

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
    #[arg(long, value_name = "N", default_value_t = 10,
        value_parser = clap::value_parser!(u32).range(1..))]
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
    let status = StatusView::new(archive, limit)?;
    if json {
        print_json(&status)?;
        return Ok(Exit::Success);
    }
    if status.runs.is_empty() {
        print("no runs yet")?;
    }
    let is_shown =
        |claim: &&ClaimView| status.runs.iter().any(|it| claim.run.as_ref() == Some(&it.id));
    for run in &status.runs {
        print(run_line(run))?;
        let claims = status.running.iter().filter(|claim| claim.run.as_ref() == Some(&run.id));
        claims.map(claim_line).try_for_each(print)?;
    }
    let others = status.running.iter().filter(|claim| !is_shown(claim));
    others.map(claim_line).try_for_each(print)?;
    if !status.mishaps.is_empty() {
        print("failures, the latest first:")?;
    }
    for failure in &status.mishaps {
        print(failure_line(failure))?;
    }
    Ok(Exit::Success)
}

fn show_task(archive: &Archive, digits: &str, json: bool) -> Result<Exit> {
    let row = TaskView::new(archive, digits)?;
    if json {
        print_json(&row)?;
        return Ok(Exit::Success);
    }
    print(format_args!("{}: {}, {}", row.id, row.what, row.state))?;
    if let (Some(worker), Some(seconds)) = (&row.worker, row.seconds) {
        let time = format_duration(Duration::from_secs_f64(seconds));
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
    for failure in &row.mishaps {
        print(failure_line(failure))?;
    }
    note(format_args!("{}", row.body));
    Ok(Exit::Success)
}

fn run_line(run: &RunView) -> String {
    let mut line = format!(
        "{}: {}, {} of {} done, {} failed",
        run.name,
        run.state,
        run.done,
        count(run.tasks, "task"),
        run.failed
    );
    if let Some(BestGameView { game, score }) = &run.best {
        line += &format!(", best {game} {score}");
    }
    if let Some(rate) = run.per_minute {
        line += &format!(", {rate:.1} per minute");
    }
    if let Some(left) = run.seconds_left {
        line += &format!(", {} left", format_duration(Duration::from_secs_f64(left.min(1e9))));
    }
    if run.state == "interrupted" {
        line += "; the same `morpion run` resumes it";
    }
    line
}

fn claim_line(claim: &ClaimView) -> String {
    let ClaimView { task, what, worker, seconds, progress, .. } = claim;
    let time = format_duration(Duration::from_secs_f64(*seconds));
    let progress = if progress.is_empty() { String::new() } else { format!(": {progress}") };
    format!("  {} {what}, {worker}, for {time}{progress}", short(task))
}

fn failure_line(failure: &FailureView) -> String {
    let FailureView { task, time, worker, what, reason } = failure;
    let reason: String = reason.chars().filter(|letter| !letter.is_control()).collect();
    format!("  {}, task {}, {worker}: {what}: {reason}", when(*time), short(task))
}

fn short(id: &str) -> &str {
    id.get(..12).unwrap_or(id)
}

/// How long ago a moment was.
fn when(millis: i64) -> String {
    let ago = Duration::from_millis((now_millis() - millis).max(0).unsigned_abs());
    format!("{} ago", format_duration(ago))
}
