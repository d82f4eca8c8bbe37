//! What the JSON formats have in common: objects, lists, dots and numbers, with their limits.
//!
//! Files are read as a stream into small types, never into a tree of values, so a hostile file
//! takes no more memory than an honest one. The nesting that can be reached at all is a few
//! levels, and what is skipped is skipped without recursion.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use geometry::{COORDINATE_LIMIT, Direction, Point};
use serde::de::value::MapAccessDeserializer;
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Unexpected,
    Visitor,
};

use crate::error::Snippet;
use crate::{Format, ReadError};

/// Reads a whole text as one JSON object.
pub(crate) fn read<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, ReadError> {
    serde_json::from_str::<Object<T>>(text).map(|object| object.0).map_err(|error| {
        let message = error.to_string();
        let end = message.rfind(" at line ").unwrap_or(message.len());
        let problem = Snippet::of_message(&message[..end]);
        ReadError::Json { line: error.line(), column: error.column(), problem }
    })
}

/// Which of the JSON formats an object is in, by its keys; of a damaged object, by the keys before
/// the damage.
pub(crate) fn kind(text: &str) -> Format {
    let mut keys = Keys::default();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    // An error shows up again, with its place, when the file is read.
    let _ = keys.deserialize(&mut deserializer);
    if keys.format {
        Format::Native
    } else if keys.version {
        Format::Msr
    } else if keys.game && keys.moves {
        Format::Exchange
    } else {
        Format::Native
    }
}

/// An object, and nothing else: derived readers on their own also take a list of the fields.
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object {...}")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map))
            }
        }

        deserializer.deserialize_map(Fields(PhantomData)).map(Self)
    }
}

/// What a [`List`] holds: how one of it is called in messages, and how many there may be.
pub(crate) trait Item {
    const NAME: &'static str;
    const LIMIT: usize;
}

/// A list that says which of its items is wrong, and that ends at its limit.
pub(crate) struct List<T>(pub(crate) Vec<T>);

impl<'de, T: Item + Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Items(PhantomData)).map(Self)
    }
}

/// Reads the items of a [`List`].
pub(crate) struct Items<T>(pub(crate) PhantomData<T>);

impl<'de, T: Item + Deserialize<'de>> Visitor<'de> for Items<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list [{}, ...]", T::NAME)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
        let mut items = Vec::new();
        loop {
            let number = items.len() + 1;
            let next = seq.next_element::<T>().map_err(|error| {
                de::Error::custom(format_args!("{} {number}: {error}", T::NAME))
            })?;
            let Some(item) = next else {
                return Ok(items);
            };
            if items.len() == T::LIMIT {
                let (limit, name) = (T::LIMIT, T::NAME);
                return Err(de::Error::custom(format_args!("more than {limit} {name}s")));
            }
            items.push(item);
        }
    }
}

/// Takes a field that may be missing but, if it is there, may not be `null`.
pub(crate) fn given<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// A coordinate within the limit.
#[derive(Clone, Copy)]
pub(crate) struct Coordinate(pub(crate) i32);

impl<'de> Deserialize<'de> for Coordinate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Within;

        impl Visitor<'_> for Within {
            type Value = Coordinate;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "an integer from -{COORDINATE_LIMIT} to {COORDINATE_LIMIT}")
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Coordinate, E> {
                let fits = number.unsigned_abs() <= COORDINATE_LIMIT.unsigned_abs().into();
                match i32::try_from(number) {
                    Ok(coordinate) if fits => Ok(Coordinate(coordinate)),
                    _ => Err(E::invalid_value(Unexpected::Signed(number), &self)),
                }
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Coordinate, E> {
                match i64::try_from(number) {
                    Ok(number) => self.visit_i64(number),
                    Err(_) => Err(E::invalid_value(Unexpected::Unsigned(number), &self)),
                }
            }
        }

        deserializer.deserialize_i64(Within)
    }
}

/// How many of something.
#[derive(Clone, Copy)]
pub(crate) struct Count(pub(crate) u64);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Whole;

        impl Visitor<'_> for Whole {
            type Value = Count;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an integer of at least 0")
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Count, E> {
                Ok(Count(number))
            }
        }

        deserializer.deserialize_u64(Whole)
    }
}

/// A dot `[x, y]`.
#[derive(Clone, Copy)]
pub(crate) struct Dot(pub(crate) Point);

impl Item for Dot {
    const NAME: &'static str = "dot";
    const LIMIT: usize = crate::limits::DOTS;
}

impl<'de> Deserialize<'de> for Dot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Pair).map(Self)
    }
}

/// Reads the two numbers of a [`Dot`].
pub(crate) struct Pair;

