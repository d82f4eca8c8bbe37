//! A game: its start, known results, search methods.

use std::sync::Arc;

use axum::extract::{Path, State};
use lab::view::KnownGameView;

use super::native::named;
use crate::response::{self, ApiResult};
use crate::server::App;

/// A game from the usual cross.
pub(crate) async fn game(State(app): State<Arc<App>>, Path(name): Path<String>) -> ApiResult {
    let game = named(&name)?;
    let proven = app.table.row(&game, &app.slow).await?.and_then(|row| row.proven);
    let view = app.quick.run(move |_| KnownGameView::new(&game, proven));
    response::json(&view.await?)
}

/// The search methods, with their defaults for a game.
pub(crate) async fn methods(Path(name): Path<String>) -> ApiResult {
    response::json(&lab::view::methods(&named(&name)?))
}
