//! The shape of a game file: JSON, its fields, its lists.
//!
//! The text is read once, straight into small values, so that a hostile file costs no more memory
//! than its own size a few times over. What is wrong inside a move is reported with the number of
//! the move. Numbers too large for a coordinate are kept as the largest there are, for the limit
//! to be noticed when the move's turn comes.

use std::cell::{Cell, RefCell};
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use self::values::{Dot, LineItem, Provenance};
use crate::grid::sort_by_rows;
use crate::read::{Claims, Content, GameFile, MAX_BYTES, MAX_DOTS, MAX_MOVES, WrittenMove};
use crate::refusal::{Fault, Place, Refusal};
use crate::rules::Rules;
use crate::start::Start;

pub(crate) mod endless;
mod values;

/// The format of games.
const GAME: &str = "morpion-game/1";

/// The format of endless play.
pub(crate) const ENDLESS: &str = "morpion-endless/1";

/// Reads the text of a game file.
pub(crate) fn parse(text: &str) -> Result<GameFile, Refusal> {
    let notes = Notes::default();
    read_with(text, &notes, WholeFile(&notes))
}

/// Reads a text from beginning to end.
fn read_with<'t, S: DeserializeSeed<'t>>(
    text: &'t str,
    notes: &Notes,
    seed: S,
) -> Result<S::Value, Refusal> {
    if text.len() > MAX_BYTES {
        return Err(Fault::TooLarge.into());
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut json = serde_json::Deserializer::from_str(text);
    let file = seed.deserialize(&mut json);
    file.and_then(|file| json.end().map(|()| file)).map_err(|error| notes.refusal(&error))
}

/// What a [`serde`] error cannot carry: where the reader is, and a fault of our own.
#[derive(Debug)]
struct Notes {
    place: Cell<Place>,
    fault: RefCell<Option<Fault>>,
}

impl Default for Notes {
    fn default() -> Notes {
        Notes { place: Cell::new(Place::File), fault: RefCell::new(None) }
    }
}

impl Notes {
    /// Notes a fault; the error stops the reader.
    fn fail<E: de::Error>(&self, fault: Fault) -> E {
        self.fault.replace(Some(fault));
        E::custom("refused")
    }

    /// The refusal for a reader that has stopped.
    fn refusal(&self, error: &serde_json::Error) -> Refusal {
        let fault = self.fault.take().unwrap_or_else(|| {
            let whole = error.to_string();
            let what = whole.rsplit_once(" at line ").map_or(&*whole, |(what, _)| what);
            let (line, column) = (error.line(), error.column());
            let message = format!("{} at line {line} column {column}", shortened(what));
            match error.is_data() {
                true => Fault::WrongShape { message },
                false => Fault::NotJson { message },
            }
        });
        Refusal::new(self.place.get(), fault)
    }
}

/// The text, or as much of it as fits in a message.
fn shortened(text: &str) -> String {
    const MOST: usize = 160;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// The name of a field: one of those known, for the first time (`seen` has a bit for each).
struct Field<'a> {
    notes: &'a Notes,
    known: &'static [&'static str],
    seen: &'a mut u32,
}

impl<'de> DeserializeSeed<'de> for Field<'_> {
    type Value = &'static str;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<&'static str, D::Error> {
        json.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Field<'_> {
    type Value = &'static str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of a field")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<&'static str, E> {
        let Some(index) = self.known.iter().position(|&known| known == text) else {
            return Err(self.notes.fail(Fault::UnknownField { name: shortened(text) }));
        };
        let name = self.known[index];
        if *self.seen & 1 << index != 0 {
            return Err(self.notes.fail(Fault::DuplicateField { name }));
        }
        *self.seen |= 1 << index;
        Ok(name)
    }
}

/// The whole file.
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
                    format = Some(known_format(&text, GAME, notes)?);
                }
                "rules" => rules = Some(known_rules(&map.next_value::<String>()?, notes)?),
                "start" => start = Some(map.next_value_seed(StartField(notes))?),
                "moves" | "lines" if content.is_some() => {
                    return Err(notes.fail(Fault::MovesAndLines));
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
        let missing = |name| notes.fail(Fault::MissingField { name });
        let () = format.ok_or_else(|| missing("format"))?;
        Ok(GameFile {
            rules: rules.ok_or_else(|| missing("rules"))?,
            start: start.ok_or_else(|| missing("start"))?,
            content: content.ok_or_else(|| notes.fail(Fault::NoMovesNorLines))?,
            claims,
        })
    }
}

