//! A game so far: its legal moves. The page sends the whole game; the server keeps nothing.

use std::sync::Arc;

use axum::extract::State;
use rules::{Replay, replay};
use serde::Serialize;

use super::native::{self, Dot, PlayedMove};
use crate::body::Whole;
use crate::refusal::Refusal;
use crate::response::{self, ApiResult};
use crate::server::App;

#[derive(Serialize)]
struct Position {
    game: String,
    length: usize,
    start: Vec<Dot>,
    score: usize,
    legal: Vec<PlayedMove>,
    /// The number of legal moves before each move, and now.
    counts: Vec<usize>,
}

/// Replays a game and lists the legal moves.
pub(crate) async fn position(State(app): State<Arc<App>>, body: Whole) -> ApiResult {
    let (game, moves) = native::played(&body.0)?;
    let position = app.quick.run(move |_| {
        let Replay { legal, counts } = replay(&game, &moves)?;
        Ok::<_, Refusal>(Position {
            game: game.to_string(),
            length: game.rules.length(),
            start: game.start.dots().iter().map(|&point| native::dot(point)).collect(),
            score: moves.len(),
            legal: native::moves(legal),
            counts,
        })
    });
    response::json(&position.await??)
}