impl<'de> Visitor<'de> for Pair {
    type Value = Point;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a dot [x, y]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Point, A::Error> {
        let mut next = |length| {
            let missing = || de::Error::invalid_length(length, &self);
            seq.next_element::<Coordinate>()?.ok_or_else(missing)
        };
        let (x, y) = (next(0)?.0, next(1)?.0);
        nothing_more(&mut seq, 2, &self)?;
        Ok(Point::new(x, y))
    }
}

/// Refuses a list that goes on after the `length` items it should have.
pub(crate) fn nothing_more<'de, A: SeqAccess<'de>>(
    seq: &mut A,
    length: usize,
    expected: &dyn de::Expected,
) -> Result<(), A::Error> {
    match seq.next_element::<IgnoredAny>()? {
        None => Ok(()),
        Some(_) => Err(de::Error::invalid_length(length + 1, expected)),
    }
}

/// A direction by the name that MSR and exchange files give it: `H`, `V`, `DN` or `DP`.
#[derive(Clone, Copy)]
pub(crate) struct Way(pub(crate) Direction);

impl Way {
    const NAMES: &'static [&'static str] = &["H", "V", "DN", "DP"];

    /// The name of `direction`.
    pub(crate) fn name(direction: Direction) -> &'static str {
        match direction {
            Direction::East => "H",
            Direction::South => "V",
            Direction::SouthEast => "DN",
            Direction::NorthEast => "DP",
        }
    }
}

impl<'de> Deserialize<'de> for Way {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Word::deserialize(deserializer)?.0;
        Direction::ALL
            .into_iter()
            .find(|&direction| Self::name(direction) == name)
            .map(Self)
            .ok_or_else(|| de::Error::unknown_variant(&name, Self::NAMES))
    }
}

/// A string, borrowed from the file when it holds no escapes.
pub(crate) struct Word<'a>(pub(crate) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Word<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Letters;

        impl<'de> Visitor<'de> for Letters {
            type Value = Cow<'de, str>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Cow<'de, str>, E> {
                Ok(Cow::Borrowed(text))
            }

            fn visit_str<E>(self, text: &str) -> Result<Cow<'de, str>, E> {
                Ok(Cow::Owned(text.to_owned()))
            }
        }

        deserializer.deserialize_str(Letters).map(Self)
    }
}

/// The keys that identify the JSON formats, as far as they were found.
#[derive(Default)]
struct Keys {
    format: bool,
    version: bool,
    game: bool,
    moves: bool,
}

impl<'de> DeserializeSeed<'de> for &mut Keys {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut Keys {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object {...}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(Word(key)) = map.next_key()? {
            match &*key {
                "format" => self.format = true,
                "version" => self.version = true,
                "game" => self.game = true,
                "moves" => self.moves = true,
                _ => {}
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem<'de, T: Deserialize<'de>>(text: &'de str) -> String {
        match serde_json::from_str::<T>(text) {
            Ok(_) => "none".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_dot_is_two_whole_numbers_within_the_limit() {
        assert_eq!(problem::<Dot>("[-1048576, 1048576]"), "none");
        for text in [
            "[1048577, 0]",
            "[0, -1048577]",
            "[99999999999999999999, 0]",
            "[18446744073709551615, 0]",
            "[1.0, 0]",
            "[1e3, 0]",
            "[\"1\", 0]",
            "[1]",
            "[]",
            "[1, 2, 3]",
            "null",
            "{}",
            "[NaN, 0]",
            "[1, 2",
        ] {
            assert_ne!(problem::<Dot>(text), "none", "{text}");
        }
        assert!(problem::<Dot>("[7000000, 0]").contains("from -1048576 to 1048576"));
    }

    #[test]
    fn a_list_says_which_item_is_wrong_and_where() {
        let found = problem::<List<Dot>>("[[1, 2],\n[1, \"x\"]]");
        assert!(
            found.starts_with("dot 2: invalid type: string \"x\", expected an integer"),
            "{found}"
        );
        assert!(found.ends_with(" at line 2 column 7"), "{found}");
    }

    #[test]
    fn a_list_ends_at_its_limit() {
        struct Three;
        impl Item for Three {
            const NAME: &'static str = "number";
            const LIMIT: usize = 3;
        }
        impl<'de> Deserialize<'de> for Three {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Count::deserialize(deserializer).map(|_| Self)
            }
        }
        assert_eq!(problem::<List<Three>>("[1, 2, 3]"), "none");
        assert!(problem::<List<Three>>("[1, 2, 3, 4]").contains("more than 3 numbers"));
    }

    #[test]
    fn an_object_is_not_a_list_of_its_fields() {
        #[derive(serde::Deserialize)]
        struct One {
            #[serde(rename = "a")]
            _a: Count,
        }
        assert_eq!(problem::<Object<One>>(r#"{"a": 1}"#), "none");
        assert_eq!(problem::<One>("[1]"), "none");
        assert_ne!(problem::<Object<One>>("[1]"), "none");
    }
}
