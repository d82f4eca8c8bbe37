//! Bounds by extents: a branch-and-bound tree for each largest extent that a position can have.
//!
//! Every step of a tree is stored as it is found, so that nothing is lost and a search resumes
//! after any leaf.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use bound::extents::{self, ExtentCase, ExtentError, ExtentProof, Sketch};
use geometry::Game;
use solver::Solver;

use super::steps::StoredSteps;
use super::{ProofFile, ProveError, create_folder, read, verify_and_write, write};
use crate::files;
use crate::parts;

/// The largest extent that is looked at.
const MAX_EXTENT: u32 = 100;

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
    /// Where trees are stored, and the proof at the end.
    pub folder: &'a Path,
    /// A proof by extents of any target, complete or not, whose splits are tried first.
    pub from: Option<&'a Path>,
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
    let &ExtentRequest { game, target, folder, threads, .. } = request;
    extents::check_game(game)?;
    create_folder(folder)?;
    let sketch = request.from.map_or(Ok(String::new()), |file| {
        verify::read(&read(file)?[..]).map_err(ProveError::Read)
    })?;
    let (exit, exit_text) = exit(request)?;
    let cases = extents::cases(exit);
    // An interruption or error in one case stops the others at their next step.
    let stopped = AtomicBool::new(false);
    let on = |event| match stopped.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => on(event),
    };
    let mut texts: Vec<(usize, String)> = Vec::new();
    // The largest domains take longest for a single solution: start with them.
    parts::run(
        cases.iter().copied().enumerate().rev(),
        threads,
        |_, (place, case)| {
            let text = prove_case(request, case, &Sketch::of_case(&sketch, case), &on);
            stopped.fetch_or(text.is_err(), Ordering::Relaxed);
            text.map(|text| (place, text))
        },
        |(place, text)| {
            texts.push((place, text));
            let flow =
                on(Event::Case { case: cases[place], complete: texts.len(), cases: cases.len() });
            if flow.is_break() { Err(ProveError::Interrupted) } else { Ok(flow) }
        },
    )?;
    texts.sort_unstable();
    let cases = texts.into_iter().map(|(_, text)| text).collect();
    let proof = ExtentProof { game: game.clone(), bound: target, exit: exit_text, cases };
    let file = folder.join(format!("{}-{target}.extents.gz", game.rules));
    verify_and_write(&proof.to_bytes(), Some(file))
}

/// An extent that no position has, and the text that shows it, from its file if there is one.
fn exit(request: &ExtentRequest<'_>) -> Result<(u32, String), ProveError> {
    let ExtentRequest { game, folder, solver, .. } = *request;
    let file = folder.join(format!("{}-exit.tree", game.rules));
    if file.exists() {
        let text = String::from_utf8_lossy(&read(&file)?).into_owned();
        let extent = text.lines().next().and_then(|line| line.strip_prefix("exit ")?.parse().ok());
        return extent
            .map(|extent| (extent, text))
            .ok_or(ProveError::Exit { file: files::name(&file) });
    }
    let found = extents::find_exit(solver, game, MAX_EXTENT).map_err(ExtentError::from)?;
    let found = found
        .ok_or_else(|| ProveError::Reach { game: game.rules.to_string(), reach: MAX_EXTENT })?;
    write(&file, found.1.as_bytes())?;
    Ok(found)
}

/// The text of the tree of a case, from its file if there is one.
fn prove_case(
    request: &ExtentRequest<'_>,
    case: ExtentCase,
    sketch: &Sketch,
    on: &dyn Fn(Event) -> ControlFlow<()>,
) -> Result<String, ProveError> {
    let file = case_file(request, case);
    if file.exists() {
        return Ok(String::from_utf8_lossy(&read(&file)?).into_owned());
    }
    let steps = file.with_extension("steps");
    let work = format!("{} <= {} by prices: {case}", request.game.rules, request.target);
    let (mut stored, known) = StoredSteps::open(&steps, &work)?;
    let mut report = |extents::Event::Step { step, done, leaves }: extents::Event<'_>| {
        let is_stopped = on(Event::Progress { case, done, leaves }).is_break();
        match stored.append(step).is_err() || is_stopped {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let ExtentRequest { game, target, solver, .. } = *request;
    let text = extents::prove(solver, game, case, target, known, sketch, &mut report);
    stored.finish()?;
    let text = match text {
        Ok(text) => text,
        Err(ExtentError::Interrupted) => return Err(ProveError::Interrupted),
        Err(source @ ExtentError::Mismatch { .. }) => {
            return Err(ProveError::Steps { file: files::name(&steps), source: source.into() });
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
    request.folder.join(format!("{}-{}-{case}.tree", request.game.rules, request.target))
}
