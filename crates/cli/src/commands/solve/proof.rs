//! `morpion solve GAME --by proof`.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use bound::branch::{BranchError, OptimumProof, Region};
use geometry::{Game, Move};
use hunt::{HuntBudget, HuntSpec};
use search::MethodSpec;
use serde::Serialize;

use super::Args;
use super::trees::Trees;
use crate::commands::judged;
use crate::files;
use crate::interrupt::stop_flag;
use crate::output::{Exit, note, print, print_json};
use crate::progress::Progress;

/// Positions within this distance are one case; those that reach further are told apart by how far.
const INSIDE: u32 = 3;

/// How far games are followed: the judge goes no further.
pub(super) const MAX_REACH: u32 = 12;

/// How long a game is looked for if none is given.
const LOOK: Duration = Duration::from_secs(10);

#[derive(Serialize)]
struct Row {
    game: String,
    by: &'static str,
    claim: String,
    moves: u32,
    leaves: usize,
    certificate: String,
    bytes: usize,
}

pub(super) fn run(args: &Args) -> Result<Exit> {
    let game = &args.game;
    let solver = args.solver.open()?;
    let stop = stop_flag()?;
    let mut moves = match &args.from {
        Some(file) => judged::moves(&judged::judge(file, Some(game))?.verdict?),
        None => looked_for(game, args.threads(), &stop)?,
    };
    let mut reach = args.reach.unwrap_or(0).max(reach_of(game, &moves));
    let cases = loop {
        note(format_args!("{game}: {} moves, reaching {reach} beyond the start", moves.len()));
        let bound = moves.len() as u32;
        let trees = Trees { game, bound, out: &args.out, solver, stop: &stop, patience: None };
        match all(&trees, &cases(reach), args.threads()) {
            Ok(texts) => break texts,
            Err(error) => match error.downcast::<BranchError>()? {
                BranchError::Refuted { region: Region::Leaving(_), .. } => reach += 1,
                BranchError::Refuted { moves: longer, .. } => moves = longer,
                BranchError::Interrupted => {
                    bail!("interrupted; the same command goes on from {}", files::name(&args.out))
                }
                other => return Err(other.into()),
            },
        }
        reach = reach.max(reach_of(game, &moves));
        if reach > MAX_REACH {
            bail!("{game}: games reach more than {MAX_REACH} points beyond the start");
        }
    };
    judge(args, OptimumProof { game: game.clone(), moves, regions: cases })
}

/// The cases that are all positions, if none leaves.
fn cases(reach: u32) -> Vec<Region> {
    let inside = INSIDE.min(reach);
    let touching = (inside + 1..=reach).map(Region::Touching);
    [Region::Leaving(reach), Region::Inside(inside)].into_iter().chain(touching).collect()
}

/// How far a game reaches beyond the box around the start.
fn reach_of(game: &Game, moves: &[Move]) -> u32 {
    let (low, high) = game.start.bounds().expect("a cross has dots");
    let beyond = |mv: &Move| {
        let dot = mv.dot();
        [low.x - dot.x, low.y - dot.y, dot.x - high.x, dot.y - high.y].into_iter().max()
    };
    moves.iter().filter_map(beyond).max().unwrap_or(0).max(0) as u32
}

/// A long game, by search.
fn looked_for(game: &Game, threads: u32, stop: &AtomicBool) -> Result<Vec<Move>> {
    let spec = HuntSpec {
        game: game.clone(),
        prefix: Vec::new(),
        method: MethodSpec::named("auto", game, [])?,
        seed: 1,
        threads,
        budget: HuntBudget { time: Some(LOOK), ..HuntBudget::default() },
    };
    let on = |_: hunt::Event<'_>| match stop.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    Ok(judged::moves(&hunt::run(&spec, None, &on)?.game))
}

/// The texts of the trees of all cases, some at a time.
fn all(trees: &Trees<'_>, cases: &[Region], threads: u32) -> Result<Vec<String>> {
    let line = Progress::new();
    let next = AtomicUsize::new(0);
    let texts: Vec<Mutex<Option<Result<String>>>> =
        cases.iter().map(|_| Mutex::new(None)).collect();
    let failed = AtomicBool::new(false);
    let work = || {
        while let Some(&case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let place = cases.iter().position(|&other| other == case).unwrap_or(0);
            let text = trees.text(case, &failed, &line);
            failed.fetch_or(text.is_err(), Ordering::Relaxed);
            *texts[place].lock().expect("no thread panics with a text") = Some(text);
        }
    };
    std::thread::scope(|scope| {
        // This thread works too, so the work is done even if no other can be started.
        for _ in 1..threads.min(cases.len() as u32) {
            if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    let texts = texts.into_iter().map(|text| text.into_inner().expect("no thread panics"));
    let mut texts: Vec<Result<String>> = texts.flatten().collect();
    // What refutes a claim says more than other trouble, and that more than what was interrupted by it.
    texts.sort_by_key(|text| match text.as_ref().map_err(|error| error.downcast_ref()) {
        Err(Some(BranchError::Refuted { .. })) => 0,
        Err(Some(BranchError::Interrupted)) => 2,
        Err(_) => 1,
        Ok(_) => 3,
    });
    texts.into_iter().collect()
}

/// Has the proof judged, and keeps it.
fn judge(args: &Args, optimum: OptimumProof) -> Result<Exit> {
    let bytes = optimum.to_bytes();
    let proof = verify::read(&bytes[..]).map(|text| verify::verify_proof(&text));
    let proof = proof?.context("the verifier refuses the proof")?;
    let moves = proof.claim().upper_bound().context("not an optimum")?;
    let file = args.out.join(format!("{}-{}.tree.gz", optimum.game.rules, moves));
    files::write(&file, &bytes)?;
    let row = Row {
        game: optimum.game.rules.to_string(),
        by: "proof",
        claim: proof.to_string(),
        moves,
        leaves: proof.stats().leaves,
        certificate: files::name(&file),
        bytes: bytes.len(),
    };
    if args.json {
        print_json(&row)?;
    } else {
        print(format_args!("{}, proven", row.claim))?;
        print(format_args!("  {} leaves in {}, {} bytes", row.leaves, row.certificate, row.bytes))?;
    }
    Ok(Exit::Success)
}
