//! A game so far, in any format: its legal moves, and why a point is not among them.

use rules::{Replay, replay};

use crate::view::{LinkView, ObstacleView, PositionView};
use crate::{ApiError, PlayError, link as links, play, played};

/// Replays a game and lists the legal moves.
pub fn position(bytes: &[u8]) -> Result<PositionView, ApiError> {
    let (game, moves) = played(bytes)?;
    let Replay { legal, counts } = replay(&game, &moves).map_err(PlayError::from)?;
    Ok(PositionView::new(&game, &legal, counts))
}

/// Why no line can be drawn through a new dot at this point.
pub fn obstacle(bytes: &[u8], at: [i32; 2]) -> Result<ObstacleView, ApiError> {
    let (game, moves) = played(bytes)?;
    Ok(play::obstacle(&game, &moves, at)?)
}

/// The link of a game.
pub fn link(bytes: &[u8]) -> Result<LinkView, ApiError> {
    let (game, moves) = played(bytes)?;
    Ok(links::link(&game, &moves)?)
}
