//! What a game file says, before its moves are known to be legal.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};

use super::json::{
    Field, LineItem, MoveItem, Moves, Notes, Provenance, StartField, known_format, known_rules,
    read_with,
};
use crate::fault::{FormatFault, GameFault};
use crate::read;
use crate::refusal::{Place, Refusal};
use crate::rules::{Direction, Line, Move, Point, Rules};
use crate::start::Start;

/// The format of games.
const FORMAT: &str = "morpion-game/1";

/// The content of a game file. Its moves may still mean anything.
#[derive(Debug)]
pub(crate) struct GameFile {
    pub(crate) rules: Rules,
    pub(crate) start: Start,
    pub(crate) content: Content,
    pub(crate) claims: Claims,
}

/// A game or a drawing.
#[derive(Debug)]
pub(crate) enum Content {
    Moves(Vec<WrittenMove>),
    Lines(Vec<WrittenLine>),
}

/// The optional claims of a file about its game.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    pub(crate) score: Option<u64>,
    pub(crate) terminal: Option<bool>,
}

/// A move as it is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WrittenMove {
    pub(crate) new: Point,
    pub(crate) line: WrittenLine,
}

impl WrittenMove {
    /// The move that is meant.
    pub(crate) fn resolve(self, rules: Rules) -> Result<Move, GameFault> {
        let line = self.line.resolve(rules)?;
        if !self.new.within_limit() {
            return Err(GameFault::BeyondLimit);
        }
        Ok(Move { new: self.new, line })
    }
}

/// A line as it is written: from a dot, in a direction or to another dot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WrittenLine {
    pub(crate) from: Point,
    pub(crate) to: Toward,
}

/// How a written line continues from its first dot.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Toward {
    Direction(Direction),
    End(Point),
}

impl WrittenLine {
    /// The line that is meant, all within the limit.
    pub(crate) fn resolve(self, rules: Rules) -> Result<Line, GameFault> {
        if !self.from.within_limit() {
            return Err(GameFault::BeyondLimit);
        }
        let line = match self.to {
            Toward::Direction(direction) => Line { first: self.from, direction },
            Toward::End(end) if !end.within_limit() => return Err(GameFault::BeyondLimit),
            Toward::End(end) => {
                rules.line_between(self.from, end).ok_or(GameFault::WrongLength {
                    one: self.from,
                    other: end,
                    length: rules.length(),
                })?
            }
        };
        if rules.dots(line).any(|dot| !dot.within_limit()) {
            return Err(GameFault::BeyondLimit);
        }
        Ok(line)
    }
}

/// Reads the text of a game file.
pub(crate) fn parse(text: &str) -> Result<GameFile, Refusal> {
    let notes = Notes::default();
    read_with(read::open(text)?, &notes, WholeFile(&notes))
}

struct WholeFile<'n>(&'n Notes);

