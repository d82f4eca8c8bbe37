//! The coordinator: keeps the ledger, hands out tasks, has every result judged.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use evidence::JudgedGame;
use store::{Accepted, Archive, Attempts, Completion, Mishap, RunState, StoreError, TaskState};

use super::result::task_of;
use super::{
    Answer, BadTask, CoordinatorQueue, Outcome, Plan, QueueError, Task, Told, judge_result,
    shared_best,
};

/// Is told how a run goes.
pub trait CoordinatorWatcher {
    /// How it stands; told several times a second.
    fn stands(&mut self, standing: &Standing);

    /// Something went wrong with a task; `given_up` if it was once too often.
    fn mishap(&mut self, task: &str, worker: &str, mishap: Mishap, reason: &str, given_up: bool);

    /// Whether to stop now; what was accepted is kept.
    fn wants_stop(&mut self) -> bool;
}

/// How a run stands.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Standing {
    /// How many tasks there are.
    pub tasks: usize,
    /// How many are done.
    pub done: usize,
    /// How many were given up.
    pub failed: usize,
    /// How many are in the hands of workers.
    pub running: usize,
    /// The longest game of the run.
    pub best: Option<(String, u32)>,
    /// How long it will take, going by the last tasks.
    pub left: Option<Duration>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Every task is done, or was given up.
    Over,
    /// It was stopped, and can go on.
    Stopped,
}

/// Why a run cannot go on. What was accepted is kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CoordinateError {
    /// The archive refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The queue refused.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// A task in the archive is none.
    #[error("the task {id} in the archive is none: {source}")]
    Task {
        /// Which.
        id: String,
        /// Why.
        source: BadTask,
    },
}

/// How many answers are dealt with together.
const MOST_ANSWERS: usize = 256;

/// How long to wait for answers before looking around.
const WAIT: Duration = Duration::from_millis(100);

/// How often to look whether somebody wants the run to stop, and how many tasks are under way.
const LOOK: Duration = Duration::from_millis(500);

/// Runs a plan, or goes on with it, until every task is done or given up or the watcher wants to stop.
pub fn coordinate<Q: CoordinatorQueue>(
    archive: &mut Archive,
    queue: &mut Q,
    plan: &Plan,
    watcher: &mut dyn CoordinatorWatcher,
) -> Result<Ending, CoordinateError> {
    let tasks: Vec<(String, String)> =
        plan.tasks.iter().map(|task| (task.id().to_owned(), task.body().to_owned())).collect();
    archive.begin_run(&plan.id, &plan.name, &plan.text, &tasks)?;
    let mut open = HashMap::new();
    let mut order = Vec::new();
    for (id, body) in archive.open_tasks(&plan.id)? {
        let task = read(&id, &body)?;
        order.push(task.clone());
        open.insert(id, task);
    }
    queue.put(&order)?;
    drop(order);
    let counts = archive.counts(&plan.id)?;
    let standing = Standing {
        tasks: counts.open + counts.done + counts.failed,
        done: counts.done,
        failed: counts.failed,
        running: 0,
        best: archive.best_of_run(&plan.id)?,
        left: None,
    };
    let groups = plan.tasks.iter().filter_map(shared_best::key).map(|key| (key, None)).collect();
    let mut run =
        Coordinator { archive, queue, watcher, open, attempts: plan.attempts, standing, groups };
    let mut pace = Pace::default();
    let mut looked: Option<Instant> = None;
    while !run.open.is_empty() {
        if looked.is_none_or(|looked| looked.elapsed() >= LOOK) {
            looked = Some(Instant::now());
            run.hear_groups()?;
            let held = run.queue.held()?;
            run.standing.running = held.running;
            if held.all < run.open.len() {
                // Some task is neither there nor answered: its worker handed in something that was
                // refused, and let go of it after it had been put again; or the engine was cleared.
                let open: Vec<Task> = run.open.values().cloned().collect();
                run.queue.put(&open)?;
            }
            if run.watcher.wants_stop() || is_stopped(run.archive, &plan.id)? {
                run.queue.withdraw_all()?;
                run.archive.set_run_state(&plan.id, RunState::Stopped)?;
                return Ok(Ending::Stopped);
            }
        }
        run.standing.left = pace.left(run.standing.done, run.open.len());
        run.watcher.stands(&run.standing);
        let answers = run.queue.answers(MOST_ANSWERS, WAIT)?;
        run.hear(answers)?;
    }
    run.watcher.stands(&Standing { running: 0, left: Some(Duration::ZERO), ..run.standing });
    archive.set_run_state(&plan.id, RunState::Over)?;
    Ok(Ending::Over)
}

/// Whether somebody has asked for it from outside.
fn is_stopped(archive: &Archive, id: &str) -> Result<bool, StoreError> {
    let runs = archive.runs()?;
    Ok(runs.iter().any(|run| run.id == id && run.state == RunState::Stopped))
}

fn read(id: &str, body: &str) -> Result<Task, CoordinateError> {
    Task::read(body).map_err(|source| CoordinateError::Task { id: id.to_owned(), source })
}

struct Coordinator<'a, Q> {
    archive: &'a mut Archive,
    queue: &'a mut Q,
    watcher: &'a mut dyn CoordinatorWatcher,
    open: HashMap<String, Task>,
    attempts: Attempts,
    standing: Standing,
    /// What the groups of hunts told last.
    groups: HashMap<String, Option<Vec<u8>>>,
}

/// Something that went wrong.
struct Trouble {
    task: String,
    worker: String,
    mishap: Mishap,
    reason: String,
}

