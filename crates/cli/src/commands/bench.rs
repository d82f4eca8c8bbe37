//! `morpion bench`.

use anyhow::Result;
use experiment::bench;
use lab::view::{MeasurementView, ShareView};

use crate::interrupt::ResultList;
use crate::output::{Exit, count, note, print};

/// Measure the speeds that matter, as ratios to a plain reference in the same run
///
/// Times are CPU time of one thread. Each pair is measured alternately and the best round counts,
/// so that a busy machine disturbs the ratios little. Results are printed as they are measured; all
/// five rounds take some minutes, and Ctrl-C ends them. For random games and NRPA the shares of the
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
    let say = |figures| format!("{} so far", count(figures, "result"));
    let figures = ResultList::new(args.json, say);
    let mut outcome = Ok(());
    let mut add = |figure: MeasurementView| {
        if !args.json && outcome.is_ok() {
            outcome = print_figure(&figure);
        }
        figures.push(figure);
    };
    if !args.queue {
        bench::measure_games(args.rounds, &mut |event| match event {
            bench::Event::Next(what) => note(format_args!("measuring {what}")),
            bench::Event::Measured(figure) => add(figure),
        });
    }
    note("measuring the embedded queue");
    bench::measure_queue(args.rounds)?.into_iter().for_each(&mut add);
    outcome?;
    figures.finish()?;
    Ok(Exit::Success)
}

fn print_figure(figure: &MeasurementView) -> Result<()> {
    let MeasurementView { what, value, unit, ratio, reference, parts } = figure;
    let ratio = match (ratio, reference) {
        (Some(ratio), Some(reference)) => format!("   {ratio:8.2} x {reference}"),
        _ => String::new(),
    };
    print(format_args!("{what:<44} {value:>12.1} {unit:<14}{ratio}"))?;
    for ShareView { what, share } in parts {
        print(format_args!("    {what:<40} {:>12.1} %", 100.0 * share))?;
    }
    Ok(())
}
