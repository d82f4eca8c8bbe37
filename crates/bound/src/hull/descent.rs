//! How a bound comes down as cases are told apart, for a guess at what a proof would cost.
//!
//! A proof goes through all cases, whatever their order. Here the case with the largest bound comes first, so
//! that after every step the bound so far is the best to be had for the programs solved: one descent tells
//! what each bound on the way would cost.

use geometry::Game;

use super::{NoHullProof, Solved, Split, exact, split};
use crate::Octagon;
use crate::model::{Model, Task};

/// A hull, with cases told apart so far.
#[derive(Debug, Clone)]
pub struct Descent {
    hull: Octagon,
    /// The cases, in no order.
    open: Vec<Case>,
    solved: usize,
}

#[derive(Debug, Clone)]
struct Case {
    task: Task,
    bound: i128,
    split: Option<Split>,
}

impl Descent {
    /// The hull as one case.
    pub fn begin<E>(
        game: &Game,
        hull: Octagon,
        solve: impl FnMut(&Task, &Model) -> Result<Solved, E>,
    ) -> Result<Self, NoHullProof<E>> {
        let mut descent = Self { hull, open: Vec::new(), solved: 0 };
        descent.open(exact(game, hull), solve)?;
        Ok(descent)
    }

    /// The most moves that any case leaves.
    pub fn bound(&self) -> i128 {
        self.open.iter().map(|case| case.bound).max().expect("a hull has a case")
    }

    /// How many linear programs were solved.
    pub fn solved(&self) -> usize {
        self.solved
    }

    /// Tells the cases of the largest apart.
    pub fn step<E>(
        &mut self,
        mut solve: impl FnMut(&Task, &Model) -> Result<Solved, E>,
    ) -> Result<(), NoHullProof<E>> {
        let bound = self.bound();
        let largest = self.open.iter().position(|case| case.bound == bound);
        let largest = largest.expect("a hull has a case");
        let stuck = NoHullProof::Stuck { hull: self.hull, bound };
        let split = self.open[largest].split.ok_or(stuck)?;
        let Case { task, .. } = self.open.swap_remove(largest);
        for supposed in split.cases(task.game.rules.length()) {
            let mut task = task.clone();
            task.supposed.push(supposed);
            self.open(task, &mut solve)?;
        }
        Ok(())
    }

    fn open<E>(
        &mut self,
        task: Task,
        mut solve: impl FnMut(&Task, &Model) -> Result<Solved, E>,
    ) -> Result<(), NoHullProof<E>> {
        let model = task.model()?;
        let Solved { bound, values, .. } = solve(&task, &model).map_err(NoHullProof::Solver)?;
        self.solved += 1;
        let split = split(&task, &model, &values);
        self.open.push(Case { task, bound, split });
        Ok(())
    }
}
