//! What can be asked: one file for each subject. `docs/openapi.json` describes all of it.

mod archive;
mod check;
mod convert;
mod drafts;
mod finish;
mod games;
mod hunts;
mod limits;
mod native;
mod position;
mod reduce;
mod runs;
mod shades;
mod trainings;

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};

use crate::assets::asset;
use crate::guard::guard;
use crate::refusal::Refusal;
use crate::server::App;

/// All addresses, behind the guard.
pub(crate) fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/api/games/{rules}", get(games::game))
        .route("/api/games/{rules}/methods", get(games::methods))
        .route("/api/position", post(position::position))
        .route("/api/finish", post(finish::finish))
        .route("/api/check", post(check::check))
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
        .route("/api/trainings", get(trainings::list))
        .route("/api/shades", post(shades::shades))
        .route("/api/limits", get(limits::table))
        .route("/api/proofs/{*name}", post(limits::check))
        .route("/api/reduce", post(reduce::reduce))
        .route("/api/reduce/play", post(reduce::play))
        .route("/api/{*rest}", axum::routing::any(|| async { Refusal::NotFound }))
        .fallback(asset)
        .method_not_allowed_fallback(|| async { Refusal::Method })
        .layer(from_fn_with_state(Arc::clone(&app), guard))
        .with_state(app)
}

#[cfg(test)]
mod tests {
    /// The addresses of the router, as this file lists them.
    #[test]
    fn every_address_is_described() {
        let described = include_str!("../../../docs/openapi.json");
        let described: serde_json::Value = serde_json::from_str(described).expect("JSON");
        let paths = described["paths"].as_object().expect("paths");
        let source = include_str!("api.rs");
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
