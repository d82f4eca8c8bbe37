//! A game so far: its legal moves. The page sends the whole game; the server keeps nothing.

use std::sync::Arc;

use axum::extract::State;
use geometry::{Game, Move};
use rules::{Board, IllegalMove, Engine, PlainEngine, EngineVisitor, with_engine};
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
        let Replayed { legal, counts } = replay(&game, &moves)?;
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

/// The result of a replay.
#[derive(Debug, PartialEq)]
pub(super) struct Replayed {
    pub(super) legal: Vec<Move>,
    pub(super) counts: Vec<usize>,
}

/// Replays moves, on the fast board if there is one and it has room for all that is legal.
pub(super) fn replay(game: &Game, moves: &[Move]) -> Result<Replayed, Refusal> {
    let replayed = match with_engine(game, Replay(moves)) {
        Ok((_, true)) | Err((_, IllegalMove::OffGrid(_))) => {
            Replay(moves).visit(&PlainEngine::new(game.clone()))
        }
        replayed => replayed,
    };
    replayed
        .map(|(replayed, _)| replayed)
        .map_err(|(index, reason)| Refusal::Illegal { number: index + 1, reason })
}

struct Replay<'a>(&'a [Move]);

impl EngineVisitor for Replay<'_> {
    /// With whether the board leaves out a legal move; or the faulty move, counted from 0.
    type Output = Result<(Replayed, bool), (usize, IllegalMove)>;

    fn visit<E: Engine>(self, engine: &E) -> Self::Output {
        let mut board = engine.position();
        let mut counts = vec![board.legal().len()];
        for (index, &mv) in self.0.iter().enumerate() {
            board.play(mv).map_err(|reason| (index, reason))?;
            counts.push(board.legal().len());
        }
        let legal = board.legal().iter().map(|&code| board.decode(code)).collect();
        Ok((Replayed { legal, counts }, board.is_truncated()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::{Direction, Line, Point, Start};

    #[test]
    fn the_first_moves_of_every_game_are_listed() {
        for (name, count) in [("5T", 28), ("5D", 28), ("4D", 40), ("6D", 24), ("16T", 24)] {
            let replayed = replay(&Game::named(name).expect("known"), &[]).expect("legal");
            assert_eq!((replayed.legal.len(), replayed.counts), (count, vec![count]), "{name}");
        }
    }

    #[test]
    fn an_illegal_move_is_named_by_its_number() {
        let game = Game::named("5T").expect("known");
        let mv = Move::new(Line::new(Point::new(3, 0), Direction::East), 4);
        assert!(replay(&game, &[mv]).is_ok());
        let refusal = replay(&game, &[mv, mv]).expect_err("twice the same");
        assert_eq!(refusal.to_string(), "move 2: there is a dot at (7,0) already");
    }

    #[test]
    fn dots_at_the_edge_of_all_coordinates_can_be_played() {
        let edge = geometry::COORDINATE_LIMIT;
        let start = Start::from_dots((0..4).map(|i| Point::new(edge - i, 0))).expect("few dots");
        let game = Game { rules: "5T".parse().expect("known"), start };
        assert_eq!(replay(&game, &[]).expect("legal").legal.len(), 1);
    }
}
