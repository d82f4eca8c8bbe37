//! Hunts that run in the background.
//!
//! Every hunt has its own thread and a [`HuntState`] of its state, replaced a few times a second.
//! Readers take the latest one, so a slow reader misses views and delays nobody. If there is an
//! archive, a hunt is saved beside it every few seconds; the next server finds it there, stopped,
//! and can resume it.

mod reporter;
mod state;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use hunt::{Checkpoint, HuntBudget, HuntError, HuntResult, HuntSpec};
use lab::view::HuntStatus;
use tokio::sync::watch::{Receiver, Sender};

use reporter::{HuntReporter, SAVE};
pub(crate) use state::HuntState;

use crate::archive_handle::ArchiveHandle;
use crate::refusal::Refusal;

/// All hunts of a server.
pub(crate) struct Hunts {
    running: usize,
    remembered: usize,
    list: Mutex<List>,
    archive: Arc<ArchiveHandle>,
    /// Counts the changes of all views.
    changes: Arc<Sender<u64>>,
}

#[derive(Default)]
struct List {
    next: u64,
    hunts: BTreeMap<u64, Arc<Entry>>,
}

/// One hunt.
pub(crate) struct Entry {
    id: u64,
    spec: HuntSpec,
    state: Mutex<HuntState>,
    stop: AtomicBool,
    /// The last checkpoint.
    saved: Mutex<Option<Checkpoint>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    archive: Arc<ArchiveHandle>,
    changes: Arc<Sender<u64>>,
}

impl Hunts {
    pub(crate) fn new(running: usize, remembered: usize, archive: Arc<ArchiveHandle>) -> Self {
        let changes = Arc::new(Sender::new(0));
        Self { running, remembered, list: Mutex::default(), archive, changes }
    }

    /// Loads the hunts saved by earlier servers; logs those that cannot be resumed.
    pub(crate) fn find_saved(&self, log: &dyn Fn(&str)) {
        let mut list = self.list();
        for id in self.archive.saved_hunts() {
            list.next = list.next.max(id);
            match self.archive.saved_hunt(id) {
                Ok(saved) => {
                    let course = self.archive.saved_course(id);
                    let state = HuntState::from_saved(id, &saved, course.as_deref());
                    let entry = self.entry(id, state, saved.spec.clone());
                    *entry.saved() = Some(saved);
                    entry.keep_unless_there();
                    list.hunts.insert(id, entry);
                }
                Err(refusal) => log(&format!("hunt {id} of an earlier server: {refusal}")),
            }
        }
        self.forget_old(&mut list);
    }

    /// Starts a hunt and returns its id.
    pub(crate) fn start(&self, spec: HuntSpec) -> Result<u64, Refusal> {
        self.keep_all();
        let mut list = self.list();
        self.check_room(&list)?;
        list.next += 1;
        let id = list.next;
        let entry = self.entry(id, HuntState::new(id, &spec), spec);
        list.hunts.insert(id, Arc::clone(&entry));
        self.forget_old(&mut list);
        drop(list);
        entry.run(None);
        Ok(id)
    }

    /// Resumes a hunt that was stopped or is done, with a new time limit.
    pub(crate) fn resume(&self, id: u64, time: Option<Duration>) -> Result<(), Refusal> {
        let entry = self.get(id)?;
        let saved = {
            // Locked until the hunt counts as running, so that no two take the last place.
            let list = self.list();
            self.check_room(&list)?;
            let mut state = entry.state();
            if state.is_running() {
                return Err(Refusal::HuntIs("running already"));
            }
            let saved = entry.saved().take();
            let saved = saved.ok_or(Refusal::HuntIs("not saved, so it cannot be resumed"))?;
            state.view.status = HuntStatus::Running;
            saved
        };
        entry.stop.store(false, Ordering::Relaxed);
        entry.run(Some((saved, time)));
        Ok(())
    }

