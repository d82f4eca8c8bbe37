//! Runs of plans and their tasks.

use serde::Serialize;
use serde_json::Value;
use store::{Archive, FailureEvent, RunEntry, RunState, RunningTask, StoreError, now_millis};

use crate::jobs::Job;

/// The runs of an archive.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StatusView {
    /// The runs, the latest first.
    pub runs: Vec<RunView>,
    /// The tasks that workers have claimed.
    pub running: Vec<ClaimView>,
    /// The failures, the latest first.
    pub mishaps: Vec<FailureView>,
}

impl StatusView {
    /// At most `limit` runs and failures of an archive.
    pub fn new(archive: &Archive, limit: u32) -> Result<Self, StoreError> {
        let is_locked = matches!(archive.lock(), Err(StoreError::Locked(_)));
        let runs = archive.runs()?.into_iter().take(limit as usize);
        let runs =
            runs.map(|run| RunView::new(archive, run, is_locked)).collect::<Result<_, _>>()?;
        let claims = archive.running_tasks()?.into_iter();
        let running = claims.map(|c| ClaimView::new(archive, c)).collect::<Result<_, _>>()?;
        let mishaps = archive.failures(None, limit)?.into_iter().map(FailureView::from).collect();
        Ok(Self { runs, running, mishaps })
    }
}

/// A run of a plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunView {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// `running`, `interrupted` (no coordinator is at work), `stopped` or `over`.
    pub state: &'static str,
    /// The number of tasks.
    pub tasks: usize,
    /// How many are done.
    pub done: usize,
    /// How many have failed.
    pub failed: usize,
    /// How many are open.
    pub open: usize,
    /// The longest game found.
    pub best: Option<BestGameView>,
    /// The total time of the finished tasks.
    pub task_seconds: f64,
    /// Recent throughput.
    pub per_minute: Option<f64>,
    /// The remaining time at this throughput.
    pub seconds_left: Option<f64>,
    /// When it was started, in milliseconds since 1970.
    pub begun: i64,
}

impl RunView {
    fn new(archive: &Archive, run: RunEntry, is_locked: bool) -> Result<Self, StoreError> {
        let counts = archive.counts(&run.id)?;
        let state = match run.state {
            RunState::Running if !is_locked => "interrupted",
            state => state.name(),
        };
        // Over the last ten minutes, or since it was resumed.
        let (now, mut per_minute) = (now_millis(), None);
        if state == "running" {
            let since = run.changed.max(now - 600_000);
            let minutes = (now - since).max(1) as f64 / 60_000.0;
            per_minute = Some(archive.done_since(since)? as f64 / minutes);
        }
        let rate = per_minute.filter(|&rate| rate > 0.0);
        Ok(Self {
            best: archive.best_of_run(&run.id)?.map(BestGameView::from),
            id: run.id,
            name: run.name,
            state,
            tasks: counts.open + counts.done + counts.failed,
            done: counts.done,
            failed: counts.failed,
            open: counts.open,
            task_seconds: counts.seconds,
            per_minute,
            seconds_left: rate.map(|rate| counts.open as f64 / rate * 60.0),
            begun: run.started,
        })
    }
}

/// The longest game of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BestGameView {
    /// The name of the game.
    pub game: String,
    /// The number of moves.
    pub score: u32,
}

impl From<(String, u32)> for BestGameView {
    fn from((game, score): (String, u32)) -> Self {
        Self { game, score }
    }
}

/// A task that a worker has claimed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClaimView {
    /// The id of the task.
    pub task: String,
    /// The id of its run.
    pub run: Option<String>,
    /// The task in one line.
    pub what: String,
    /// The worker.
    pub worker: String,
    /// For how long.
    pub seconds: f64,
    /// What the worker reports, not verified yet.
    pub progress: String,
}

impl ClaimView {
    fn new(archive: &Archive, claim: RunningTask) -> Result<Self, StoreError> {
        let RunningTask { task, worker, since, progress } = claim;
        let what = match archive.task(&task) {
            Ok(entry) => summary(&entry.body),
            Err(StoreError::Unknown(_)) => String::new(),
            Err(other) => return Err(other),
        };
        let seconds = (now_millis() - since).max(0) as f64 / 1000.0;
        let progress = progress.chars().filter(|letter| !letter.is_control()).collect();
        let run = archive.run_of(&task)?;
        Ok(Self { task, run, what, worker, seconds, progress })
    }
}

/// A failed attempt at a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FailureView {
    /// The id of the task.
    pub task: String,
    /// When, in milliseconds since 1970.
    pub time: i64,
    /// The worker.
    pub worker: String,
    /// The kind of failure.
    pub what: &'static str,
    /// The reason.
    pub reason: String,
}

impl From<FailureEvent> for FailureView {
    fn from(event: FailureEvent) -> Self {
        let FailureEvent { task, time, worker, failure, reason } = event;
        Self { task, time, worker, what: failure.name(), reason }
    }
}

/// A task.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TaskView {
    /// Its id.
    pub id: String,
    /// The task in one line.
    pub what: String,
    /// `open`, `done` or `failed`.
    pub state: &'static str,
    /// How often it failed.
    pub failures: u32,
    /// How often its worker was lost.
    pub losses: u32,
    /// The worker that did it.
    pub worker: Option<String>,
    /// The time it took.
    pub seconds: Option<f64>,
    /// When it ended, in milliseconds since 1970.
    pub ended: Option<i64>,
    /// The id of its game.
    pub game: Option<String>,
    /// The id of its proof.
    pub proof: Option<String>,
    /// The worker that has claimed it.
    pub holder: Option<String>,
    /// Its failures.
    pub mishaps: Vec<FailureView>,
    /// The task itself.
    pub body: Value,
}

impl TaskView {
    /// The task whose id starts with these digits.
    pub fn new(archive: &Archive, digits: &str) -> Result<Self, StoreError> {
        let entry = archive.task(digits)?;
        let mishaps = archive.failures(Some(&entry.id), 1000)?.into_iter();
        Ok(Self {
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
            mishaps: mishaps.map(FailureView::from).collect(),
            body: serde_json::from_str(&entry.body).unwrap_or_default(),
            id: entry.id,
        })
    }
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunResultView {
    /// Its id.
    pub run: String,
    /// Its name.
    pub name: String,
    /// `over` or `stopped`.
    pub ending: &'static str,
    /// The number of tasks.
    pub tasks: usize,
    /// How many are done.
    pub done: usize,
    /// How many have failed.
    pub failed: usize,
    /// The longest game found.
    pub best: Option<BestGameView>,
    /// The elapsed time.
    pub wall_seconds: f64,
}

/// One line about a task.
fn summary(body: &str) -> String {
    Job::parse(body).map_or_else(|bad| bad.to_string(), |job| job.summary())
}
