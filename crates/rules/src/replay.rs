//! A whole game replayed: what was legal on the way, and what is legal next.

use geometry::{Game, Move};

use crate::{
    Engine, EngineVisitor, IllegalMove, IllegalSequence, PlainEngine, Position, with_engine,
};

/// The legal moves along a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// The moves that are legal after the last one.
    pub legal: Vec<Move>,
    /// The number of legal moves before each move, and after the last one.
    pub counts: Vec<usize>,
}

/// Replays a game, with the fastest engine whose grid holds every legal move.
pub fn replay(game: &Game, moves: &[Move]) -> Result<Replay, IllegalSequence> {
    match with_engine(game, Replayer(moves)) {
        Ok((_, true)) | Err(IllegalSequence { reason: IllegalMove::OffGrid(_), .. }) => {
            Replayer(moves).visit(&PlainEngine::new(game.clone()))
        }
        replayed => replayed,
    }
    .map(|(replay, _)| replay)
}

struct Replayer<'a>(&'a [Move]);

impl EngineVisitor for Replayer<'_> {
    /// With whether the last list of legal moves is truncated.
    type Output = Result<(Replay, bool), IllegalSequence>;

    fn visit<E: Engine>(self, engine: &E) -> Self::Output {
        let mut position = engine.position();
        let mut counts = vec![position.legal().len()];
        for (number, &mv) in (1..).zip(self.0) {
            position.play(mv).map_err(|reason| IllegalSequence { number, reason })?;
            counts.push(position.legal().len());
        }
        let legal = position.legal().iter().map(|&code| position.decode(code)).collect();
        Ok((Replay { legal, counts }, position.is_truncated()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::{Direction, Line, Point, Start};

    #[test]
    fn the_first_moves_of_every_game_are_listed() {
        for (name, count) in [("5T", 28), ("5D", 28), ("4D", 40), ("6D", 24), ("16T", 24)] {
            let replay = replay(&Game::named(name).expect("known"), &[]).expect("legal");
            assert_eq!((replay.legal.len(), replay.counts), (count, vec![count]), "{name}");
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
    fn dots_at_the_coordinate_limit_can_be_played() {
        let edge = geometry::COORDINATE_LIMIT;
        let start = Start::from_dots((0..4).map(|i| Point::new(edge - i, 0))).expect("few dots");
        let game = Game { rules: "5T".parse().expect("known"), start };
        assert_eq!(replay(&game, &[]).expect("legal").legal.len(), 1);
    }
}
