//! The questions that `api` answers: nothing here but the way to it.

use std::sync::Arc;

use api::{ConvertRequest, ReduceRequest};
use axum::extract::{Path, Query, State};
use serde::Deserialize;

use crate::body::Whole;
use crate::refusal::Refusal;
use crate::response::{self, ApiResult};
use crate::server::App;

/// A game in a query: `?game=5T`.
#[derive(Debug, Deserialize)]
pub(crate) struct GameQuery {
    game: Option<String>,
}

impl GameQuery {
    fn game(&self) -> Result<Option<geometry::Game>, Refusal> {
        let name = self.game.as_deref().filter(|name| !name.is_empty());
        Ok(name.map(api::named).transpose()?)
    }
}

/// A point in a query: `?at=[3,4]`.
#[derive(Debug, Deserialize)]
pub(crate) struct PointQuery {
    at: String,
}

/// Replays a game and lists the legal moves.
pub(crate) async fn position(State(app): State<Arc<App>>, body: Whole) -> ApiResult {
    response::json(&app.quick.run(move |_| api::position(&body.0)).await??)
}

/// Says why no line can be drawn through a point.
pub(crate) async fn obstacle(
    State(app): State<Arc<App>>,
    Query(query): Query<PointQuery>,
    body: Whole,
) -> ApiResult {
    let at: [i32; 2] = serde_json::from_str(&query.at)?;
    response::json(&app.quick.run(move |_| api::obstacle(&body.0, at)).await??)
}

/// The link of a game.
pub(crate) async fn link(State(app): State<Arc<App>>, body: Whole) -> ApiResult {
    response::json(&app.quick.run(move |_| api::link(&body.0)).await??)
}

/// The game of a link.
pub(crate) async fn open(State(app): State<Arc<App>>, body: Whole) -> ApiResult {
    let text = String::from_utf8_lossy(&body.0).into_owned();
    response::json(&app.quick.run(move |_| api::open_link(&text)).await??)
}

/// Verifies a file of any format.
pub(crate) async fn verify(
    State(app): State<Arc<App>>,
    Query(query): Query<GameQuery>,
    body: Whole,
) -> ApiResult {
    let game = query.game()?;
    response::json(&app.quick.run(move |_| api::verify(&body.0, game.as_ref())).await??)
}

/// Puts the lines of a file in order.
pub(crate) async fn order(
    State(app): State<Arc<App>>,
    Query(query): Query<GameQuery>,
    body: Whole,
) -> ApiResult {
    let game = query.game()?;
    response::json(&app.quick.run(move |_| api::order(&body.0, game.as_ref())).await??)
}

/// Converts a file of any format.
pub(crate) async fn convert(
    State(app): State<Arc<App>>,
    Path(format): Path<String>,
    Query(request): Query<ConvertRequest>,
    body: Whole,
) -> ApiResult {
    let work = if format == "gif" { &app.slow } else { &app.quick };
    let file = work.run(move |_| api::convert(&body.0, &format, &request)).await??;
    Ok(response::file(file.kind, &file.name, file.bytes))
}

/// Famous scores and our own games.
pub(crate) async fn records(State(app): State<Arc<App>>) -> ApiResult {
    response::json(&app.quick.run(|_| api::records()).await??)
}

/// A game from the usual cross.
pub(crate) async fn game(State(app): State<Arc<App>>, Path(name): Path<String>) -> ApiResult {
    let game = api::named(&name)?;
    let proven = app.table.row(&game, &app.slow).await?.and_then(|row| row.proven);
    response::json(&app.quick.run(move |_| api::game(&name, proven)).await??)
}

/// The search methods, with their defaults for a game.
pub(crate) async fn methods(Path(name): Path<String>) -> ApiResult {
    response::json(&api::methods(&name)?)
}

/// Turns a formula in DIMACS into a certified pattern.
pub(crate) async fn reduce(
    State(app): State<Arc<App>>,
    Query(request): Query<ReduceRequest>,
    body: Whole,
) -> ApiResult {
    response::json(&app.slow.run(move |_| api::reduce(&body.0, &request)).await??)
}

/// Plays and verifies the game of a model.
pub(crate) async fn play_model(State(app): State<Arc<App>>, body: Whole) -> ApiResult {
    let request = body.json()?;
    response::json(&app.slow.run(move |_| api::play_model(&request)).await??)
}
