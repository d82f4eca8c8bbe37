//! The one way from a linear program to a certificate: solve in floats, round to integers.
//!
//! [`solve`] reduces the program by its symmetries, runs the solver and lifts the solution back.
//! [`certificate`] rounds the duals, or the ray of an infeasible program. [`certify`] does both for
//! a board. The result is a suggestion until the verifier has accepted it.

use geometry::Rules;
use solver::{LpMethod, Solution, SolveOptions, SolveStatus, Solver, SolverError};

use crate::certificate::Certificate;
use crate::program::LinearProgram;
use crate::{Board, BoardProblem, ProblemError};

/// The solution of a program, computed on its symmetry reduction.
pub fn solve(
    solver: Solver,
    program: &LinearProgram,
    rules: Rules,
    options: &SolveOptions,
) -> Result<Solution, SolverError> {
    let reduced = program.reduce_by_symmetry(rules);
    Ok(reduced.lift(solver.solve(&reduced.problem, options)?))
}

/// The certificate that a solution suggests, at the smallest scale that proves `target` moves or
/// the value of the solution, whichever is larger.
pub fn certificate(
    problem: &BoardProblem,
    program: &LinearProgram,
    solution: &Solution,
    target: Option<u32>,
) -> Result<Certificate, LpError> {
    match (solution.status, &solution.ray) {
        (SolveStatus::Optimal, _) => {
            let value = solution.value.max(target.map_or(f64::NEG_INFINITY, f64::from));
            Ok(Certificate::from_duals(problem, program, &solution.duals, value))
        }
        (SolveStatus::Infeasible, Some(ray)) => {
            Certificate::from_ray(problem, program, ray).ok_or(LpError::Imprecise)
        }
        (status, _) => Err(LpError::Unsolved { board: problem.board, status }),
    }
}

/// A board, solved.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardSolution {
    /// The linear program.
    pub program: LinearProgram,
    /// Its solution.
    pub solution: Solution,
    /// What the solution proves.
    pub certificate: Certificate,
}

impl BoardSolution {
    /// The value to compare with a target: that of the solver, or the certified bound if rounding
    /// made it larger.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.solution.value.max(self.certificate.bound as f64)
    }
}

/// Solves a board and rounds the solution to a certificate.
pub fn certify(
    solver: Solver,
    problem: &BoardProblem,
    method: LpMethod,
) -> Result<BoardSolution, LpError> {
    let program = problem.program()?;
    let solution = solve(solver, &program, problem.game.rules, &SolveOptions::new(method))?;
    let certificate = certificate(problem, &program, &solution, None)?;
    Ok(BoardSolution { program, solution, certificate })
}

/// Why there is no certificate.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LpError {
    /// There is no linear program.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The program is infeasible, but the ray cannot be rounded.
    #[error("the solver found no game, but its ray is too imprecise to verify")]
    Imprecise,
    /// The solver stopped early.
    #[error("the solver ended without a solution on {board} ({status:?})")]
    Unsolved {
        /// The board.
        board: Board,
        /// How it ended.
        status: SolveStatus,
    },
}
