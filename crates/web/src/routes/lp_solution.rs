//! The fractional solution of the LP of a board, drawn, and the verified bound.

use std::sync::Arc;

use axum::extract::{Query, State};
use bound::{Board, BoardProblem, Formulation};
use lab::view::LpSolutionView;
use serde::Deserialize;
use solver::{LpMethod, SolveStatus, Solver};

use crate::refusal::Refusal;
use crate::response::{self, ApiResult};
use crate::server::App;

/// The most dots of a board.
const MOST_DOTS: usize = 700;

#[derive(Deserialize)]
pub(crate) struct LpSolutionRequest {
    game: String,
    /// `square:14`, `octagon:10,8,10,12,10,8,10,12` or `box:3,2,2,2`.
    board: String,
    theme: Option<String>,
}

/// Solves the LP of a board.
pub(crate) async fn solve(
    State(app): State<Arc<App>>,
    Query(request): Query<LpSolutionRequest>,
) -> ApiResult {
    let (game, theme) = (api::named(&request.game)?, api::theme(request.theme.as_deref())?);
    let board: Board = request.board.parse().map_err(|reason| Refusal::Board { reason })?;
    api::within("dots", board.size(&game.start), MOST_DOTS)?;
    let solver = app.solver.ok_or(Refusal::NoSolver)?;
    let problem = BoardProblem::new(game, board, Formulation::for_board(&board));
    let view = app.slow.run(move |_| solved(&problem, solver, theme));
    response::json(&view.await??)
}

fn solved(
    problem: &BoardProblem,
    solver: Solver,
    theme: render::Theme,
) -> Result<LpSolutionView, Refusal> {
    let solved = bound::lp::certify(solver, problem, LpMethod::InteriorPoint)?;
    if solved.solution.status != SolveStatus::Optimal {
        return Err(Refusal::NothingToDraw);
    }
    let text = verify::read(&solved.certificate.to_bytes()[..]).map_err(|_| Refusal::Failed)?;
    let proof = verify::verify_proof(&text).map_err(Refusal::Verifier)?;
    let picture = lab::figure::shades(problem, &solved, theme);
    Ok(LpSolutionView { value: solved.solution.value, claim: proof.to_string(), picture })
}
