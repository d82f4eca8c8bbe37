//! Dots and lines as people type them from a paper grid.
//!
//! The first line may name the game. Every further line is a dot of the start, or the two ends of
//! a line; without dots the start is the usual cross. The lines are a drawing: paper does not
//! keep their order. A start may be a picture instead.

use std::fmt::{self, Write};

use geometry::{Game, Point, Rules, Start};

use crate::error::Snippet;
use crate::picture::Picture;
use crate::scan::{Scanner, significant_lines};
use crate::start::parse_cross_of_side;
use crate::written::{WrittenGame, WrittenPlay};
use crate::{Format, LineFault, MoveFault, ReadError, Record, fit, limits};

/// The line that stands for a start without any dots.
const NO_DOTS: &str = "empty";

/// Reads a text; `game` is what is played if the text does not say.
pub(crate) fn read(text: &str, game: Option<&Game>) -> Result<Record, ReadError> {
    let typed = Typed::read(text)?;
    let said = match typed.rules {
        Some(rules) => Game::from_cross(rules),
        None => game.ok_or(ReadError::NeedsGame { format: Format::Text })?.clone(),
    };
    let rules = said.rules;
    let start = match typed.start {
        Some(TypedStart::Dots(start)) => start,
        Some(TypedStart::UsualCross) => Game::from_cross(rules).start,
        None => said.start,
    };
    let file = Game { rules, start };
    if let Some(asked) = game
        && *asked != file
        // Rules that were asked for by the name of their usual game fit any dots.
        && !(typed.rules.is_none() && asked.is_usual())
    {
        return Err(ReadError::OtherGame { file, asked: asked.clone() });
    }
    let line_of = |(line, one, other)| {
        let fault = |fault: MoveFault| ReadError::Line { line, fault: fault.into() };
        fit::line_between(one, other, rules).map_err(fault)
    };
    let lines = typed.lines.into_iter().map(line_of).collect::<Result<Vec<_>, _>>()?;
    Ok(if lines.is_empty() {
        Record::from_moves(file, Vec::new())
    } else {
        Record::from_lines(file, lines)
    })
}

/// The lines as they are written, whether they are lines of the game or not.
pub(crate) fn written(text: &str, game: Option<&Game>) -> Option<WrittenGame> {
    let typed = Typed::read(text).ok()?;
    let said = typed.rules.map(Game::from_cross).or_else(|| game.cloned())?;
    let start = match typed.start {
        Some(TypedStart::Dots(start)) => start,
        Some(TypedStart::UsualCross) => Game::from_cross(said.rules).start,
        None => said.start,
    };
    let point = |point: Point| (i64::from(point.x), i64::from(point.y));
    let lines = typed.lines.into_iter().map(|(_, one, other)| (point(one), point(other)));
    let play = WrittenPlay::Lines(lines.collect());
    Some(WrittenGame { game: Game { rules: said.rules, start }, play })
}

/// Reads a text for its start: of the game it names, or just dots.
pub(crate) fn read_start(text: &str) -> Result<Start, ReadError> {
    let typed = Typed::read(text)?;
    if typed.rules.is_some() {
        return read(text, None).map(|record| record.game.start);
    }
    if let Some(&(line, ..)) = typed.lines.first() {
        return Err(ReadError::Line { line, fault: LineFault::LineInStart });
    }
    match typed.start {
        Some(TypedStart::Dots(start)) => Ok(start),
        _ => Err(ReadError::NeedsGame { format: Format::Text }),
    }
}

