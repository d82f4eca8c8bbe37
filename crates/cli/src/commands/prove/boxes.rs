//! `morpion prove boxes`.

use std::time::Duration;

use anyhow::Result;
use lab::prove::boxes::{BoxesRequest, Event, prove};
use lab::view::BoxesView;
use verify::BoxList;

use super::{WorkArgs, continue_unless, file_name};
use crate::args::duration;
use crate::interrupt::Interruption;
use crate::output::{Exit, count, note, print, print_json};
use crate::progress::Progress;

/// Find the bounding boxes that a game of more than --target moves must reach
///
/// Excludes boxes by branch and bound, the largest first.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) work: WorkArgs,

    /// The bound for positions with an excluded box
    #[arg(long, value_name = "N")]
    pub(crate) target: u32,

    /// Rows and columns beyond the start, on all sides together, of the largest boxes
    #[arg(long, value_name = "N", default_value_t = STEPS, value_parser = steps())]
    pub(crate) steps: u32,

    /// Time limit for each box, like 5m
    #[arg(long, value_name = "TIME", default_value = PATIENCE, value_parser = duration)]
    pub(crate) patience: Duration,
}

/// The default size of boxes: the largest that a 5D game is known to reach.
pub(crate) const STEPS: u32 = 13;

/// The default time limit for each box.
pub(crate) const PATIENCE: &str = "1m";

/// Parses `--steps`.
pub(crate) fn steps() -> clap::builder::RangedI64ValueParser<u32> {
    clap::builder::RangedI64ValueParser::new().range(0..=24)
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let Args { work, target, steps, patience } = args;
    work.check_target(target)?;
    work.check_finite()?;
    let (solver, stop) = (work.solver.open()?, work.limit.stop_flag());
    let (game, folder, threads) = (&work.game, &*work.out, work.threads());
    let request = BoxesRequest { game, target, steps, patience, folder, threads, solver };
    let line = Progress::new();
    let report = prove(request, &|Event::Progress { done, total, unresolved }| {
        line.show(format_args!("{done} of {total} boxes tried, {unresolved} not excluded"));
        continue_unless(&stop)
    });
    drop(line);
    let report = report.map_err(|error| work.explain(error))?;
    let proven = &report.proof.proven;
    let certificate = file_name(&report.proof).unwrap_or_default();
    if let Some(better) = &report.better {
        note(format_args!("{certificate} is unchanged, since it leaves fewer boxes: {better}"));
    }
    let view = BoxesView {
        game: game.rules.to_string(),
        by: "boxes",
        claim: proven.to_string(),
        bound: target,
        left: proven.claim().boxes_left().to_vec(),
        resisted: report.unresolved.iter().map(bound::Margins::margins).collect(),
        trees: proven.stats().trees,
        leaves: proven.stats().leaves,
        certificate,
        bytes: report.proof.bytes,
    };
    if work.json {
        print_json(&view)?;
    } else {
        match view.left.len() {
            0 => print(format_args!("{}, proven", view.claim))?,
            boxes => {
                print(format_args!("{}, conditional", view.claim))?;
                let boxes = count(boxes, "box");
                print(format_args!(
                    "  left: {boxes} (`morpion verify --verbose {}` lists them)",
                    view.certificate
                ))?;
            }
        }
        if !view.resisted.is_empty() {
            print(format_args!("  not excluded in time: {}", BoxList(&view.resisted)))?;
        }
        let BoxesView { trees, leaves, certificate, bytes, .. } = &view;
        let (trees, leaves) = (count(*trees, "tree"), count(*leaves, "leaf"));
        print(format_args!("  {trees} with {leaves} in {certificate}, {bytes} bytes"))?;
    }
    if !report.is_complete {
        return Err(Interruption(work.interruption()).into());
    }
    Ok(Exit::Success)
}
