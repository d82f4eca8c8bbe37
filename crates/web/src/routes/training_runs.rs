//! Training runs: list, start, stop, resume.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use lab::view::TrainingNameView;
use serde::Deserialize;

use crate::body::Whole;
use crate::response::{self, ApiResult};
use crate::server::App;

/// All training runs.
pub(crate) async fn list(State(app): State<Arc<App>>) -> ApiResult {
    let shared = Arc::clone(&app);
    response::json(&app.quick.run(move |_| shared.trainings.list()).await?)
}

/// The game of a training run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TrainingRequest {
    game: String,
}

/// Starts a training run.
pub(crate) async fn start(State(app): State<Arc<App>>, body: Whole) -> ApiResult {
    let TrainingRequest { game } = body.json()?;
    let game = api::named(&game)?;
    let (shared, log) = (Arc::clone(&app), logger(&app));
    let name = app.quick.run(move |_| shared.trainings.start(&game, log)).await??;
    Ok(response::json_with(StatusCode::CREATED, &TrainingNameView { name }))
}

/// Resumes a training run.
pub(crate) async fn resume(State(app): State<Arc<App>>, Path(name): Path<String>) -> ApiResult {
    let (shared, log) = (Arc::clone(&app), logger(&app));
    let view = TrainingNameView { name: name.clone() };
    app.quick.run(move |_| shared.trainings.resume(&name, log)).await??;
    response::json(&view)
}

/// Stops a training run; it can be resumed later.
pub(crate) async fn stop(State(app): State<Arc<App>>, Path(name): Path<String>) -> ApiResult {
    let shared = Arc::clone(&app);
    let view = TrainingNameView { name: name.clone() };
    app.quick.run(move |_| shared.trainings.stop(&name)).await??;
    response::json(&view)
}

fn logger(app: &Arc<App>) -> impl Fn(&str) + Send + 'static {
    let app = Arc::clone(app);
    move |line| app.log.line(line)
}
