//! A worker's side of a spool: claims a task by moving its file.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant, SystemTime};

use super::shared_best::SpoolSharedBest;
use super::{Folder, LARGEST_TASK, POLL, SEPARATOR, at, found, list, remove, rename, words};
use crate::engine::{Clock, Leases, exclusion, lock};
use crate::{Claim, Name, Outcome, QueueError, SharedBest, Task, Worker};

/// A worker on a folder.
pub(crate) struct SpoolWorker {
    spool: PathBuf,
    name: Name,
    /// Tasks that were waiting when the folder was last listed, by plan.
    listed: Mutex<VecDeque<(Name, String)>>,
    leases: Arc<Mutex<Leases<ClaimFile>>>,
}

/// A claimed task's file, and how often it was claimed.
#[derive(Debug, Clone)]
struct ClaimFile {
    path: PathBuf,
    attempt: u64,
}

impl SpoolWorker {
    /// Starts on a folder, which must exist: a file system that is not mounted is empty, too.
    pub(crate) fn open(spool: &Path, worker: &Name, clock: Clock) -> Result<Self, QueueError> {
        fs::read_dir(spool).map_err(at(spool))?;
        let leases = Arc::new(Mutex::new(Leases::new(clock)));
        let renewed = Arc::downgrade(&leases);
        std::thread::spawn(move || send_heartbeats(&renewed));
        Ok(Self { spool: spool.into(), name: worker.clone(), listed: Mutex::default(), leases })
    }

    /// Lists the waiting tasks of all plans.
    fn list_tasks(&self) -> Result<(), QueueError> {
        let mut tasks = Vec::new();
        let (mut plans, mut excluding) = (0, 0);
        for plan in list(&self.spool)? {
            let Ok(plan) = plan.parse::<Name>() else { continue };
            let folder = Folder::new(&self.spool, &plan);
            plans += 1;
            let best = SpoolSharedBest { folder: folder.clone() };
            if best.latest(&exclusion(self.name.as_str()))?.is_some() {
                excluding += 1;
                continue;
            }
            let names = list(&folder.tasks())?;
            tasks.extend(names.into_iter().map(|name| (plan.clone(), name)));
        }
        if excluding > 0 && plans == excluding {
            return Err(QueueError::Excluded { worker: self.name.to_string() });
        }
        // Workers that start at different places compete less for the same task.
        if !tasks.is_empty() {
            let start =
                self.name.as_str().bytes().fold(0_usize, |sum, byte| sum * 31 + byte as usize);
            let count = tasks.len();
            tasks.rotate_left(start % count);
        }
        *lock(&self.listed) = tasks.into();
        Ok(())
    }

    /// Claims a task if it is still waiting.
    fn claim_file(&self, plan: &Name, name: &str) -> Result<Option<Claim>, QueueError> {
        let folder = Folder::new(&self.spool, plan);
        let Some((id, times)) = words(name).and_then(|[task, times]| {
            Some((task.parse::<Name>().ok()?, times.parse::<u64>().ok()?))
        }) else {
            return Ok(None);
        };
        let Some(terms) = folder.read_terms()? else { return Ok(None) };
        let attempt = times + 1;
        let worker = &self.name;
        let path = folder.claimed().join(format!("{id}{SEPARATOR}{attempt}{SEPARATOR}{worker}"));
        if !rename(&folder.tasks().join(name), &path)? {
            return Ok(None);
        }
        let lease = Duration::from_millis(terms.lease_milliseconds);
        touch(&path);
        let ticket = lock(&self.leases).hold(ClaimFile { path: path.clone(), attempt }, lease);
        let Some(metadata) = found(fs::metadata(&path), &path)? else { return Ok(None) };
        let task = Task { id, body: Vec::new() };
        let attempt = Some(attempt);
        let mut claim = Claim { plan: plan.clone(), task, attempt, lease, ticket };
        if metadata.len() > LARGEST_TASK {
            let size = metadata.len();
            let reason = format!("a task of {size} bytes; at most {LARGEST_TASK} are accepted");
            self.submit(vec![(claim, Outcome::Failed(reason))])?;
            return Ok(None);
        }
        let Some(body) = found(fs::read(&path), &path)? else { return Ok(None) };
        claim.task.body = body;
        Ok(Some(claim))
    }

    fn end(&self, claim: &Claim) -> Option<ClaimFile> {
        lock(&self.leases).give_up(&claim.ticket)
    }
}

impl Worker for SpoolWorker {
    fn claim(&self, most: usize, wait: Duration) -> Result<Vec<Claim>, QueueError> {
        let end = Instant::now() + wait;
        let mut claims = Vec::new();
        loop {
            while claims.len() < most {
                let Some((plan, name)) = lock(&self.listed).pop_front() else { break };
                claims.extend(self.claim_file(&plan, &name)?);
            }
            if !claims.is_empty() {
                return Ok(claims);
            }
            self.list_tasks()?;
            let left = end.saturating_duration_since(Instant::now());
            if lock(&self.listed).is_empty() {
                if left.is_zero() {
                    return Ok(claims);
                }
                std::thread::sleep(POLL.min(left));
            }
        }
    }

    fn submit(&self, outcomes: Vec<(Claim, Outcome)>) -> Result<(), QueueError> {
        for (claim, outcome) in outcomes {
            let folder = Folder::new(&self.spool, &claim.plan);
            let (word, body) = match outcome {
                Outcome::Done(body) => ("done", body),
                Outcome::Failed(reason) => ("failed", reason.into_bytes()),
            };
            let name = format!("{}{SEPARATOR}{}{SEPARATOR}{word}", claim.task.id, self.name);
            folder.write(&body, &folder.replies().join(name))?;
            if let Some(file) = self.end(&claim) {
                remove(&file.path)?;
            }
        }
        Ok(())
    }

    fn release(&self, claim: Claim) -> Result<(), QueueError> {
        let Some(ClaimFile { path, attempt }) = self.end(&claim) else { return Ok(()) };
        let tasks = Folder::new(&self.spool, &claim.plan).tasks();
        rename(&path, &tasks.join(format!("{}{SEPARATOR}{attempt}", claim.task.id))).map(|_| ())
    }

    fn report_progress(&self, _claim: &Claim, _progress: &str) -> Result<(), QueueError> {
        // There is no file for it.
        Ok(())
    }

    fn shared_best(&self, plan: &Name) -> Result<Box<dyn SharedBest>, QueueError> {
        Ok(Box::new(SpoolSharedBest { folder: Folder::new(&self.spool, plan) }))
    }
}

/// Touches the files of claims as long as their worker lives.
fn send_heartbeats(leases: &Weak<Mutex<Leases<ClaimFile>>>) {
    while let Some(leases) = leases.upgrade() {
        lock(&leases).renew_due(|file| {
            touch(&file.path);
            true
        });
        drop(leases);
        std::thread::sleep(POLL);
    }
}

/// A heartbeat. If it fails, the next one may succeed.
fn touch(path: &Path) {
    let _ = File::options()
        .write(true)
        .open(path)
        .and_then(|file| file.set_modified(SystemTime::now()));
}
