//! The embedded queue: tasks that wait, claims that last while their worker gives signs of life, answers.
//!
//! What tasks and answers say is not known here. A task is there once. A claim whose worker was silent
//! for longer than its lease is over: another worker may have the task, and the loss is told as an
//! answer. All of it lives in the archive's database, so any process may be killed at any moment.

use std::time::Duration;

use rusqlite::{OptionalExtension as _, params};

use crate::archive::now_millis;
use crate::{Archive, StoreError};

/// A task in the hands of a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimed {
    /// Which.
    pub task: String,
    /// What to do.
    pub body: String,
    /// How long the claim lasts without a sign of life.
    pub lease: Duration,
}

/// What came of a task, as a worker says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// This.
    Result(Vec<u8>),
    /// Nothing, for this reason.
    Failure(String),
}

/// Something that the coordinator is to hear.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Names it when it is settled.
    pub number: i64,
    /// The task.
    pub task: String,
    /// The worker, as it calls itself.
    pub worker: String,
    /// What there is to hear.
    pub told: Told,
}

/// What an answer tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// What came of the task.
    Outcome(Outcome),
    /// More bytes than are taken.
    TooLarge(u64),
    /// The worker vanished; the task waits again.
    Lost,
}

/// A task in the hands of a worker, as the queue sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// The task.
    pub task: String,
    /// The worker.
    pub worker: String,
    /// Since when, in milliseconds since 1970.
    pub since: i64,
    /// What the worker said last of how it goes.
    pub progress: String,
}

/// The longest word on how it goes that is kept.
const MOST_PROGRESS: usize = 4096;

impl Archive {
    /// Puts tasks with their bodies into the queue; one that is there, or has an answer waiting, stays as
    /// it is. Says how many were not there.
    pub fn put(
        &mut self,
        tasks: &[(String, String)],
        lease: Duration,
    ) -> Result<usize, StoreError> {
        let lease = i64::try_from(lease.as_millis()).unwrap_or(i64::MAX / 4);
        let change = self.change()?;
        let mut new = 0;
        {
            let mut insert = change.prepare_cached(
                "INSERT OR IGNORE INTO queue (task, body, lease) SELECT ?1, ?2, ?3
                 WHERE NOT EXISTS (SELECT 1 FROM answers WHERE task = ?1 AND what <> 'lost')",
            )?;
            for (task, body) in tasks {
                new += insert.execute(params![task, body, lease])?;
            }
        }
        change.commit()?;
        Ok(new)
    }

