//! The coordinator's side of a spool: also takes back what dead workers hold.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant, SystemTime};

use super::bests::SpoolBests;
use super::{Folder, LOOK, MARK, at, found, list, remove, rename, words};
use crate::{
    Answer, Bests, Coordinator, Counts, Mark, Name, Outcome, QueueError, Receipt, Task, Terms,
    Unreadable,
};

/// The tasks and answers of one plan in a folder.
pub(crate) struct SpoolCoordinator {
    folder: Folder,
    terms: Terms,
    bests: SpoolBests,
    watch: Mutex<Watch>,
}

#[derive(Default)]
struct Watch {
    /// For each claim its last sign of life, and when it was new to us.
    signs: HashMap<String, (SystemTime, Instant)>,
    looked: Option<Instant>,
    /// Answers that were brought and not settled.
    brought: HashSet<PathBuf>,
}

impl SpoolCoordinator {
    /// Makes the plan's folder if it is not there.
    pub(crate) fn open(spool: &Path, plan: &Name, terms: &Terms) -> Result<Self, QueueError> {
        let folder = Folder::of(spool, plan);
        folder.make(terms)?;
        let bests = SpoolBests { folder: folder.clone() };
        Ok(Self { folder, terms: terms.clone(), bests, watch: Mutex::default() })
    }

    fn watch(&self) -> MutexGuard<'_, Watch> {
        self.watch.lock().expect("nobody panics with the lock in hand")
    }

    /// Takes back claims whose workers give no sign of life.
    fn take_back(&self) -> Result<(), QueueError> {
        let mut watch = self.watch();
        let now = Instant::now();
        if watch.looked.is_some_and(|looked| now - looked < self.terms.lease / 4) {
            return Ok(());
        }
        watch.looked = Some(now);
        let folder = self.folder.claimed();
        let mut signs = HashMap::new();
        for name in list(&folder)? {
            let path = folder.join(&name);
            let Some(about) = found(fs::metadata(&path), &path)? else { continue };
            let sign = about.modified().map_err(at(&path))?;
            let (_, since) = watch
                .signs
                .get(&name)
                .filter(|(before, _)| *before == sign)
                .copied()
                .unwrap_or((sign, now));
            if now - since > self.terms.lease {
                self.end(&name, &path)?;
            } else {
                signs.insert(name, (sign, since));
            }
        }
        watch.signs = signs;
        Ok(())
    }

    /// Ends a claim: the task waits again, or has failed.
    fn end(&self, name: &str, path: &Path) -> Result<(), QueueError> {
        let parsed = words(name).and_then(|[task, attempt, worker]| {
            Some((task.parse::<Name>().ok()?, attempt.parse::<u64>().ok()?, worker))
        });
        let Some((task, attempt, worker)) = parsed else { return remove(path) };
        if attempt < self.terms.deliveries {
            let waiting = self.folder.tasks().join(format!("{task}{MARK}{attempt}"));
            return rename(path, &waiting).map(|_| ());
        }
        let reason = format!("handed out {attempt} times and never answered");
        let answer = format!("{task}{MARK}{worker}{MARK}failed");
        self.folder.write(reason.as_bytes(), &self.folder.answers().join(answer))?;
        remove(path)
    }

    /// Removes the tasks of these ids, waiting or claimed.
    fn clear(&self, wanted: impl Fn(&str) -> bool) -> Result<(), QueueError> {
        for folder in [self.folder.tasks(), self.folder.claimed()] {
            for name in list(&folder)? {
                if name.split(MARK).next().is_some_and(&wanted) {
                    remove(&folder.join(name))?;
                }
            }
        }
        Ok(())
    }

    fn answer(&self, name: &str, path: PathBuf) -> Result<Option<Answer>, QueueError> {
        let named = words(name);
        let [task, worker, word] = named.unwrap_or_default();
        let Some(about) = found(fs::symlink_metadata(&path), &path)? else { return Ok(None) };
        let (size, limit) = (about.len(), self.terms.largest_answer);
        let outcome = if named.is_none() || !about.is_file() {
            Err(Unreadable::Malformed("its file"))
        } else if size > limit {
            Err(Unreadable::TooLarge { size, limit })
        } else {
            let body = fs::read(&path).map_err(at(&path))?;
            match word {
                "done" => Ok(Outcome::Done(body)),
                "failed" => {
                    let reason = &body[..body.len().min(4096)];
                    Ok(Outcome::Failed(String::from_utf8_lossy(reason).into_owned()))
                }
                _ => Err(Unreadable::Malformed("its file")),
            }
        };
        let receipt = Receipt(Mark::Spool(path));
        Ok(Some(Answer { task: task.into(), worker: worker.into(), outcome, receipt }))
    }

    fn look(&self, most: usize) -> Result<Vec<Answer>, QueueError> {
        self.take_back()?;
        let folder = self.folder.answers();
        let mut answers = Vec::new();
        for name in list(&folder)? {
            let path = folder.join(&name);
            if answers.len() == most {
                break;
            }
            if self.watch().brought.contains(&path) {
                continue;
            }
            if let Some(answer) = self.answer(&name, path.clone())? {
                self.watch().brought.insert(path);
                answers.push(answer);
            }
        }
        Ok(answers)
    }
}

