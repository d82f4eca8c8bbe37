//! Training runs: curves, best games, parameters.

use std::sync::Arc;

use axum::extract::State;

use crate::response::{self, ApiResult};
use crate::server::App;

/// All training runs.
pub(crate) async fn list(State(app): State<Arc<App>>) -> ApiResult {
    let folders = Arc::clone(&app.training_runs);
    response::json(&app.quick.run(move |_| lab::training_runs(&folders)).await?)
}
