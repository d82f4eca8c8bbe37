//! The coordinator's side of a spool: also re-queues what dead workers had claimed.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant, SystemTime};

use super::shared_best::SpoolSharedBest;
use super::{Folder, POLL, SEPARATOR, at, found, list, remove, rename, words};
use crate::engine::{Clock, lock};
use crate::{
    Coordinator, Name, Outcome, QueueDepth, QueueError, QueueOptions, Receipt, Reply, ReplyError,
    SharedBest, Task,
};

/// The longest reason of a failure that is read, in bytes.
const REASON: usize = 4096;

/// The tasks and replies of one plan in a folder.
pub(crate) struct SpoolCoordinator {
    folder: Folder,
    options: QueueOptions,
    shared_best: SpoolSharedBest,
    clock: Clock,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// For each claim its last heartbeat, and when we first saw it.
    heartbeats: HashMap<String, (SystemTime, Instant)>,
    checked: Option<Instant>,
    /// Replies that were delivered and not acknowledged.
    delivered: HashSet<PathBuf>,
}

impl SpoolCoordinator {
    /// Makes the plan's folder if it does not exist.
    pub(crate) fn open(
        spool: &Path,
        plan: &Name,
        options: &QueueOptions,
        clock: Clock,
    ) -> Result<Self, QueueError> {
        let folder = Folder::new(spool, plan);
        folder.create(options)?;
        let shared_best = SpoolSharedBest { folder: folder.clone() };
        let (options, state) = (options.clone(), Mutex::default());
        Ok(Self { folder, options, shared_best, clock, state })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Ends the claims whose lease has expired.
    fn end_expired(&self) -> Result<(), QueueError> {
        let mut state = self.state();
        let now = self.clock.now();
        if state.checked.is_some_and(|checked| now - checked < self.options.lease / 4) {
            return Ok(());
        }
        state.checked = Some(now);
        let folder = self.folder.claimed();
        let mut heartbeats = HashMap::new();
        for name in list(&folder)? {
            let path = folder.join(&name);
            let Some(metadata) = found(fs::metadata(&path), &path)? else { continue };
            let heartbeat = metadata.modified().map_err(at(&path))?;
            let (_, since) = state
                .heartbeats
                .get(&name)
                .filter(|(before, _)| *before == heartbeat)
                .copied()
                .unwrap_or((heartbeat, now));
            if now - since > self.options.lease {
                self.end(&name, &path)?;
            } else {
                heartbeats.insert(name, (heartbeat, since));
            }
        }
        state.heartbeats = heartbeats;
        Ok(())
    }

    /// Ends a claim: the task is re-queued, or has failed.
    fn end(&self, name: &str, path: &Path) -> Result<(), QueueError> {
        let parsed = words(name).and_then(|[task, attempt, worker]| {
            Some((task.parse::<Name>().ok()?, attempt.parse::<u64>().ok()?, worker))
        });
        let Some((task, attempt, worker)) = parsed else { return remove(path) };
        if attempt < self.options.deliveries {
            let waiting = self.folder.tasks().join(format!("{task}{SEPARATOR}{attempt}"));
            return rename(path, &waiting).map(|_| ());
        }
        let reason = crate::message::too_many_claims(attempt);
        let reply = format!("{task}{SEPARATOR}{worker}{SEPARATOR}failed");
        self.folder.write(reason.as_bytes(), &self.folder.replies().join(reply))?;
        remove(path)
    }

    /// Removes the tasks with these ids, waiting or claimed.
    fn remove_tasks(&self, is_meant: impl Fn(&str) -> bool) -> Result<(), QueueError> {
        for folder in [self.folder.tasks(), self.folder.claimed()] {
            for name in list(&folder)? {
                if name.split(SEPARATOR).next().is_some_and(&is_meant) {
                    remove(&folder.join(name))?;
                }
            }
        }
        Ok(())
    }

    fn read_reply(&self, name: &str, path: PathBuf) -> Result<Option<Reply>, QueueError> {
        let words = words(name);
        let [task, worker, word] = words.unwrap_or_default();
        let Some(metadata) = found(fs::symlink_metadata(&path), &path)? else { return Ok(None) };
        let (size, limit) = (metadata.len(), self.options.largest_reply);
        let outcome = if words.is_none() || !metadata.is_file() {
            Err(ReplyError::Malformed("its file"))
        } else if size > limit {
            Err(ReplyError::TooLarge { size, limit })
        } else {
            let body = fs::read(&path).map_err(at(&path))?;
            match word {
                "done" => Ok(Outcome::Done(body)),
                "failed" => {
                    let reason = &body[..body.len().min(REASON)];
                    Ok(Outcome::Failed(String::from_utf8_lossy(reason).into_owned()))
                }
                _ => Err(ReplyError::Malformed("its file")),
            }
        };
        let receipt = Receipt::new(path);
        Ok(Some(Reply { task: task.into(), worker: worker.into(), outcome, receipt }))
    }

    /// Replies that were not delivered yet.
    fn new_replies(&self, most: usize) -> Result<Vec<Reply>, QueueError> {
        self.end_expired()?;
        let folder = self.folder.replies();
        let mut replies = Vec::new();
        for name in list(&folder)? {
            let path = folder.join(&name);
            if replies.len() == most {
                break;
            }
            if self.state().delivered.contains(&path) {
                continue;
            }
            if let Some(reply) = self.read_reply(&name, path.clone())? {
                self.state().delivered.insert(path);
                replies.push(reply);
            }
        }
        Ok(replies)
    }
}

impl Coordinator for SpoolCoordinator {
    fn enqueue(&self, tasks: &[Task]) -> Result<usize, QueueError> {
        // In the order in which a task moves, so that none is overlooked on its way.
        let mut queued = HashSet::new();
        for folder in [self.folder.tasks(), self.folder.claimed()] {
            let names = list(&folder)?;
            queued.extend(
                names.iter().filter_map(|name| name.split(SEPARATOR).next()?.parse::<Name>().ok()),
            );
        }
        let mut new = 0;
        for task in tasks.iter().filter(|task| !queued.contains(&task.id)) {
            let path = self.folder.tasks().join(format!("{}{SEPARATOR}0", task.id));
            self.folder.write(&task.body, &path)?;
            new += 1;
        }
        Ok(new)
    }

