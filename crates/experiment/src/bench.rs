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

/// The speeds of playing, counting, learning and ordering, in CPU time of one thread. `on` receives
/// what is measured next.
pub fn measure_games(rounds: u32, on: &mut dyn FnMut(&str)) -> Vec<MeasurementView> {
    let mut figures = Vec::new();
    for method in &methods::METHODS {
        for name in ["5T", "5D", "4T", "4D"] {
            on(&format!("{} of {name}", method.what));
            figures.push(method.measure(name, rounds));
        }
    }
    for (name, moves) in [("5T", 9), ("5D", 10), ("4T", 6), ("4D", 6)] {
        on(&format!("the count of positions of {name}"));
        figures.push(positions::measure(name, moves, rounds));
    }
    #[cfg(feature = "learn")]
    {
        on("a network");
        figures.extend(learning::measure(rounds));
    }
    on("the ordering of drawings");
    figures.extend(ordering::measure(rounds));
    figures
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
