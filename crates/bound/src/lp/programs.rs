//! Linear programs of boards and of cases, solved and made into whole numbers.

use crate::certificate::Certificate;
use crate::hull::{Leaf, Solved};
use crate::model::{Kind, Model, NoModel, Task};
use crate::{Board, Octagon};
use geometry::Game;
use solver::{Method, Settings, Solver, SolverError, Status};

/// The linear programs of a game.
pub struct Programs<'a> {
    /// The game.
    pub game: &'a Game,
    /// What solves them.
    pub solver: Solver,
}

/// Why a linear program has no solution to go on with.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoSolution {
    /// The solver ended without one.
    #[error("the solver ends without a solution on {board} ({status:?})")]
    Unsolved {
        /// The board.
        board: Board,
        /// How it ended.
        status: Status,
    },
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// A board has no model.
    #[error(transparent)]
    Model(#[from] NoModel),
}

impl Programs<'_> {
    /// The value of a board, with a certificate.
    pub fn board(&self, board: &Octagon) -> Result<(f64, Certificate), NoSolution> {
        let task = Task::new(self.game.clone(), Board::Octagon(*board), Kind::Lines);
        let model = task.model()?;
        let folded = model.folded(self.game.rules);
        let solution = self.solver.solve(&folded.problem, &Settings::by(Method::InteriorPoint))?;
        if solution.status != Status::Optimal {
            return Err(NoSolution::Unsolved { board: task.board, status: solution.status });
        }
        let duals = folded.unfold(&solution.duals);
        let certificate = Certificate::from_duals(&task, &model, &duals, solution.value);
        // What the duals show counts, not what the solver says.
        let value = solution.value.max(certificate.bound as f64);
        Ok((value, certificate))
    }

    /// The bound of one case of a hull; one up to `wanted` need be no better.
    pub fn case(&self, task: &Task, model: &Model, wanted: u32) -> Result<Solved, NoSolution> {
        let folded = model.folded(self.game.rules);
        let by = |method| self.solver.solve(&folded.problem, &Settings::by(method));
        let mut solution = by(Method::InteriorPoint)?;
        if solution.status == Status::Optimal {
            let duals = folded.unfold(&solution.duals);
            let wanted = solution.value.max(f64::from(wanted));
            let Certificate { bound, scale, duals, .. } =
                Certificate::from_duals(task, model, &duals, wanted);
            let values = folded.unfold_columns(&solution.columns);
            return Ok(Solved { bound, values, leaf: Leaf { scale, duals } });
        }
        // Only the simplex method says why there is no solution.
        if solution.ray.is_none() {
            solution = by(Method::DualSimplex)?;
        }
        let ray = solution.ray.as_ref().map(|ray| folded.unfold(ray));
        match ray.and_then(|ray| Certificate::from_ray(task, model, &ray)) {
            Some(Certificate { bound, scale, duals, .. }) => {
                Ok(Solved { bound, values: Vec::new(), leaf: Leaf { scale, duals } })
            }
            None => {
                let board = task.board;
                Err(NoSolution::Unsolved { board, status: solution.status })
            }
        }
    }
}
