//! Bounds by extents: a branch-and-bound tree for each largest extent that a position can have.
//!
//! Every step of a tree is stored as it is found, so that nothing is lost and a search resumes
//! after any leaf.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use bound::extents::{self, Effort, ExtentCase, ExtentError, ExtentProof};
use geometry::Game;
use solver::Solver;

use super::steps::StoredSteps;
use super::{ProofFile, ProveError, create_folder, path_name, read, verify_and_write, write};
use crate::parts;

/// Extents up to this one form one case.
const FIRST: u32 = 2;

/// What the driver reports, from any thread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event {
    /// A tree has grown.
    Progress {
        /// The case.
        case: ExtentCase,
        /// The share of its tree that is done.
        done: f64,
        /// The number of leaves so far.
        leaves: usize,
    },
    /// A tree is complete.
    Case {
        /// The case.
        case: ExtentCase,
        /// How many cases are complete.
        complete: usize,
        /// How many there are.
        cases: usize,
    },
}

/// What is to be proven, and how.
#[derive(Debug, Clone)]
pub struct ExtentRequest<'a> {
    /// The game.
    pub game: &'a Game,
    /// The number of moves that no game exceeds, as is to be proven.
    pub target: u32,
    /// From this extent on all positions form one case; by default a third of what is possible.
    pub tail: Option<u32>,
    /// Where trees are stored, and the proof at the end.
    pub folder: &'a Path,
    /// The number of threads.
    pub threads: u32,
    /// The solver.
    pub solver: Solver,
}

/// Proves that no game has more moves than the target, and writes the proof.
pub fn prove(
    request: &ExtentRequest<'_>,
    on: &(dyn Fn(Event) -> ControlFlow<()> + Sync),
) -> Result<ProofFile, ProveError> {
    let &ExtentRequest { game, target, tail, folder, threads, .. } = request;
    let reach = extents::reach(game, target)?.unwrap_or(0);
    let cases = extents::cases(game, target, FIRST, tail.unwrap_or(reach / 3 + 1))?;
    create_folder(folder)?;
    let failed = AtomicBool::new(false);
    let on = |event| match failed.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => on(event),
    };
    let mut texts: Vec<(usize, Result<String, ProveError>)> = Vec::new();
    // The largest domains take longest for a single solution: start with them.
    parts::run(
        cases.iter().copied().enumerate().rev(),
        threads,
        |_, (place, case)| {
            let text = prove_case(request, case, &on);
            failed.fetch_or(text.is_err(), Ordering::Relaxed);
            Ok::<_, ProveError>((place, text))
        },
        |text| {
            texts.push(text);
            let complete = texts.iter().filter(|(_, text)| text.is_ok()).count();
            let case = cases[texts.last().expect("one was pushed").0];
            // Whoever wants to stop stops the other cases at their next step.
            let _ = on(Event::Case { case, complete, cases: cases.len() });
            Ok(ControlFlow::Continue(()))
        },
    )?;
    // Errors matter more than what they interrupted.
    texts.sort_by_key(|(place, text)| match text {
        Err(ProveError::Interrupted) => (1, *place),
        Err(_) => (0, *place),
        Ok(_) => (2, *place),
    });
    let cases = texts.into_iter().map(|(_, text)| text).collect::<Result<_, _>>()?;
    let proof = ExtentProof { game: game.clone(), bound: target, cases };
    let file = folder.join(format!("{}-{target}.extents.gz", game.rules));
    verify_and_write(&proof.to_bytes(), Some(file))
}

/// The text of the tree of a case, from its file if there is one.
fn prove_case(
    request: &ExtentRequest<'_>,
    case: ExtentCase,
    on: &dyn Fn(Event) -> ControlFlow<()>,
) -> Result<String, ProveError> {
    let file = case_file(request, case);
    if file.exists() {
        return Ok(String::from_utf8_lossy(&read(&file)?).into_owned());
    }
    let steps = file.with_extension("steps");
    let work = format!("{} <= {}: {case}", request.game.rules, request.target);
    let (mut stored, known) = StoredSteps::open(&steps, &work)?;
    let mut stopped = false;
    let mut report = |extents::Event::Step { step, done, leaves }: extents::Event<'_>| {
        stopped = on(Event::Progress { case, done, leaves }).is_break();
        match stored.append(step).is_err() || stopped {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let ExtentRequest { game, target, solver, .. } = *request;
    let effort = Effort::for_case(case);
    let text = extents::prove(solver, game, case, target, effort, known, &mut report);
    stored.finish()?;
    let text = match text {
        Ok(text) => text,
        Err(ExtentError::Interrupted) => return Err(ProveError::Interrupted),
        Err(source @ ExtentError::Mismatch { .. }) => {
            return Err(ProveError::Steps { file: path_name(&steps), source: source.into() });
        }
        Err(error) => return Err(error.into()),
    };
    write(&file, text.as_bytes())?;
    // The steps are no longer needed; if they stay, they do no harm.
    let _ = std::fs::remove_file(&steps);
    Ok(text)
}

/// Where the tree of a case is stored until all are there.
fn case_file(request: &ExtentRequest<'_>, case: ExtentCase) -> PathBuf {
    let case = case.to_string().replace(' ', "-");
    request.folder.join(format!("{}-{}-{case}.txt", request.game.rules, request.target))
}
