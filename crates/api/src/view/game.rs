//! Boards and positions, as pages draw them.

use geometry::{Game, Line, Move, Point};
use record::{DotJson, LineJson, MoveJson};
use serde::Serialize;
use serde_json::Value;

/// What a page needs to draw a game.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardView {
    /// Dots per line.
    pub length: usize,
    /// The dots of the start.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<super::schema::Dot>"))]
    pub start: Vec<DotJson>,
    /// The moves in order.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<super::schema::MoveSchema>"))]
    pub moves: Vec<MoveJson>,
}

impl BoardView {
    /// The start of a game and these moves.
    #[must_use]
    pub fn new(game: &Game, moves: &[Move]) -> Self {
        Self { length: game.rules.length(), start: start(game), moves: to_json(moves) }
    }

    /// The same, but empty if there are more than `limit` dots or moves.
    #[must_use]
    pub fn within(limit: usize, game: &Game, moves: &[Move]) -> Self {
        if moves.len() <= limit && game.start.dots().len() <= limit {
            return Self::new(game, moves);
        }
        Self { length: game.rules.length(), ..Self::default() }
    }
}

/// A position and its legal moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PositionView {
    /// The name of the game.
    pub game: String,
    /// Dots per line.
    pub length: usize,
    /// The dots of the start.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<super::schema::Dot>"))]
    pub start: Vec<DotJson>,
    /// The number of moves played.
    pub score: usize,
    /// The legal moves.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<super::schema::MoveSchema>"))]
    pub legal: Vec<MoveJson>,
    /// The number of legal moves before each move, and now.
    pub counts: Vec<usize>,
}

impl PositionView {
    /// The position after the moves, of which `counts` has one more entry.
    #[must_use]
    pub fn new(game: &Game, legal: &[Move], counts: Vec<usize>) -> Self {
        Self {
            game: game.to_string(),
            length: game.rules.length(),
            start: start(game),
            score: counts.len() - 1,
            legal: to_json(legal),
            counts,
        }
    }
}

/// The longest continuation found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContinuationView {
    /// The number of moves, with those given.
    pub score: u32,
    /// The number of legal moves that remain.
    pub left: u64,
    /// All moves.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<super::schema::MoveSchema>"))]
    pub moves: Vec<MoveJson>,
}

impl ContinuationView {
    /// A verified game.
    #[must_use]
    pub fn new(game: &evidence::VerifiedRecord) -> Self {
        let moves = to_json(game.moves());
        Self { score: game.score(), left: game.remaining_moves(), moves }
    }
}

/// Why no line can be drawn through a new dot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ObstacleView {
    /// `dot`: there is one already; `few`: no line has enough dots; `overlap`: a line that has
    /// enough would overlap another; `none`: a line can be drawn.
    pub kind: &'static str,
    /// The most other dots on a line through the point.
    pub dots: usize,
    /// How many are needed.
    pub needed: usize,
}

/// A game as the end of an address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LinkView {
    /// The rules and about one letter for each move, like `5T/ABE`.
    pub link: String,
}

/// The game of a link.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SharedGameView {
    /// The game in the native format.
    pub record: Value,
    /// Its last position.
    pub position: PositionView,
}

/// Why a request was refused.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorView {
    /// A name that stays the same when the message changes.
    pub code: &'static str,
    /// What varies in the message, in its order: numbers and quotations.
    pub values: Vec<String>,
    /// The reason.
    pub error: String,
    /// The faulty move, counted from 1.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
}

pub(super) fn start(game: &Game) -> Vec<DotJson> {
    game.start.dots().iter().map(|&dot| dot_json(dot)).collect()
}

pub(super) fn to_json(moves: &[Move]) -> Vec<MoveJson> {
    moves.iter().map(|&mv| mv.into()).collect()
}

pub(super) fn lines_json(lines: &[Line]) -> Vec<LineJson> {
    lines.iter().map(|&line| line.into()).collect()
}

pub(super) fn dot_json(dot: Point) -> DotJson {
    [dot.x, dot.y]
}