impl Record {
    /// The record as a text that people can read and type: the game, the dots of the start if it
    /// is not the usual one, then the two ends of every line, in the order of the record.
    ///
    /// Read again, it is a drawing. Claims and provenance are not kept.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        self.write_text(&mut text).expect("a string takes any text");
        text
    }

    fn write_text(&self, out: &mut String) -> fmt::Result {
        let Game { rules, start } = &self.game;
        writeln!(out, "{rules}")?;
        if start.dots().is_empty() {
            writeln!(out, "{NO_DOTS}")?;
        } else if !self.game.is_usual() {
            for dot in start.dots() {
                writeln!(out, "{dot}")?;
            }
        }
        for line in self.lines() {
            writeln!(out, "{} - {}", line.start, line.end(*rules))?;
        }
        Ok(())
    }
}

/// What a text says, before it is known what is played.
struct Typed {
    rules: Option<Rules>,
    start: Option<TypedStart>,
    /// The two ends of every line, with the number of the text's line.
    lines: Vec<(usize, Point, Point)>,
}

enum TypedStart {
    /// The usual cross of the rules, by name.
    UsualCross,
    Dots(Start),
}

impl Typed {
    fn read(text: &str) -> Result<Self, ReadError> {
        if let Some(picture) = Picture::find(text) {
            let start = Some(TypedStart::Dots(picture.start()?));
            return Ok(Self { rules: picture.rules, start, lines: Vec::new() });
        }
        let mut typed = Self { rules: None, start: None, lines: Vec::new() };
        let mut dots = Vec::new();
        let mut any = false;
        for (number, line) in significant_lines(text) {
            // So that a short game fits in one line.
            for piece in line.split(" / ") {
                let first = !std::mem::replace(&mut any, true);
                typed
                    .take(number, piece.trim(), first, &mut dots)
                    .map_err(|fault| ReadError::Line { line: number, fault })?;
            }
        }
        if !any {
            return Err(ReadError::Empty);
        }
        if !dots.is_empty() {
            typed.start = Some(TypedStart::Dots(start_of(dots)?));
        }
        Ok(typed)
    }

    /// Takes in one line.
    fn take(
        &mut self,
        number: usize,
        line: &str,
        first: bool,
        dots: &mut Vec<(Point, usize)>,
    ) -> Result<(), LineFault> {
        if let Ok(rules) = line.parse() {
            if !first {
                return Err(LineFault::LateGame);
            }
            self.rules = Some(rules);
            return Ok(());
        }
        let start = named_start(line);
        if start.is_some() {
            if self.start.is_some() || !dots.is_empty() {
                return Err(LineFault::StartTwice);
            }
            self.start = start;
            return Ok(());
        }
        let unknown = || LineFault::Unknown { found: Snippet::of(line) };
        match Points::read(line).ok_or_else(unknown)? {
            Points::Dot(_) if !self.lines.is_empty() => return Err(LineFault::LateDot),
            Points::Dot(_) if self.start.is_some() => return Err(LineFault::StartTwice),
            Points::Dot(dot) => {
                within(dots.len(), limits::DOTS)?;
                dots.push((place(dot)?, number));
            }
            Points::Ends(one, other) => {
                within(self.lines.len(), limits::MOVES)?;
                self.lines.push((number, place(one)?, place(other)?));
            }
        }
        Ok(())
    }
}

/// A start given by its name.
fn named_start(line: &str) -> Option<TypedStart> {
    match line {
        "cross" => Some(TypedStart::UsualCross),
        NO_DOTS => Start::from_dots([]).ok().map(TypedStart::Dots),
        _ => parse_cross_of_side(line)?.ok().map(TypedStart::Dots),
    }
}

/// The start with these dots, each given once; the second of a pair is the one at fault.
fn start_of(mut dots: Vec<(Point, usize)>) -> Result<Start, ReadError> {
    dots.sort_unstable();
    if let Some(pair) = dots.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let (dot, line) = pair[1];
        return Err(ReadError::Line { line, fault: LineFault::Repeated(dot) });
    }
    let dots = dots.into_iter().map(|(dot, _)| dot);
    Start::from_dots(dots).map_err(|bad| ReadError::Start(bad.into()))
}

