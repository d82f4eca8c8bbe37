//! The routes of the API, one file per subject, described in `docs/reference/openapi.json`.

mod archive;
mod bounds;
mod continue_game;
mod drafts;
mod hunts;
mod lp_solution;
mod questions;
mod runs;
mod training_runs;

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};

use crate::assets::asset;
use crate::guard::guard;
use crate::refusal::Refusal;
use crate::server::App;

/// All routes, behind the guard.
pub(crate) fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/api/games/{rules}", get(questions::game))
        .route("/api/games/{rules}/methods", get(questions::methods))
        .route("/api/position", post(questions::position))
        .route("/api/obstacle", post(questions::obstacle))
        .route("/api/link", post(questions::link))
        .route("/api/open", post(questions::open))
        .route("/api/order", post(questions::order))
        .route("/api/records", get(questions::records))
        .route("/api/continue", post(continue_game::continue_game))
        .route("/api/verify", post(questions::verify))
        .route("/api/convert/{format}", post(questions::convert))
        .route("/api/hunts", get(hunts::list).post(hunts::start))
        .route("/api/hunts/{id}", get(hunts::one).delete(hunts::forget))
        .route("/api/hunts/{id}/stop", post(hunts::stop))
        .route("/api/hunts/{id}/resume", post(hunts::resume))
        .route("/api/events", get(hunts::events))
        .route("/api/archive", get(archive::list).post(archive::keep))
        .route("/api/archive/{id}", get(archive::one))
        .route("/api/drafts", get(drafts::list))
        .route("/api/drafts/{id}", get(drafts::one).put(drafts::save).delete(drafts::forget))
        .route("/api/runs", get(runs::status))
        .route("/api/training-runs", get(training_runs::list).post(training_runs::start))
        .route("/api/training-runs/{name}/stop", post(training_runs::stop))
        .route("/api/training-runs/{name}/resume", post(training_runs::resume))
        .route("/api/lp-solution", post(lp_solution::solve))
        .route("/api/bounds", get(bounds::table))
        .route("/api/proofs", post(bounds::verify_own))
        .route("/api/proofs/{*name}", get(bounds::proof).post(bounds::verify))
        .route("/api/reduce", post(questions::reduce))
        .route("/api/reduce/play", post(questions::play_model))
        .route("/api/{*rest}", axum::routing::any(|| async { Refusal::NotFound }))
        .fallback(asset)
        .method_not_allowed_fallback(|| async { Refusal::Method })
        .layer(from_fn_with_state(Arc::clone(&app), guard))
        .with_state(app)
}
