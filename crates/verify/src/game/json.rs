//! JSON with its fields and lists, as the native formats use it.
//!
//! The text is read once, straight into small values, so that a hostile file costs no more memory
//! than a few times its own size. What is wrong inside a move is reported with the number of the
//! move. Numbers too large for a coordinate become the largest there are, so that the limit is
//! noticed when the move's turn comes.

mod values;

use std::cell::{Cell, RefCell};
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::file::WrittenMove;
use super::grid::sort_by_rows;
use crate::fault::{Fault, FormatFault};
use crate::read::{MAX_DOTS, MAX_MOVES, shortened};
use crate::refusal::{Place, Refusal};
use crate::rules::Rules;
use crate::start::Start;

pub(crate) use values::{Dot, LineItem, Provenance};

/// Reads a text, as [`read::open`](crate::read::open) gives it, from beginning to end.
pub(crate) fn read_with<'t, S: DeserializeSeed<'t>>(
    text: &'t str,
    notes: &Notes,
    seed: S,
) -> Result<S::Value, Refusal> {
    let mut json = serde_json::Deserializer::from_str(text);
    let file = seed.deserialize(&mut json);
    file.and_then(|file| json.end().map(|()| file)).map_err(|error| notes.refusal(&error))
}

/// What a [`serde`] error cannot carry: where the reader is, and one of our own faults.
#[derive(Debug)]
pub(crate) struct Notes {
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
    pub(crate) fn fail<E: de::Error>(&self, fault: impl Into<Fault>) -> E {
        self.fault.replace(Some(fault.into()));
        E::custom("refused")
    }

    /// The refusal for a reader that has stopped.
    fn refusal(&self, error: &serde_json::Error) -> Refusal {
        let fault = self.fault.take().unwrap_or_else(|| {
            let whole = error.to_string();
            let what = whole.rsplit_once(" at line ").map_or(&*whole, |(what, _)| what);
            let (line, column) = (error.line(), error.column());
            let message = format!("{} at line {line} column {column}", shortened(what));
            let fault = match error.is_data() {
                true => FormatFault::WrongShape { message },
                false => FormatFault::NotJson { message },
            };
            fault.into()
        });
        Refusal::new(self.place.get(), fault)
    }
}

/// The name of a field: one of those known, for the first time (`seen` has a bit for each).
pub(crate) struct Field<'a> {
    pub(crate) notes: &'a Notes,
    pub(crate) known: &'static [&'static str],
    pub(crate) seen: &'a mut u32,
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
            return Err(self.notes.fail(FormatFault::UnknownField { name: shortened(text) }));
        };
        let name = self.known[index];
        if *self.seen & 1 << index != 0 {
            return Err(self.notes.fail(FormatFault::DuplicateField { name }));
        }
        *self.seen |= 1 << index;
        Ok(name)
    }
}

/// Whether this is one of the known formats; `wanted` says which there are.
pub(crate) fn known_format<E: de::Error>(
    text: &str,
    known: &[&str],
    wanted: impl FnOnce() -> String,
    notes: &Notes,
) -> Result<(), E> {
    match known.contains(&text) {
        true => Ok(()),
        false => {
            let (text, wanted) = (shortened(text), wanted());
            Err(notes.fail(FormatFault::UnknownFormat { text, wanted }))
        }
    }
}

pub(crate) fn known_rules<E: de::Error>(text: &str, notes: &Notes) -> Result<Rules, E> {
    Rules::parse(text).ok_or_else(|| notes.fail(FormatFault::BadRules { text: shortened(text) }))
}

/// The start: the name of a cross, or dots.
pub(crate) struct StartField<'n>(pub(crate) &'n Notes);

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
        start.ok_or_else(|| self.0.fail(FormatFault::BadStart { text: shortened(text) }))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Start, A::Error> {
        let mut dots = Vec::new();
        while let Some(Dot(dot)) = list.next_element()? {
            if dots.len() == MAX_DOTS {
                return Err(self.0.fail(FormatFault::TooManyDots));
            }
            dots.push(dot);
            if !dot.within_limit() {
                return Err(self.0.fail(FormatFault::DotBeyondLimit { number: dots.len() }));
            }
        }
        sort_by_rows(&mut dots);
        Ok(Start::Dots(dots))
    }
}

/// The list of moves or of lines; notes where the reader is.
pub(crate) struct Moves<'n, S> {
    pub(crate) notes: &'n Notes,
    pub(crate) place: fn(u32) -> Place,
    pub(crate) item: S,
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
                return Err(self.notes.fail(FormatFault::TooManyMoves));
            }
            items.push(item);
        }
        self.notes.place.set(Place::File);
        Ok(items)
    }
}

/// One move: an object with its new dot and its line.
#[derive(Clone, Copy)]
pub(crate) struct MoveItem<'n>(pub(crate) &'n Notes);

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
        let missing = |name| notes.fail(FormatFault::MissingField { name });
        Ok(WrittenMove {
            new: new.ok_or_else(|| missing("new"))?,
            line: line.ok_or_else(|| missing("line"))?,
        })
    }
}
