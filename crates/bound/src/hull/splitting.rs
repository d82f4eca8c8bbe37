//! How the bound of a hull falls as cases are split, to estimate what a proof would cost.
//!
//! A proof visits all cases in any order. Here the case with the largest bound is split first, so
//! after every step the bound is the best for the number of programs solved: one run shows what
//! each bound on the way would cost.

use geometry::Game;

use super::{CaseBound, HullError, Split, choose_split, exact};
use crate::program::LinearProgram;
use crate::{BoardProblem, Octagon};

/// A hull, split into cases so far.
#[derive(Debug, Clone)]
pub struct CaseSplitting {
    hull: Octagon,
    /// The cases, in no order.
    open: Vec<OpenCase>,
    solved: usize,
}

#[derive(Debug, Clone)]
struct OpenCase {
    problem: BoardProblem,
    bound: i128,
    split: Option<Split>,
}

impl CaseSplitting {
    /// The hull as one case.
    pub fn new<E>(
        game: &Game,
        hull: Octagon,
        solve: impl FnMut(&BoardProblem, &LinearProgram) -> Result<CaseBound, E>,
    ) -> Result<Self, HullError<E>> {
        let mut splitting = Self { hull, open: Vec::new(), solved: 0 };
        splitting.open(exact(game, hull), solve)?;
        Ok(splitting)
    }

    /// The largest bound of any case.
    #[must_use]
    pub fn bound(&self) -> i128 {
        self.open.iter().map(|case| case.bound).max().expect("a hull has a case")
    }

    /// The number of linear programs solved.
    #[must_use]
    pub fn solved(&self) -> usize {
        self.solved
    }

    /// Splits the case with the largest bound.
    pub fn step<E>(
        &mut self,
        mut solve: impl FnMut(&BoardProblem, &LinearProgram) -> Result<CaseBound, E>,
    ) -> Result<(), HullError<E>> {
        let bound = self.bound();
        let largest = self.open.iter().position(|case| case.bound == bound);
        let largest = largest.expect("a hull has a case");
        let stuck = HullError::Stuck { hull: self.hull, bound };
        let split = self.open[largest].split.ok_or(stuck)?;
        let OpenCase { problem, .. } = self.open.swap_remove(largest);
        for assumption in split.cases(problem.game.rules.length()) {
            let mut case = problem.clone();
            case.assumptions.push(assumption);
            self.open(case, &mut solve)?;
        }
        Ok(())
    }

    fn open<E>(
        &mut self,
        problem: BoardProblem,
        mut solve: impl FnMut(&BoardProblem, &LinearProgram) -> Result<CaseBound, E>,
    ) -> Result<(), HullError<E>> {
        let program = problem.program()?;
        let solved = solve(&problem, &program).map_err(HullError::Solver)?;
        self.solved += 1;
        let split = choose_split(&problem, &program, &solved.values);
        self.open.push(OpenCase { problem, bound: solved.bound, split });
        Ok(())
    }
}
