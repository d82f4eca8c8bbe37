//! One run: a search on one thread, timed by that thread's own clock, and verified. The time of an
//! agent that the thread talks to is part of it.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Duration;

use cpu_time::ThreadTime;
use evidence::{Refusal, VerifiedRecord};
use hunt::{Event, HuntError};
use record::Record;

use crate::agent::agent_time;
use crate::design::{ExperimentDesign, RunIndex, RunLength};
use crate::journal::{Improvement, RunResult};

/// How a run ended.
pub(crate) enum Outcome {
    Done(RunResult),
    Interrupted,
}

/// Makes a run; `on` receives the part that is done, from 0 to 1, and may interrupt it.
pub(crate) fn run(
    design: &ExperimentDesign,
    index: RunIndex,
    on: &(dyn Fn(f64) -> ControlFlow<()> + Sync),
) -> Result<Outcome, HuntError> {
    let search = design.hunt(index);
    let length = design.cells[index.cell].length;
    let timer = Timer { length, traced: design.traced, on, times: Mutex::default() };
    let found = hunt::run(&search, None, &|event| timer.report(event))?;
    let times = timer.times.into_inner().expect("no thread panics holding the times");
    if let Some(refusal) = times.refusal {
        return Err(HuntError::Refused(refusal));
    }
    if times.interrupted {
        return Ok(Outcome::Interrupted);
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
        is_over || times.refusal.is_some() || times.interrupted
    }
}
