//! `morpion learn report`.

use std::path::PathBuf;

use anyhow::Result;
use lab::figure::curve::curve as curve_svg;
use lab::training_folder;
use lab::view::TrainingReportView;
use learn::{CurvePoint, curve_csv};

use crate::files;
use crate::output::{Exit, count, print, print_json};

/// Show the learning curve of a training run as a table, CSV, SVG or JSON
#[derive(clap::Args)]
pub(super) struct Args {
    /// Folder of the training run, or its training.state
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Write the curve as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write the curve as a picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<Exit> {
    let training = training_folder::read(&args.folder)?;
    let curve = training.curve();
    if let Some(csv) = &args.csv {
        files::write(csv, curve_csv(curve).as_bytes())?;
    }
    if let Some(svg) = &args.svg {
        files::write(svg, curve_svg(&training).as_bytes())?;
    }
    if args.json {
        print_json(&TrainingReportView::new(&training))?;
        return Ok(Exit::Success);
    }
    let (game, done) = (training.game(), count(curve.len(), "iteration"));
    let (best, weights) = (training.best().len(), training.network().size());
    print(format_args!("{game}: {done}, best game {best} moves, {weights} weights"))?;
    print(
        "iteration   games    mean  +-95%  longest  best  r_alpha   cut  policy   value  games/s  \
         positions/s  samples/s",
    )?;
    let stride = curve.len().div_ceil(40).max(1);
    for (number, e) in (1..).zip(curve) {
        if number % stride != 0 && number != 1 && number != curve.len() {
            continue;
        }
        let CurvePoint { games, mean, error, longest, best, threshold, cut, .. } = *e;
        print(format_args!(
            "{number:>9} {games:>7} {mean:>7.2} {error:>6.2} {longest:>8} {best:>5} \
             {threshold:>8} {cut:>5} {:>7.4} {:>7.4} {:>8.1} {:>12.0} {:>10.0}",
            e.policy_loss,
            e.value_loss,
            e.games_per_second(),
            e.positions_per_second(),
            e.samples_per_second(),
        ))?;
    }
    Ok(Exit::Success)
}
