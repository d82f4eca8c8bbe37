//! A worker's side of a spool: takes a task by moving its file.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant, SystemTime};

use super::bests::SpoolBests;
use super::{Folder, LARGEST_TASK, LOOK, MARK, at, found, list, remove, rename, words};
use crate::claims::{Claims, lock};
use crate::{Bests, Claim, Name, Outcome, QueueError, Task, Worker};

/// A worker on a folder.
pub(crate) struct SpoolWorker {
    spool: PathBuf,
    name: Name,
    /// Tasks that were there at the last look, by plan.
    seen: Mutex<VecDeque<(Name, String)>>,
    claims: Arc<Mutex<Claims<PathBuf>>>,
}

impl SpoolWorker {
    /// Starts on a folder, which must be there: a file system that is not mounted is empty, too.
    pub(crate) fn open(spool: &Path, worker: &Name) -> Result<Self, QueueError> {
        fs::read_dir(spool).map_err(at(spool))?;
        let claims = Arc::default();
        let watched = Arc::downgrade(&claims);
        std::thread::spawn(move || show_life(&watched));
        Ok(Self { spool: spool.into(), name: worker.clone(), seen: Mutex::default(), claims })
    }

    /// Looks for tasks of all plans.
    fn look(&self) -> Result<(), QueueError> {
        let mut found = Vec::new();
        for plan in list(&self.spool)? {
            let Ok(plan) = plan.parse::<Name>() else { continue };
            let names = list(&Folder::of(&self.spool, &plan).tasks())?;
            found.extend(names.into_iter().map(|name| (plan.clone(), name)));
        }
        // Workers who start at different places meet less often at the same task.
        if !found.is_empty() {
            let start =
                self.name.as_str().bytes().fold(0_usize, |sum, byte| sum * 31 + byte as usize);
            let count = found.len();
            found.rotate_left(start % count);
        }
        *lock(&self.seen) = found.into();
        Ok(())
    }

    /// Takes a task if it is still there.
    fn take(&self, plan: &Name, name: &str) -> Result<Option<Claim>, QueueError> {
        let folder = Folder::of(&self.spool, plan);
        let Some((id, times)) = words(name).and_then(|[task, times]| {
            Some((task.parse::<Name>().ok()?, times.parse::<u64>().ok()?))
        }) else {
            return Ok(None);
        };
        let Some(terms) = folder.read_terms()? else { return Ok(None) };
        let attempt = times + 1;
        let worker = &self.name;
        let path = folder.claimed().join(format!("{id}{MARK}{attempt}{MARK}{worker}"));
        if !rename(&folder.tasks().join(name), &path)? {
            return Ok(None);
        }
        let lease = Duration::from_millis(terms.lease_milliseconds);
        touch(&path);
        let number = lock(&self.claims).hold(path.clone(), lease);
        let Some(about) = found(fs::metadata(&path), &path)? else { return Ok(None) };
        let task = Task { id, body: Vec::new() };
        let mut claim = Claim { plan: plan.clone(), task, attempt, lease, number };
        if about.len() > LARGEST_TASK {
            let reason =
                format!("a task of {} bytes; at most {LARGEST_TASK} are read", about.len());
            self.hand_in(vec![(claim, Outcome::Failed(reason))])?;
            return Ok(None);
        }
        let Some(body) = found(fs::read(&path), &path)? else { return Ok(None) };
        claim.task.body = body;
        Ok(Some(claim))
    }

    fn path_of(&self, claim: &Claim) -> Option<PathBuf> {
        lock(&self.claims).let_go(*claim.number)
    }
}

impl Worker for SpoolWorker {
    fn claim(&self, most: usize, wait: Duration) -> Result<Vec<Claim>, QueueError> {
        let end = Instant::now() + wait;
        let mut claims = Vec::new();
        loop {
            while claims.len() < most {
                let Some((plan, name)) = lock(&self.seen).pop_front() else { break };
                claims.extend(self.take(&plan, &name)?);
            }
            if !claims.is_empty() {
                return Ok(claims);
            }
            self.look()?;
            let left = end.saturating_duration_since(Instant::now());
            if lock(&self.seen).is_empty() {
                if left.is_zero() {
                    return Ok(claims);
                }
                std::thread::sleep(LOOK.min(left));
            }
        }
    }

    fn hand_in(&self, done: Vec<(Claim, Outcome)>) -> Result<(), QueueError> {
        for (claim, outcome) in done {
            let folder = Folder::of(&self.spool, &claim.plan);
            let (word, body) = match outcome {
                Outcome::Done(body) => ("done", body),
                Outcome::Failed(reason) => ("failed", reason.into_bytes()),
            };
            let name = format!("{}{MARK}{}{MARK}{word}", claim.task.id, self.name);
            folder.write(&body, &folder.answers().join(name))?;
            if let Some(path) = self.path_of(&claim) {
                remove(&path)?;
            }
        }
        Ok(())
    }

    fn give_back(&self, claim: Claim) -> Result<(), QueueError> {
        let Some(path) = self.path_of(&claim) else { return Ok(()) };
        let tasks = Folder::of(&self.spool, &claim.plan).tasks();
        let waiting = tasks.join(format!("{}{MARK}{}", claim.task.id, claim.attempt));
        rename(&path, &waiting).map(|_| ())
    }

    fn bests(&self, plan: &Name) -> Result<Box<dyn Bests>, QueueError> {
        Ok(Box::new(SpoolBests { folder: Folder::of(&self.spool, plan) }))
    }
}

/// Touches the files of claims as long as their worker lives.
fn show_life(claims: &Weak<Mutex<Claims<PathBuf>>>) {
    while let Some(claims) = claims.upgrade() {
        for path in lock(&claims).due() {
            touch(&path);
        }
        drop(claims);
        std::thread::sleep(LOOK);
    }
}

/// A sign of life. If it cannot be given, the next one may.
fn touch(path: &Path) {
    let _ = File::options()
        .write(true)
        .open(path)
        .and_then(|file| file.set_modified(SystemTime::now()));
}
