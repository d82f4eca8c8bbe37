//! Games in questions, in the native format of `docs/reference/game-files.md`.

use geometry::{Game, Move};
use record::{Play, Record};

use crate::{ApiError, limits, within};

/// A game with its moves, short enough to be played on a page.
pub fn played(bytes: &[u8]) -> Result<(Game, Vec<Move>), ApiError> {
    let Record { game, play, .. } = record::read(bytes, None)?;
    let Play::Moves(moves) = play else { return Err(ApiError::Drawing) };
    within("moves", moves.len(), limits::PLAYED_MOVES)?;
    within("dots", game.start.dots().len(), limits::DOTS)?;
    Ok((game, moves))
}
