//! Games: moves in the order played, or a drawing that can be put in order.

mod file;
mod grid;
pub(crate) mod json;
mod line_index;
mod order;
mod position;
mod replay;

use std::fmt;

use crate::fault::GameFault;
use crate::refusal::{Place, Refusal};
use crate::rules::{Move, Point, Rules};
use crate::start::Start;

use file::Content;
pub(crate) use file::WrittenMove;
pub use order::{OrderResult, order};
pub(crate) use position::Position;
pub(crate) use replay::Replay;

/// A game that the verifier has replayed. Only [`verify_game`] and [`order`] make one.
///
/// Prints as `5T, 178 moves, no legal moves remain`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedGame {
    rules: Rules,
    start: Start,
    moves: Vec<Move>,
    remaining_moves: u64,
}

impl VerifiedGame {
    /// The rules it was played under.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The dots it started from.
    #[must_use]
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// The moves, in an order in which each was legal: that of the file, if it has one.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The number of moves.
    #[must_use]
    pub fn score(&self) -> u32 {
        u32::try_from(self.moves.len()).expect("a file has at most two million moves")
    }

    /// How many legal moves remain at the end; a move is a line with its new dot.
    #[must_use]
    pub fn remaining_moves(&self) -> u64 {
        self.remaining_moves
    }

    /// The legal moves at the end, in an order that depends on the game only.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut position = Position::new(self.rules, &self.start.dots(self.rules))
            .expect("the verifier has set up this start before");
        for &mv in &self.moves {
            position.play(mv).expect("the verifier has played this move before");
        }
        position.moves(self.dots()).collect()
    }

    /// All dots at the end.
    fn dots(&self) -> impl Iterator<Item = Point> {
        let start = self.start.dots(self.rules);
        let new = self.moves.iter().map(|mv| mv.new);
        (0..start.len()).map(move |index| start[index]).chain(new)
    }

    /// One line about the game that counts its `moves` or its `lines`.
    fn describe(&self, unit: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: u64| if count == 1 { "" } else { "s" };
        let (game, score) = (self.start.with_rules(self.rules), self.score());
        write!(f, "{game}, {score} {unit}{}, ", plural(score.into()))?;
        match self.remaining_moves {
            0 => write!(f, "no legal moves remain"),
            1 => write!(f, "1 legal move remains"),
            count => write!(f, "{count} legal moves remain"),
        }
    }
}

impl fmt::Display for VerifiedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe("move", f)
    }
}

/// Verifies a file in the native format.
///
/// A game is replayed move by move; the first illegal move refuses it. A drawing is accepted if
/// there is an order in which it can be played. Claims of the file about its game must be true.
pub fn verify_game(text: &str) -> Result<VerifiedGame, Refusal> {
    let file = file::parse(text)?;
    match file.content {
        Content::Moves(moves) => {
            let mut replay = Replay::new(file.rules, file.start)?;
            for (number, mv) in (1..).zip(moves) {
                let played = mv.resolve(file.rules).and_then(|mv| replay.play(mv));
                played.map_err(|fault| Refusal::new(Place::Move(number), fault))?;
            }
            Ok(replay.end(&file.claims)?)
        }
        Content::Lines(_) => match order::order_file(file)? {
            OrderResult::Ordered { game, .. } => Ok(game),
            OrderResult::Stuck { playable, stuck, .. } => {
                let first = stuck.first().map_or(Place::File, |&index| Place::Line(index + 1));
                Err(Refusal::new(first, GameFault::Stuck { playable, stuck }))
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Direction, Line};

    fn verify(rest: &str) -> Result<VerifiedGame, Refusal> {
        let head = r#"{"format":"morpion-game/1","rules":"5T","start":"cross""#;
        verify_game(&format!("{head},{rest}}}"))
    }

    #[test]
    fn after_the_empty_game_the_first_moves_remain() {
        let game = verify(r#""moves":[],"score":0,"terminal":false"#).expect("legal");
        assert_eq!((game.score(), game.remaining_moves()), (0, 28));
        assert_eq!(game.legal_moves().len(), 28);
    }

    #[test]
    fn a_verified_game_is_the_one_in_the_file() {
        let text = r#""moves":[{"new":[4,3],"line":[[7,3],[3,3]]}]"#;
        let refusal = verify(text).expect_err("illegal");
        assert_eq!(refusal.to_string(), "move 1: the dot (5,3) of the line is missing");
        let text = r#""moves":[{"new":[7,0],"line":[[7,0],[3,0]]}],"score":1"#;
        let game = verify(text).expect("legal");
        let line = Line { first: Point { x: 3, y: 0 }, direction: Direction::East };
        assert_eq!(game.moves(), [Move { new: Point { x: 7, y: 0 }, line }]);
        assert_eq!(
            (game.rules().to_string(), game.start().to_string()),
            ("5T".into(), "cross".into())
        );
        assert_eq!(game.legal_moves().len() as u64, game.remaining_moves());
    }

    #[test]
    fn an_early_illegal_move_is_found_before_a_late_impossible_line() {
        let text =
            r#""moves":[{"new":[4,0],"line":[[3,0],"E"]},{"new":[4,0],"line":[[0,0],[9,1]]}]"#;
        let refusal = verify(text).expect_err("illegal");
        assert_eq!(refusal.to_string(), "move 1: there is already a dot at (4,0)");
    }
}
