//! The bounding boxes that a long game must reach: trees for all boxes up to a size.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bound::Margins;
use bound::boxes::{self, BoxesProof};
use bound::branch::{BranchError, Region, prove_at_root};
use geometry::Game;
use solver::Solver;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use verify::ProvenClaim;

use super::branch::RegionTrees;
use super::{ProofFile, ProveError, create_folder, read, verify_bytes, write};
use crate::parts;

/// What the driver reports, from any thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A box is done, or a tree has grown.
    Progress {
        /// Boxes that were tried.
        done: usize,
        /// All boxes.
        total: usize,
        /// Boxes that were not excluded in time.
        unresolved: usize,
    },
}

/// What is to be proven, and how.
#[derive(Debug, Clone, Copy)]
pub struct BoxesRequest<'a> {
    /// The game.
    pub game: &'a Game,
    /// The bound for positions with an excluded box.
    pub target: u32,
    /// How many rows and columns boxes extend beyond the start, on all sides together.
    pub steps: u32,
    /// How long to work on each box.
    pub patience: Duration,
    /// Where trees are stored, and the proof at the end.
    pub folder: &'a Path,
    /// The number of threads.
    pub threads: u32,
    /// The solver.
    pub solver: Solver,
}

/// A verified conditional bound.
#[derive(Debug, Clone)]
pub struct BoxesReport {
    /// The proof. Its file is the one that leaves fewest boxes, perhaps an earlier one.
    pub proof: ProofFile,
    /// An earlier proof in the file that leaves fewer boxes and was not replaced.
    pub better: Option<ProvenClaim>,
    /// Boxes that were not excluded in time.
    pub unresolved: Vec<Margins>,
    /// Whether all boxes were tried.
    pub is_complete: bool,
}

/// Excludes as many boxes as possible and writes the proof, also if stopped early.
pub fn prove(
    request: BoxesRequest<'_>,
    on: &(dyn Fn(Event) -> ControlFlow<()> + Sync),
) -> Result<BoxesReport, ProveError> {
    let BoxesRequest { game, target, folder, threads, solver, .. } = request;
    create_folder(folder)?;
    let patience = Some(request.patience);
    let trees = RegionTrees { game, bound: target, folder, solver, patience };
    let all = boxes::up_to(request.steps);
    let state = Mutex::new(State::default());
    let failed = AtomicBool::new(false);
    let progress = || {
        let state = state.lock().expect("no thread panics with these");
        let (done, unresolved) = (state.done, state.unresolved.len());
        drop(state);
        match failed.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => on(Event::Progress { done, total: all.len(), unresolved }),
        }
    };
    let work = |_, margins: Margins| {
        let is_excluded = |(region, _): &(Region, String)| boxes::is_excluded_by(*region, margins);
        // The lock is released before the search, which reports under the same lock.
        let is_known = {
            let state = state.lock().expect("no thread panics with these");
            state.excluded.iter().any(is_excluded)
        };
        let tree = (!is_known).then(|| exclude(&trees, margins, &progress));
        let mut state = state.lock().expect("no thread panics with these");
        match tree {
            None => {}
            Some(Ok(tree)) => state.excluded.push(tree),
            Some(Err(ProveError::Branch(BranchError::Interrupted))) => {
                state.unresolved.push(margins);
            }
            Some(Err(ProveError::Interrupted)) => {
                state.unresolved.push(margins);
                return Ok(());
            }
            Some(Err(error)) => {
                failed.store(true, Ordering::Relaxed);
                return Err(match error {
                    ProveError::Branch(BranchError::Refuted { moves, .. }) => {
                        ProveError::Target { target, moves: moves.len() }
                    }
                    error => error,
                });
            }
        }
        state.done += 1;
        Ok(())
    };
    parts::run(all.iter().copied(), threads, work, |()| Ok(progress()))?;
    let state = state.into_inner().expect("no thread panics with these");
    let (mut regions, mut unresolved) = (state.excluded, state.unresolved);
    regions.sort_by_key(|(region, _)| region.to_string());
    unresolved.sort_unstable();
    let is_complete = state.done == all.len();
    let file = folder.join(format!("{}-{target}.boxes.gz", game.rules));
    let bytes = BoxesProof { game: game.clone(), bound: target, regions }.to_bytes();
    let proven = verify_bytes(&bytes)?;
    let better = read(&file).ok().and_then(|bytes| verify_bytes(&bytes).ok());
    let remaining = |proven: &ProvenClaim| proven.claim().boxes_left().len();
    let better = better.filter(|better| remaining(better) < remaining(&proven));
    if better.is_none() {
        write(&file, &bytes)?;
    }
    let proof = ProofFile { proven, file: Some(file), bytes: bytes.len() };
    Ok(BoxesReport { proof, better, unresolved, is_complete })
}

/// What the threads have found.
#[derive(Default)]
struct State {
    done: usize,
    excluded: Vec<(Region, String)>,
    unresolved: Vec<Margins>,
}

/// The tree that excludes a box. A single leaf if that is enough, which shows that no position has
/// the box, or else is about all positions in it; or a tree for positions that meet its sides.
fn exclude(
    trees: &RegionTrees<'_>,
    margins: Margins,
    progress: &dyn Fn() -> ControlFlow<()>,
) -> Result<(Region, String), ProveError> {
    let (within, meeting) = (Region::Within(margins), Region::Meeting(margins));
    let files: [PathBuf; 2] = [within, meeting].map(|region| trees.file(region));
    if !files.iter().any(|file| file.exists()) {
        let at_root = |region| prove_at_root(trees.solver, trees.game, region, trees.bound);
        let met = at_root(meeting)?.map(|proof| proof.to_text());
        match met.filter(|text| boxes::is_infeasible(text)) {
            Some(text) => write(&files[1], text.as_bytes())?,
            None => {
                if let Some(proof) = at_root(within)? {
                    write(&files[0], proof.to_text().as_bytes())?;
                }
            }
        }
    }
    let region = if files[0].exists() { within } else { meeting };
    Ok((region, trees.prove(region, &|_| progress())?))
}
