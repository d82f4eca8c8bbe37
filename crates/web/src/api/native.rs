//! Games in requests and responses, in the native format of `docs/formats.md`.

use geometry::{Game, Move};
use record::{Play, Record};
use serde::Deserialize;
use serde_json::Value;

use crate::limits;
use crate::refusal::Refusal;

/// A game with its moves, short enough to be played on a page.
pub(super) fn played(bytes: &[u8]) -> Result<(Game, Vec<Move>), Refusal> {
    let Record { game, play, .. } = record::read(bytes, None)?;
    let Play::Moves(moves) = play else { return Err(Refusal::Drawing) };
    within("moves", moves.len(), limits::PLAYED_MOVES)?;
    within("dots", game.start.dots().len(), limits::DOTS)?;
    Ok((game, moves))
}

/// The same for a game that is a part of a JSON document.
pub(super) fn played_value(value: &Value) -> Result<(Game, Vec<Move>), Refusal> {
    played(value.to_string().as_bytes())
}

/// Refuses too many of anything.
pub(super) fn within(what: &'static str, count: usize, most: usize) -> Result<(), Refusal> {
    if count > most { Err(Refusal::TooMuch { what, most }) } else { Ok(()) }
}

/// A game in a query: `?game=5T`.
#[derive(Debug, Deserialize)]
pub(super) struct GameQuery {
    game: Option<String>,
}

impl GameQuery {
    pub(super) fn game(&self) -> Result<Option<Game>, Refusal> {
        self.game.as_deref().filter(|name| !name.is_empty()).map(named).transpose()
    }
}

/// The usual game of this name.
pub(super) fn named(name: &str) -> Result<Game, Refusal> {
    Ok(Game::from_cross(name.parse()?))
}
