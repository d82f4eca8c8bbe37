//! `morpion search --runs`: the same search with several seeds, one after the other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::Result;
use hunt::HuntSpec;
use lab::best_file::write_if_longer;
use lab::view::{SearchRunView, SearchRunsView};

use super::{Args, Watch};
use crate::files;
use crate::output::{Exit, count, note, print, print_json};
use crate::progress::{ImprovementLog, Progress};

/// Makes the searches; Ctrl-C ends the current one, and what is done is reported.
pub(super) fn run(args: &Args, spec: HuntSpec, runs: u32, stop: &Arc<AtomicBool>) -> Result<Exit> {
    let mut done: Vec<SearchRunView> = Vec::new();
    for number in 0..u64::from(runs) {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let spec = HuntSpec { seed: spec.seed.wrapping_add(number), ..spec.clone() };
        let watch = Watch {
            spec: &spec,
            out: args.out.as_deref(),
            file: None,
            is_lost: AtomicBool::new(false),
            is_unsaved: AtomicBool::new(false),
            before: 0,
            began: Instant::now(),
            stop: Arc::clone(stop),
            line: Progress::new(),
            log: ImprovementLog::new(),
        };
        let found = hunt::run(&spec, None, &|event| watch.report(event))?;
        drop(watch);
        if let Some(out) = &args.out {
            write_if_longer(out, found.game.record(), true)?;
        }
        let run = SearchRunView::new(&spec, &found);
        if !args.json {
            note(format_args!("seed {}: {}", run.seed, count(run.score as usize, "move")));
        }
        done.push(run);
    }
    let out = args.out.as_deref().map(files::name);
    let view = SearchRunsView { out, ..SearchRunsView::new(&spec, done) };
    let is_missed = view.target.is_some() && view.reached == Some(0);
    if args.json {
        print_json(&view)?;
    } else {
        report(&view)?;
    }
    Ok(if is_missed { Exit::Negative } else { Exit::Success })
}

fn report(view: &SearchRunsView) -> Result<()> {
    let (Some(best), Some(mean)) = (view.best, view.mean) else { return Ok(()) };
    let runs = count(view.runs.len(), "run");
    let error = view.error.map_or_else(String::new, |error| format!(" \u{b1} {error:.1}"));
    let record = view
        .record
        .map_or_else(String::new, |it| format!(" (record {}, {} {})", it.moves, it.by, it.year));
    print(format_args!("{}: best {best}{record}, mean {mean:.1}{error} of {runs}", view.game))?;
    if let (Some(target), Some(reached)) = (view.target, view.reached) {
        print(format_args!("{reached} of {runs} reached {target}"))?;
    }
    Ok(())
}
