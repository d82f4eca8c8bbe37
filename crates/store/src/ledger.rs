//! The ledger: runs, their tasks, and the results.
//!
//! A task is marked done in the transaction that adds its game or proof, so it takes effect once,
//! however often it was computed. Failures are recorded with their reasons. Which queue the tasks
//! go through is not known here.

mod failing;
mod refusals;

use evidence::{Id, VerifiedProof, VerifiedRecord};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::archive::now_millis;
use crate::games::{self, by_digits};
use crate::{Archive, StoreError, chain, proofs};

pub use refusals::QUARANTINE;
use refusals::Refusals;

/// A plan that was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunEntry {
    /// The id of its plan.
    pub id: String,
    /// Its name, for people.
    pub name: String,
    /// Its state.
    pub state: RunState,
    /// When it was started, in milliseconds since 1970.
    pub started: i64,
    /// When its state changed.
    pub changed: i64,
}

/// The state of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunState {
    /// A coordinator is running it, or was interrupted.
    Running,
    /// It was stopped and can be resumed.
    Stopped,
    /// Every task is done or has failed.
    Over,
}

impl RunState {
    const ALL: [Self; 3] = [Self::Running, Self::Stopped, Self::Over];

    /// `running`, `stopped` or `over`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Stopped => "stopped",
            Self::Over => "over",
        }
    }
}

/// The state of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskState {
    /// To be done.
    Open,
    /// Its result is in the archive.
    Done,
    /// Given up.
    Failed,
}

impl TaskState {
    const ALL: [Self; 3] = [Self::Open, Self::Done, Self::Failed];

    /// `open`, `done` or `failed`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}

/// A task with everything known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskEntry {
    /// Identifies it.
    pub id: String,
    /// What is to be done.
    pub body: String,
    /// Its state.
    pub state: TaskState,
    /// How often it failed, or its result was refused.
    pub failures: u32,
    /// How often a worker was lost with it.
    pub losses: u32,
    /// The game that it found.
    pub game: Option<Id>,
    /// The proof that it found.
    pub proof: Option<Id>,
    /// The worker that did it.
    pub worker: Option<String>,
    /// How many seconds that took.
    pub seconds: Option<f64>,
    /// When it ended, in milliseconds since 1970.
    pub ended: Option<i64>,
}

/// A failure of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailureEvent {
    /// The task.
    pub task: String,
    /// When, in milliseconds since 1970.
    pub time: i64,
    /// The worker.
    pub worker: String,
    /// What went wrong.
    pub failure: TaskFailure,
    /// Why.
    pub reason: String,
}

/// What went wrong with a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskFailure {
    /// The result was malformed, or the verifier refused it.
    Refused,
    /// The worker could not do it.
    Failed,
    /// The worker's lease expired.
    Lost,
}

impl TaskFailure {
    const ALL: [Self; 3] = [Self::Refused, Self::Failed, Self::Lost];

    /// `refused`, `failed` or `lost`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Failed => "failed",
            Self::Lost => "lost",
        }
    }
}

/// When a task is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryLimits {
    /// After this many failures and refused results.
    pub failures: u32,
    /// After this many lost workers. Larger: a machine may be switched off for other reasons.
    pub losses: u32,
}

/// What a failure changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailureRecord {
    /// The state of the task.
    pub state: TaskState,
    /// Whether the worker is quarantined from now on.
    pub quarantines: bool,
}

impl Default for RetryLimits {
    fn default() -> Self {
        Self { failures: 3, losses: 20 }
    }
}

/// The verified result of a task.
#[derive(Debug, Clone)]
pub enum AcceptedResult {
    /// A game.
    Game(Box<VerifiedRecord>),
    /// A proof.
    Proof(Box<VerifiedProof>),
    /// Nothing was asked for.
    Nothing,
}

/// A task with its result, to be marked done.
#[derive(Debug, Clone)]
pub struct Completion {
    /// The task.
    pub task: String,
    /// The worker that did it.
    pub worker: String,
    /// How many seconds it took, as the worker says.
    pub seconds: f64,
    /// The result.
    pub accepted: AcceptedResult,
}

