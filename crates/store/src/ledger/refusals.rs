//! Refused results, which count against the worker: after a few it is quarantined.

use rusqlite::{Connection, params};

use crate::{Archive, StoreError};

/// After this many refused results a worker is quarantined: they count against it, and no longer
/// against tasks.
pub const QUARANTINE: u32 = 3;

impl Archive {
    /// The workers that are quarantined in a run.
    pub fn quarantined(&self, run: &str) -> Result<Vec<String>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT worker FROM events
             JOIN run_tasks ON run_tasks.task = events.task JOIN runs ON runs.number = run_tasks.run
             WHERE runs.id = ?1 AND what = 'refused' GROUP BY worker HAVING count(*) >= ?2
             ORDER BY worker",
        )?;
        let rows = statement.query_map(params![run, QUARANTINE], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// How often the results of a worker were refused.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    /// In the runs of a task.
    pub(super) all: u32,
    /// Of the task itself.
    pub(super) of_task: u32,
}

impl Refusals {
    /// The events of a worker in the runs of a task.
    const EVENTS: &str = "events WHERE worker = ?1 AND what = 'refused' AND task IN
        (SELECT task FROM run_tasks WHERE run IN (SELECT run FROM run_tasks WHERE task = ?2))";

    pub(super) fn of(connection: &Connection, worker: &str, task: i64) -> Result<Self, StoreError> {
        let sql = format!("SELECT count(*), coalesce(sum(task = ?2), 0) FROM {}", Self::EVENTS);
        let mut statement = connection.prepare_cached(&sql)?;
        Ok(statement.query_row(params![worker, task], |row| {
            Ok(Self { all: row.get(0)?, of_task: row.get(1)? })
        })?)
    }

    /// Takes back what refusals counted against tasks, unless all were of one: then it may be the
    /// task that is at fault.
    pub(super) fn take_back(
        connection: &Connection,
        worker: &str,
        task: i64,
    ) -> Result<(), StoreError> {
        let events = Self::EVENTS;
        let sql = format!(
            "UPDATE tasks SET failures = failures - 1 WHERE state = 'open' AND failures > 0
             AND number IN (SELECT task FROM {events})
             AND (SELECT count(DISTINCT task) FROM {events}) > 1"
        );
        connection.prepare_cached(&sql)?.execute(params![worker, task])?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FailureRecord, RetryLimits, TaskFailure, TaskState};

    fn archive(tasks: &[&str]) -> (tempfile::TempDir, Archive) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut archive = Archive::open_or_create(folder.path()).expect("an archive");
        let bodies = tasks.iter().map(|&task| (task, "a body"));
        archive.begin_run("run", "a run", "", bodies).expect("started");
        (folder, archive)
    }

    fn refuse(archive: &mut Archive, task: &str, worker: &str) -> FailureRecord {
        let limits = RetryLimits::default();
        let record = archive.record_failure(task, worker, TaskFailure::Refused, "junk", limits);
        record.expect("recorded").expect("a task")
    }

    fn failures(archive: &Archive, task: &str) -> u32 {
        archive.task(task).expect("a task").failures
    }

    #[test]
    fn a_bad_worker_is_quarantined_and_ends_no_task() {
        let (_folder, mut archive) = archive(&["a1", "a2"]);
        for round in 1..=10 {
            for task in ["a1", "a2"] {
                let record = refuse(&mut archive, task, "mallory");
                assert_eq!(record.state, TaskState::Open);
                assert_eq!(record.quarantines, (round, task) == (2, "a1"));
            }
        }
        assert_eq!(archive.quarantined("run").expect("names"), ["mallory"]);
        assert_eq!(["a1", "a2"].map(|task| failures(&archive, task)), [0, 0]);
        // It leaves no more than one trace for each task after that.
        assert!(archive.failures(None, 100).expect("events").len() <= 4);
    }

    #[test]
    fn a_task_that_three_workers_fail_at_is_given_up() {
        let (_folder, mut archive) = archive(&["a1", "a2"]);
        for worker in ["ann", "ann", "bob", "bob"] {
            assert_eq!(refuse(&mut archive, "a1", worker).state, TaskState::Open, "{worker}");
        }
        assert_eq!(failures(&archive, "a1"), 2);
        assert_eq!(refuse(&mut archive, "a1", "cat").state, TaskState::Failed);
        assert_eq!(archive.quarantined("run").expect("names"), Vec::<String>::new());
    }
}