    fn replies(&self, most: usize, wait: Duration) -> Result<Vec<Reply>, QueueError> {
        let end = Instant::now() + wait;
        loop {
            let replies = self.new_replies(most)?;
            let left = end.saturating_duration_since(Instant::now());
            if !replies.is_empty() || left.is_zero() {
                return Ok(replies);
            }
            std::thread::sleep(POLL.min(left));
        }
    }

    fn acknowledge(&self, receipts: Vec<Receipt>) -> Result<(), QueueError> {
        for receipt in receipts {
            let Some(path) = receipt.into_inner::<PathBuf>() else { continue };
            match found(fs::symlink_metadata(&path), &path)? {
                Some(metadata) if metadata.is_dir() => {
                    found(fs::remove_dir_all(&path), &path)?;
                }
                _ => remove(&path)?,
            }
            self.state().delivered.remove(&path);
        }
        Ok(())
    }

    fn cancel(&self, task: &Name) -> Result<(), QueueError> {
        self.remove_tasks(|id| id == task.as_str())
    }

    fn cancel_all(&self) -> Result<(), QueueError> {
        self.remove_tasks(|_| true)
    }

    fn depth(&self) -> Result<QueueDepth, QueueError> {
        self.end_expired()?;
        let count = |folder: PathBuf| list(&folder).map(|names| names.len() as u64);
        Ok(QueueDepth {
            waiting: count(self.folder.tasks())?,
            claimed: count(self.folder.claimed())?,
            replies: count(self.folder.replies())?,
        })
    }

    fn shared_best(&self) -> &dyn SharedBest {
        &self.shared_best
    }

    fn close(&self) -> Result<(), QueueError> {
        // First the file that says that the plan exists.
        remove(&self.folder.terms())?;
        found(fs::remove_dir_all(&self.folder.0), &self.folder.0).map(|_| ())
    }
}