impl<'de> DeserializeSeed<'de> for WholeFile<'_> {
    type Value = GameFile;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<GameFile, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for WholeFile<'_> {
    type Value = GameFile;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a game file, which is an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<GameFile, A::Error> {
        let notes = self.0;
        let known =
            &["format", "rules", "start", "moves", "lines", "score", "terminal", "provenance"];
        let (mut format, mut rules, mut start, mut content) = (None, None, None, None);
        let mut claims = Claims::default();
        let mut seen = 0;
        while let Some(name) = map.next_key_seed(Field { notes, known, seen: &mut seen })? {
            match name {
                "format" => {
                    let text = map.next_value::<String>()?;
                    let wanted = || format!("a game is {FORMAT:?}");
                    format = Some(known_format(&text, &[FORMAT], wanted, notes)?);
                }
                "rules" => rules = Some(known_rules(&map.next_value::<String>()?, notes)?),
                "start" => start = Some(map.next_value_seed(StartField(notes))?),
                "moves" | "lines" if content.is_some() => {
                    return Err(notes.fail(FormatFault::MovesAndLines));
                }
                "moves" => {
                    let list = Moves { notes, place: Place::Move, item: MoveItem(notes) };
                    content = Some(Content::Moves(map.next_value_seed(list)?));
                }
                "lines" => {
                    let list = Moves { notes, place: Place::Line, item: LineItem };
                    content = Some(Content::Lines(map.next_value_seed(list)?));
                }
                "score" => claims.score = Some(map.next_value()?),
                "terminal" => claims.terminal = Some(map.next_value()?),
                _ => map.next_value::<Provenance>().map(|_| ())?,
            }
        }
        let missing = |name| notes.fail(FormatFault::MissingField { name });
        let () = format.ok_or_else(|| missing("format"))?;
        Ok(GameFile {
            rules: rules.ok_or_else(|| missing("rules"))?,
            start: start.ok_or_else(|| missing("start"))?,
            content: content.ok_or_else(|| notes.fail(FormatFault::NoMovesNorLines))?,
            claims,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::LIMIT;

    fn resolve(x: i32, to: Toward) -> Result<Line, GameFault> {
        let rules = Rules::parse("5T").expect("known rules");
        WrittenLine { from: Point { x, y: 0 }, to }.resolve(rules)
    }

    #[test]
    fn a_line_may_reach_the_limit_but_not_beyond() {
        let east = Toward::Direction(Direction::East);
        assert!(resolve(LIMIT - 4, east).is_ok());
        assert_eq!(resolve(LIMIT - 3, east), Err(GameFault::BeyondLimit));
        let end = |x| Toward::End(Point { x, y: 0 });
        assert!(resolve(4 - LIMIT, end(-LIMIT)).is_ok());
        assert_eq!(resolve(3 - LIMIT, end(-LIMIT - 1)), Err(GameFault::BeyondLimit));
        assert_eq!(resolve(i32::MIN, end(i32::MAX)), Err(GameFault::BeyondLimit));
    }

    #[test]
    fn a_line_in_the_file_takes_few_bytes() {
        assert!(size_of::<WrittenMove>() <= 28);
    }

    /// A file with these fields after the three that every file has.
    fn file(rest: &str) -> String {
        format!(r#"{{"format":"morpion-game/1","rules":"5T","start":"cross",{rest}}}"#)
    }

    fn refused(text: &str) -> (Option<u32>, String) {
        let refusal = parse(text).expect_err("a broken file");
        (refusal.number(), refusal.fault.to_string())
    }

    #[test]
    fn the_fields_may_come_in_any_order() {
        let text = r#"{"moves":[],"score":0,"provenance":{},"start":[],
            "rules":"5T","format":"morpion-game/1"}"#;
        assert!(parse(text).is_ok());
    }

    #[test]
    fn a_name_may_be_written_with_escapes() {
        assert!(parse(&file(r#""mov\u0065s":[]"#)).is_ok());
    }

    #[test]
    fn a_field_in_two_spellings_is_still_given_twice() {
        let (number, message) = refused(&file(r#""moves":[],"mov\u0065s":[]"#));
        assert_eq!((number, &*message), (None, r#"the field "moves" is given twice"#));
    }

    #[test]
    fn a_broken_move_is_named() {
        let text = file(r#""moves":[{"new":[0,0],"line":[[0,0],"E"]},{"new":[0,0]}]"#);
        assert_eq!(refused(&text), (Some(2), r#"the field "line" is missing"#.to_owned()));
        let text = file(r#""moves":[{"new":[0,0],"line":[[0,0],"E"]},{"new":[0,0"#);
        assert_eq!(refused(&text).0, Some(2));
        let text = file(r#""lines":[[[0,0],"E"],[[0,0],"E"],[[0,0]]]"#);
        assert_eq!(refused(&text).0, Some(3));
    }

    #[test]
    fn after_the_moves_a_fault_is_not_in_a_move() {
        assert_eq!(refused(&file(r#""moves":[],"more":0"#)).0, None);
    }

    #[test]
    fn nothing_may_follow_the_file() {
        assert_eq!(refused(&(file(r#""moves":[]"#) + "{}")).0, None);
    }

    #[test]
    fn long_texts_are_shortened_in_messages() {
        let long = "x".repeat(100_000);
        for text in [file(&format!(r#""{long}":0"#)), file(&format!(r#""moves":"{long}""#))] {
            assert!(refused(&text).1.len() < 400);
        }
    }

    #[test]
    fn deep_nesting_is_skipped_or_refused() {
        let (open, close) = ("[".repeat(300_000), "]".repeat(300_000));
        let nested = format!("{open}{close}");
        assert!(parse(&file(&format!(r#""moves":[],"provenance":{{"a":{nested}}}"#))).is_ok());
        assert!(parse(&open).is_err());
        for field in ["moves", "lines", "score", "more"] {
            assert!(parse(&file(&format!(r#""{field}":{nested}"#))).is_err());
        }
    }
}
