//! Counts of positions.

use geometry::Game;
use serde::Serialize;

/// The number of positions after each number of moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CountView {
    /// The rules, like `5T`.
    pub game: String,
    /// The start, like `cross`.
    pub start: String,
    /// `sequences`, `unreduced` or `up to symmetry`.
    pub kind: &'static str,
    /// The counts after 0, 1, ... moves.
    pub counts: Vec<u128>,
}

impl CountView {
    /// The counts of a game.
    #[must_use]
    pub fn new(game: &Game, kind: &'static str, counts: Vec<u128>) -> Self {
        Self { game: game.rules.to_string(), start: game.start_name(), kind, counts }
    }
}
