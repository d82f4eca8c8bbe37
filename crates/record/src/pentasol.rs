//! Pentasol, the field's exchange format for 5T and 5D, and its dialect.
//!
//! The first line is a reference point, where the dot (3,3) of the cross lies. Every move is
//! `(col,row) D k`: the new dot, one of the directions `- | \ /`, and how far the line's centre
//! is from the new dot. A dialect has no reference line, counts columns and rows from 1 and turns
//! the sign of k around; it is read, never written. Neither says whether it is of 5T or 5D.

use std::fmt::{self, Write};

use geometry::{Direction, Game, Move, Point, Rules};

use crate::error::Snippet;
use crate::scan::{Scanner, significant_lines, without_comment};
use crate::written::{WrittenGame, WrittenPlay, before};
use crate::{Format, LineFault, MoveFault, Play, ReadError, Record, WriteError, fit, limits};

/// Where the dot (3,3) of the cross lies in the files that we write.
const REFERENCE: (i64, i64) = (28, 28);

/// The dot of the cross that the reference point names.
const REFERENCE_DOT: (i64, i64) = (3, 3);

/// The place of the centre on a line of five dots.
const CENTRE: i64 = 2;

/// Reads a Pentasol file of the game that the caller says it is of.
pub(crate) fn read(text: &str, game: Option<&Game>) -> Result<Record, ReadError> {
    let format = Format::Pentasol;
    let game = game.ok_or(ReadError::NeedsGame { format })?;
    if !holds(game) {
        return Err(ReadError::GameNotInFormat { format, game: game.clone() });
    }
    Ok(Record::from_moves(game.clone(), read_moves(text, game)?))
}

/// Whether this looks like Pentasol rather than like dots and lines that somebody typed: it has
/// directions that the text format does not know, or it is Pentasol from beginning to end.
pub(crate) fn is_likely(text: &str) -> bool {
    let first = significant_lines(text).next().and_then(|(_, line)| line.split(' ').next());
    // The format never names its game.
    if first.is_some_and(|word| word.parse::<Rules>().is_ok()) {
        return false;
    }
    let has_directions = |line| without_comment(line).contains(['|', '\\', '/']);
    text.lines().any(has_directions)
        || read_moves(text, &Game::named("5T").expect("a known game")).is_ok()
}

impl Record {
    /// The record as a Pentasol file with the reference point (28,28).
    ///
    /// The format holds only moves of 5T and 5D from the usual cross, and does not say of which.
    pub fn to_pentasol(&self) -> Result<String, WriteError> {
        let format = Format::Pentasol;
        if !holds(&self.game) {
            return Err(WriteError::GameNotInFormat { format, game: self.game.clone() });
        }
        let Play::Moves(moves) = &self.play else {
            return Err(WriteError::Unordered { format });
        };
        let mut text = String::new();
        write_moves(&mut text, moves).expect("a string takes any text");
        Ok(text)
    }
}

/// Whether the format can hold this game.
fn holds(game: &Game) -> bool {
    game.rules.length() == 5 && game.is_usual()
}

fn write_moves(out: &mut String, moves: &[Move]) -> fmt::Result {
    writeln!(out, "({},{})", REFERENCE.0, REFERENCE.1)?;
    for mv in moves {
        let dot = mv.dot();
        let column = i64::from(dot.x) - REFERENCE_DOT.0 + REFERENCE.0;
        let row = i64::from(dot.y) - REFERENCE_DOT.1 + REFERENCE.1;
        let direction = sign(mv.line.direction);
        writeln!(out, "({column},{row}) {direction} {}", CENTRE - i64::from(mv.offset))?;
    }
    Ok(())
}

fn sign(direction: Direction) -> char {
    match direction {
        Direction::East => '-',
        Direction::South => '|',
        Direction::SouthEast => '\\',
        Direction::NorthEast => '/',
    }
}

/// The moves verbatim, even off the grid.
pub(crate) fn written(text: &str, game: &Game) -> Option<WrittenGame> {
    if !holds(game) {
        return None;
    }
    let mut moves = Vec::new();
    let keep = |dot: (i64, i64), direction: Direction, place: i64| {
        Ok((dot, before(dot, direction, place), direction))
    };
    read_with(text, keep, &mut moves).ok()?;
    Some(WrittenGame::from_cross(game.rules, WrittenPlay::Moves(moves)))
}

/// Reads all moves; `game` says only how long a line is.
fn read_moves(text: &str, game: &Game) -> Result<Vec<Move>, ReadError> {
    let mut moves = Vec::new();
    let fit = |(x, y): (i64, i64), direction, steps: i64| {
        place(x, y).and_then(|dot| fit::move_at(dot, direction, steps as usize, game.rules))
    };
    read_with(text, fit, &mut moves)?;
    Ok(moves)
}

