//! One run: a search on one thread, timed by that thread's own clock, and verified. The time of an
//! agent that the thread talks to is part of it.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use evidence::{Refusal, VerifiedRecord};
use hunt::{Event, HuntError};
use record::Record;

use crate::agent::{AgentError, agent_time, is_agent, take_failure};
use crate::design::{ExperimentDesign, RunIndex, RunLength};
use crate::error::ExperimentError;
use crate::journal::{Improvement, RunResult};

/// How a run ended.
pub(crate) enum Outcome {
    Done(RunResult),
    Interrupted,
}

/// How much longer than its CPU time an agent may take that sleeps, or waits for others.
const SLOWNESS: u32 = 3;

/// What an agent may take beyond that, to start.
const GRACE: Duration = Duration::from_secs(5);

/// Makes a run; `on` receives the part that is done, from 0 to 1, and may interrupt it.
pub(crate) fn run(
    design: &ExperimentDesign,
    index: RunIndex,
    on: &(dyn Fn(f64) -> ControlFlow<()> + Sync),
) -> Result<Outcome, ExperimentError> {
    let search = design.hunt(index);
    let length = design.cells[index.cell].length;
    let limit = length.time().filter(|_| is_agent(&search.method));
    let latest = limit.map(|time| Instant::now() + SLOWNESS * time + GRACE);
    let timer = Timer { length, latest, traced: design.traced, on, times: Mutex::default() };
    let found = hunt::run(&search, None, &|event| timer.report(event))?;
    let times = timer.times.into_inner().expect("no thread panics holding the times");
    if let Some(refusal) = times.refusal {
        return Err(HuntError::Refused(refusal).into());
    }
    if times.interrupted {
        return Ok(Outcome::Interrupted);
    }
    if let Some(failure) = times.failure {
        return Err(failure.into());
    }
    Ok(Outcome::Done(RunResult {
        run: index,
        seed: search.seed,
        score: u64::from(found.game.score()),
        playouts: found.playouts,
        cpu: times.searched,
        improvements: times.improvements,
    }))
}

/// Reads the clock of the searching thread, from which a hunt on one thread reports. The verifier's
/// time is not the search's.
struct Timer<'a> {
    length: RunLength,
    /// When an agent has to be done, by the clock on the wall.
    latest: Option<Instant>,
    traced: bool,
    on: &'a (dyn Fn(f64) -> ControlFlow<()> + Sync),
    times: Mutex<Times>,
}

#[derive(Default)]
struct Times {
    searched: Duration,
    verified: Duration,
    improvements: Vec<Improvement>,
    refusal: Option<Refusal>,
    /// What went wrong with an agent.
    failure: Option<AgentError>,
    interrupted: bool,
}

impl Times {
    fn search_time(&self) -> Duration {
        (ThreadTime::now().as_duration() + agent_time()).saturating_sub(self.verified)
    }
}

impl Timer<'_> {
    fn report(&self, event: Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Improved(record) => self.improved(record),
            Event::Progress { playouts, .. } => self.progressed(playouts),
            _ => {}
        }
        match self.is_over() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn improved(&self, record: &Record) {
        if !self.traced {
            return;
        }
        let mut times = self.times.lock().expect("no thread panics holding the times");
        let (at, start) = (times.search_time(), ThreadTime::now());
        match VerifiedRecord::new(record.clone()) {
            Ok(game) => {
                times.improvements.push(Improvement { at, score: u64::from(game.score()) });
            }
            Err(refusal) => times.refusal = Some(refusal),
        }
        times.verified += start.elapsed();
    }

    fn progressed(&self, playouts: u64) {
        let mut times = self.times.lock().expect("no thread panics holding the times");
        times.searched = times.search_time();
        times.failure = times.failure.take().or_else(take_failure);
        let part = match self.length {
            RunLength::Playouts(all) => playouts as f64 / all.max(1) as f64,
            RunLength::Time(all) | RunLength::Until(all, _) => {
                times.searched.as_secs_f64() / all.as_secs_f64()
            }
            RunLength::Method => 0.0,
        };
        times.interrupted |= (self.on)(part).is_break();
    }

    fn is_over(&self) -> bool {
        let times = self.times.lock().expect("no thread panics holding the times");
        let is_over = self.length.time().is_some_and(|all| times.searched >= all);
        let is_late = self.latest.is_some_and(|latest| Instant::now() >= latest);
        is_over || is_late || times.refusal.is_some() || times.interrupted
    }
}