    /// Asks a hunt to stop.
    pub(crate) fn stop(&self, id: u64) -> Result<(), Refusal> {
        self.get(id)?.stop.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Forgets a hunt that is not running, and whose game is in the archive.
    pub(crate) fn forget(&self, id: u64) -> Result<(), Refusal> {
        let entry = self.get(id)?;
        if entry.state().is_running() {
            return Err(Refusal::HuntIs("running; stop it first"));
        }
        entry.keep()?;
        self.list().hunts.remove(&id);
        self.archive.forget_hunt(id);
        self.changes.send_modify(|count| *count += 1);
        Ok(())
    }

    /// Tries again to add what could not be added.
    fn keep_all(&self) {
        let entries: Vec<Arc<Entry>> = self.list().hunts.values().cloned().collect();
        for entry in entries {
            // The reason is in its view; there will be another time.
            let _ = entry.keep();
        }
    }

    /// Stops all hunts and waits for them. A game that cannot be added even now is logged.
    pub(crate) fn stop_all(&self, log: &dyn Fn(&str)) {
        let entries: Vec<Arc<Entry>> = self.list().hunts.values().cloned().collect();
        for entry in &entries {
            entry.stop.store(true, Ordering::Relaxed);
        }
        for entry in entries {
            let thread = entry.thread.lock().expect("nothing panics holding it").take();
            if let Some(thread) = thread {
                // A panic was caught inside.
                let _ = thread.join();
            }
            if let (Err(error), Some(record)) = (entry.keep(), &entry.state().record) {
                let words: Vec<&str> = record.split_whitespace().collect();
                log(&format!("hunt {}: {error}; its game: {}", entry.id, words.join(" ")));
            }
        }
    }

    /// All hunts, the newest first.
    pub(crate) fn states(&self) -> Vec<HuntState> {
        self.list().hunts.values().rev().map(|entry| entry.state().clone()).collect()
    }

    /// One hunt.
    pub(crate) fn state(&self, id: u64) -> Result<HuntState, Refusal> {
        Ok(self.get(id)?.state().clone())
    }

    /// Signals changes.
    pub(crate) fn changes(&self) -> Receiver<u64> {
        self.changes.subscribe()
    }

    fn get(&self, id: u64) -> Result<Arc<Entry>, Refusal> {
        self.list().hunts.get(&id).cloned().ok_or(Refusal::NoHunt)
    }

    fn check_room(&self, list: &List) -> Result<(), Refusal> {
        let running = |entry: &&Arc<Entry>| entry.state().is_running();
        if list.hunts.values().filter(running).count() >= self.running {
            return Err(Refusal::Busy("stop a hunt first"));
        }
        Ok(())
    }

    fn forget_old(&self, list: &mut List) {
        while list.hunts.len() > self.remembered {
            let over = |entry: &Arc<Entry>| !entry.state().is_running() && !entry.is_unkept();
            let oldest = list.hunts.iter().find(|(_, entry)| over(entry)).map(|(&id, _)| id);
            let Some(oldest) = oldest else { break };
            list.hunts.remove(&oldest);
            self.archive.forget_hunt(oldest);
        }
    }

    fn entry(&self, id: u64, state: HuntState, spec: HuntSpec) -> Arc<Entry> {
        Arc::new(Entry {
            id,
            spec,
            state: Mutex::new(state),
            stop: AtomicBool::new(false),
            saved: Mutex::default(),
            thread: Mutex::default(),
            archive: Arc::clone(&self.archive),
            changes: Arc::clone(&self.changes),
        })
    }

    fn list(&self) -> MutexGuard<'_, List> {
        self.list.lock().expect("nothing panics holding the list")
    }
}

