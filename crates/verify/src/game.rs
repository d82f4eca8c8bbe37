//! Games: moves in the order played.

use crate::board::{Board, Illegal};
use crate::drawing::{self, Ordering};
use crate::json;
use crate::read::{Claims, Content};
use crate::refusal::{Fault, Place, Refusal};
use crate::rules::{Line, Move, Point, Rules};
use crate::start::Start;

/// A game that the judge has replayed. Only [`judge`] and [`order`](crate::order) make one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedGame {
    rules: Rules,
    start: Start,
    moves: Vec<Move>,
    left: u64,
}

impl VerifiedGame {
    /// The rules it was played under.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The dots it began with.
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// The moves, in an order in which each was legal: that of the file, if it has one.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The number of moves.
    pub fn score(&self) -> u32 {
        u32::try_from(self.moves.len()).expect("a file has at most two million moves")
    }

    /// How many moves are legal at the end; a move is a line with its new dot.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// The moves that are legal at the end, in an order that depends on the game only.
    pub fn moves_left(&self) -> Vec<Move> {
        let mut board = Board::new(self.rules, &self.start.dots(self.rules))
            .expect("the judge has put these dots on a board before");
        for &mv in &self.moves {
            board.play(mv).expect("the judge has played this move before");
        }
        board.moves(self.dots()).collect()
    }

    /// All dots at the end.
    fn dots(&self) -> impl Iterator<Item = Point> {
        let start = self.start.dots(self.rules);
        let new = self.moves.iter().map(|mv| mv.new);
        (0..start.len()).map(move |index| start[index]).chain(new)
    }
}

/// Judges a file in the native format.
///
/// A game is replayed move by move, and the first move that is not legal refuses it. A drawing is
/// accepted if there is an order in which it can be played. What the file claims of itself must
/// be true.
pub fn judge(text: &str) -> Result<VerifiedGame, Refusal> {
    let file = json::parse(text)?;
    match file.content {
        Content::Moves(moves) => {
            let mut replay = Replay::new(file.rules, file.start)?;
            for (number, mv) in (1..).zip(moves) {
                let played = mv.meaning(file.rules).and_then(|mv| replay.play(mv));
                played.map_err(|fault| Refusal::new(Place::Move(number), fault))?;
            }
            Ok(replay.end(&file.claims)?)
        }
        Content::Lines(_) => match drawing::order_file(file)? {
            Ordering::Ordered { game, .. } => Ok(game),
            Ordering::Stuck { playable, stuck, .. } => {
                let first = stuck.first().map_or(Place::File, |&index| Place::Line(index + 1));
                Err(Refusal::new(first, Fault::Stuck { playable, stuck }))
            }
        },
    }
}

/// A game being replayed. Every [`VerifiedGame`] has come through here, move by move.
#[derive(Debug)]
pub(crate) struct Replay {
    board: Board,
    start: Start,
    moves: Vec<Move>,
}

impl Replay {
    /// The game before its first move.
    pub(crate) fn new(rules: Rules, start: Start) -> Result<Replay, Fault> {
        let board =
            Board::new(rules, &start.dots(rules)).map_err(|dot| Fault::DuplicateDot { dot })?;
        Ok(Replay { board, start, moves: Vec::new() })
    }

    /// The board as it is now.
    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    /// Plays the next move if it is legal.
    pub(crate) fn play(&mut self, mv: Move) -> Result<(), Fault> {
        self.board.play(mv).map_err(|illegal| match illegal {
            Illegal::NotOnLine => Fault::NotOnLine { new: mv.new },
            Illegal::Occupied => Fault::Occupied { new: mv.new },
            Illegal::Missing(dot) => Fault::MissingDot { dot },
            Illegal::Overlap(at) => {
                let lines = self.moves.iter().map(|mv| mv.line);
                let with = Place::Move(user_of(at, mv.line, self.board.rules(), lines));
                Fault::Overlap { with, at }
            }
        })?;
        self.moves.push(mv);
        Ok(())
    }

    /// The game after its last move, if it is as claimed.
    pub(crate) fn end(self, claims: &Claims) -> Result<VerifiedGame, Fault> {
        let Replay { board, start, moves } = self;
        let mut game = VerifiedGame { rules: board.rules(), start, moves, left: 0 };
        let score = game.score();
        if let Some(claimed) = claims.score.filter(|&claimed| claimed != u64::from(score)) {
            return Err(Fault::FalseScore { claimed, score });
        }
        let left = board.moves(game.dots()).count() as u64;
        if let Some(claimed) = claims.terminal.filter(|&claimed| claimed != (left == 0)) {
            return Err(Fault::FalseTerminal { claimed, left });
        }
        game.left = left;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(rest: &str) -> Result<VerifiedGame, Refusal> {
        let head = r#"{"format":"morpion-game/1","rules":"5T","start":"cross""#;
        judge(&format!("{head},{rest}}}"))
    }

    #[test]
    fn the_empty_game_is_legal_and_leaves_the_first_moves() {
        let game = judged(r#""moves":[],"score":0,"terminal":false"#).expect("legal");
        assert_eq!((game.score(), game.left()), (0, 28));
        assert_eq!(game.moves_left().len(), 28);
    }

    #[test]
    fn a_game_tells_what_was_judged() {
        let text = r#""moves":[{"new":[4,3],"line":[[7,3],[3,3]]}]"#;
        let refusal = judged(text).expect_err("illegal");
        assert_eq!(refusal.to_string(), "move 1: the dot (5,3) of the line is not there");
        let text = r#""moves":[{"new":[7,0],"line":[[7,0],[3,0]]}],"score":1"#;
        let game = judged(text).expect("legal");
        let line = Line { first: Point { x: 3, y: 0 }, direction: crate::Direction::East };
        assert_eq!(game.moves(), [Move { new: Point { x: 7, y: 0 }, line }]);
        assert_eq!(
            (game.rules().to_string(), game.start().to_string()),
            ("5T".into(), "cross".into())
        );
        assert_eq!(game.moves_left().len() as u64, game.left());
    }

    #[test]
    fn an_early_illegal_move_comes_before_a_late_impossible_line() {
        let text =
            r#""moves":[{"new":[4,0],"line":[[3,0],"E"]},{"new":[4,0],"line":[[0,0],[9,1]]}]"#;
        let refusal = judged(text).expect_err("illegal");
        assert_eq!(refusal.to_string(), "move 1: there is already a dot at (4,0)");
    }
}
