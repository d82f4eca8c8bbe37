//! The search for boards that together bound a game, on several threads.
//!
//! Every thread takes a board that nothing holds yet, lets it grow ([`UncoveredHulls::enlarge`]) and hands in
//! its certificate. What was found is known at once to all, so that no board is taken twice. Nothing
//! here says that a bound is proven: the judge does, of the whole.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use bound::certificate::Certificate;
use bound::cover::{CoverSearch, Enlargement, UncoveredHulls};
use bound::hull::{self, HullError, HullProof};
use bound::lp::{self, LpError};
use bound::program::LinearProgram;
use bound::{Board, BoardProblem, FamilyError, Formulation, HullFamily, Octagon, ProblemError};
use geometry::Game;
use solver::{LpMethod, Solver};

/// Is told how the search goes, from whichever thread has news.
pub trait CoverWatcher: Sync {
    /// A board has been certified; so many of the family are left.
    fn found(&self, certificate: &Certificate, left: usize);

    /// A hull has been bounded by itself; so many boards are left.
    fn found_hull(&self, proof: &HullProof, left: usize);

    /// Whether to stop now.
    fn wants_stop(&self) -> bool;
}

/// Why no cover was found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoCover {
    /// No family of boards is known for the game.
    #[error(transparent)]
    Family(#[from] FamilyError),
    /// A hull takes too many cases.
    #[error("{bound} is out of reach: {reason}")]
    Hull {
        /// The bound that was wanted.
        bound: u32,
        /// Why the cases come to no end.
        reason: Box<HullError<NoCover>>,
    },
    /// A linear program has no good end.
    #[error(transparent)]
    Program(#[from] LpError),
    /// A hull has no model.
    #[error(transparent)]
    Model(#[from] ProblemError),
    /// It was stopped; what was found is kept by whoever was told.
    #[error("stopped; {left} boards are left")]
    Stopped {
        /// How many boards are not covered yet.
        left: usize,
    },
}

/// Into how many cases a hull may fall.
const MOST_CASES: usize = 2000;

/// How long a thread waits before it looks for work again.
const WAIT: Duration = Duration::from_millis(20);

/// What is known to have the bound.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Boards, with all games on them.
    pub boards: Vec<Octagon>,
    /// Games with these hulls.
    pub hulls: Vec<Octagon>,
}

/// Looks for boards to add to those that are known, until all of the family lie in one of them. A hull that
/// is too large for any board is bounded by itself, by cases.
///
/// The judge has still to say whether they show the bound.
pub fn cover(
    game: &Game,
    bound: u32,
    solver: Solver,
    known: &Known,
    threads: u32,
    watcher: &dyn CoverWatcher,
) -> Result<(), NoCover> {
    let agenda = CoverSearch::new(HullFamily::new(game)?, bound, &known.boards, &known.hulls);
    let table = Table {
        game,
        solver,
        bound,
        watcher,
        stop: AtomicBool::new(false),
        work: Mutex::new(Work { agenda, taken: Vec::new(), trouble: None }),
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| table.work());
        }
    });
    let Work { agenda, trouble, .. } = table.work.into_inner().expect("no thread panics");
    match trouble {
        Some(NoCover::Stopped { .. }) => Err(NoCover::Stopped { left: agenda.uncovered().len() }),
        Some(trouble) => Err(trouble),
        None => Ok(()),
    }
}

/// What the threads have in common.
struct Table<'a> {
    game: &'a Game,
    solver: Solver,
    bound: u32,
    watcher: &'a dyn CoverWatcher,
    stop: AtomicBool,
    work: Mutex<Work>,
}

/// What a thread has found.
enum Found {
    Board(Octagon, Certificate),
    Hull(HullProof),
}

struct Work {
    agenda: CoverSearch,
    /// The boards from which threads are growing others.
    taken: Vec<Octagon>,
    trouble: Option<NoCover>,
}

impl Table<'_> {
    /// What each thread does.
    fn work(&self) {
        while let Some((board, uncovered)) = self.next() {
            let found = match uncovered.enlarge(board, |board| self.solved(board)) {
                Ok(Enlargement::Board(grown, certificate)) => Ok(Found::Board(grown, certificate)),
                Ok(Enlargement::TooLarge(_)) => self.proven(board).map(Found::Hull),
                Err(trouble) => Err(trouble),
            };
            let mut work = self.work.lock().expect("no thread panics");
            work.taken.retain(|other| *other != board);
            match found {
                Ok(Found::Board(grown, certificate)) => {
                    work.agenda.add_board(grown);
                    self.watcher.found(&certificate, work.agenda.uncovered().len());
                }
                Ok(Found::Hull(proof)) => {
                    work.agenda.add_hull(&proof.hull);
                    self.watcher.found_hull(&proof, work.agenda.uncovered().len());
                }
                Err(trouble) => self.give_up(work, trouble),
            }
        }
    }

    /// Makes all threads stop; the first trouble counts.
    fn give_up(&self, mut work: MutexGuard<'_, Work>, trouble: NoCover) {
        self.stop.store(true, Ordering::Relaxed);
        work.trouble.get_or_insert(trouble);
    }

    /// The next board, and what is uncovered besides.
    fn next(&self) -> Option<(Octagon, UncoveredHulls)> {
        loop {
            let mut work = self.work.lock().expect("no thread panics");
            if work.trouble.is_some() {
                return None;
            }
            if let Some(board) = work.agenda.uncovered().largest(&work.taken) {
                work.taken.push(board);
                return Some((board, work.agenda.uncovered().clone()));
            }
            if work.taken.is_empty() {
                return None;
            }
            // A hull that another thread is at may leave smaller ones to be done.
            drop(work);
            std::thread::sleep(WAIT);
        }
    }

    fn go_on(&self) -> Result<(), NoCover> {
        match self.stop.load(Ordering::Relaxed) || self.watcher.wants_stop() {
            true => Err(NoCover::Stopped { left: 0 }),
            false => Ok(()),
        }
    }

    /// A proof for a hull by itself.
    fn proven(&self, hull: Octagon) -> Result<HullProof, NoCover> {
        let solve = |problem: &BoardProblem, program: &LinearProgram| {
            self.go_on()?;
            Ok(lp::case_bound(self.solver, problem, program, self.bound)?)
        };
        hull::prove(self.game, hull, self.bound, MOST_CASES, solve).map_err(|no| match no {
            HullError::Solver(trouble) => trouble,
            HullError::Problem(no) => no.into(),
            reason => NoCover::Hull { bound: self.bound, reason: Box::new(reason) },
        })
    }

    /// The value of a board, with a certificate.
    fn solved(&self, board: &Octagon) -> Result<(f64, Certificate), NoCover> {
        self.go_on()?;
        let problem =
            BoardProblem::new(self.game.clone(), Board::Octagon(*board), Formulation::Lines);
        let solved = lp::certify(self.solver, &problem, LpMethod::InteriorPoint)?;
        Ok((solved.value(), solved.certificate))
    }
}
