//! `morpion prove cover`.

use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use lab::prove::ProveError;
use lab::prove::cover::{CoverRequest, Event, prove};
use lab::view::CoverView;

use super::{WorkArgs, check_folder, continue_unless, count_parts, file_name};
use crate::files;
use crate::interrupt::stop_flag;
use crate::output::{Exit, note, print, print_json};
use crate::progress::Progress;

/// Bound 5T or 5D by linear programs on a few boards that together contain every hull
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) work: WorkArgs,

    /// The bound to prove
    #[arg(long, value_name = "N")]
    pub(crate) target: u32,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let Args { work, target } = args;
    check_folder(&work.out)?;
    let request = CoverRequest {
        game: &work.game,
        target,
        folder: &work.out,
        threads: work.threads(),
        solver: work.solver.open()?,
    };
    let stop = stop_flag()?;
    let line = Progress::new();
    let [boards, hulls, uncovered] = [const { AtomicUsize::new(0) }; 3];
    let found = prove(request, &|event| {
        match event {
            Event::Resumed { boards, hulls } => {
                let folder = files::name(&work.out);
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
        continue_unless(&stop)
    });
    drop(line);
    let rules = work.game.rules.to_string();
    let [boards, hulls, uncovered] = [boards, hulls, uncovered].map(AtomicUsize::into_inner);
    let view = CoverView { game: rules, by: "cover", boards, hulls, ..CoverView::default() };
    let proof = match found {
        Ok(proof) => proof,
        Err(error @ (ProveError::Interrupted | ProveError::Hull { .. })) => {
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
        let (boards, hulls) = (stats.boards, stats.hulls);
        let bound = proof.proven.claim().upper_bound();
        let claim = Some(claim);
        print_json(&CoverView { bound, claim, boards, hulls, certificate, ..view })?;
    } else {
        print(format_args!("{claim}, proven"))?;
        let parts = count_parts(stats.boards, stats.hulls);
        let name = certificate.unwrap_or_default();
        print(format_args!("  by {parts}: {name}, {} bytes", proof.bytes))?;
    }
    Ok(Exit::Success)
}
