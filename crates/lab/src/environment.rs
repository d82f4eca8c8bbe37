//! A game for agents of any language: requests and replies as JSON, one per line.

use geometry::{Game, Move, ParseGameError};
use record::{MoveFault, MoveJson, Record};
use rules::{IllegalMove, IllegalSequence, PlainPosition, Position};
use serde::{Deserialize, Serialize};

use crate::records::{RecordView, record};

/// What an agent may ask, one of these fields at a time.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum AgentRequest {
    /// Start a new game: `{"new": "5T"}`.
    New(String),
    /// Play a legal move by its index: `{"play": 3}`, or as an object with `new` and `line`.
    Play(AgentMove),
    /// Take moves back: `{"undo": 1}`.
    Undo(usize),
    /// Ask for the state again: `{"state": null}`.
    State(()),
    /// Ask for the game in the native format: `{"game": null}`.
    Game(()),
}

/// A legal move by its index in `legal`, or written out.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(
    untagged,
    expecting = "play takes the index of a legal move, from 0, or a move with the fields new and \
                 line: {\"new\": [7, 0], \"line\": [[3, 0], \"E\"]}"
)]
pub enum AgentMove {
    /// The index, from 0.
    Index(usize),
    /// The move.
    Move(MoveJson),
}

/// A reply to an agent.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum AgentReply {
    /// The position.
    State(AgentStateView),
    /// The game in the native format, as a text.
    Game {
        /// The content of a file.
        file: String,
    },
    /// A request that was refused; the position is as before.
    Error {
        /// What is wrong, and what to do.
        error: String,
    },
}

/// The position.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentStateView {
    /// The game, like `5T`.
    pub game: String,
    /// The number of moves played.
    pub score: usize,
    /// The legal moves, in a fixed order.
    pub legal: Vec<MoveJson>,
    /// The move played last, if any.
    pub last: Option<MoveJson>,
    /// Whether no legal move remains.
    pub over: bool,
    /// The longest published game.
    pub record: Option<RecordView>,
}

/// Why a request is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EnvironmentError {
    /// It is not a request.
    #[error(
        "{0}; send one of {{\"new\": \"5T\"}}, {{\"play\": 0}}, {{\"undo\": 1}}, \
         {{\"state\": null}}, {{\"game\": null}}"
    )]
    Request(serde_json::Error),
    /// No such game.
    #[error(transparent)]
    Game(#[from] ParseGameError),
    /// The index is out of range.
    #[error("no legal move {index}; there are {legal}, from 0")]
    Index {
        /// The index.
        index: usize,
        /// The number of legal moves.
        legal: usize,
    },
    /// The move is not well formed.
    #[error(transparent)]
    Form(#[from] MoveFault),
    /// The move is illegal.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// Fewer moves were played.
    #[error("cannot take back {moves} moves; {score} were played")]
    Undo {
        /// The number of moves to take back.
        moves: usize,
        /// The number of moves played.
        score: usize,
    },
}

/// A game in progress.
#[derive(Debug)]
pub struct Environment {
    position: PlainPosition,
}

impl Environment {
    /// A new game.
    #[must_use]
    pub fn new(game: Game) -> Self {
        Self { position: PlainPosition::start(game) }
    }

    /// A game after some moves, from which new games do not begin.
    pub fn after(game: Game, moves: &[Move]) -> Result<Self, IllegalSequence> {
        let mut position = PlainPosition::start(game);
        position.play_all(moves)?;
        Ok(Self { position })
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> &PlainPosition {
        &self.position
    }

    /// Answers one line of input.
    pub fn answer(&mut self, line: &str) -> AgentReply {
        let request = serde_json::from_str(line).map_err(EnvironmentError::Request);
        match request.and_then(|request| self.handle(request)) {
            Ok(reply) => reply,
            Err(error) => AgentReply::Error { error: error.to_string() },
        }
    }

    fn handle(&mut self, request: AgentRequest) -> Result<AgentReply, EnvironmentError> {
        match request {
            AgentRequest::New(name) => *self = Self::new(name.parse()?),
            AgentRequest::Play(AgentMove::Index(index)) => {
                let legal = self.position.legal().len();
                if index >= legal {
                    return Err(EnvironmentError::Index { index, legal });
                }
                self.position.play_nth(index);
            }
            AgentRequest::Play(AgentMove::Move(mv)) => {
                let mv = mv.to_move(self.position.game().rules)?;
                self.position.play(mv)?;
            }
            AgentRequest::Undo(moves) => {
                let score = self.position.score();
                if moves > score {
                    return Err(EnvironmentError::Undo { moves, score });
                }
                (0..moves).for_each(|_| {
                    self.position.undo();
                });
            }
            AgentRequest::State(()) => {}
            AgentRequest::Game(()) => {
                let (game, moves) = (self.position.game().clone(), self.position.moves());
                return Ok(AgentReply::Game { file: Record::from_moves(game, moves).to_json() });
            }
        }
        Ok(AgentReply::State(self.state()))
    }

    /// The position as an agent sees it.
    #[must_use]
    pub fn state(&self) -> AgentStateView {
        let position = &self.position;
        let legal = position.legal().iter().map(|&code| position.decode(code).into()).collect();
        AgentStateView {
            game: position.game().to_string(),
            score: position.score(),
            legal,
            last: position.moves().last().map(|&mv| mv.into()),
            over: position.legal().is_empty(),
            record: record(position.game()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(reply: AgentReply) -> AgentStateView {
        match reply {
            AgentReply::State(state) => state,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_game_is_played_undone_and_replayed_by_lines_of_json() {
        let mut game = Environment::new(Game::named("5T").expect("known"));
        assert_eq!(game.state().legal.len(), 28);
        let mv = r#"{"play": {"new": [7, 0], "line": [[3, 0], "E"]}}"#;
        let after = state(game.answer(mv));
        assert_eq!((after.score, after.legal.len(), after.over), (1, 26, false));
        assert_eq!(state(game.answer(r#"{"undo": 1}"#)).legal.len(), 28);
        while !state(game.answer(r#"{"play": 0}"#)).over {}
        let AgentReply::Game { file } = game.answer(r#"{"game": null}"#) else { panic!("a file") };
        let verified = evidence::verify_file(file.as_bytes(), None).expect("readable");
        assert_eq!(verified.verdict.expect("legal").remaining_moves(), 0);
        assert_eq!(state(game.answer(r#"{"new": "4D"}"#)).score, 0);
    }

    #[test]
    fn what_is_refused_changes_nothing() {
        let mut game = Environment::new(Game::named("5D").expect("known"));
        let before = game.state();
        for line in [
            "",
            "play",
            r#"{"play": 99}"#,
            r#"{"play": {"new": [0, 0], "line": [[0, 0], "E"]}}"#,
            r#"{"undo": 1}"#,
            r#"{"new": "55X"}"#,
            r#"{"resign": null}"#,
        ] {
            assert!(matches!(game.answer(line), AgentReply::Error { .. }), "{line}");
            assert_eq!(game.state(), before);
        }
    }
}
