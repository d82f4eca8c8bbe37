//! `morpion prove cover`.

use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use anyhow::Result;
use bound::HullFamily;
use bound::blocks::SizeTreeError;
use lab::prove::cover::{CoverProgress, CoverRequest, Event, prove};
use lab::prove::{ProofFile, ProveError};
use lab::view::CoverView;

use super::{WorkArgs, check_folder, continue_unless, file_name};
use crate::files;
use crate::output::{Exit, count, note, print, print_json};
use crate::progress::Progress;

/// Bound 5T or 5D by linear programs on ranges of hulls that together contain every position
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) work: WorkArgs,

    /// The bound to prove
    #[arg(long, value_name = "N")]
    pub(crate) target: u32,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let Args { work, target, .. } = args;
    HullFamily::new(&work.game)?;
    check_folder(&work.out)?;
    let request = CoverRequest {
        game: &work.game,
        target,
        folder: &work.out,
        threads: work.threads(),
        solver: work.solver.open()?,
    };
    let stop = work.stop_flag()?;
    let line = Progress::new();
    let started = Instant::now();
    let first = OnceLock::new();
    let last = Mutex::new(CoverProgress::default());
    let found = prove(request, &|event| {
        let (Event::Resumed(progress) | Event::Progress(progress)) = event;
        *last.lock().expect("no thread panics") = progress;
        let CoverProgress { ranges, covered, classes } = progress;
        match event {
            Event::Resumed(_) => {
                let (folder, ranges) = (files::name(request.folder), count(ranges, "range"));
                note(format_args!(
                    "resuming from {ranges} in {folder}: {covered} of {classes} classes of hulls \
                    covered"
                ));
            }
            Event::Progress(_) => {
                let before = *first.get_or_init(|| covered);
                let ranges = count(ranges, "range");
                let so_far = format!("{ranges}, {covered} of {classes} classes of hulls covered");
                let rest = (classes - covered) as f64 / (covered - before) as f64;
                match Duration::try_from_secs_f64((rest * started.elapsed().as_secs_f64()).round())
                {
                    Ok(left) => line.show(format_args!("{so_far}, about {left:?} left")),
                    Err(_) => line.show(format_args!("{so_far}")),
                }
            }
        }
        continue_unless(&stop)
    });
    let CoverProgress { ranges, covered, classes } = last.into_inner().expect("no thread panics");
    let game = work.game.rules.to_string();
    let view = CoverView { game, by: "cover", ranges, ..CoverView::default() };
    finish(&work, target, view, found, classes - covered)
}

/// Prints the proof, or why there is none.
fn finish(
    work: &WorkArgs,
    target: u32,
    view: CoverView,
    found: Result<ProofFile, ProveError>,
    uncovered: usize,
) -> Result<Exit> {
    let proof = match found {
        Ok(proof) => proof,
        Err(
            error @ (ProveError::Interrupted
            | ProveError::SizeTree(SizeTreeError::OutOfReach { .. })),
        ) => {
            let reason = match error {
                ProveError::Interrupted => {
                    format!("stopped with {uncovered} left to cover; the same command resumes")
                }
                error => error.to_string(),
            };
            if work.json {
                print_json(&CoverView { reason: Some(reason), ..view })?;
            } else {
                print(format_args!("{} <= {target} is not proven: {reason}", view.game))?;
            }
            return Ok(Exit::Negative);
        }
        Err(error) => return Err(error.into()),
    };
    let (stats, claim) = (proof.proven.stats(), proof.proven.to_string());
    let certificate = file_name(&proof);
    if work.json {
        let bound = proof.proven.claim().upper_bound();
        let (claim, ranges) = (Some(claim), stats.ranges);
        print_json(&CoverView { bound, claim, ranges, certificate, ..view })?;
    } else {
        print(format_args!("{claim}, proven"))?;
        let ranges = count(stats.ranges, "range");
        let name = certificate.unwrap_or_default();
        print(format_args!("  by {ranges} of hulls: {name}, {} bytes", proof.bytes))?;
    }
    Ok(Exit::Success)
}
