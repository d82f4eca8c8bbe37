//! Runs of the archive: progress, claimed tasks, failures.

use std::sync::Arc;

use axum::extract::State;
use lab::view::StatusView;

use crate::response::{self, ApiResult};
use crate::server::App;

/// The most runs, and the most failures, of one response.
const MOST: u32 = 20;

/// The state of the runs of the archive.
pub(crate) async fn status(State(app): State<Arc<App>>) -> ApiResult {
    let archive = Arc::clone(&app.archive);
    let view = app.quick.run(move |_| match archive.exists() {
        true => archive.look(|archive| StatusView::new(archive, MOST)),
        false => Ok(StatusView::default()),
    });
    response::json(&view.await??)
}
