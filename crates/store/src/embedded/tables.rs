//! The tables of the embedded queue.

use std::time::Duration;

use queue::{Outcome, QueueDepth, Receipt, Reply, ReplyError};
use rusqlite::{OptionalExtension as _, params};

use super::RunningTask;
use crate::{Archive, StoreError};

impl Archive {
    /// The tasks that workers have claimed.
    pub fn running_tasks(&self) -> Result<Vec<RunningTask>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT task, worker, since, progress FROM queue
             WHERE worker NOTNULL ORDER BY since, number",
        )?;
        let rows = statement.query_map([], |row| {
            let (task, worker) = (row.get(0)?, row.get(1)?);
            Ok(RunningTask { task, worker, since: row.get(2)?, progress: row.get(3)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The worker that has claimed a task, if any.
    pub fn claimed_by(&self, task: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT worker FROM queue WHERE task = ?1";
        let found = self.connection.query_row(sql, [task], |row| row.get(0)).optional()?;
        Ok(found.flatten())
    }

    /// Enqueues tasks with their bodies; one that is queued, or has a reply waiting, stays as it
    /// is. Returns how many were new.
    pub(super) fn enqueue(
        &mut self,
        tasks: &[(&str, &str)],
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

    /// Claims waiting tasks in their order: id, body and lease of each.
    pub(super) fn claim(
        &mut self,
        worker: &str,
        most: usize,
        now: i64,
    ) -> Result<Vec<(String, String, Duration)>, StoreError> {
        // Looking takes no lock; there may be nothing to write.
        let waiting = "SELECT 1 FROM queue WHERE worker IS NULL LIMIT 1";
        let mut look = self.connection.prepare_cached(waiting)?;
        if !look.exists([])? {
            return Ok(Vec::new());
        }
        drop(look);
        let change = self.change()?;
        let claimed = {
            let mut update = change.prepare_cached(
                "UPDATE queue SET worker = ?1, since = ?2, expires = ?2 + lease, progress = ''
                 WHERE number IN
                     (SELECT number FROM queue WHERE worker IS NULL ORDER BY number LIMIT ?3)
                 RETURNING task, body, lease",
            )?;
            let claimed = |row: &rusqlite::Row<'_>| {
                let lease = Duration::from_millis(row.get::<_, i64>(2)?.unsigned_abs());
                Ok((row.get(0)?, row.get(1)?, lease))
            };
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            let rows = update.query_map(params![worker, now, most], claimed)?;
            rows.collect::<Result<_, _>>()?
        };
        change.commit()?;
        Ok(claimed)
    }

    /// A heartbeat; `false` if the claim is over.
    pub(super) fn renew(
        &mut self,
        worker: &str,
        task: &str,
        progress: &str,
        now: i64,
    ) -> Result<bool, StoreError> {
        let change = self.change()?;
        let renewed = change
            .prepare_cached(
                "UPDATE queue SET expires = ?3 + lease, progress = ?4
                 WHERE task = ?1 AND worker = ?2",
            )?
            .execute(params![task, worker, now, progress])?;
        change.commit()?;
        Ok(renewed > 0)
    }

    /// Stores the outcome of tasks. For a task that is no longer queued, as another worker has done
    /// it or it was cancelled, nothing is stored.
    pub(super) fn submit(
        &mut self,
        worker: &str,
        outcomes: &[(&str, &Outcome)],
    ) -> Result<(), StoreError> {
        let change = self.change()?;
        {
            let mut leave = change.prepare_cached("DELETE FROM queue WHERE task = ?1")?;
            let mut insert = change.prepare_cached(
                "INSERT INTO answers (task, worker, what, body) VALUES (?1, ?2, ?3, ?4)",
            )?;
            for (task, outcome) in outcomes {
                if leave.execute([task])? > 0 {
                    let (what, body) = match outcome {
                        Outcome::Done(bytes) => ("result", &bytes[..]),
                        Outcome::Failed(reason) => ("failure", reason.as_bytes()),
                    };
                    insert.execute(params![task, worker, what, body])?;
                }
            }
        }
        change.commit()?;
        Ok(())
    }

    pub(super) fn release(&mut self, worker: &str, task: &str) -> Result<(), StoreError> {
        let change = self.change()?;
        change
            .prepare_cached("UPDATE queue SET worker = NULL WHERE task = ?1 AND worker = ?2")?
            .execute([task, worker])?;
        change.commit()?;
        Ok(())
    }

    /// Ends the claims whose lease has expired, with a reply for each.
    pub(super) fn end_expired(&mut self, now: i64) -> Result<(), StoreError> {
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

    /// The oldest replies, of at most `limit` bytes each.
    pub(super) fn replies(&self, most: usize, limit: u64) -> Result<Vec<Reply>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT number, task, worker, what, length(body),
                    CASE WHEN length(body) <= ?2 THEN body END
             FROM answers ORDER BY number LIMIT ?1",
        )?;
        let limits = [most as u64, limit].map(|limit| i64::try_from(limit).unwrap_or(i64::MAX));
        let rows = statement.query_map(limits, |row| {
            let what: String = row.get(3)?;
            let body: Option<Vec<u8>> = row.get(5)?;
            let outcome = match (body, what.as_str()) {
                (None, _) => {
                    let size = row.get::<_, i64>(4)?.unsigned_abs();
                    Err(ReplyError::TooLarge { size, limit })
                }
                (Some(_), "lost") => Err(ReplyError::LeaseExpired),
                (Some(body), "result") => Ok(Outcome::Done(body)),
                (Some(body), _) => Ok(Outcome::Failed(String::from_utf8_lossy(&body).into_owned())),
            };
            let receipt = Receipt::new(row.get::<_, i64>(0)?);
            Ok(Reply { task: row.get(1)?, worker: row.get(2)?, outcome, receipt })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    pub(super) fn acknowledge(&mut self, replies: &[i64]) -> Result<(), StoreError> {
        let change = self.change()?;
        for number in replies {
            change.prepare_cached("DELETE FROM answers WHERE number = ?1")?.execute([number])?;
        }
        change.commit()?;
        Ok(())
    }

    /// Removes a task from the queue, or all tasks.
    pub(super) fn cancel(&mut self, task: Option<&str>) -> Result<(), StoreError> {
        let change = self.change()?;
        change.execute("DELETE FROM queue WHERE ?1 IS NULL OR task = ?1", [task])?;
        change.commit()?;
        Ok(())
    }

    pub(super) fn clear_queue(&mut self) -> Result<(), StoreError> {
        let change = self.change()?;
        change.execute_batch("DELETE FROM queue; DELETE FROM answers; DELETE FROM bests;")?;
        change.commit()?;
        Ok(())
    }

    pub(super) fn queue_depth(&self) -> Result<QueueDepth, StoreError> {
        let sql = "SELECT (SELECT count(*) FROM queue WHERE worker IS NULL),
                          (SELECT count(*) FROM queue WHERE worker NOTNULL),
                          (SELECT count(*) FROM answers)";
        let mut statement = self.connection.prepare_cached(sql)?;
        let [waiting, claimed, replies] = statement.query_row([], |row| {
            let count = |column| row.get::<_, i64>(column).map(i64::unsigned_abs);
            Ok([count(0)?, count(1)?, count(2)?])
        })?;
        Ok(QueueDepth { waiting, claimed, replies })
    }

    pub(super) fn latest_best(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let mut look = self.connection.prepare_cached("SELECT body FROM bests WHERE key = ?1")?;
        Ok(look.query_row([key], |row| row.get(0)).optional()?)
    }

    pub(super) fn publish_best(
        &mut self,
        key: &str,
        body: &[u8],
        replaces: &dyn Fn(&[u8]) -> bool,
    ) -> Result<bool, StoreError> {
        let change = self.change()?;
        let mut look = change.prepare_cached("SELECT body FROM bests WHERE key = ?1")?;
        let latest: Option<Vec<u8>> = look.query_row([key], |row| row.get(0)).optional()?;
        drop(look);
        let is_better = latest.is_none_or(|latest| replaces(&latest));
        if is_better {
            change
                .prepare_cached("INSERT OR REPLACE INTO bests (key, body) VALUES (?1, ?2)")?
                .execute(params![key, body])?;
            change.commit()?;
        }
        Ok(is_better)
    }
}
