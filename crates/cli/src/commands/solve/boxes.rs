//! `morpion solve GAME --by boxes`.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use bound::Margins;
use bound::boxes::{self, BoxesProof};
use bound::branch::{BranchError, Region, prove_at_root};
use serde::Serialize;
use verify::{BoxList, Claim};

use super::Args;
use super::trees::Trees;
use crate::files;
use crate::interrupt::stop_flag;
use crate::journal::{Results, conduct};
use crate::output::{Exit, note, print, print_json};
use crate::progress::Progress;

/// How large boxes are looked at by default: the largest that a 5D game is known to come to.
const STEPS: u32 = 13;

/// How long a box is tried by default.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Serialize)]
struct Row {
    game: String,
    by: &'static str,
    claim: String,
    bound: u32,
    /// Boxes that a longer game comes to: steps above, right, below and left, one of each eight images.
    left: Vec<[u32; 4]>,
    /// Those of them that were tried and not closed.
    resisted: Vec<[u32; 4]>,
    trees: usize,
    leaves: usize,
    certificate: String,
    bytes: usize,
}

pub(super) fn run(args: &Args) -> Result<Exit> {
    let game = &args.game;
    let bound = args.target.context("--by boxes needs --target")?;
    let steps = args.steps.unwrap_or(STEPS);
    let solver = args.solver.open()?;
    let stop = stop_flag()?;
    let patience = Some(args.patience.unwrap_or(PATIENCE));
    let trees = Trees { game, bound, out: &args.out, solver, stop: &stop, patience };
    let all = boxes::up_to(steps);
    let closed: Mutex<Vec<(Region, String)>> = Mutex::new(Vec::new());
    let resisted: Mutex<Vec<Margins>> = Mutex::new(Vec::new());
    let line = Progress::new();
    let failed = AtomicBool::new(false);
    let work = |number: usize| {
        let reach = all[number];
        let is_closed = |(case, _): &(Region, String)| boxes::is_excluded_by(*case, reach);
        if !closed.lock().expect("no thread panics with these").iter().any(is_closed) {
            match tree(&trees, reach, &failed, &line) {
                Ok(tree) => closed.lock().expect("no thread panics with these").push(tree),
                Err(error) => match error.downcast::<BranchError>()? {
                    BranchError::Interrupted => {
                        resisted.lock().expect("no thread panics with these").push(reach);
                    }
                    BranchError::Refuted { moves, .. } => {
                        failed.store(true, Ordering::Relaxed);
                        let moves = moves.len();
                        bail!(
                            "--target {bound}: there is a game of {moves} moves; aim for that or more"
                        );
                    }
                    other => return Err(other.into()),
                },
            }
        }
        Ok(String::new())
    };
    let count = all.len();
    let progress = |done: usize| {
        let resisted = resisted.lock().map_or(0, |resisted| resisted.len());
        line.show(format_args!("{done} of {count} boxes looked at, {resisted} not closed"));
    };
    let done = conduct(count, args.threads(), (None, Results::new()), &stop, &progress, &work)?;
    drop(line);
    let is_whole = done.len() == count;
    let mut cases = closed.into_inner().expect("no thread panics with these");
    cases.sort_by_key(|(case, _)| case.to_string());
    let mut resisted = resisted.into_inner().expect("no thread panics with these");
    resisted.sort_unstable();
    judge(args, BoxesProof { game: game.clone(), bound, regions: cases }, resisted)?;
    if !is_whole {
        bail!("interrupted; the same command goes on from {}", files::name(&args.out));
    }
    Ok(Exit::Success)
}

/// The tree of a box: a single leaf if that is enough, which shows that there are no positions with it or else is about all that
/// lie in it; or a tree for those that meet its sides.
fn tree(
    trees: &Trees<'_>,
    reach: Margins,
    failed: &AtomicBool,
    line: &Progress,
) -> Result<(Region, String)> {
    let (within, meeting) = (Region::Within(reach), Region::Meeting(reach));
    let files = [within, meeting].map(|case| trees.file(case));
    if !files.iter().any(|file| file.exists()) {
        let at_once = |case| prove_at_root(trees.solver, trees.game, case, trees.bound);
        let met = at_once(meeting)?.map(|proof| proof.to_text());
        match met.filter(|text| boxes::is_infeasible(text)) {
            Some(text) => files::write(&files[1], text.as_bytes())?,
            None => {
                if let Some(proof) = at_once(within)? {
                    files::write(&files[0], proof.to_text().as_bytes())?;
                }
            }
        }
    }
    let case = if files[0].exists() { within } else { meeting };
    Ok((case, trees.text(case, failed, line)?))
}

/// Has the proof judged, and keeps it.
fn judge(args: &Args, boxes: BoxesProof, resisted: Vec<Margins>) -> Result<()> {
    let bytes = boxes.to_bytes();
    let proof = verify::read(&bytes[..]).map(|text| verify::verify_proof(&text));
    let proof = proof?.context("the verifier refuses the proof")?;
    let Claim::Reaches { moves: bound, boxes: left, .. } = proof.claim() else {
        return Err(anyhow!("not a proof by boxes"));
    };
    let file = args.out.join(format!("{}-{}.boxes.gz", boxes.game.rules, bound));
    let before = files::read(&file).ok().and_then(|bytes| verify::read(&bytes[..]).ok());
    let before = before.and_then(|text| verify::verify_proof(&text).ok());
    match before.filter(|before| before.claim().boxes_left().len() < left.len()) {
        Some(before) => {
            let name = files::name(&file);
            note(format_args!("{name} is kept as it was, since it leaves less: {before}"));
        }
        None => files::write(&file, &bytes)?,
    }
    let row = Row {
        game: boxes.game.rules.to_string(),
        by: "boxes",
        claim: proof.to_string(),
        bound: *bound,
        left: left.clone(),
        resisted: resisted.into_iter().map(|margins| margins.margins()).collect(),
        trees: proof.stats().trees,
        leaves: proof.stats().leaves,
        certificate: files::name(&file),
        bytes: bytes.len(),
    };
    if args.json {
        return print_json(&row);
    }
    print(format_args!("{}, proven", row.claim))?;
    if !row.left.is_empty() {
        print(format_args!("  left: {}", BoxList(&row.left)))?;
    }
    if !row.resisted.is_empty() {
        print(format_args!("  not closed in time: {}", BoxList(&row.resisted)))?;
    }
    let Row { trees, leaves, certificate, bytes, .. } = &row;
    print(format_args!("  {trees} trees with {leaves} leaves in {certificate}, {bytes} bytes"))?;
    Ok(())
}
