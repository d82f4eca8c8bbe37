//! Workers at which everything fails: one without a solver, say, or with a full disk.
//!
//! Such a worker is faster than all others, and would soon have failed at every task. Its own
//! failures and those of the tasks are distinguished by whether other workers succeed.

use rusqlite::{named_params, params};

use super::{QUARANTINE, RetryLimits};
use crate::{Archive, StoreError};

impl Archive {
    /// The workers of a run that have failed several times where nobody else has, and have done
    /// nothing while others have.
    pub fn failing_workers(&self, run: &str) -> Result<Vec<String>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "WITH run AS (SELECT task FROM run_tasks
                          WHERE run = (SELECT number FROM runs WHERE id = :run)),
                  failed AS (SELECT task, worker FROM events WHERE what = 'failed'
                             AND task IN (SELECT task FROM run)),
                  done AS (SELECT worker FROM tasks WHERE state = 'done'
                           AND number IN (SELECT task FROM run))
             SELECT worker FROM failed
             WHERE NOT EXISTS (SELECT 1 FROM failed AS other
                               WHERE other.task = failed.task AND other.worker <> failed.worker)
             GROUP BY worker HAVING count(*) >= :quarantine
                 AND worker NOT IN (SELECT worker FROM done WHERE worker NOTNULL)
                 AND EXISTS (SELECT 1 FROM done)
             ORDER BY worker",
        )?;
        let parameters = named_params! {":run": run, ":quarantine": QUARANTINE};
        let rows = statement.query_map(parameters, |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Takes back what the failures of a worker count against the tasks of a run, as often as one
    /// likes; gives the tasks that were given up for it and are open again.
    pub fn take_back(
        &mut self,
        run: &str,
        worker: &str,
        limits: RetryLimits,
    ) -> Result<Vec<String>, StoreError> {
        const OF_RUN: &str = "number IN (SELECT task FROM events WHERE worker = ?2)
             AND number IN (SELECT task FROM run_tasks
                            WHERE run = (SELECT number FROM runs WHERE id = ?1))";
        let change = self.change()?;
        // A task that was reset by --retry has fewer failures than events.
        let lower = format!(
            "UPDATE tasks SET failures = min(failures,
                 (SELECT count(*) FROM events
                  WHERE task = tasks.number AND what = 'failed' AND worker <> ?2)
                 + (SELECT count(DISTINCT worker) FROM events
                    WHERE task = tasks.number AND what = 'refused'))
             WHERE {OF_RUN} AND state <> 'done'"
        );
        change.prepare_cached(&lower)?.execute(params![run, worker])?;
        let open = format!(
            "UPDATE tasks SET state = 'open', ended = NULL
             WHERE {OF_RUN} AND state = 'failed' AND failures < ?3 AND losses < ?4 RETURNING id"
        );
        let reopened = change
            .prepare_cached(&open)?
            .query_map(params![run, worker, limits.failures, limits.losses], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        change.commit()?;
        Ok(reopened)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AcceptedResult, Completion, TaskFailure, TaskState};

    fn archive() -> (tempfile::TempDir, Archive) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut archive = Archive::open_or_create(folder.path()).expect("an archive");
        let bodies = ["a1", "a2", "a3"].map(|task| (task, "a body"));
        archive.begin_run("run", "a run", "", bodies).expect("started");
        (folder, archive)
    }

    fn fail(archive: &mut Archive, task: &str, worker: &str) -> TaskState {
        let limits = RetryLimits::default();
        let record = archive.record_failure(task, worker, TaskFailure::Failed, "no", limits);
        record.expect("recorded").expect("a task").state
    }

    fn complete(archive: &mut Archive, task: &str, worker: &str) {
        let (task, worker) = (task.to_owned(), worker.to_owned());
        let done = Completion { task, worker, seconds: 1.0, accepted: AcceptedResult::Nothing };
        archive.complete(&[done]).expect("stored");
    }

    fn failing(archive: &Archive) -> Vec<String> {
        archive.failing_workers("run").expect("names")
    }

    #[test]
    fn what_a_worker_without_a_solver_gave_up_is_open_again() {
        let (_folder, mut archive) = archive();
        for task in ["a1", "a2"] {
            let states = [(); 3].map(|()| fail(&mut archive, task, "broken"));
            assert_eq!(states, [TaskState::Open, TaskState::Open, TaskState::Failed]);
        }
        assert_eq!(failing(&archive), Vec::<String>::new(), "nobody has done better");
        complete(&mut archive, "a3", "ann");
        assert_eq!(failing(&archive), ["broken"]);
        let limits = RetryLimits::default();
        let mut reopened = archive.take_back("run", "broken", limits).expect("open again");
        reopened.sort();
        assert_eq!(reopened, ["a1", "a2"]);
        assert_eq!(archive.task("a1").expect("a task").failures, 0);
        // Again: nothing more to take back.
        fail(&mut archive, "a1", "bob");
        assert_eq!(archive.take_back("run", "broken", limits).expect("none"), [""; 0]);
        assert_eq!(archive.task("a1").expect("a task").failures, 1);
    }

    #[test]
    fn a_task_at_which_others_fail_too_is_held_against_nobody() {
        let (_folder, mut archive) = archive();
        complete(&mut archive, "a3", "ann");
        for worker in ["bob", "cat"] {
            fail(&mut archive, "a1", worker);
        }
        for _ in 0..5 {
            fail(&mut archive, "a1", "bob");
        }
        assert_eq!(failing(&archive), Vec::<String>::new());
        assert_eq!(archive.task("a1").expect("a task").state, TaskState::Failed);
        // Nor is a worker that has done something.
        for _ in 0..3 {
            fail(&mut archive, "a2", "ann");
        }
        assert_eq!(failing(&archive), Vec::<String>::new());
        assert_eq!(archive.task("a2").expect("a task").state, TaskState::Failed);
    }
}
