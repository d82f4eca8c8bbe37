//! `morpion bench`.

#[cfg(feature = "learn")]
mod learning;
mod methods;
mod ordering;
mod positions;
mod queue;

use std::time::Duration;

use anyhow::Result;
use cpu_time::ThreadTime;
use lab::view::{MeasurementView, ShareView};

use crate::output::{Exit, note, print, print_json};

/// Measure the speeds that matter, as ratios to a plain reference in the same run
///
/// Times are CPU time of one thread. Each pair is measured alternately and the best round counts,
/// so that a busy machine disturbs the ratios little. For random games and NRPA the shares of the
/// time are listed below the speed.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Number of rounds
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,

    /// Measure only the cost of the embedded queue: empty tasks, and hunts with and without it
    #[arg(long)]
    queue: bool,

    /// Print one JSON list
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let mut figures = Vec::new();
    if !args.queue {
        figures.extend(measure_games(args.rounds));
    }
    note("measuring the embedded queue");
    figures.extend(queue::measure(args.rounds)?);
    if args.json {
        print_json(&figures)?;
        return Ok(Exit::Success);
    }
    for figure in figures {
        let MeasurementView { what, value, unit, ratio, reference, parts } = figure;
        let ratio = match (ratio, reference) {
            (Some(ratio), Some(reference)) => format!("   {ratio:8.2} x {reference}"),
            _ => String::new(),
        };
        print(format_args!("{what:<44} {value:>12.1} {unit:<14}{ratio}"))?;
        for ShareView { what, share } in parts {
            print(format_args!("    {what:<40} {:>12.1} %", 100.0 * share))?;
        }
    }
    Ok(Exit::Success)
}

/// The speeds of playing, counting, learning and ordering.
fn measure_games(rounds: u32) -> Vec<MeasurementView> {
    let mut figures = Vec::new();
    for method in &methods::METHODS {
        for name in ["5T", "5D", "4T", "4D"] {
            note(format_args!("measuring {} of {name}", method.what));
            figures.push(method.measure(name, rounds));
        }
    }
    for (name, moves) in [("5T", 9), ("5D", 10), ("4T", 6), ("4D", 6)] {
        note(format_args!("measuring the count of positions of {name}"));
        figures.push(positions::measure(name, moves, rounds));
    }
    #[cfg(feature = "learn")]
    {
        note("measuring a network");
        figures.extend(learning::measure(rounds));
    }
    note("measuring the ordering of drawings");
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
