//! The threads of a hunt.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

use geometry::Move;
use search::{Budget, RungResult, Search, SearchState};

use crate::exchange::{Exchange, Participation};
use crate::{Checkpoint, Clock, Event, HuntError, HuntSpec, OnEvent};

/// Runs the searches of a hunt, one per thread, to the end of its budget. Returns the longest game
/// and the number of playouts of all sessions.
pub(crate) fn run(
    checkpoint: Checkpoint,
    searches: Vec<Search>,
    checkpoint_every: Option<Duration>,
    clock: Clock,
    on: OnEvent<'_>,
) -> Result<(Vec<Move>, u64), HuntError> {
    let spec = checkpoint.spec.clone();
    let best = checkpoint.best.clone();
    let workers = Workers {
        spec: &spec,
        on,
        clock,
        best: Mutex::new(best.clone()),
        playouts: AtomicU64::new(checkpoint.playouts()),
        stop: AtomicBool::new(false),
        checkpoint_every,
        next: Mutex::new(NextCheckpoint::new(checkpoint)),
        exchange: Exchange::new(searches.iter().map(|search| search.published().to_vec())),
    };
    let games = workers.run(searches)?;
    workers.report_last_checkpoint();
    // The first of the longest, so that the timing of threads does not decide; an earlier session
    // counts only if it did better, as one may that was cut on the way.
    let found = games.into_iter().rev().max_by_key(Vec::len).unwrap_or_default();
    let longest = if best.len() > found.len() { best } else { found };
    Ok((longest, workers.playouts.into_inner()))
}

/// What the threads of a hunt share.
struct Workers<'a> {
    spec: &'a HuntSpec,
    on: OnEvent<'a>,
    clock: Clock,
    best: Mutex<Vec<Move>>,
    playouts: AtomicU64,
    stop: AtomicBool,
    checkpoint_every: Option<Duration>,
    next: Mutex<NextCheckpoint>,
    exchange: Exchange,
}

/// The checkpoint to be reported next.
struct NextCheckpoint {
    checkpoint: Checkpoint,
    /// The threads whose state is newer than the last report.
    is_fresh: Vec<bool>,
    reported: Instant,
}

impl NextCheckpoint {
    fn new(checkpoint: Checkpoint) -> Self {
        let is_fresh = vec![false; checkpoint.states.len()];
        Self { is_fresh, checkpoint, reported: Instant::now() }
    }
}