/// Reads all moves by their new dot, direction, and place of the dot on the line.
fn read_with<T>(
    text: &str,
    read: impl Fn((i64, i64), Direction, i64) -> Result<T, MoveFault>,
    moves: &mut Vec<T>,
) -> Result<(), ReadError> {
    let mut tokens = Tokens::new(text).ok_or(ReadError::Empty)?;
    let first = tokens.point()?;
    let (mut dot, origin, turn) = if tokens.line_is_over() || tokens.next_char() == Some('(') {
        let origin = (first.0 - REFERENCE_DOT.0, first.1 - REFERENCE_DOT.1);
        (tokens.point_or_end()?, origin, 1)
    } else {
        (Some(first), (1, 1), -1)
    };
    while let Some((column, row)) = dot {
        let direction = tokens.direction()?;
        let centre = tokens.centre()? * turn;
        let mv = read((column - origin.0, row - origin.1), direction, CENTRE - centre)
            .map_err(|fault| tokens.fault(fault.into()))?;
        if moves.len() == limits::MOVES {
            return Err(tokens.fault(LineFault::TooMany { limit: limits::MOVES }));
        }
        moves.push(mv);
        dot = tokens.point_or_end()?;
    }
    Ok(())
}

/// The point with these coordinates, if they are not too large for one.
fn place(x: i64, y: i64) -> Result<Point, MoveFault> {
    let coordinate = |c: i64| i32::try_from(c).map_err(|_| MoveFault::TooFar);
    Ok(Point::new(coordinate(x)?, coordinate(y)?))
}

/// Walks through a file from token to token; the ends of lines mean no more than a space.
struct Tokens<'a, L> {
    lines: L,
    number: usize,
    line: Scanner<'a>,
}

