//! A bound for 5D by caps, with linear programs on the boxes too small for two.

use std::ops::ControlFlow;
use std::path::Path;

use bound::caps::{self, CapsProof, ROWS};
use bound::lp::certify;
use bound::{Board, BoardProblem, Formulation};
use geometry::Game;
use solver::{LpMethod, Solver};

use super::{ProofFile, ProveError, create_folder, verify_and_write};

/// What the driver reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// This many boards are certified.
    Certified(usize),
}

/// A verified bound by caps.
#[derive(Debug, Clone)]
pub struct CapsReport {
    /// The boards with their values.
    pub boards: Vec<(Board, f64)>,
    /// The fewest dots of a cap of [`ROWS`] rows, by its waste.
    pub least: Vec<u32>,
    /// The proof.
    pub proof: ProofFile,
}

/// Whether caps say something about a game: 5D from the usual cross.
#[must_use]
pub fn applies_to(game: &Game) -> bool {
    game.is_usual() && game.rules.length() == 5 && !game.rules.touching()
}

/// Certifies the boards, finds the least bound that caps allow beyond them, and writes the proof
/// into a folder.
pub fn prove(
    game: &Game,
    solver: Solver,
    folder: Option<&Path>,
    on: &mut dyn FnMut(Event) -> ControlFlow<()>,
) -> Result<CapsReport, ProveError> {
    let (mut boards, mut certificates) = (Vec::new(), Vec::new());
    for board in caps::boards(ROWS) {
        if on(Event::Certified(boards.len())).is_break() {
            return Err(ProveError::Interrupted);
        }
        let problem = BoardProblem::new(game.clone(), board, Formulation::Lines);
        let solved = certify(solver, &problem, LpMethod::InteriorPoint)?;
        boards.push((board, solved.solution.value));
        certificates.push(solved.certificate);
    }
    let largest = certificates.iter().map(|certificate| certificate.bound).max().unwrap_or(0);
    let largest = u32::try_from(largest);
    let largest = largest.map_err(|_| ProveError::NoGame { board: "the largest box".into() })?;
    let proven = (largest..).find_map(|bound| Some((bound, caps::least_dots(ROWS, bound).ok()?)));
    let (bound, least) = proven.expect("caps of games without waste have no room");
    let proof =
        CapsProof { rules: game.rules, bound, rows: ROWS, least: least.clone(), certificates };
    folder.map(create_folder).transpose()?;
    let file = folder.map(|folder| folder.join(format!("{}-{bound}.caps.gz", game.rules)));
    let proof = verify_and_write(&proof.to_bytes(), file)?;
    Ok(CapsReport { boards, least, proof })
}
