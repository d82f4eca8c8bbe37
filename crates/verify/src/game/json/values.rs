//! The small values of a game file: dots, lines, and what is skipped.

use std::fmt;

use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess,
};
use serde::de::{Unexpected, Visitor};

use crate::game::file::{Toward, WrittenLine};
use crate::rules::{Direction, Point};

/// A dot, `[x, y]`.
pub(crate) struct Dot(pub(crate) Point);

impl<'de> Deserialize<'de> for Dot {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Dot, D::Error> {
        json.deserialize_seq(DotVisitor)
    }
}

struct DotVisitor;

impl<'de> Visitor<'de> for DotVisitor {
    type Value = Dot;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a dot [x, y]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Dot, A::Error> {
        let (Coordinate(x), Coordinate(y)) = exactly_two(list, &self)?;
        Ok(Dot(Point { x, y }))
    }
}

/// A line, `[first, direction]` or `[one end, other end]`.
#[derive(Clone, Copy)]
pub(crate) struct LineItem;

impl<'de> DeserializeSeed<'de> for LineItem {
    type Value = WrittenLine;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<WrittenLine, D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for LineItem {
    type Value = WrittenLine;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a line [[x, y], direction] or [[x, y], [x, y]]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<WrittenLine, A::Error> {
        let (Dot(from), to) = exactly_two(list, &self)?;
        Ok(WrittenLine { from, to })
    }
}

impl<'de> Deserialize<'de> for Toward {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Toward, D::Error> {
        json.deserialize_any(TowardVisitor)
    }
}

struct TowardVisitor;

impl<'de> Visitor<'de> for TowardVisitor {
    type Value = Toward;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a direction \"E\", \"S\", \"SE\" or \"NE\", or the other end [x, y]")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Toward, E> {
        let direction = Direction::parse(text);
        let unknown = || E::invalid_value(Unexpected::Str(text), &self);
        direction.map(Toward::Direction).ok_or_else(unknown)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Toward, A::Error> {
        DotVisitor.visit_seq(list).map(|Dot(end)| Toward::End(end))
    }
}

/// A coordinate: an integer, clamped to the nearest one that fits.
struct Coordinate(i32);

impl<'de> Deserialize<'de> for Coordinate {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Coordinate, D::Error> {
        json.deserialize_i64(CoordinateVisitor)
    }
}

struct CoordinateVisitor;

impl Visitor<'_> for CoordinateVisitor {
    type Value = Coordinate;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a coordinate, which is an integer")
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Coordinate, E> {
        let nearest = if number < 0 { i32::MIN } else { i32::MAX };
        Ok(Coordinate(i32::try_from(number).unwrap_or(nearest)))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Coordinate, E> {
        Ok(Coordinate(i32::try_from(number).unwrap_or(i32::MAX)))
    }
}

/// Provenance: an object with any content.
pub(crate) struct Provenance;

impl<'de> Deserialize<'de> for Provenance {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Provenance, D::Error> {
        json.deserialize_map(Provenance)
    }
}

impl<'de> Visitor<'de> for Provenance {
    type Value = Provenance;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "provenance, which is an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Provenance, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(self)
    }
}

/// The values of a list of two.
fn exactly_two<'de, A, T, U>(mut list: A, what: &dyn de::Expected) -> Result<(T, U), A::Error>
where
    A: SeqAccess<'de>,
    T: Deserialize<'de>,
    U: Deserialize<'de>,
{
    let wrong = |length| de::Error::invalid_length(length, what);
    let first = list.next_element()?.ok_or_else(|| wrong(0))?;
    let second = list.next_element()?.ok_or_else(|| wrong(1))?;
    match list.next_element::<IgnoredAny>()? {
        None => Ok((first, second)),
        Some(_) => Err(wrong(3)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dot(text: &str) -> Option<Point> {
        serde_json::from_str(text).ok().map(|Dot(dot)| dot)
    }

    #[test]
    fn a_dot_is_two_integers() {
        assert_eq!(dot("[ -3,\n7 ]"), Some(Point { x: -3, y: 7 }));
        let others = [
            "[1]",
            "[1,2,3]",
            "[]",
            "[1.0,2]",
            "[1e2,2]",
            "[\"1\",2]",
            "[null,2]",
            "[true,2]",
            "[[1],2]",
            "{}",
            "1",
            "\"1,2\"",
            "[1,2",
            "[01,2]",
            "[+1,2]",
            "[0x1,2]",
        ];
        for text in others {
            assert_eq!(dot(text), None, "{text}");
        }
    }

    #[test]
    fn a_huge_coordinate_stays_huge() {
        for huge in ["2147483648", "9223372036854775808", "18446744073709551615"] {
            assert_eq!(dot(&format!("[{huge},0]")), Some(Point { x: i32::MAX, y: 0 }));
        }
        for huge in ["-2147483649", "-9223372036854775808"] {
            assert_eq!(dot(&format!("[0,{huge}]")), Some(Point { x: 0, y: i32::MIN }));
        }
        assert_eq!(dot("[99999999999999999999999,0]"), None);
    }

    #[test]
    fn provenance_is_an_object_of_anything() {
        let read = |text| serde_json::from_str::<Provenance>(text).is_ok();
        assert!(read(r#"{"a": [1.5e300, null, {"b": "\u00e9"}], "a": 2}"#));
        assert!(!read("null") && !read("[]") && !read(r#"{"a": }"#));
    }
}