impl Coordinator for SpoolCoordinator {
    fn put(&self, tasks: &[Task]) -> Result<usize, QueueError> {
        // In the order in which a task moves, so that none is overlooked on its way.
        let mut there = HashSet::new();
        for folder in [self.folder.tasks(), self.folder.claimed()] {
            let names = list(&folder)?;
            there.extend(
                names.iter().filter_map(|name| name.split(MARK).next()?.parse::<Name>().ok()),
            );
        }
        let mut new = 0;
        for task in tasks.iter().filter(|task| !there.contains(&task.id)) {
            let path = self.folder.tasks().join(format!("{}{MARK}0", task.id));
            self.folder.write(&task.body, &path)?;
            new += 1;
        }
        Ok(new)
    }

    fn answers(&self, most: usize, wait: Duration) -> Result<Vec<Answer>, QueueError> {
        let end = Instant::now() + wait;
        loop {
            let answers = self.look(most)?;
            let left = end.saturating_duration_since(Instant::now());
            if !answers.is_empty() || left.is_zero() {
                return Ok(answers);
            }
            std::thread::sleep(LOOK.min(left));
        }
    }

    fn settle(&self, answers: Vec<Receipt>) -> Result<(), QueueError> {
        for receipt in answers {
            #[cfg_attr(not(feature = "nats"), expect(irrefutable_let_patterns))]
            let Mark::Spool(path) = receipt.0 else { continue };
            match found(fs::symlink_metadata(&path), &path)? {
                Some(about) if about.is_dir() => {
                    found(fs::remove_dir_all(&path), &path)?;
                }
                _ => remove(&path)?,
            }
            self.watch().brought.remove(&path);
        }
        Ok(())
    }

    fn withdraw(&self, task: &Name) -> Result<(), QueueError> {
        self.clear(|id| id == task.as_str())
    }

    fn withdraw_all(&self) -> Result<(), QueueError> {
        self.clear(|_| true)
    }

    fn counts(&self) -> Result<Counts, QueueError> {
        self.take_back()?;
        let count = |folder: PathBuf| list(&folder).map(|names| names.len() as u64);
        Ok(Counts {
            waiting: count(self.folder.tasks())?,
            claimed: count(self.folder.claimed())?,
            answers: count(self.folder.answers())?,
        })
    }

    fn bests(&self) -> &dyn Bests {
        &self.bests
    }

    fn close(&self) -> Result<(), QueueError> {
        // First the file that says the plan is there.
        remove(&self.folder.terms())?;
        found(fs::remove_dir_all(&self.folder.0), &self.folder.0).map(|_| ())
    }
}