    /// Claims some of the tasks that wait, the first first.
    pub fn claim(&mut self, worker: &str, most: usize) -> Result<Vec<Claimed>, StoreError> {
        // Looking costs no lock; there may be nothing to write.
        let waiting = "SELECT 1 FROM queue WHERE worker IS NULL LIMIT 1";
        let mut look = self.connection.prepare_cached(waiting)?;
        if !look.exists([])? {
            return Ok(Vec::new());
        }
        drop(look);
        let now = now_millis();
        let change = self.change()?;
        let claimed = {
            let mut update = change.prepare_cached(
                "UPDATE queue SET worker = ?1, since = ?2, expires = ?2 + lease, progress = ''
                 WHERE number IN (SELECT number FROM queue WHERE worker IS NULL ORDER BY number LIMIT ?3)
                 RETURNING task, body, lease",
            )?;
            let claimed = |row: &rusqlite::Row<'_>| {
                let lease = Duration::from_millis(row.get::<_, i64>(2)?.unsigned_abs());
                Ok(Claimed { task: row.get(0)?, body: row.get(1)?, lease })
            };
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            let rows = update.query_map(params![worker, now, most], claimed)?;
            rows.collect::<Result<_, _>>()?
        };
        change.commit()?;
        Ok(claimed)
    }

    /// A sign of life, with a word on how it goes; `false` if the claim is over.
    pub fn beat(&mut self, worker: &str, task: &str, progress: &str) -> Result<bool, StoreError> {
        let progress: String = progress.chars().take(MOST_PROGRESS).collect();
        let change = self.change()?;
        let held = change
            .prepare_cached(
                "UPDATE queue SET expires = ?3 + lease, progress = ?4 WHERE task = ?1 AND worker = ?2",
            )?
            .execute(params![task, worker, now_millis(), progress])?;
        change.commit()?;
        Ok(held > 0)
    }

    /// What was told last under a key.
    pub fn best_told(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let mut look = self.connection.prepare_cached("SELECT body FROM bests WHERE key = ?1")?;
        Ok(look.query_row([key], |row| row.get(0)).optional()?)
    }

    /// Tells something under a key, unless what is there shall stay.
    pub fn tell_best(
        &mut self,
        key: &str,
        body: &[u8],
        replaces: &dyn Fn(&[u8]) -> bool,
    ) -> Result<(), StoreError> {
        let change = self.change()?;
        let mut look = change.prepare_cached("SELECT body FROM bests WHERE key = ?1")?;
        let there: Option<Vec<u8>> = look.query_row([key], |row| row.get(0)).optional()?;
        drop(look);
        if there.is_none_or(|there| replaces(&there)) {
            change
                .prepare_cached("INSERT OR REPLACE INTO bests (key, body) VALUES (?1, ?2)")?
                .execute(params![key, body])?;
            change.commit()?;
        }
        Ok(())
    }

    /// Hands in what came of tasks. Of a task that is no longer in the queue, as another has done it or
    /// nobody wants it any more, nothing is kept.
    pub fn hand_in(&mut self, worker: &str, done: &[(&str, Outcome)]) -> Result<(), StoreError> {
        let change = self.change()?;
        {
            let mut leave = change.prepare_cached("DELETE FROM queue WHERE task = ?1")?;
            let mut insert = change.prepare_cached(
                "INSERT INTO answers (task, worker, what, body) VALUES (?1, ?2, ?3, ?4)",
            )?;
            for (task, outcome) in done {
                if leave.execute([task])? > 0 {
                    let (what, body) = match outcome {
                        Outcome::Result(bytes) => ("result", &bytes[..]),
                        Outcome::Failure(reason) => ("failure", reason.as_bytes()),
                    };
                    insert.execute(params![task, worker, what, body])?;
                }
            }
        }
        change.commit()?;
        Ok(())
    }

    /// Gives a task back undone, for others to have at once.
    pub fn give_back(&mut self, worker: &str, task: &str) -> Result<(), StoreError> {
        let change = self.change()?;
        change
            .prepare_cached("UPDATE queue SET worker = NULL WHERE task = ?1 AND worker = ?2")?
            .execute([task, worker])?;
        change.commit()?;
        Ok(())
    }

    /// Ends the claims of those who were silent for too long.
    pub fn end_claims(&mut self) -> Result<(), StoreError> {
        let now = now_millis();
        let late = "SELECT 1 FROM queue WHERE worker NOTNULL AND expires < ?1 LIMIT 1";
        let mut look = self.connection.prepare_cached(late)?;
        if !look.exists([now])? {
            return Ok(());
        }
        drop(look);
        let change = self.change()?;
        change.execute(
            "INSERT INTO answers (task, worker, what, body)
             SELECT task, worker, 'lost', x'' FROM queue WHERE worker NOTNULL AND expires < ?1",
            [now],
        )?;
        change.execute(
            "UPDATE queue SET worker = NULL WHERE worker NOTNULL AND expires < ?1",
            [now],
        )?;
        change.commit()?;
        Ok(())
    }

    /// Some answers, the oldest first, of at most `largest` bytes each.
    pub fn answers(&mut self, most: usize, largest: usize) -> Result<Vec<Answer>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT number, task, worker, what, length(body),
                    CASE WHEN length(body) <= ?2 THEN body END
             FROM answers ORDER BY number LIMIT ?1",
        )?;
        let limits = [most, largest].map(|limit| i64::try_from(limit).unwrap_or(i64::MAX));
        let rows = statement.query_map(limits, |row| {
            let what: String = row.get(3)?;
            let body: Option<Vec<u8>> = row.get(5)?;
            let told = match (body, what.as_str()) {
                (None, _) => Told::TooLarge(row.get::<_, i64>(4)?.unsigned_abs()),
                (Some(_), "lost") => Told::Lost,
                (Some(body), "result") => Told::Outcome(Outcome::Result(body)),
                (Some(body), _) => {
                    let reason = String::from_utf8_lossy(&body).into_owned();
                    Told::Outcome(Outcome::Failure(reason))
                }
            };
            Ok(Answer { number: row.get(0)?, task: row.get(1)?, worker: row.get(2)?, told })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// These answers have been dealt with.
    pub fn settle(&mut self, answers: &[i64]) -> Result<(), StoreError> {
        let change = self.change()?;
        for number in answers {
            change.prepare_cached("DELETE FROM answers WHERE number = ?1")?.execute([number])?;
        }
        change.commit()?;
        Ok(())
    }

    /// Takes a task out of the queue, or all tasks.
    pub fn withdraw(&mut self, task: Option<&str>) -> Result<(), StoreError> {
        let change = self.change()?;
        change.execute("DELETE FROM queue WHERE ?1 IS NULL OR task = ?1", [task])?;
        change.commit()?;
        Ok(())
    }

    /// The tasks in the hands of workers.
    pub fn running(&self) -> Result<Vec<Running>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT task, worker, since, progress FROM queue
             WHERE worker NOTNULL ORDER BY since, number",
        )?;
        let rows = statement.query_map([], |row| {
            let (task, worker) = (row.get(0)?, row.get(1)?);
            Ok(Running { task, worker, since: row.get(2)?, progress: row.get(3)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// How many tasks and answers there are.
    pub fn queued(&self) -> Result<usize, StoreError> {
        let sql = "SELECT (SELECT count(*) FROM queue) + (SELECT count(*) FROM answers)";
        let count: i64 = self.connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
        Ok(count.unsigned_abs() as usize)
    }

    /// Who has a task in hand, if anybody.
    pub fn holder(&self, task: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT worker FROM queue WHERE task = ?1";
        let found = self.connection.query_row(sql, [task], |row| row.get(0)).optional()?;
        Ok(found.flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    fn archive() -> (tempfile::TempDir, Archive) {
        let folder = tempfile::tempdir().expect("a folder");
        let archive = Archive::open_or_create(folder.path()).expect("an archive");
        (folder, archive)
    }

    fn tasks(count: usize) -> Vec<(String, String)> {
        (0..count).map(|number| (format!("task{number}"), format!("body{number}"))).collect()
    }

    fn names(claimed: &[Claimed]) -> Vec<&str> {
        claimed.iter().map(|claimed| claimed.task.as_str()).collect()
    }

    #[test]
    fn a_task_is_there_once_and_nobody_else_has_it() {
        let (_folder, mut archive) = archive();
        assert_eq!(archive.put(&tasks(3), LONG).expect("put"), 3);
        assert_eq!(archive.put(&tasks(4), LONG).expect("put"), 1);
        assert_eq!(names(&archive.claim("ann", 2).expect("claimed")), ["task0", "task1"]);
        assert_eq!(names(&archive.claim("bob", 9).expect("claimed")), ["task2", "task3"]);
        assert_eq!(archive.claim("ann", 1).expect("none"), []);
        archive.give_back("bob", "task2").expect("given back");
        archive.give_back("bob", "task1").expect("not his");
        assert_eq!(names(&archive.claim("ann", 9).expect("claimed")), ["task2"]);
        assert_eq!(archive.holder("task2").expect("known").as_deref(), Some("ann"));
    }

    #[test]
    fn a_claim_without_signs_of_life_is_over_and_the_loss_is_told() {
        let (_folder, mut archive) = archive();
        archive.put(&tasks(1), Duration::ZERO).expect("put");
        archive.claim("ann", 1).expect("claimed");
        std::thread::sleep(Duration::from_millis(5));
        archive.end_claims().expect("ended");
        let answers = archive.answers(9, 9).expect("answers");
        assert_eq!((answers.len(), &answers[0].told), (1, &Told::Lost));
        assert_eq!(answers[0].worker, "ann");
        assert!(!archive.beat("ann", "task0", "").expect("told"), "it is no longer hers");
        assert_eq!(names(&archive.claim("bob", 1).expect("claimed")), ["task0"]);
        // Ann comes back with a result after all: it counts, and Bob need not go on.
        archive.hand_in("ann", &[("task0", Outcome::Result(b"x".into()))]).expect("taken");
        assert!(!archive.beat("bob", "task0", "").expect("told"));
        archive.hand_in("bob", &[("task0", Outcome::Result(b"y".into()))]).expect("passed over");
        assert_eq!(archive.answers(9, 9).expect("answers").len(), 2);
    }

    #[test]
    fn answers_wait_until_they_are_settled_and_large_ones_are_not_read() {
        let (_folder, mut archive) = archive();
        archive.put(&tasks(3), LONG).expect("put");
        archive.claim("ann", 3).expect("claimed");
        let failure = Outcome::Failure("tired".to_owned());
        let done = [
            ("task0", Outcome::Result(vec![7; 10])),
            ("task1", Outcome::Result(vec![7; 11])),
            ("task2", failure.clone()),
        ];
        archive.hand_in("ann", &done).expect("handed in");
        for _ in 0..2 {
            let told: Vec<Told> = archive
                .answers(9, 10)
                .expect("answers")
                .into_iter()
                .map(|answer| answer.told)
                .collect();
            let result = Told::Outcome(done[0].1.clone());
            assert_eq!(told, [result, Told::TooLarge(11), Told::Outcome(failure.clone())]);
        }
        // What has an answer is not put again; what was settled is.
        assert_eq!(archive.put(&tasks(1), LONG).expect("put"), 0);
        let numbers: Vec<i64> =
            archive.answers(9, 0).expect("answers").iter().map(|answer| answer.number).collect();
        archive.settle(&numbers).expect("settled");
        assert_eq!(archive.answers(9, 10).expect("none"), []);
        assert_eq!(archive.put(&tasks(1), LONG).expect("put"), 1);
    }

    #[test]
    fn what_is_withdrawn_is_no_longer_held() {
        let (_folder, mut archive) = archive();
        archive.put(&tasks(2), LONG).expect("put");
        archive.claim("ann", 1).expect("claimed");
        assert!(archive.beat("ann", "task0", "best 50").expect("told"));
        assert_eq!(archive.running().expect("one")[0].progress, "best 50");
        archive.withdraw(None).expect("withdrawn");
        assert!(!archive.beat("ann", "task0", "").expect("told"));
        assert_eq!(archive.claim("bob", 1).expect("none"), []);
    }
}
