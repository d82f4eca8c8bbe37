//! A game: its start, known results, search methods.

use std::sync::Arc;

use axum::extract::{Path, State};
use lab::known;
use lab::view::method::methods as rows;
use serde::Serialize;

use super::native::{self, Dot, named};
use crate::response::{self, ApiResult};
use crate::server::App;
use crate::table::Printed;

#[derive(Serialize)]
struct Known {
    rules: String,
    length: usize,
    touching: bool,
    start: Vec<Dot>,
    in_print: Option<Printed>,
    /// The bound by the best formula.
    bound: Option<u64>,
    /// The lowest bound with a shipped proof.
    proven: Option<u32>,
}

/// A game from the usual cross.
pub(crate) async fn game(State(app): State<Arc<App>>, Path(name): Path<String>) -> ApiResult {
    let game = named(&name)?;
    let proven = app.table.row(&game, &app.slow).await?.and_then(|row| row.proven);
    let known = app.quick.run(move |_| Known {
        rules: game.rules.to_string(),
        length: game.rules.length(),
        touching: game.rules.touching(),
        start: game.start.dots().iter().map(|&point| native::dot(point)).collect(),
        in_print: known::published_record(&game).map(Printed::from),
        bound: bound::formula::best(&game).map(|bound| bound.bound),
        proven,
    });
    response::json(&known.await?)
}

/// The search methods, with their defaults for a game.
pub(crate) async fn methods(Path(name): Path<String>) -> ApiResult {
    response::json(&rows(&named(&name)?))
}
