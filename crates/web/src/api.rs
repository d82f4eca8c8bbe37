//! The routes of the API, one file per subject, described in `docs/openapi.json`.

mod archive;
mod bounds;
mod continue_game;
mod convert;
mod drafts;
mod games;
mod hunts;
mod lp_solution;
mod native;
mod position;
mod reduce;
mod runs;
mod training_runs;
mod verify;

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
        .route("/api/games/{rules}", get(games::game))
        .route("/api/games/{rules}/methods", get(games::methods))
        .route("/api/position", post(position::position))
        .route("/api/continue", post(continue_game::continue_game))
        .route("/api/verify", post(verify::verify))
        .route("/api/convert/{format}", post(convert::convert))
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
        .route("/api/training-runs", get(training_runs::list))
        .route("/api/lp-solution", post(lp_solution::solve))
        .route("/api/bounds", get(bounds::table))
        .route("/api/proofs/{*name}", post(bounds::verify))
        .route("/api/reduce", post(reduce::reduce))
        .route("/api/reduce/play", post(reduce::play))
        .merge(former_routes())
        .route("/api/{*rest}", axum::routing::any(|| async { Refusal::NotFound }))
        .fallback(asset)
        .method_not_allowed_fallback(|| async { Refusal::Method })
        .layer(from_fn_with_state(Arc::clone(&app), guard))
        .with_state(app)
}

/// Earlier names of routes, answered for one more release.
fn former_routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/finish", post(continue_game::continue_game))
        .route("/api/check", post(verify::verify))
        .route("/api/trainings", get(training_runs::list))
        .route("/api/shades", post(lp_solution::solve))
        .route("/api/limits", get(bounds::table))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_route_is_described() {
        let described = include_str!("../../../docs/openapi.json");
        let described: serde_json::Value = serde_json::from_str(described).expect("JSON");
        let paths = described["paths"].as_object().expect("paths");
        let source = include_str!("api.rs").split("fn former_routes").next().expect("text");
        let routes: Vec<&str> = source
            .lines()
            .filter_map(|line| line.trim().strip_prefix(".route(\"")?.split('"').next())
            .filter(|route| *route != "/api/{*rest}")
            .collect();
        for route in &routes {
            assert!(paths.contains_key(&route.replace("{*", "{")), "{route} is not described");
        }
        assert_eq!(paths.len(), routes.len());
    }
}