/// How many tasks of a run are in each state.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TaskCounts {
    /// Waiting or running.
    pub open: usize,
    /// Done.
    pub done: usize,
    /// Given up.
    pub failed: usize,
    /// How many seconds the done tasks took together.
    pub seconds: f64,
}

impl Archive {
    /// Starts a run, or resumes it: stores its plan and its tasks, each an id and a body. Tasks
    /// that are known, from this or another plan, stay as they are.
    pub fn begin_run<'a>(
        &mut self,
        id: &str,
        name: &str,
        plan: &str,
        tasks: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<(), StoreError> {
        let now = now_millis();
        let change = self.change()?;
        change.execute(
            "UPDATE runs SET state = 'stopped', changed = ?1 WHERE state = 'running'",
            [now],
        )?;
        // The coordinator excludes again whom this run has quarantined.
        change.execute("DELETE FROM bests WHERE key LIKE 'excluded-%'", [])?;
        change.execute(
            "INSERT INTO runs (id, name, plan, state, begun, changed)
             VALUES (?1, ?2, ?3, 'running', ?4, ?4)
             ON CONFLICT (id) DO UPDATE SET state = 'running', changed = ?4",
            params![id, name, plan, now],
        )?;
        let run: i64 =
            change.query_row("SELECT number FROM runs WHERE id = ?1", [id], |row| row.get(0))?;
        {
            let mut insert = change.prepare_cached(
                "INSERT OR IGNORE INTO tasks (id, body, state, failures, losses)
                 VALUES (?1, ?2, 'open', 0, 0)",
            )?;
            let mut join = change.prepare_cached(
                "INSERT OR IGNORE INTO run_tasks (run, task)
                 SELECT ?1, number FROM tasks WHERE id = ?2",
            )?;
            for (task, body) in tasks {
                insert.execute([task, body])?;
                join.execute(params![run, task])?;
            }
        }
        // The queue holds one plan: what a run that crashed has left in it waits for that run.
        change.execute(
            "DELETE FROM queue WHERE task NOT IN
             (SELECT id FROM tasks JOIN run_tasks ON task = number WHERE run = ?1)",
            [run],
        )?;
        change.commit()?;
        Ok(())
    }

    /// Changes the state of a run.
    pub fn set_run_state(&mut self, id: &str, state: RunState) -> Result<(), StoreError> {
        let change = self.change()?;
        change.execute(
            "UPDATE runs SET state = ?2, changed = ?3 WHERE id = ?1 AND state <> ?2",
            params![id, state.name(), now_millis()],
        )?;
        change.commit()?;
        Ok(())
    }