impl Workers<'_> {
    /// Runs all searches, and returns the longest game of each.
    fn run(&self, searches: Vec<Search>) -> Result<Vec<Vec<Move>>, HuntError> {
        let threads = searches.len() as u64;
        let HuntSpec { budget, threads: asked, .. } = self.spec;
        let deadline = budget.time.map(|time| self.clock.started + time);
        std::thread::scope(|scope| {
            let mut workers = Vec::new();
            for (number, search) in searches.into_iter().enumerate() {
                let share = |all: u64| all / threads + u64::from((number as u64) < all % threads);
                let budget = Budget { playouts: budget.playouts.map(share), deadline };
                let work = move || WorkerThread { workers: self, number }.run(search, budget);
                match std::thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(worker) => workers.push(worker),
                    Err(error) => {
                        self.stop.store(true, Ordering::Relaxed);
                        return Err(HuntError::Threads(*asked, error));
                    }
                }
            }
            let join =
                |worker: ScopedJoinHandle<'_, _>| worker.join().expect("searches do not panic");
            Ok(workers.into_iter().map(join).collect())
        })
    }

    /// Records a game if it is the longest of all threads.
    fn improve(&self, game: &[Move]) -> ControlFlow<()> {
        let mut best = self.best.lock().expect("no thread panics holding the best");
        if game.len() > best.len() {
            *best = game.to_vec();
            let playouts = self.playouts.load(Ordering::Relaxed);
            self.report(Event::Improved(&self.spec.record(game.to_vec(), playouts)))?;
        }
        if self.spec.budget.is_reached(best.len()) {
            self.stop.store(true, Ordering::Relaxed);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Adds playouts to the common count; `Break` if the hunt is to stop.
    fn count(&self, playouts: u64) -> ControlFlow<()> {
        let playouts = self.playouts.fetch_add(playouts, Ordering::Relaxed) + playouts;
        let best = self.best.lock().expect("no thread panics holding the best").len();
        self.report(Event::Progress { best, playouts })
    }

    /// Reports an event; `Break` if the hunt is to stop.
    fn report(&self, event: Event<'_>) -> ControlFlow<()> {
        if (self.on)(event).is_break() {
            self.stop.store(true, Ordering::Relaxed);
        }
        match self.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn wants_stop(&self) -> bool {
        let is_late = || self.spec.budget.time.is_some_and(|t| self.clock.started.elapsed() >= t);
        self.count(0).is_break() || is_late()
    }

    /// Takes the state of a thread, and reports a checkpoint when all have submitted theirs, or one
    /// is overdue.
    fn take_state(&self, number: usize, state: SearchState, every: Duration) {
        let mut next = self.next.lock().expect("no thread panics while it reports");
        next.checkpoint.states[number] = Some(Box::new(state));
        next.is_fresh[number] = true;
        let (all, elapsed) = (next.is_fresh.iter().all(|&fresh| fresh), next.reported.elapsed());
        if all && elapsed >= every / 2 || elapsed >= every * 2 {
            self.report_checkpoint(&mut next);
        }
    }

    fn report_last_checkpoint(&self) {
        if self.checkpoint_every.is_some() {
            self.report_checkpoint(&mut self.next.lock().expect("no thread panics here"));
        }
    }

    fn report_checkpoint(&self, next: &mut NextCheckpoint) {
        let NextCheckpoint { checkpoint, is_fresh, reported } = next;
        (checkpoint.cpu, checkpoint.wall) = self.clock.elapsed();
        checkpoint.best.clone_from(&self.best.lock().expect("no thread panics holding the best"));
        let _ = self.report(Event::Checkpoint(checkpoint));
        is_fresh.fill(false);
        *reported = Instant::now();
    }
}

/// One thread of a hunt.
struct WorkerThread<'a> {
    workers: &'a Workers<'a>,
    number: usize,
}

impl WorkerThread<'_> {
    /// Runs a search to the end of its budget, and returns its longest game.
    fn run(self, mut search: Search, budget: Budget) -> Vec<Move> {
        let Self { workers, number } = self;
        let every = workers.checkpoint_every;
        // The playouts of this thread in the common count, and the exchanges it has made.
        let mut counted = search.playouts();
        let mut exchanges = search.published().len();
        let (saved, is_due) = (Cell::new(Instant::now()), Cell::new(false));

        let mut on = |event: search::Event<'_>| match event {
            search::Event::Improved(game) => workers.improve(game),
            search::Event::Progress(playouts) => {
                is_due.set(every.is_some_and(|every| saved.get().elapsed() >= every));
                let new = playouts - std::mem::replace(&mut counted, playouts);
                workers.count(new)
            }
            _ => ControlFlow::Continue(()),
        };
        let mut exchange = |result: Option<RungResult>| {
            let wants_stop = || workers.wants_stop();
            let received = workers.exchange.exchange(number, exchanges, result, wants_stop)?;
            exchanges += 1;
            ControlFlow::Continue(received)
        };
        let game = {
            let mut meter = search.meter(budget, &mut on).with_exchange(&mut exchange);
            let take_state = |search: &Search, meter: &_| {
                if let (Some(every), Some(state)) = (every, search.state(meter)) {
                    workers.take_state(number, state, every);
                }
                saved.set(Instant::now());
                is_due.set(false);
            };
            while search.step(&mut meter).is_continue() {
                if is_due.get() {
                    take_state(&search, &meter);
                }
            }
            if every.is_some() {
                take_state(&search, &meter);
            }
            search.finish(&mut meter)
        };
        let is_finished = budget.playouts.is_some_and(|all| counted >= all);
        let participation =
            if is_finished { Participation::Finished } else { Participation::Stopped };
        workers.exchange.leave(number, participation);
        game
    }
}