/// One point, or two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Points {
    Dot((i64, i64)),
    Ends((i64, i64), (i64, i64)),
}

impl Points {
    /// Reads a line. Between two points stand spaces, a `-`, or both; but a `-` after a space
    /// and right before a digit is the sign of a number. Word processors' dashes, arrows and `to`
    /// do as well.
    fn read(line: &str) -> Option<Self> {
        let line = line.replace(['–', '—', '−'], "-").replace("->", " ").replace('→', " ");
        let line = line.replace(" to ", " ");
        let mut scanner = Scanner::new(&line);
        let one = scanner.point()?;
        if scanner.is_over() {
            return Some(Self::Dot(one));
        }
        let spaced = scanner.skip_spaces();
        let before_digit = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
        let signed = spaced && scanner.rest().strip_prefix('-').is_some_and(before_digit);
        let dashed = !signed && scanner.eat('-');
        if !spaced && !dashed {
            return None;
        }
        scanner.skip_spaces();
        let other = scanner.point()?;
        scanner.is_over().then_some(Self::Ends(one, other))
    }
}

/// The point with these coordinates, if it is within the limit.
fn place((x, y): (i64, i64)) -> Result<Point, MoveFault> {
    let coordinate = |c: i64| i32::try_from(c).map_err(|_| MoveFault::TooFar);
    let point = Point::new(coordinate(x)?, coordinate(y)?);
    if point.within_limit() { Ok(point) } else { Err(MoveFault::TooFar) }
}

