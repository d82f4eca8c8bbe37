//! The plain JSON that moves are passed around in: the game, a note, and the moves.
//!
//! Whatever else such a file says is left aside. It is read, never written.

use geometry::{Game, Move, Rules};
use serde::Deserialize;

use crate::json::{self, Dot, Item, List, Object, Way, Word};
use crate::native::{numbered, parse_rules};
use crate::written::{WrittenGame, WrittenPlay};
use crate::{MoveFault, ReadError, Record, fit, limits};

/// Reads an exchange file.
pub(crate) fn read(text: &str) -> Result<Record, ReadError> {
    let file: File<'_> = json::read(text)?;
    let rules = parse_rules(&file.game.0)?;
    let moves = numbered(file.moves.0, |played| played.0.to_move(rules))
        .map_err(|(number, fault)| ReadError::Move { number, fault })?;
    let mut record = Record::from_moves(Game::from_cross(rules), moves);
    if let Some(Word(note)) = file.note {
        record.provenance.other.insert("note".to_owned(), note.into());
    }
    Ok(record)
}

/// The moves verbatim, even off the grid.
pub(crate) fn written(text: &str) -> Option<WrittenGame> {
    #[derive(Deserialize)]
    struct Written {
        new: [i64; 2],
        dir: Way,
        start: [i64; 2],
    }
    impl Item for Object<Written> {
        const NAME: &'static str = "move";
        const LIMIT: usize = limits::MOVES;
    }
    #[derive(Deserialize)]
    struct Game<'a> {
        #[serde(borrow)]
        game: Word<'a>,
        moves: List<Object<Written>>,
    }
    let file: Game<'_> = json::read(text).ok()?;
    let moves = file
        .moves
        .0
        .into_iter()
        .map(|Object(Written { new, dir, start })| (new.into(), start.into(), dir.0));
    let play = WrittenPlay::Moves(moves.collect());
    Some(WrittenGame::from_cross(parse_rules(&file.game.0).ok()?, play))
}

#[derive(Deserialize)]
struct File<'a> {
    #[serde(borrow)]
    game: Word<'a>,
    #[serde(borrow, default)]
    note: Option<Word<'a>>,
    moves: List<Object<ExchangeMove>>,
}

/// A move: the new dot, and the line as `start + j*dir`.
#[derive(Deserialize)]
struct ExchangeMove {
    new: Dot,
    dir: Way,
    start: Dot,
}

impl Item for Object<ExchangeMove> {
    const NAME: &'static str = "move";
    const LIMIT: usize = limits::MOVES;
}

impl ExchangeMove {
    fn to_move(&self, rules: Rules) -> Result<Move, MoveFault> {
        fit::move_with(self.new.0, fit::line_from(self.start.0, self.dir.0, rules)?, rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::{Direction, Line, Point};

    #[test]
    fn moves_and_the_note_are_read() {
        let text = r#"{"game": "4D", "note": "why", "convention": "y down", "moves": [
            {"new": [7, 4], "dir": "DN", "start": [4, 1]},
            {"new": [1, 8], "dir": "DP", "start": [1, 8], "extra": [[]]},
            {"new": [8, 4], "dir": "H", "start": [5, 4]},
            {"new": [2, 7], "dir": "V", "start": [2, 4]}]}"#;
        let record = read(text).expect("readable");
        assert_eq!(record.game, Game::named("4D").expect("known"));
        let mv =
            |x, y, direction, offset| Move::new(Line::new(Point::new(x, y), direction), offset);
        let moves = vec![
            mv(4, 1, Direction::SouthEast, 3),
            mv(1, 8, Direction::NorthEast, 0),
            mv(5, 4, Direction::East, 3),
            mv(2, 4, Direction::South, 3),
        ];
        assert_eq!(record.play, crate::Play::Moves(moves));
        assert_eq!(record.provenance.other["note"], "why");
    }

    #[test]
    fn faults_say_in_which_move_they_are() {
        let error = |moves: &str| {
            let text = format!(r#"{{"game": "4D", "moves": [{moves}]}}"#);
            read(&text).expect_err(moves).to_string()
        };
        let good = r#"{"new": [7, 4], "dir": "DN", "start": [4, 1]}"#;
        let off = r#"{"new": [7, 5], "dir": "DN", "start": [4, 1]}"#;
        assert_eq!(
            error(&format!("{good}, {off}")),
            "move 2: the new dot (7,5) is not on the line"
        );
        let far = r#"{"new": [1048576, 0], "dir": "H", "start": [1048576, 0]}"#;
        assert_eq!(error(far), "move 1: beyond the coordinate limit of 1048576");
        let way = r#"{"new": [7, 5], "dir": "D", "start": [4, 1]}"#;
        assert!(error(way).contains("move 1: unknown variant `D`, expected one of `H`, `V`"));
        assert!(error("7").contains("move 1: invalid type: integer `7`, expected an object"));
    }
}
