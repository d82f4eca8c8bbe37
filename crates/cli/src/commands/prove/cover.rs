//! `morpion prove cover`.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use anyhow::Result;
use bound::blocks::SizeTreeError;
use lab::prove::cover::{CoverRequest, Event, prove};
use lab::prove::ranges::{self, RangeProgress};
use lab::prove::{ProofFile, ProveError};
use lab::view::CoverView;

use super::{WorkArgs, check_folder, continue_unless, count_parts, file_name};
use crate::files;
use crate::output::{Exit, count, note, print, print_json};
use crate::progress::Progress;

/// Bound 5T or 5D by linear programs on a few boards that together contain every hull
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) work: WorkArgs,

    /// The bound to prove
    #[arg(long, value_name = "N")]
    pub(crate) target: u32,

    /// Bound ranges of hulls by the sizes of lattice lines: reaches lower targets
    #[arg(long)]
    pub(crate) ranges: bool,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let Args { work, target, ranges } = args;
    check_folder(&work.out)?;
    let request = CoverRequest {
        game: &work.game,
        target,
        folder: &work.out,
        threads: work.threads(),
        solver: work.solver.open()?,
    };
    let stop = work.stop_flag()?;
    let (view, uncovered, found) = match ranges {
        false => prove_by_boards(request, &stop)?,
        true => prove_by_ranges(request, &stop)?,
    };
    let view = CoverView { game: work.game.rules.to_string(), by: "cover", ..view };
    finish(&work, target, view, found, uncovered)
}

/// What was found, how many hulls are left, and the proof.
type Search = (CoverView, usize, Result<ProofFile, ProveError>);

fn prove_by_boards(request: CoverRequest<'_>, stop: &AtomicBool) -> Result<Search> {
    let line = Progress::new();
    let [boards, hulls, uncovered] = [const { AtomicUsize::new(0) }; 3];
    let found = prove(request, &|event| {
        match event {
            Event::Resumed { boards, hulls } => {
                let folder = files::name(request.folder);
                note(format_args!("resuming from {} in {folder}", count_parts(boards, hulls)));
            }
            Event::Progress { boards: b, hulls: h, uncovered: u } => {
                boards.store(b, Ordering::Relaxed);
                hulls.store(h, Ordering::Relaxed);
                uncovered.store(u, Ordering::Relaxed);
                let found = count_parts(b, h);
                line.show(format_args!("{found} certified, {u} left to cover"));
            }
        }
        continue_unless(stop)
    });
    let [boards, hulls, uncovered] = [boards, hulls, uncovered].map(AtomicUsize::into_inner);
    Ok((CoverView { boards, hulls, ..CoverView::default() }, uncovered, found))
}

fn prove_by_ranges(request: CoverRequest<'_>, stop: &AtomicBool) -> Result<Search> {
    let line = Progress::new();
    let started = Instant::now();
    let first = OnceLock::new();
    let last = Mutex::new((0, 0));
    let found = ranges::prove(request, &|event| {
        match event {
            ranges::Event::Resumed(RangeProgress { ranges, failures, covered, classes }) => {
                let (folder, ranges) = (files::name(request.folder), count(ranges, "range"));
                note(format_args!(
                    "resuming from {ranges} in {folder}: {covered} of {classes} classes of hulls \
                    covered, {failures} attempts failed"
                ));
            }
            ranges::Event::Progress(RangeProgress { ranges, covered, classes, .. }) => {
                *last.lock().expect("no thread panics") = (ranges, classes - covered);
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
        continue_unless(stop)
    });
    let (ranges, uncovered) = last.into_inner().expect("no thread panics");
    Ok((CoverView { ranges, ..CoverView::default() }, uncovered, found))
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
            | ProveError::Hull { .. }
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
        let (boards, hulls, ranges) = (stats.boards, stats.hulls, stats.ranges);
        let bound = proof.proven.claim().upper_bound();
        let claim = Some(claim);
        print_json(&CoverView { bound, claim, boards, hulls, ranges, certificate, ..view })?;
    } else {
        print(format_args!("{claim}, proven"))?;
        let parts = match stats.ranges {
            0 => count_parts(stats.boards, stats.hulls),
            ranges => format!("{} of hulls", count(ranges, "range")),
        };
        let name = certificate.unwrap_or_default();
        print(format_args!("  by {parts}: {name}, {} bytes", proof.bytes))?;
    }
    Ok(Exit::Success)
}