    /// All runs, the latest first.
    pub fn runs(&self) -> Result<Vec<RunEntry>, StoreError> {
        let sql =
            "SELECT id, name, state, begun, changed FROM runs ORDER BY begun DESC, number DESC";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([], |row| {
            let state: String = row.get(2)?;
            let state = RunState::ALL.into_iter().find(|known| known.name() == state);
            Ok(RunEntry {
                id: row.get(0)?,
                name: row.get(1)?,
                state: state.ok_or(rusqlite::Error::InvalidQuery)?,
                started: row.get(3)?,
                changed: row.get(4)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The run that has this task and was begun or resumed last.
    pub fn run_of(&self, task: &str) -> Result<Option<String>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT runs.id FROM run_tasks
             JOIN runs ON runs.number = run_tasks.run JOIN tasks ON tasks.number = run_tasks.task
             WHERE tasks.id = ?1 ORDER BY runs.state = 'running' DESC, runs.changed DESC LIMIT 1",
        )?;
        Ok(statement.query_row([task], |row| row.get(0)).optional()?)
    }

    /// The ids of a run's open tasks, in the order of the plan.
    pub fn open_tasks(&self, run: &str) -> Result<Vec<String>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT tasks.id FROM run_tasks
             JOIN runs ON runs.number = run_tasks.run JOIN tasks ON tasks.number = run_tasks.task
             WHERE runs.id = ?1 AND tasks.state = 'open' ORDER BY tasks.number",
        )?;
        let rows = statement.query_map([run], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Reopens the failed tasks of a run, as if they had never failed; returns how many.
    pub fn retry_failed(&mut self, run: &str) -> Result<usize, StoreError> {
        let change = self.change()?;
        let count = change.execute(
            "UPDATE tasks SET state = 'open', failures = 0, losses = 0, ended = NULL
             WHERE state = 'failed' AND number IN (SELECT task FROM run_tasks
                   JOIN runs ON runs.number = run_tasks.run WHERE runs.id = ?1)",
            [run],
        )?;
        change.commit()?;
        Ok(count)
    }

    /// How many tasks of a run are in each state.
    pub fn counts(&self, run: &str) -> Result<TaskCounts, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT tasks.state, count(*), coalesce(sum(seconds), 0.0) FROM run_tasks
             JOIN runs ON runs.number = run_tasks.run JOIN tasks ON tasks.number = run_tasks.task
             WHERE runs.id = ?1 GROUP BY tasks.state",
        )?;
        let mut rows = statement.query([run])?;
        let mut counts = TaskCounts::default();
        while let Some(row) = rows.next()? {
            let count = row.get::<_, i64>(1)?.unsigned_abs() as usize;
            match row.get::<_, String>(0)?.as_str() {
                "done" => (counts.done, counts.seconds) = (count, row.get(2)?),
                "failed" => counts.failed = count,
                _ => counts.open = count,
            }
        }
        Ok(counts)
    }

    /// How many tasks of all runs were done since a time, in milliseconds since 1970.
    pub fn done_since(&self, time: i64) -> Result<usize, StoreError> {
        let sql = "SELECT count(*) FROM tasks WHERE ended >= ?1 AND state = 'done'";
        let count: i64 =
            self.connection.prepare_cached(sql)?.query_row([time], |row| row.get(0))?;
        Ok(count.unsigned_abs() as usize)
    }

    /// The longest game that a run has found: its game and its number of moves.
    pub fn best_of_run(&self, run: &str) -> Result<Option<(String, u32)>, StoreError> {
        let sql = "SELECT games.game, games.score FROM run_tasks
                   JOIN runs ON runs.number = run_tasks.run
                   JOIN tasks ON tasks.number = run_tasks.task
                   JOIN games ON games.number = tasks.game
                   WHERE runs.id = ?1 ORDER BY games.score DESC LIMIT 1";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_row([run], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
    }

    /// Adds the results of tasks and marks the tasks as done, in one transaction. A task that is
    /// done already, or unknown, is skipped. Returns for each whether it was marked now.
    pub fn complete(&mut self, done: &[Completion]) -> Result<Vec<bool>, StoreError> {
        // Files first: one without a row does no harm, a row without its file would.
        let files: Vec<Option<String>> = done
            .iter()
            .map(|completion| match &completion.accepted {
                AcceptedResult::Proof(proof) => proofs::store_text(&self.files, proof).map(Some),
                _ => Ok(None),
            })
            .collect::<Result<_, _>>()?;
        let change = self.change()?;
        let mut now_done = Vec::new();
        for (completion, file) in done.iter().zip(files) {
            now_done.push(mark_done(&change, completion, file.as_deref())?);
        }
        chain::extend(&change)?;
        change.commit()?;
        Ok(now_done)
    }

    /// Records a failure of a task; `None` if the task is unknown.
    ///
    /// A refused result counts against the task once for each worker, and not at all once its
    /// worker is quarantined: what it did to several tasks before is then taken back.
    pub fn record_failure(
        &mut self,
        task: &str,
        worker: &str,
        failure: TaskFailure,
        reason: &str,
        limits: RetryLimits,
    ) -> Result<Option<FailureRecord>, StoreError> {
        let now = now_millis();
        let change = self.change()?;
        let found = change
            .prepare_cached("SELECT number, state, failures, losses FROM tasks WHERE id = ?1")?
            .query_row([task], |row| {
                let (number, state): (i64, String) = (row.get(0)?, row.get(1)?);
                Ok((number, state, row.get::<_, u32>(2)?, row.get::<_, u32>(3)?))
            })
            .optional()?;
        let Some((number, state, mut failures, mut losses)) = found else { return Ok(None) };
        let refusals = match failure {
            TaskFailure::Refused => Refusals::of(&change, worker, number)?,
            _ => Refusals::default(),
        };
        let was_quarantined = refusals.all >= QUARANTINE;
        // One event for each task is enough of a worker that goes on.
        if !was_quarantined || refusals.of_task == 0 {
            change
                .prepare_cached(
                    "INSERT INTO events (task, time, worker, what, reason)
                     VALUES (?1, ?2, ?3, ?4, ?5)",
                )?
                .execute(params![number, now, worker, failure.name(), reason])?;
        }
        let mut state = state_named(&state)?;
        if state == TaskState::Open {
            match failure {
                TaskFailure::Refused => {
                    failures += u32::from(!was_quarantined && refusals.of_task == 0);
                }
                TaskFailure::Failed => failures += 1,
                TaskFailure::Lost => losses += 1,
            }
            let is_over = failures >= limits.failures || losses >= limits.losses;
            state = if is_over { TaskState::Failed } else { TaskState::Open };
            change
                .prepare_cached(
                    "UPDATE tasks SET state = ?2, failures = ?3, losses = ?4, ended = ?5
                     WHERE number = ?1",
                )?
                .execute(params![number, state.name(), failures, losses, is_over.then_some(now)])?;
        }
        let quarantines = failure == TaskFailure::Refused && refusals.all + 1 == QUARANTINE;
        if quarantines {
            Refusals::take_back(&change, worker, number)?;
        }
        change.commit()?;
        Ok(Some(FailureRecord { state, quarantines }))
    }

    /// The task whose id starts with these digits.
    pub fn task(&self, digits: &str) -> Result<TaskEntry, StoreError> {
        let number = by_digits(&self.connection, "tasks", digits)?;
        let sql = "SELECT tasks.id, body, state, failures, losses, games.id, proofs.id, worker,
                          seconds, ended
                   FROM tasks LEFT JOIN games ON games.number = tasks.game
                   LEFT JOIN proofs ON proofs.number = tasks.proof WHERE tasks.number = ?1";
        Ok(self.connection.query_row(sql, [number], |row| {
            Ok(TaskEntry {
                id: row.get(0)?,
                body: row.get(1)?,
                state: state_named(&row.get::<_, String>(2)?)?,
                failures: row.get(3)?,
                losses: row.get(4)?,
                game: row.get::<_, Option<String>>(5)?.map(Id::from_stored),
                proof: row.get::<_, Option<String>>(6)?.map(Id::from_stored),
                worker: row.get(7)?,
                seconds: row.get(8)?,
                ended: row.get(9)?,
            })
        })?)
    }

    /// The failures of one task, or of all, the latest first.
    pub fn failures(
        &self,
        task: Option<&str>,
        limit: u32,
    ) -> Result<Vec<FailureEvent>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT tasks.id, time, events.worker, what, reason FROM events
             JOIN tasks ON tasks.number = events.task
             WHERE ?1 IS NULL OR tasks.id = ?1 ORDER BY events.number DESC LIMIT ?2",
        )?;
        let rows = statement.query_map(params![task, limit], |row| {
            let what: String = row.get(3)?;
            let failure = TaskFailure::ALL.into_iter().find(|known| known.name() == what);
            Ok(FailureEvent {
                task: row.get(0)?,
                time: row.get(1)?,
                worker: row.get(2)?,
                failure: failure.ok_or(rusqlite::Error::InvalidQuery)?,
                reason: row.get(4)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// Marks one task as done within a transaction.
fn mark_done(
    change: &Connection,
    completion: &Completion,
    file: Option<&str>,
) -> Result<bool, StoreError> {
    let Completion { task, worker, seconds, accepted } = completion;
    let open = "SELECT number FROM tasks WHERE id = ?1 AND state <> 'done'";
    let number: Option<i64> =
        change.prepare_cached(open)?.query_row([task], |row| row.get(0)).optional()?;
    let Some(number) = number else { return Ok(false) };
    let origin = format!("task {task} by {worker}");
    let (mut game, mut proof) = (None, None);
    match (accepted, file) {
        (AcceptedResult::Game(found), _) => game = Some(games::add(change, found, &origin)?.0),
        (AcceptedResult::Proof(checked), Some(file)) => {
            proof = Some(proofs::add(change, checked, file, &origin)?.0);
        }
        (AcceptedResult::Proof(_) | AcceptedResult::Nothing, _) => {}
    }
    change
        .prepare_cached(
            "UPDATE tasks SET state = 'done', game = ?2, proof = ?3, worker = ?4, seconds = ?5,
                 ended = ?6
             WHERE number = ?1",
        )?
        .execute(params![number, game, proof, worker, seconds, now_millis()])?;
    Ok(true)
}

fn state_named(name: &str) -> rusqlite::Result<TaskState> {
    let known = TaskState::ALL.into_iter().find(|known| known.name() == name);
    known.ok_or(rusqlite::Error::InvalidQuery)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(tasks: &[&str]) -> (tempfile::TempDir, Archive) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut archive = Archive::open_or_create(folder.path()).expect("an archive");
        archive.begin_run("run", "a run", "", bodies(tasks)).expect("started");
        (folder, archive)
    }

    fn bodies<'a>(tasks: &[&'a str]) -> Vec<(&'a str, &'a str)> {
        tasks.iter().map(|&task| (task, "a body")).collect()
    }

    fn nothing(task: &str) -> Completion {
        let (task, worker) = (task.to_owned(), "ann".to_owned());
        Completion { task, worker, seconds: 0.5, accepted: AcceptedResult::Nothing }
    }

    #[test]
    fn a_task_takes_effect_once() {
        let (_folder, mut archive) = archive(&["a1", "a2"]);
        let done = archive.complete(&[nothing("a1"), nothing("ff"), nothing("a1")]);
        assert_eq!(done.expect("stored"), [true, false, false]);
        assert_eq!(archive.complete(&[nothing("a1")]).expect("stored"), [false]);
        let counts = TaskCounts { open: 1, done: 1, failed: 0, seconds: 0.5 };
        assert_eq!(archive.counts("run").expect("counts"), counts);
        assert_eq!(archive.open_tasks("run").expect("open"), ["a2"]);
        // Another plan with the same task need not do it again.
        archive.begin_run("other", "another", "", bodies(&["a1", "a3"])).expect("started");
        assert_eq!(archive.open_tasks("other").expect("open"), ["a3"]);
        let states: Vec<(String, RunState)> =
            archive.runs().expect("runs").into_iter().map(|run| (run.id, run.state)).collect();
        assert!(states.contains(&("run".to_owned(), RunState::Stopped)), "{states:?}");
        assert!(states.contains(&("other".to_owned(), RunState::Running)), "{states:?}");
    }

    #[test]
    fn a_task_is_given_up_at_its_limits_and_losses_count_separately() {
        let (_folder, mut archive) = archive(&["a1"]);
        let limits = RetryLimits { failures: 2, losses: 2 };
        let mut record = |failure, reason| {
            let state = archive.record_failure("a1", "ann", failure, reason, limits);
            state.expect("recorded").expect("known").state
        };
        assert_eq!(record(TaskFailure::Lost, "gone"), TaskState::Open);
        assert_eq!(record(TaskFailure::Refused, "an illegal game"), TaskState::Open);
        assert_eq!(record(TaskFailure::Failed, "no solver"), TaskState::Failed);
        assert_eq!(record(TaskFailure::Lost, "again"), TaskState::Failed);
        let unknown = archive.record_failure("b", "ann", TaskFailure::Lost, "", limits);
        assert_eq!(unknown.expect("no error"), None);
        let events = archive.failures(Some("a1"), 10).expect("events");
        let reasons: Vec<&str> = events.iter().map(|event| event.reason.as_str()).collect();
        assert_eq!(reasons, ["again", "no solver", "an illegal game", "gone"]);
        let task = archive.task("a").expect("found");
        assert_eq!((task.failures, task.losses, task.state), (2, 1, TaskState::Failed));
        assert_eq!(archive.retry_failed("run").expect("opened"), 1);
        assert_eq!(archive.open_tasks("run").expect("open").len(), 1);
        // A late result counts, too.
        assert_eq!(archive.complete(&[nothing("a1")]).expect("stored"), [true]);
        assert_eq!(archive.task("a1").expect("found").state, TaskState::Done);
    }
}
