//! A game being replayed. Every [`VerifiedGame`] has come through here, move by move.

use super::VerifiedGame;
use super::file::Claims;
use super::position::{IllegalMove, Position};
use crate::fault::{FormatFault, GameFault};
use crate::refusal::Place;
use crate::rules::{Line, Move, Point, Rules};
use crate::start::Start;

/// A game that has been legal so far.
#[derive(Debug)]
pub(crate) struct Replay {
    position: Position,
    start: Start,
    moves: Vec<Move>,
}

impl Replay {
    /// The game before its first move.
    pub(crate) fn new(rules: Rules, start: Start) -> Result<Replay, FormatFault> {
        let position = Position::new(rules, &start.dots(rules))
            .map_err(|dot| FormatFault::DuplicateDot { dot })?;
        Ok(Replay { position, start, moves: Vec::new() })
    }

    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    /// Plays the next move if it is legal.
    pub(crate) fn play(&mut self, mv: Move) -> Result<(), GameFault> {
        self.position.play(mv).map_err(|illegal| match illegal {
            IllegalMove::NotOnLine => GameFault::NotOnLine { new: mv.new },
            IllegalMove::Occupied => GameFault::Occupied { new: mv.new },
            IllegalMove::Missing(dot) => GameFault::MissingDot { dot },
            IllegalMove::Overlap(at) => {
                let lines = self.moves.iter().map(|mv| mv.line);
                let with = Place::Move(user_of(at, mv.line, self.position.rules(), lines));
                GameFault::Overlap { with, at }
            }
        })?;
        self.moves.push(mv);
        Ok(())
    }

    /// The game after its last move, if it is as claimed.
    pub(crate) fn end(self, claims: &Claims) -> Result<VerifiedGame, GameFault> {
        let Replay { position, start, moves } = self;
        let mut game = VerifiedGame { rules: position.rules(), start, moves, remaining_moves: 0 };
        let score = game.score();
        if let Some(claimed) = claims.score.filter(|&claimed| claimed != u64::from(score)) {
            return Err(GameFault::FalseScore { claimed, score });
        }
        let remaining = position.moves(game.dots()).count() as u64;
        if let Some(claimed) = claims.terminal.filter(|&claimed| claimed != (remaining == 0)) {
            return Err(GameFault::FalseTerminal { claimed, remaining });
        }
        game.remaining_moves = remaining;
        Ok(game)
    }
}

/// The number, counting from 1, of the line in the list that uses up `point` as `line` would.
pub(crate) fn user_of(
    point: Point,
    line: Line,
    rules: Rules,
    mut lines: impl Iterator<Item = Line>,
) -> u32 {
    let uses = |other: Line| rules.uses(other).any(|used| used == point);
    let index = lines.position(|other| other.direction == line.direction && uses(other));
    let index = index.expect("a point is used up by a line in the list");
    u32::try_from(index + 1).expect("a file has at most two million moves")
}