fn known_format<E: de::Error>(text: &str, known: &str, notes: &Notes) -> Result<(), E> {
    let wanted = match known {
        GAME => "a game is \"morpion-game/1\"",
        _ => {
            "a proof is \"morpion-endless/1\", \"morpion-bound/1\", \"morpion-cover/1\" or \"morpion-caps/1\""
        }
    };
    match text == known {
        true => Ok(()),
        false => Err(notes.fail(Fault::UnknownFormat { text: shortened(text), wanted })),
    }
}

fn known_rules<E: de::Error>(text: &str, notes: &Notes) -> Result<Rules, E> {
    Rules::parse(text).ok_or_else(|| notes.fail(Fault::BadRules { text: shortened(text) }))
}

/// The start: the name of a cross, or dots.
struct StartField<'n>(&'n Notes);

impl<'de> DeserializeSeed<'de> for StartField<'_> {
    type Value = Start;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Start, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for StartField<'_> {
    type Value = Start;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a start: \"cross\", \"cross:N\" or a list of dots")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Start, E> {
        let start = Start::parse(text);
        start.ok_or_else(|| self.0.fail(Fault::BadStart { text: shortened(text) }))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Start, A::Error> {
        let mut dots = Vec::new();
        while let Some(Dot(dot)) = list.next_element()? {
            if dots.len() == MAX_DOTS {
                return Err(self.0.fail(Fault::TooManyDots));
            }
            dots.push(dot);
            if !dot.within_limit() {
                return Err(self.0.fail(Fault::DotBeyondLimit { number: dots.len() }));
            }
        }
        sort_by_rows(&mut dots);
        Ok(Start::Dots(dots))
    }
}

/// The list of moves or of lines, keeping note of where the reader is.
struct Moves<'n, S> {
    notes: &'n Notes,
    place: fn(u32) -> Place,
    item: S,
}

impl<'de, S: DeserializeSeed<'de> + Copy> DeserializeSeed<'de> for Moves<'_, S> {
    type Value = Vec<S::Value>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Vec<S::Value>, D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'de, S: DeserializeSeed<'de> + Copy> Visitor<'de> for Moves<'_, S> {
    type Value = Vec<S::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of moves or lines")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<S::Value>, A::Error> {
        let mut items = Vec::new();
        for number in 1.. {
            self.notes.place.set((self.place)(number));
            let Some(item) = list.next_element_seed(self.item)? else { break };
            if items.len() == MAX_MOVES {
                self.notes.place.set(Place::File);
                return Err(self.notes.fail(Fault::TooManyMoves));
            }
            items.push(item);
        }
        self.notes.place.set(Place::File);
        Ok(items)
    }
}

/// One move: an object with its new dot and its line.
#[derive(Clone, Copy)]
struct MoveItem<'n>(&'n Notes);

impl<'de> DeserializeSeed<'de> for MoveItem<'_> {
    type Value = WrittenMove;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<WrittenMove, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for MoveItem<'_> {
    type Value = WrittenMove;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a move, which is an object with \"new\" and \"line\"")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<WrittenMove, A::Error> {
        let notes = self.0;
        let (mut new, mut line) = (None, None);
        let mut seen = 0;
        let known = &["new", "line"];
        while let Some(name) = map.next_key_seed(Field { notes, known, seen: &mut seen })? {
            match name {
                "new" => new = Some(map.next_value::<Dot>()?.0),
                _ => line = Some(map.next_value_seed(LineItem)?),
            }
        }
        let missing = |name| notes.fail(Fault::MissingField { name });
        Ok(WrittenMove {
            new: new.ok_or_else(|| missing("new"))?,
            line: line.ok_or_else(|| missing("line"))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_field_with_two_spellings_is_still_there_twice() {
        let (number, message) = refused(&file(r#""moves":[],"mov\u0065s":[]"#));
        assert_eq!((number, &*message), (None, r#"the field "moves" is there twice"#));
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
    fn after_the_moves_a_fault_is_in_no_move() {
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
    fn deep_nesting_is_passed_over_or_refused() {
        let (open, close) = ("[".repeat(300_000), "]".repeat(300_000));
        let nested = format!("{open}{close}");
        assert!(parse(&file(&format!(r#""moves":[],"provenance":{{"a":{nested}}}"#))).is_ok());
        assert!(parse(&open).is_err());
        for field in ["moves", "lines", "score", "more"] {
            assert!(parse(&file(&format!(r#""{field}":{nested}"#))).is_err());
        }
    }
}
