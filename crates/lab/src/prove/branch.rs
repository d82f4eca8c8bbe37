//! Optima by branch and bound: a game, and trees for the regions that contain all positions.
//!
//! Every step of a tree is stored as it is found, so that nothing is lost and a search resumes
//! after any leaf. If a tree finds a longer game, the proof starts again from that one.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bound::branch::{self, BranchError, OptimumProof, Region};
use geometry::{Game, Move};
use hunt::{HuntBudget, HuntSpec};
use search::MethodSpec;
use solver::Solver;

use super::steps::StoredSteps;
use super::{ProofFile, ProveError, create_folder, read, verify_and_write, write};
use crate::files;
use crate::parts;

/// Positions within this distance form one region; those that reach further are split by how far.
const INSIDE: u32 = 3;

/// How far beyond the start games are followed; the verifier accepts no more.
pub const MAX_REACH: u32 = 12;

/// What the driver reports, from any thread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event {
    /// A proof starts from this game.
    Incumbent {
        /// Its length.
        moves: usize,
        /// How far positions may extend beyond the start.
        reach: u32,
    },
    /// A tree has grown.
    Progress {
        /// The region.
        region: Region,
        /// The share of its tree that is done.
        done: f64,
        /// The number of leaves so far.
        leaves: usize,
    },
}

/// What is to be proven, and how.
#[derive(Debug, Clone)]
pub struct OptimumRequest<'a> {
    /// The game.
    pub game: &'a Game,
    /// The moves of a game that may be optimal.
    pub incumbent: Vec<Move>,
    /// How far positions may extend beyond the start; at least as far as the incumbent.
    pub reach: u32,
    /// Where trees are stored, and the proof at the end.
    pub folder: &'a Path,
    /// The number of threads.
    pub threads: u32,
    /// The solver.
    pub solver: Solver,
}

/// Proves that a game is optimal, or finds a longer one that is, and writes the proof.
pub fn prove(
    request: OptimumRequest<'_>,
    on: &(dyn Fn(Event) -> ControlFlow<()> + Sync),
) -> Result<ProofFile, ProveError> {
    let OptimumRequest { game, incumbent: mut moves, mut reach, folder, threads, solver } = request;
    create_folder(folder)?;
    let regions = loop {
        reach = reach.max(reach_of(game, &moves));
        if reach > MAX_REACH {
            return Err(ProveError::Reach { game: game.to_string(), reach: MAX_REACH });
        }
        if on(Event::Incumbent { moves: moves.len(), reach }).is_break() {
            return Err(ProveError::Interrupted);
        }
        let trees = RegionTrees { game, bound: moves.len() as u32, folder, solver, patience: None };
        match prove_all(&trees, &regions(reach), threads, on) {
            Ok(texts) => break texts,
            Err(ProveError::Branch(BranchError::Refuted {
                region: Region::Leaving(_), ..
            })) => {
                reach += 1;
            }
            Err(ProveError::Branch(BranchError::Refuted { moves: longer, .. })) => moves = longer,
            Err(error) => return Err(error),
        }
    };
    let file = folder.join(format!("{}-{}.tree.gz", game.rules, moves.len()));
    let proof = OptimumProof { game: game.clone(), moves, regions };
    verify_and_write(&proof.to_bytes(), Some(file))
}

/// A long game by search, to start from.
pub fn find_incumbent(
    game: &Game,
    time: Duration,
    threads: u32,
    stop: &AtomicBool,
) -> Result<Vec<Move>, ProveError> {
    let spec = HuntSpec {
        game: game.clone(),
        prefix: Vec::new(),
        method: MethodSpec::named("auto", game, []).expect("every game has this method"),
        seed: 1,
        threads,
        budget: HuntBudget { time: Some(time), ..HuntBudget::default() },
    };
    let on = |_: hunt::Event<'_>| match stop.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    Ok(hunt::run(&spec, None, &on)?.game.moves().to_vec())
}

/// The regions that contain all positions, if none leaves.
fn regions(reach: u32) -> Vec<Region> {
    let inside = INSIDE.min(reach);
    let touching = (inside + 1..=reach).map(Region::Touching);
    [Region::Leaving(reach), Region::Inside(inside)].into_iter().chain(touching).collect()
}