impl<'a> Tokens<'a, ()> {
    /// The tokens of the text; `None` if there are none.
    fn new(text: &'a str) -> Option<Tokens<'a, impl Iterator<Item = (usize, &'a str)>>> {
        let mut lines = significant_lines(text);
        let (number, line) = lines.next()?;
        Some(Tokens { lines, number, line: Scanner::new(line) })
    }
}

impl<'a, L: Iterator<Item = (usize, &'a str)>> Tokens<'a, L> {
    fn line_is_over(&mut self) -> bool {
        self.line.skip_spaces();
        self.line.is_over()
    }

    /// Goes to the next token, which may be on a later line.
    fn next_char(&mut self) -> Option<char> {
        if self.line_is_over()
            && let Some((number, line)) = self.lines.next()
        {
            self.number = number;
            self.line = Scanner::new(line);
        }
        self.line.rest().chars().next()
    }

    fn point(&mut self) -> Result<(i64, i64), ReadError> {
        self.next_char();
        match self.line.point_in_brackets() {
            Some(point) => Ok(point),
            None => Err(self.fault(LineFault::Point { found: self.found() })),
        }
    }

    fn point_or_end(&mut self) -> Result<Option<(i64, i64)>, ReadError> {
        match self.next_char() {
            Some(_) => self.point().map(Some),
            None => Ok(None),
        }
    }

    fn direction(&mut self) -> Result<Direction, ReadError> {
        self.next_char();
        let line = &mut self.line;
        match Direction::ALL.into_iter().find(|&direction| line.eat(sign(direction))) {
            Some(direction) => Ok(direction),
            None => Err(self.fault(LineFault::Direction { found: self.found() })),
        }
    }

    /// How far the line's centre is from the new dot, from -2 to 2.
    fn centre(&mut self) -> Result<i64, ReadError> {
        self.next_char();
        let found = self.found();
        // A `- 3,4` is half of a typed line, not a centre.
        let in_range = |centre: &i64| centre.abs() <= CENTRE;
        match self.line.integer().filter(in_range) {
            Some(centre) if !self.line.rest().starts_with(',') => Ok(centre),
            _ => Err(self.fault(LineFault::Centre { found })),
        }
    }

    fn found(&self) -> Snippet {
        Snippet::of(if self.line.is_over() { "end of file" } else { self.line.rest() })
    }

    fn fault(&self, fault: LineFault) -> ReadError {
        ReadError::Line { line: self.number, fault }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::{COORDINATE_LIMIT, Line};

    fn five() -> Game {
        Game::named("5T").expect("a known game")
    }

    fn moves(text: &str) -> Vec<Move> {
        read_moves(text, &five()).expect(text)
    }

    fn error(text: &str) -> String {
        read(text, Some(&five())).expect_err(text).to_string()
    }

    fn mv(x: i32, y: i32, direction: Direction, offset: u8) -> Move {
        Move::new(Line::new(Point::new(x, y), direction), offset)
    }

    #[test]
    fn every_direction_and_centre_is_read_as_specified() {
        let text = "(28,28)\n(31,35) | -2\n(29,28) - -2\n(27,27) / 0\n(27,32) \\ +1\n";
        let expected = [
            mv(6, 6, Direction::South, 4),
            mv(0, 3, Direction::East, 4),
            mv(0, 4, Direction::NorthEast, 2),
            mv(1, 6, Direction::SouthEast, 1),
        ];
        assert_eq!(moves(text), expected);
        assert_eq!(
            Record::from_moves(five(), expected.to_vec()).to_pentasol().as_deref(),
            Ok("(28,28)\n(31,35) | -2\n(29,28) - -2\n(27,27) / 0\n(27,32) \\ 1\n")
        );
    }

    #[test]
    fn spaces_comments_and_line_ends_are_free() {
        let plain = moves("(28,28)\n(29,28) - -2\n(30,28) - 1\n");
        for text in [
            "# a game\r\n ( 28 , 28 ) # here\r\n\r\n(29,28)\t- -2\r\n(30,28) - +1",
            "(28,28)(29,28)--2(30,28)-1",
            "(28,28) (29,28)\n- \n-2 (30,28) -+1 # end",
            "(0,0)\n(1,0)--2\n(2,0)-1",
            "(-28,+5)\n(-27,5) - -2\n(-26,5) - 1",
        ] {
            assert_eq!(moves(text), plain, "{text}");
        }
    }

    #[test]
    fn the_dialect_has_no_reference_and_the_other_sign() {
        let plain = moves("(28,28)\n(27,27) / 0\n(31,35) | -2\n(30,28) - 1\n");
        assert_eq!(moves("(3,3)/+0\n(7,11)|+2\n(6,4)--1\n"), plain);
        assert_eq!(moves("(3,3) / 0\n(7,11) | 2\n(6,4) - -1"), plain);
    }

    #[test]
    fn a_lone_reference_is_a_game_without_moves() {
        assert_eq!(moves("(28,28)\n"), []);
        let record = Record::from_moves(five(), vec![]);
        assert_eq!(record.to_pentasol().as_deref(), Ok("(28,28)\n"));
    }

    #[test]
    fn faults_say_in_which_line_they_are() {
        assert_eq!(
            error("(28,28)\n# x\n(29,28) - 3"),
            "line 3: expected how far off the line's centre is, from -2 to 2; found `3`"
        );
        assert_eq!(
            error("(28,28)\n(29,28) x 1"),
            "line 2: expected one of the directions - | \\ /; found `x 1`"
        );
        assert_eq!(
            error("(28,28)\n29,28 / 1"),
            "line 2: expected a point like (28,28); found `29,28 / 1`"
        );
        assert_eq!(
            error("(28,28)\n(29,28) /"),
            "line 2: expected how far off the line's centre is, from -2 to 2; found `end of file`"
        );
        assert_eq!(
            error("(28,28)\n(29,28)"),
            "line 2: expected one of the directions - | \\ /; found `end of file`"
        );
        assert_eq!(
            error("(28,28)\n(29,28) / 1 7"),
            "line 2: expected a point like (28,28); found `7`"
        );
        assert_eq!(error("5T"), "line 1: expected a point like (28,28); found `5T`");
        assert_eq!(error(""), "nothing in the file");
        let digits = "9".repeat(1000);
        assert!(error(&format!("(28,28)\n({digits},28) - 0")).ends_with("limit of 1048576"));
        assert!(error(&format!("(-{digits},28)\n(28,28) - 0")).ends_with("limit of 1048576"));
        let edge = |k| format!("(3,3)\n({COORDINATE_LIMIT},0) - {k}");
        assert!(read(&edge(-2), Some(&five())).is_ok());
        assert!(error(&edge(-1)).ends_with("limit of 1048576"));
    }

    #[test]
    fn only_5t_and_5d_from_the_usual_cross_have_this_format() {
        let text = "(28,28)\n(29,28) - -2\n";
        let format = Format::Pentasol;
        assert_eq!(read(text, None), Err(ReadError::NeedsGame { format }));
        let crossed = Game { start: geometry::Start::cross(6).expect("in range"), ..five() };
        for game in [Game::named("4T").expect("known"), crossed] {
            let refused = ReadError::GameNotInFormat { format, game: game.clone() };
            assert_eq!(read(text, Some(&game)), Err(refused));
            let refused = WriteError::GameNotInFormat { format, game: game.clone() };
            assert_eq!(Record::from_moves(game, vec![]).to_pentasol(), Err(refused));
        }
        let drawing = Record::from_lines(five(), vec![]).to_pentasol();
        assert_eq!(drawing, Err(WriteError::Unordered { format }));
    }
}