/// Refuses one more where there are already as many as there may be.
fn within(count: usize, limit: usize) -> Result<(), LineFault> {
    if count < limit { Ok(()) } else { Err(LineFault::TooMany { limit }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::{Direction, Line};

    fn game(name: &str) -> Game {
        Game::named(name).expect("a known game")
    }

    fn line(x: i32, y: i32, direction: Direction) -> Line {
        Line::new(Point::new(x, y), direction)
    }

    fn error(text: &str) -> String {
        read(text, None).expect_err(text).to_string()
    }

    #[test]
    fn a_paper_grid_is_a_drawing() {
        let text = "# my grid\r\n5T\r\n\r\n3,0 7,0\r\n(3, 4) - (3,0)  # down\r\n";
        let lines = vec![line(3, 0, Direction::East), line(3, 0, Direction::South)];
        let drawing = Record::from_lines(game("5T"), lines);
        assert_eq!(read(text, None), Ok(drawing.clone()));
        assert_eq!(read("5T / 3,0 7,0 / 3,0 3,4", None), Ok(drawing));
    }

    #[test]
    fn a_picture_is_a_start() {
        let dots = [(1, 0), (2, 0), (0, 1)].map(|(x, y)| Point::new(x, y));
        let own = Game { start: Start::from_dots(dots).expect("few dots"), ..game("4T") };
        let record = Record::from_moves(own, vec![]);
        assert_eq!(read("4T\n.##\n#..\n", None), Ok(record.clone()));
        assert_eq!(read("·●●\n●··\n", Some(&game("4T"))), Ok(record));
        let needs_game = Err(ReadError::NeedsGame { format: Format::Text });
        assert_eq!(read(".oo\no..\n", None), needs_game);
    }

    #[test]
    fn ends_are_joined_by_spaces_or_a_dash() {
        let cases = [
            (
                "1, 2 3, 4 | 1,2 to 3,4 | 1,2 -> 3,4 | 1,2->3,4 | 1,2 → 3,4 | \
                 1,2 – 3,4 | 1,2—3,4",
                (3, 4),
            ),
            ("1,2 −3,4", (-3, 4)),
            ("1,2 3,4 | 1,2-3,4 | 1,2 - 3,4 | 1,2- 3,4 | (1,2)-3,4 | (1,2) -(3,4)", (3, 4)),
            ("1,2 -3,4 | 1,2 - -3,4 | 1,2--3,4 | (1,2)--3,4 | (1,2)-(-3, 4)", (-3, 4)),
        ];
        for (texts, other) in cases {
            for text in texts.split(" | ") {
                assert_eq!(Points::read(text), Some(Points::Ends((1, 2), other)), "{text}");
            }
        }
        assert_eq!(Points::read("(1,2)"), Some(Points::Dot((1, 2))));
        let others = "1,2 3 | 1,2(3,4) | 1,2 - - 3,4 | 1,2 3,4 5,6 | 1;2 | x | 1,2 - | 1 2 3 4";
        for text in others.split(" | ") {
            assert_eq!(Points::read(text), None, "{text}");
        }
    }

    #[test]
    fn dots_are_the_start() {
        let start = Start::from_dots([Point::new(0, 0), Point::new(-1, 5)]).expect("few dots");
        let own = Game { rules: "4D".parse().expect("known"), start };
        let record = Record::from_moves(own.clone(), vec![]);
        assert_eq!(read("4D\n0,0\n(-1,5)\n", None), Ok(record.clone()));
        assert_eq!(read("0,0\n-1,5\n", Some(&game("4D"))), Ok(record.clone()));
        assert_eq!(read("0,0\n-1,5\n", Some(&own)), Ok(record.clone()));
        assert_eq!(record.to_text(), "4D\n(-1,5)\n(0,0)\n");
        let cross = Game { start: Start::cross(6).expect("in range"), ..game("5T") };
        let text = "5T\ncross:6\n0,5 4,5\n";
        let drawn = Record::from_lines(cross, vec![line(0, 5, Direction::East)]);
        assert_eq!(read(text, None), Ok(drawn));
        let none = Game { start: Start::from_dots([]).expect("no dots"), ..game("5T") };
        let record = Record::from_moves(none, vec![]);
        assert_eq!(read(&record.to_text(), None), Ok(record));
    }

    #[test]
    fn the_game_comes_from_the_text_or_from_the_caller() {
        let lines = "3,0 7,0\n";
        assert_eq!(read(lines, None), Err(ReadError::NeedsGame { format: Format::Text }));
        let drawing = Record::from_lines(game("5D"), vec![line(3, 0, Direction::East)]);
        assert_eq!(read(lines, Some(&game("5D"))), Ok(drawing.clone()));
        assert_eq!(read("5D\n3,0 7,0", Some(&game("5D"))), Ok(drawing));
        let other = ReadError::OtherGame { file: game("5D"), asked: game("5T") };
        assert_eq!(read("5D\n3,0 7,0", Some(&game("5T"))), Err(other));
        let asked = Game { start: Start::cross(6).expect("in range"), ..game("5D") };
        assert!(matches!(read("0,0\n", Some(&asked)), Err(ReadError::OtherGame { .. })));
        let drawn = read(lines, Some(&asked)).expect("the start is the caller's");
        assert_eq!(drawn.game, asked);
    }

    #[test]
    fn faults_say_in_which_line_they_are() {
        let cases = [
            ("5T\n3,0 6,0", "line 2: (3,0) and (6,0) are not the ends of a line of 5 dots"),
            ("5T\n0,0\n\n5T", "line 4: the game must stand in the first line"),
            ("5T\n0,0\n1,1\n0,0", "line 4: the dot (0,0) is given twice"),
            ("5T\n0,0\ncross", "line 3: the start is already given, by its name or by its dots"),
            ("5T\ncross\n0,0", "line 3: the start is already given, by its name or by its dots"),
            ("5T\n99999999,0", "line 2: beyond the coordinate limit of 1048576"),
            ("# only\n", "nothing in the file"),
        ];
        for (text, message) in cases {
            assert_eq!(error(text), message);
        }
        assert!(error("hello").starts_with("line 1: expected a game like 5T, a dot like 3,4 or"));
        assert!(error("5T\ncross:9999").contains("found `cross:9999`"));
    }
}