/// How far a game extends beyond the bounding box of the start.
fn reach_of(game: &Game, moves: &[Move]) -> u32 {
    let (low, high) = game.start.bounds().expect("a cross has dots");
    let beyond = |mv: &Move| {
        let dot = mv.dot();
        [low.x - dot.x, low.y - dot.y, dot.x - high.x, dot.y - high.y].into_iter().max()
    };
    moves.iter().filter_map(beyond).max().unwrap_or(0).max(0) as u32
}

/// The texts of the trees of all regions.
fn prove_all(
    trees: &RegionTrees<'_>,
    regions: &[Region],
    threads: u32,
    on: &(dyn Fn(Event) -> ControlFlow<()> + Sync),
) -> Result<Vec<String>, ProveError> {
    let failed = AtomicBool::new(false);
    let on = |event| match failed.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => on(event),
    };
    let threads = threads.min(regions.len() as u32);
    let mut texts = Vec::new();
    parts::run(
        regions.iter().copied().enumerate(),
        threads,
        |_, (place, region)| {
            let text = trees.prove(region, &on);
            failed.fetch_or(text.is_err(), Ordering::Relaxed);
            Ok::<_, ProveError>((place, text))
        },
        |text| {
            texts.push(text);
            Ok(ControlFlow::Continue(()))
        },
    )?;
    // A refuted claim matters more than other errors, and those more than what they interrupted.
    texts.sort_by_key(|(place, text)| match text {
        Err(ProveError::Branch(BranchError::Refuted { .. })) => (0, *place),
        Err(ProveError::Interrupted) => (2, *place),
        Err(_) => (1, *place),
        Ok(_) => (3, *place),
    });
    texts.into_iter().map(|(_, text)| text).collect()
}

/// Trees of regions, each stored in a file, and every step on the way to it.
pub(super) struct RegionTrees<'a> {
    pub(super) game: &'a Game,
    /// No position of a region may have more moves.
    pub(super) bound: u32,
    pub(super) folder: &'a Path,
    pub(super) solver: Solver,
    /// How long to work on a region; the steps so far are stored.
    pub(super) patience: Option<Duration>,
}

impl RegionTrees<'_> {
    /// The text of the tree of a region, from its file if there is one.
    ///
    /// Out of time is [`BranchError::Interrupted`], stopped by `on` is [`ProveError::Interrupted`].
    pub(super) fn prove(
        &self,
        region: Region,
        on: &dyn Fn(Event) -> ControlFlow<()>,
    ) -> Result<String, ProveError> {
        let file = self.file(region);
        if file.exists() {
            return Ok(String::from_utf8_lossy(&read(&file)?).into_owned());
        }
        let steps = file.with_extension("steps");
        let work = format!("{} = {}: {region}", self.game.rules, self.bound);
        let (mut stored, known) = StoredSteps::open(&steps, &work)?;
        let mut stopped = false;
        let deadline = self.patience.map(|patience| Instant::now() + patience);
        let mut report = |branch::Event::Step { step, done, leaves }: branch::Event<'_>| {
            stopped = on(Event::Progress { region, done, leaves }).is_break();
            let late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            match stored.append(step).is_err() || late || stopped {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let proof = branch::prove(self.solver, self.game, region, self.bound, known, &mut report);
        stored.finish()?;
        let text = match proof {
            Ok(proof) => proof.to_text(),
            Err(BranchError::Interrupted) if stopped => return Err(ProveError::Interrupted),
            Err(source @ BranchError::Mismatch { .. }) => {
                return Err(ProveError::Steps { file: files::name(&steps), source: source.into() });
            }
            Err(error) => return Err(error.into()),
        };
        write(&file, text.as_bytes())?;
        // The steps are no longer needed; if they stay, they do no harm.
        let _ = std::fs::remove_file(&steps);
        Ok(text)
    }

    /// Where the tree of a region is stored until all are there.
    pub(super) fn file(&self, region: Region) -> PathBuf {
        let region = region.to_string().replace([' ', ','], "-");
        self.folder.join(format!("{}-{}-{region}.txt", self.game.rules, self.bound))
    }
}
