//! A game so far: its legal moves. The page sends the whole game; the server keeps nothing.

use std::sync::Arc;

use axum::extract::State;
use lab::view::PositionView;
use rules::{Replay, replay};

use super::native;
use crate::body::Whole;
use crate::refusal::Refusal;
use crate::response::{self, ApiResult};
use crate::server::App;

/// Replays a game and lists the legal moves.
pub(crate) async fn position(State(app): State<Arc<App>>, body: Whole) -> ApiResult {
    let (game, moves) = native::played(&body.0)?;
    let position = app.quick.run(move |_| {
        let Replay { legal, counts } = replay(&game, &moves)?;
        Ok::<_, Refusal>(PositionView::new(&game, &legal, counts))
    });
    response::json(&position.await??)
}
