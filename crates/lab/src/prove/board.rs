//! A bound for the games on one board: solve, round, verify, write.

use std::path::Path;
use std::time::Duration;

use bound::BoardProblem;
use bound::lp::{BoardSolution, certify};
use cpu_time::ProcessTime;
use solver::{LpMethod, Solver};

use super::{ProofFile, ProveError, create_folder, verify_and_write};

/// A board with a verified bound.
#[derive(Debug, Clone)]
pub struct BoardProof {
    /// The solution and its certificate.
    pub solved: BoardSolution,
    /// The verified proof.
    pub proof: ProofFile,
    /// The CPU time to solve it.
    pub solve_cpu: Duration,
    /// The CPU time to verify it.
    pub verify_cpu: Duration,
}

/// Bounds the games on a board, and writes the certificate into a folder.
pub fn prove(
    problem: &BoardProblem,
    solver: Solver,
    method: LpMethod,
    folder: Option<&Path>,
) -> Result<BoardProof, ProveError> {
    folder.map(create_folder).transpose()?;
    let clock = ProcessTime::now();
    let solved = certify(solver, problem, method)?;
    let solve_cpu = clock.elapsed();
    let bytes = solved.certificate.to_bytes();
    let clock = ProcessTime::now();
    let file = folder.map(|folder| folder.join(file_name(problem)));
    let proof = verify_and_write(&bytes, file)?;
    Ok(BoardProof { solved, proof, solve_cpu, verify_cpu: clock.elapsed() })
}

/// The file name of a certificate: `5T-square-20-lines.cert.gz`.
#[must_use]
pub fn file_name(problem: &BoardProblem) -> String {
    let BoardProblem { game, board, formulation, .. } = problem;
    let start = match game.is_usual() {
        true => String::new(),
        false => format!("-from-{}", game.start_name()),
    };
    let exact = if problem.exact { "-exact" } else { "" };
    let name = format!("{}{start}-{board}-{formulation}{exact}", game.rules);
    name.replace([':', ',', ' '], "-") + ".cert.gz"
}