impl Entry {
    /// Runs the hunt on its own thread, from its checkpoint if there is one.
    fn run(self: &Arc<Self>, saved: Option<(Checkpoint, Option<Duration>)>) {
        let entry = Arc::clone(self);
        let work = move || {
            let reporter = HuntReporter::new(&entry);
            let outcome = catch_unwind(AssertUnwindSafe(|| match saved {
                None => hunt::run(&entry.spec, Some(SAVE), &|event| reporter.report(event)),
                Some((saved, time)) => {
                    let budget = HuntBudget { time, ..HuntBudget::default() };
                    hunt::resume(saved, budget, Some(SAVE), &|event| reporter.report(event))
                }
            }));
            entry.end(outcome.ok());
            // If it fails, there will be another time.
            let _ = entry.keep();
        };
        match thread::Builder::new().name("hunt".to_owned()).spawn(work) {
            Ok(thread) => *self.thread.lock().expect("nothing panics holding it") = Some(thread),
            Err(error) => self.change(|state| state.fail(&error)),
        }
    }

    /// Records the end of the hunt; `None` if it panicked.
    fn end(&self, outcome: Option<Result<HuntResult, HuntError>>) {
        self.change(|state| match outcome {
            Some(Ok(find)) => {
                let stopped = self.stop.load(Ordering::Relaxed);
                state.found(find.game.record());
                let view = &mut state.view;
                view.status = if stopped { HuntStatus::Stopped } else { HuntStatus::Done };
                (view.playouts, view.seconds) = (find.playouts, find.wall.as_secs_f64());
                view.left = Some(find.game.remaining_moves());
            }
            Some(Err(error)) => state.fail(&error),
            None => state.fail(&Refusal::Failed),
        });
        self.save_course();
    }

    /// Saves how the hunt went; without it the next server shows less of it, and no game is lost.
    fn save_course(&self) {
        let course = self.state().course();
        let _ = self.archive.save_course(self.id, &course);
    }

    /// Whether there is an archive, and a game that it does not have.
    fn is_unkept(&self) -> bool {
        let HuntState { view, record, .. } = &*self.state();
        let kept = view.kept.as_ref().map(|(score, _)| *score);
        self.archive.exists() && record.is_some() && kept < Some(view.best)
    }

    /// Adds the best game to the archive, if there is one and the game is new.
    fn keep(&self) -> Result<(), Refusal> {
        if !self.is_unkept() {
            return Ok(());
        }
        let (record, best) = {
            let HuntState { view, record, .. } = &*self.state();
            (record.clone().unwrap_or_default(), view.best)
        };
        let kept = self.archive.add(&record, "hunt on a page");
        self.change(|HuntState { view, .. }| match &kept {
            Ok((id, _)) => view.kept = Some((best, id.as_str().to_owned())),
            Err(error) => view.reason = Some(error.to_string()),
        });
        kept.map(|_| ())
    }

    /// Saves a checkpoint: here, and beside the archive.
    fn save(&self, saved: &Checkpoint) {
        let lasts = self.archive.save_hunt(self.id, saved);
        *self.saved() = Some(saved.clone());
        self.save_course();
        match lasts {
            Ok(lasts) => self.state().view.lasts = lasts,
            Err(error) => self.change(|HuntState { view, .. }| {
                view.lasts = false;
                view.reason = Some(error.to_string());
            }),
        }
        // If it fails, there will be another time.
        let _ = self.keep();
    }

    /// Adds the best game to the archive if an earlier server did not.
    fn keep_unless_there(&self) {
        let game = self.state().record.as_deref().map(evidence::VerifiedRecord::parse);
        if let Some(Ok(game)) = game {
            let id = game.id();
            match self.archive.game(id.as_str()) {
                Ok(_) => {
                    let view = &mut self.state().view;
                    view.kept = Some((view.best, id.to_string()));
                }
                // If it fails, there will be another time.
                Err(_) => drop(self.keep()),
            }
        }
    }

    /// Changes the state and signals it.
    fn change(&self, change: impl FnOnce(&mut HuntState)) {
        {
            let mut state = self.state();
            change(&mut state);
            state.view.version += 1;
        }
        self.changes.send_modify(|count| *count += 1);
    }

    fn saved(&self) -> MutexGuard<'_, Option<Checkpoint>> {
        self.saved.lock().expect("nothing panics while it saves")
    }

    fn state(&self) -> MutexGuard<'_, HuntState> {
        self.state.lock().expect("nothing panics holding a state")
    }
}
