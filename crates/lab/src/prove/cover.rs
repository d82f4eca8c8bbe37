//! The search for a cover on several threads.
//!
//! Every thread takes a hull that nothing covers yet and enlarges it to a board, or bounds the hull
//! on its own if no board can. What is found counts at once for all threads, is stored at once, and
//! is read back when the search resumes.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use bound::certificate::Certificate;
use bound::cover::{CoverSearch, Enlargement, UncoveredHulls};
use bound::hull::{self, HullError, HullProof};
use bound::lp::{case_bound, certify};
use bound::program::LinearProgram;
use bound::{Board, BoardProblem, Cover, Formulation, HullFamily, Octagon};
use geometry::Game;
use solver::{LpMethod, Solver};
use verify::Claim;

use super::{ProofFile, ProveError, create_folder, file_error, read, verify_and_write, write};
use crate::files;
use crate::parts;

/// The ending of a certificate of a board.
const CERTIFICATE: &str = ".cert.gz";

/// The ending of a proof for a hull.
const HULL: &str = ".hull.gz";

/// The maximum number of cases of a hull.
const MAX_CASES: usize = 2000;

/// How long a thread waits before it asks for work again.
const WAIT: Duration = Duration::from_millis(20);

/// What the driver reports, from any thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// What the folder already holds.
    Resumed {
        /// Certified boards.
        boards: usize,
        /// Hulls bounded on their own.
        hulls: usize,
    },
    /// How far the search is. Sent before every linear program.
    Progress {
        /// Certified boards.
        boards: usize,
        /// Hulls bounded on their own.
        hulls: usize,
        /// Hulls that are not covered yet.
        uncovered: usize,
    },
}

/// What is to be proven, and how.
#[derive(Debug, Clone, Copy)]
pub struct CoverRequest<'a> {
    /// The game.
    pub game: &'a Game,
    /// The bound.
    pub target: u32,
    /// Where certificates are stored, and the proof at the end.
    pub folder: &'a Path,
    /// The number of threads.
    pub threads: u32,
    /// The solver.
    pub solver: Solver,
}

/// Certifies boards and hulls until they cover the family of the game, and writes the proof.
pub fn prove(
    request: CoverRequest<'_>,
    on: &(dyn Fn(Event) -> ControlFlow<()> + Sync),
) -> Result<ProofFile, ProveError> {
    let CoverRequest { game, target, folder, .. } = request;
    create_folder(folder)?;
    let stored = read_stored(game, target, folder)?;
    let (boards, hulls) = (stored.certificates.len(), stored.hulls.len());
    if boards + hulls > 0 && on(Event::Resumed { boards, hulls }).is_break() {
        return Err(ProveError::Interrupted);
    }
    let family = HullFamily::new(game)?;
    let known: Vec<Octagon> = stored.hulls.iter().map(|(hull, _)| *hull).collect();
    let search = CoverSearch::new(family, target, &stored.boards(), &known);
    let shared = Shared { search, taken: Vec::new(), boards, hulls };
    let pool = Pool { request, on, stop: AtomicBool::new(false), shared: Mutex::new(shared) };
    let work = |_, (hull, uncovered): (Octagon, UncoveredHulls)| {
        Ok::<_, ProveError>((hull, pool.find(hull, &uncovered)))
    };
    parts::run(std::iter::from_fn(|| pool.next()), request.threads, work, |(hull, found)| {
        let stored = found.and_then(|found| pool.store(found));
        pool.lock().taken.retain(|other| *other != hull);
        pool.stop.fetch_or(stored.is_err(), Ordering::Relaxed);
        stored.map(ControlFlow::Continue)
    })?;
    let mut cover = read_stored(game, target, folder)?;
    cover.remove_redundant();
    let file = folder.join(format!("{}-{target}.cover.gz", game.rules));
    verify_and_write(&cover.to_bytes(), Some(file))
}

/// What a folder holds for this game and bound, all of it accepted by the verifier.
fn read_stored(game: &Game, target: u32, folder: &Path) -> Result<Cover, ProveError> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(file_error(folder, ""))? {
        let path = entry.map_err(file_error(folder, ""))?.path();
        let is = |ending| path.to_str().is_some_and(|name| name.ends_with(ending));
        if is(CERTIFICATE) || is(HULL) {
            paths.push(path);
        }
    }
    paths.sort();
    let (mut certificates, mut hulls) = (Vec::new(), Vec::new());
    for path in paths {
        let refused = |source| {
            let (file, source) = (files::name(&path), Box::new(source));
            ProveError::Stored { file, source }
        };
        let text = verify::read(&read(&path)?[..]).map_err(ProveError::Read).map_err(refused)?;
        let proven = verify::verify_proof(&text).map_err(ProveError::Refused).map_err(refused)?;
        let Claim::OnBoard { rules, exact, moves, .. } = proven.claim() else { continue };
        let is_bounded = moves.is_none_or(|moves| moves <= u128::from(target));
        if rules.to_string() != game.rules.to_string() || !is_bounded {
            continue;
        }
        if let (true, Some((hull, cases))) = (exact, HullProof::parse(&text)) {
            hulls.push((hull, cases.to_owned()));
        } else if let (false, Some(certificate)) = (exact, Certificate::parse(game, &text)) {
            certificates.push(certificate);
        }
    }
    Ok(Cover { rules: game.rules, bound: target, certificates, hulls, ranges: Vec::new() })
}

