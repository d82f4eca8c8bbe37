//! The speeds that matter, as ratios to a plain reference in the same run.
//!
//! Each pair is measured alternately and the best round counts, so that a busy machine disturbs
//! the ratios little.

#[cfg(feature = "learn")]
mod learning;
mod methods;
mod ordering;
mod positions;
mod queue;

use std::time::Duration;

use cpu_time::ThreadTime;
use lab::view::{MeasurementView, ShareView};

pub use queue::{BenchError, measure as measure_queue};

/// What a benchmark reports.
#[derive(Debug)]
pub enum Event<'a> {
    /// What is measured next.
    Next(&'a str),
    /// A result.
    Measured(MeasurementView),
}

/// The speeds of playing, counting, learning and ordering, in CPU time of one thread.
pub fn measure_games(rounds: u32, on: &mut dyn FnMut(Event<'_>)) {
    for method in &methods::METHODS {
        for name in ["5T", "5D", "4T", "4D"] {
            on(Event::Next(&format!("{} of {name}", method.what)));
            on(Event::Measured(method.measure(name, rounds)));
        }
    }
    for (name, moves) in [("5T", 9), ("5D", 10), ("4T", 6), ("4D", 6)] {
        on(Event::Next(&format!("the count of positions of {name}")));
        on(Event::Measured(positions::measure(name, moves, rounds)));
    }
    #[cfg(feature = "learn")]
    {
        on(Event::Next("a network"));
        learning::measure(rounds).into_iter().for_each(|figure| on(Event::Measured(figure)));
    }
    on(Event::Next("the ordering of drawings"));
    ordering::measure(rounds).into_iter().for_each(|figure| on(Event::Measured(figure)));
}

/// The shortest of some rounds.
fn shortest(rounds: u32, mut work: impl FnMut()) -> Duration {
    (0..rounds).map(|_| time(&mut work)).min().unwrap_or_default()
}

/// How long something takes on this thread.
fn time(work: impl FnOnce()) -> Duration {
    let began = ThreadTime::now();
    work();
    began.elapsed()
}