impl<Q: CoordinatorQueue> Coordinator<'_, Q> {
    /// Deals with answers: what is good is kept in one change, then the rest is noted.
    fn hear(&mut self, answers: Vec<Answer<Q::Receipt>>) -> Result<(), CoordinateError> {
        if answers.is_empty() {
            return Ok(());
        }
        let (mut good, mut troubles, mut receipts) = (Vec::new(), Vec::new(), Vec::new());
        for Answer { task, worker, told, receipt } in answers {
            receipts.push(receipt);
            // Names come from others and are shown to people.
            let worker: String =
                worker.chars().take(100).map(|c| if c.is_control() { '?' } else { c }).collect();
            let Some(known) = self.known(&task)? else { continue };
            let (mishap, reason) = match told {
                Told::Outcome(Outcome::Result(bytes)) => match judge_result(&known, &bytes) {
                    Ok((accepted, seconds)) => {
                        good.push(Completion { task, worker, seconds, accepted });
                        continue;
                    }
                    Err(refused) => (Mishap::Refused, refused.to_string()),
                },
                Told::Outcome(Outcome::Failure(reason)) => (Mishap::Failed, reason),
                Told::Unreadable(reason) => (Mishap::Refused, reason),
                Told::Lost => (Mishap::Lost, "the worker gave no more signs of life".to_owned()),
            };
            let reason: String = reason.chars().take(1000).collect();
            troubles.push(Trouble { task, worker, mishap, reason });
        }
        self.keep(&good)?;
        let mut again = Vec::new();
        for trouble in troubles {
            again.extend(self.note(trouble)?);
        }
        // Settled first: a queue puts no task whose answer it still has.
        self.queue.settle(receipts)?;
        if !again.is_empty() {
            self.queue.put(&again)?;
        }
        Ok(())
    }

    /// The task of this id, of this run or, still open, of another.
    fn known(&self, id: &str) -> Result<Option<Task>, CoordinateError> {
        if let Some(task) = self.open.get(id) {
            return Ok(Some(task.clone()));
        }
        match self.archive.task(id) {
            Ok(entry) if entry.id == id && entry.state == TaskState::Open => {
                read(id, &entry.body).map(Some)
            }
            Ok(_) | Err(StoreError::Unknown(_) | StoreError::Ambiguous(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Keeps the best games of hunts that are not over; what the judge refuses is for the hunts to replace.
    fn hear_groups(&mut self) -> Result<(), CoordinateError> {
        let keys: Vec<String> = self.groups.keys().cloned().collect();
        for key in keys {
            let told = self.queue.told(&key)?;
            let last = self.groups.entry(key).or_default();
            if *last == told {
                continue;
            }
            *last = told;
            let Some((task, bytes)) = last.as_ref().and_then(|told| Some((task_of(told)?, told)))
            else {
                continue;
            };
            let Some(Ok((Accepted::Game(game), _))) =
                self.open.get(&task).map(|task| judge_result(task, bytes))
            else {
                continue;
            };
            self.archive.add_game(&game, &format!("task {task}, before its end"))?;
            self.is_best(&game);
        }
        Ok(())
    }

    fn is_best(&mut self, game: &JudgedGame) {
        let score = game.verified().score();
        if self.standing.best.as_ref().is_none_or(|(_, best)| score > *best) {
            self.standing.best = Some((evidence::game_key(game.game()), score));
        }
    }

    /// Keeps what came of tasks, and marks them as done.
    fn keep(&mut self, good: &[Completion]) -> Result<(), CoordinateError> {
        if good.is_empty() {
            return Ok(());
        }
        self.archive.complete(good)?;
        let states = self.archive.states();
        for completion in good {
            states.remove(&completion.task);
            if self.open.remove(&completion.task).is_none() {
                continue;
            }
            self.standing.done += 1;
            if let Accepted::Game(game) = &completion.accepted {
                self.is_best(game);
            }
        }
        Ok(())
    }

    /// Notes that something went wrong, and gives the task back if it is to be put again.
    fn note(&mut self, trouble: Trouble) -> Result<Option<Task>, CoordinateError> {
        let Trouble { task, worker, mishap, reason } = trouble;
        let state = self.archive.mishap(&task, &worker, mishap, &reason, self.attempts)?;
        let given_up = state == Some(TaskState::Failed);
        if !self.open.contains_key(&task) {
            return Ok(None);
        }
        self.watcher.mishap(&task, &worker, mishap, &reason, given_up);
        if given_up {
            self.open.remove(&task);
            self.standing.failed += 1;
            self.queue.withdraw(&task)?;
            return Ok(None);
        }
        // A lost one waits in the queue already.
        let again = mishap != Mishap::Lost && state == Some(TaskState::Open);
        Ok(again.then(|| self.open[&task].clone()))
    }
}

/// How fast tasks are done, going by the last minutes.
#[derive(Default)]
struct Pace {
    /// When how many were done.
    marks: VecDeque<(Instant, usize)>,
}

impl Pace {
    fn left(&mut self, done: usize, open: usize) -> Option<Duration> {
        let now = Instant::now();
        if self.marks.back().is_none_or(|(last, _)| now - *last >= Duration::from_secs(1)) {
            self.marks.push_back((now, done));
        }
        while self.marks.len() > 600 {
            self.marks.pop_front();
        }
        let &(since, before) = self.marks.front()?;
        let new = done.checked_sub(before).filter(|&new| new > 0)?;
        Some((now - since).div_f64(new as f64).mul_f64(open as f64))
    }
}
