//! One run: a search on one thread, timed by that thread's own clock, and judged.

use std::sync::Mutex;
use std::time::Duration;

use cpu_time::ThreadTime;
use record::Record;
use verify::Refusal;

use super::journal::{Improvement, Row};
use super::plan::{Length, Plan, RunId};
use hunt::{HuntError, Watcher, hunt};

/// Is told how a single run goes.
pub(super) trait Onlooker: Sync {
    /// Which part of the run is done, from 0 to 1, as far as that is known.
    fn part(&self, part: f64);

    /// Whether to give the run up.
    fn wants_stop(&self) -> bool;
}

/// Makes a run; `None` if it was given up.
pub(super) fn single(
    plan: &Plan,
    run: RunId,
    onlooker: &dyn Onlooker,
) -> Result<Option<Row>, HuntError> {
    let wish = plan.hunt(run);
    let timer = Timer {
        length: plan.cells[run.cell].length,
        traced: plan.traced,
        onlooker,
        times: Mutex::default(),
    };
    let find = hunt(&wish, &timer)?;
    if onlooker.wants_stop() {
        return Ok(None);
    }
    let times = timer.times.into_inner().expect("no thread panics holding the times");
    if let Some(refusal) = times.refused {
        return Err(HuntError::Refused(refusal));
    }
    Ok(Some(Row {
        run,
        seed: wish.seed,
        score: u64::from(find.verified.score()),
        playouts: find.playouts,
        cpu: times.searched,
        improvements: times.improvements,
    }))
}

/// Reads the clock of the searching thread, which began with that thread: a hunt on one thread
/// tells its watcher from there. What the judge takes on the way is not the search's time.
struct Timer<'a> {
    length: Length,
    traced: bool,
    onlooker: &'a dyn Onlooker,
    times: Mutex<Times>,
}

#[derive(Default)]
struct Times {
    searched: Duration,
    judged: Duration,
    improvements: Vec<Improvement>,
    refused: Option<Refusal>,
}

impl Times {
    fn search_time(&self) -> Duration {
        ThreadTime::now().as_duration().saturating_sub(self.judged)
    }
}

impl Watcher for Timer<'_> {
    fn improved(&self, record: &Record) {
        if !self.traced {
            return;
        }
        let mut times = self.times.lock().expect("no thread panics holding the times");
        let (at, began) = (times.search_time(), ThreadTime::now());
        match verify::judge(&record.to_json()) {
            Ok(game) => {
                times.improvements.push(Improvement { at, score: u64::from(game.score()) });
            }
            Err(refusal) => times.refused = Some(refusal),
        }
        times.judged += began.elapsed();
    }

    fn stands(&self, _best: usize, playouts: u64) {
        let mut times = self.times.lock().expect("no thread panics holding the times");
        times.searched = times.search_time();
        self.onlooker.part(match self.length {
            Length::Playouts(all) => playouts as f64 / all.max(1) as f64,
            Length::Time(all) | Length::Until(all, _) => {
                times.searched.as_secs_f64() / all.as_secs_f64()
            }
            Length::Method => 0.0,
        });
    }

    fn wants_stop(&self) -> bool {
        let times = self.times.lock().expect("no thread panics holding the times");
        let late = self.length.time().is_some_and(|all| times.searched >= all);
        late || times.refused.is_some() || self.onlooker.wants_stop()
    }
}
