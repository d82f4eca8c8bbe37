//! A board and a model to a certificate.

use crate::certificate::Certificate;
use crate::model::{Model, Task};
use solver::{Method, Settings, Solution, Solver, SolverError, Status};

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoCertificate {
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// It found that there is no game, but not in numbers that can be checked.
    #[error("the solver finds that no game fits, but its reason is too vague to check")]
    Vague,
    /// It found nothing.
    #[error("the solver ends without a solution ({0:?})")]
    Unsolved(Status),
}

/// The solution of a model, and the certificate that it gives. The judge has still to check it.
pub fn certify(
    task: &Task,
    model: &Model,
    solver: &Solver,
    method: Method,
) -> Result<(Solution, Certificate), NoCertificate> {
    let folded = model.folded(task.game.rules);
    let mut solution = solver.solve(&folded.problem, &Settings::by(method))?;
    solution.columns = folded.unfold_columns(&solution.columns);
    solution.duals = folded.unfold(&solution.duals);
    solution.ray = solution.ray.map(|ray| folded.unfold(&ray));
    let certificate = match (solution.status, &solution.ray) {
        (Status::Optimal, _) => {
            Certificate::from_duals(task, model, &solution.duals, solution.value)
        }
        (Status::Infeasible, Some(ray)) => {
            Certificate::from_ray(task, model, ray).ok_or(NoCertificate::Vague)?
        }
        (status, _) => return Err(NoCertificate::Unsolved(status)),
    };
    Ok((solution, certificate))
}
