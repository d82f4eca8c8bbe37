//! The search for boards that together bound a game, on several threads.
//!
//! Every thread takes a board that nothing holds yet, lets it grow ([`Uncovered::grown`]) and hands in
//! its certificate. What was found is known at once to all, so that no board is taken twice. Nothing
//! here says that a bound is proven: the judge does, of the whole.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

use bound::certificate::Certificate;
use bound::growth::{Grown, Uncovered};
use bound::model::{Kind, NoModel, Task};
use bound::{Board, Family, NoFamily, Octagon};
use geometry::Game;
use solver::{Method, Settings, Solver, SolverError, Status};

/// Is told how the search goes, from whichever thread has news.
pub trait CoverWatcher: Sync {
    /// A board has been certified; so many of the family are left.
    fn found(&self, certificate: &Certificate, left: usize);

    /// Whether to stop now.
    fn wants_stop(&self) -> bool;
}

/// Why no cover was found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoCover {
    /// No family of boards is known for the game.
    #[error(transparent)]
    Family(#[from] NoFamily),
    /// A board that must be covered has too large a value.
    #[error(
        "octagon:{board} alone has the value {value:.4}: linear programs of whole boards do not show {bound}"
    )]
    TooLarge {
        /// The board.
        board: Octagon,
        /// Its value.
        value: f64,
        /// The bound that was wanted.
        bound: u32,
    },
    /// The solver ended without a solution.
    #[error("the solver ends without a solution on octagon:{board} ({status:?})")]
    Unsolved {
        /// The board.
        board: Octagon,
        /// How it ended.
        status: Status,
    },
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// A board has no model.
    #[error(transparent)]
    Model(#[from] NoModel),
    /// It was stopped; what was found is kept by whoever was told.
    #[error("stopped; {left} boards are left")]
    Stopped {
        /// How many boards are not covered yet.
        left: usize,
    },
}

/// Looks for boards to add to those that are known, until all of the family lie in one of them.
///
/// The judge has still to say whether they show the bound.
pub fn cover(
    game: &Game,
    bound: u32,
    solver: Solver,
    known: &[Octagon],
    threads: u32,
    watcher: &dyn CoverWatcher,
) -> Result<(), NoCover> {
    let mut uncovered = Uncovered::of(&Family::of(game)?, bound);
    for board in known {
        uncovered.cover(board);
    }
    let table = Table {
        game,
        bound,
        solver,
        watcher,
        stop: AtomicBool::new(false),
        work: Mutex::new(Work { uncovered, taken: Vec::new(), trouble: None }),
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| table.work());
        }
    });
    let Work { uncovered, trouble, .. } = table.work.into_inner().expect("no thread panics");
    match trouble {
        Some(NoCover::Stopped { .. }) => Err(NoCover::Stopped { left: uncovered.len() }),
        Some(trouble) => Err(trouble),
        None => Ok(()),
    }
}

/// What the threads have in common.
struct Table<'a> {
    game: &'a Game,
    bound: u32,
    solver: Solver,
    watcher: &'a dyn CoverWatcher,
    stop: AtomicBool,
    work: Mutex<Work>,
}

struct Work {
    uncovered: Uncovered,
    /// The boards from which threads are growing others.
    taken: Vec<Octagon>,
    trouble: Option<NoCover>,
}

impl Table<'_> {
    /// What each thread does.
    fn work(&self) {
        while let Some((board, uncovered)) = self.next() {
            let grown = uncovered.grown(board, |board| self.solved(board));
            let mut work = self.work.lock().expect("no thread panics");
            work.taken.retain(|other| *other != board);
            match grown {
                Ok(Grown::Board(grown, certificate)) => {
                    work.uncovered.cover(&grown);
                    self.watcher.found(&certificate, work.uncovered.len());
                }
                Ok(Grown::TooLarge(value)) => {
                    self.give_up(work, NoCover::TooLarge { board, value, bound: self.bound });
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
    fn next(&self) -> Option<(Octagon, Uncovered)> {
        let mut work = self.work.lock().expect("no thread panics");
        if work.trouble.is_some() {
            return None;
        }
        let board = work.uncovered.largest(&work.taken)?;
        work.taken.push(board);
        Some((board, work.uncovered.clone()))
    }

    /// The value of a board, with a certificate.
    fn solved(&self, board: &Octagon) -> Result<(f64, Certificate), NoCover> {
        if self.stop.load(Ordering::Relaxed) || self.watcher.wants_stop() {
            return Err(NoCover::Stopped { left: 0 });
        }
        let task = Task::new(self.game.clone(), Board::Octagon(*board), Kind::Lines);
        let model = task.model()?;
        let folded = model.folded(self.game.rules);
        let solution = self.solver.solve(&folded.problem, &Settings::by(Method::InteriorPoint))?;
        if solution.status != Status::Optimal {
            return Err(NoCover::Unsolved { board: *board, status: solution.status });
        }
        let duals = folded.unfold(&solution.duals);
        let certificate = Certificate::from_duals(&task, &model, &duals, solution.value);
        // What the duals show counts, not what the solver says.
        let value = solution.value.max(certificate.bound as f64);
        Ok((value, certificate))
    }
}
