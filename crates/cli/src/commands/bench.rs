//! `morpion bench`.

use anyhow::Result;
use experiment::bench;
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
        let say = &mut |what: &str| note(format_args!("measuring {what}"));
        figures.extend(bench::measure_games(args.rounds, say));
    }
    note("measuring the embedded queue");
    figures.extend(bench::measure_queue(args.rounds)?);
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