/// What the threads share.
struct Pool<'a> {
    request: CoverRequest<'a>,
    on: &'a (dyn Fn(Event) -> ControlFlow<()> + Sync),
    stop: AtomicBool,
    shared: Mutex<Shared>,
}

struct Shared {
    search: CoverSearch,
    /// The hulls that threads are working on.
    taken: Vec<Octagon>,
    boards: usize,
    hulls: usize,
}

/// What a thread has found.
enum CoverPart {
    Board(Octagon, Certificate),
    Hull(HullProof),
}

impl Pool<'_> {
    /// A board that contains a hull, or a proof for the hull on its own.
    fn find(&self, hull: Octagon, uncovered: &UncoveredHulls) -> Result<CoverPart, ProveError> {
        match uncovered.enlarge(hull, |board| self.solve(board))? {
            Enlargement::Board(board, certificate) => Ok(CoverPart::Board(board, certificate)),
            Enlargement::TooLarge(_) => self.prove_hull(hull).map(CoverPart::Hull),
        }
    }

    /// Stores a certificate or proof, and counts what it covers.
    fn store(&self, found: CoverPart) -> Result<(), ProveError> {
        let mut shared = self.lock();
        let CoverRequest { game, target, folder, .. } = self.request;
        match found {
            CoverPart::Board(board, certificate) => {
                let name = format!("{}{CERTIFICATE}", certificate.problem.board);
                write(&folder.join(name.replace([':', ','], "-")), &certificate.to_bytes())?;
                shared.search.add_board(board);
                shared.boards += 1;
            }
            CoverPart::Hull(proof) => {
                let name = format!("octagon-{}{HULL}", proof.hull).replace(',', "-");
                write(&folder.join(name), &proof.to_bytes(game, target))?;
                shared.search.add_hull(&proof.hull);
                shared.hulls += 1;
            }
        }
        Ok(())
    }

    /// The next hull, and a copy of what is uncovered.
    fn next(&self) -> Option<(Octagon, UncoveredHulls)> {
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let mut shared = self.lock();
            if let Some(hull) = shared.search.uncovered().largest(&shared.taken) {
                shared.taken.push(hull);
                return Some((hull, shared.search.uncovered().clone()));
            }
            if shared.taken.is_empty() {
                return None;
            }
            // A hull that another thread works on may leave smaller ones to be covered.
            drop(shared);
            std::thread::sleep(WAIT);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().expect("no thread panics")
    }

    /// Reports before a linear program is solved.
    fn report(&self) -> Result<(), ProveError> {
        let shared = self.lock();
        let (boards, hulls) = (shared.boards, shared.hulls);
        let uncovered = shared.search.uncovered().len();
        drop(shared);
        let is_over = self.stop.load(Ordering::Relaxed)
            || (self.on)(Event::Progress { boards, hulls, uncovered }).is_break();
        if is_over { Err(ProveError::Interrupted) } else { Ok(()) }
    }

    /// The value of a board, with its certificate.
    fn solve(&self, board: &Octagon) -> Result<(f64, Certificate), ProveError> {
        self.report()?;
        let CoverRequest { game, solver, .. } = self.request;
        let problem = BoardProblem::new(game.clone(), Board::Octagon(*board), Formulation::Lines);
        let solved = certify(solver, &problem, LpMethod::InteriorPoint)?;
        Ok((solved.value(), solved.certificate))
    }

    /// A proof for a hull on its own.
    fn prove_hull(&self, hull: Octagon) -> Result<HullProof, ProveError> {
        let CoverRequest { game, target, solver, .. } = self.request;
        let solve = |problem: &BoardProblem, program: &LinearProgram| {
            self.report()?;
            Ok(case_bound(solver, problem, program, target)?)
        };
        hull::prove(game, hull, target, MAX_CASES, solve).map_err(|error| match error {
            HullError::Solver(error) => error,
            HullError::Problem(error) => error.into(),
            reason => ProveError::Hull { bound: target, reason: Box::new(reason) },
        })
    }
}
