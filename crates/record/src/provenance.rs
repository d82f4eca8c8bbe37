//! Who or what found a game, and how.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::{Map, Number, Value};

use crate::limits;

/// Who or what found a game, and how. Every field may be missing.
///
/// A file may say anything here: what is not of the usual type under a usual name is kept under
/// that name in `other`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Provenance {
    /// The program and its version.
    pub program: Option<String>,
    /// The search method.
    pub method: Option<String>,
    /// The method's parameters.
    pub parameters: BTreeMap<String, String>,
    /// The seed that every random choice came from.
    pub seed: Option<u64>,
    /// How many threads searched.
    pub threads: Option<u32>,
    /// How many games were played to find this one.
    pub playouts: Option<u64>,
    /// The CPU time of the search.
    pub cpu_seconds: Option<f64>,
    /// The player.
    pub author: Option<String>,
    /// Anything else the file says; kept as it is.
    pub other: Map<String, Value>,
}

impl Provenance {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.fields().is_empty()
    }

    /// The fields that are known, in the order in which they are written: each name once, the
    /// usual ones first. A number of seconds that is no number is unknown.
    pub(crate) fn fields(&self) -> Vec<(&str, Value)> {
        let parameters = || {
            let all =
                self.parameters.iter().map(|(name, value)| (name.clone(), value.as_str().into()));
            (!self.parameters.is_empty()).then(|| Value::Object(all.collect()))
        };
        let seconds = self.cpu_seconds.and_then(Number::from_f64);
        let usual = [
            ("program", self.program.as_deref().map(Value::from)),
            ("method", self.method.as_deref().map(Value::from)),
            ("parameters", parameters()),
            ("seed", self.seed.map(Value::from)),
            ("threads", self.threads.map(Value::from)),
            ("playouts", self.playouts.map(Value::from)),
            ("cpu_seconds", seconds.map(Value::Number)),
            ("author", self.author.as_deref().map(Value::from)),
        ];
        let mut fields: Vec<(&str, Value)> =
            usual.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        let known = fields.len();
        for (name, value) in &self.other {
            if fields[..known].iter().all(|(taken, _)| taken != name) {
                fields.push((name, value.clone()));
            }
        }
        fields
    }
}

impl From<Map<String, Value>> for Provenance {
    fn from(mut map: Map<String, Value>) -> Self {
        let map = &mut map;
        Self {
            program: take(map, "program", |value| value.as_str().map(str::to_owned)),
            method: take(map, "method", |value| value.as_str().map(str::to_owned)),
            parameters: take(map, "parameters", as_strings).unwrap_or_default(),
            seed: take(map, "seed", Value::as_u64),
            threads: take(map, "threads", |value| u32::try_from(value.as_u64()?).ok()),
            playouts: take(map, "playouts", Value::as_u64),
            cpu_seconds: take(map, "cpu_seconds", Value::as_f64),
            author: take(map, "author", |value| value.as_str().map(str::to_owned)),
            other: std::mem::take(map),
        }
    }
}

/// Takes a field out of the map, if it is there and of the right type.
fn take<T>(
    map: &mut Map<String, Value>,
    name: &str,
    read: impl FnOnce(&Value) -> Option<T>,
) -> Option<T> {
    let found = read(map.get(name)?)?;
    map.remove(name);
    Some(found)
}

/// An object whose values are all strings.
fn as_strings(value: &Value) -> Option<BTreeMap<String, String>> {
    let strings =
        |(name, value): (&String, &Value)| Some((name.clone(), value.as_str()?.to_owned()));
    value.as_object()?.iter().map(strings).collect()
}

impl Serialize for Provenance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.fields())
    }
}

impl<'de> Deserialize<'de> for Provenance {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = Map<String, Value>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object {...}")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                read_map(map, &mut { limits::PROVENANCE_VALUES })
            }
        }

        deserializer.deserialize_map(Fields).map(Self::from)
    }
}

/// Reads any value: no key of an object twice, and no more than `left` values in all.
struct Anything<'a> {
    left: &'a mut usize,
}

/// The fields of an object, each once.
fn read_map<'de, A: MapAccess<'de>>(
    mut map: A,
    left: &mut usize,
) -> Result<Map<String, Value>, A::Error> {
    let mut fields = Map::new();
    while let Some(name) = map.next_key::<String>()? {
        let value = map.next_value_seed(Anything { left })?;
        if fields.insert(name, value).is_some() {
            return Err(de::Error::custom("a field of the provenance is given twice"));
        }
    }
    Ok(fields)
}

impl<'de> DeserializeSeed<'de> for Anything<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let Some(left) = self.left.checked_sub(1) else {
            let limit = limits::PROVENANCE_VALUES;
            let message = format_args!("more than {limit} values in the provenance");
            return Err(de::Error::custom(message));
        };
        *self.left = left;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Anything<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = seq.next_element_seed(Anything { left: &mut *self.left })? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Value, A::Error> {
        read_map(map, self.left).map(Value::Object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Provenance, serde_json::Error> {
        serde_json::from_str(text)
    }

    #[test]
    fn usual_fields_have_types_and_others_are_kept() {
        let text =
            r#"{"seed": 7, "threads": 2, "colour": ["red", null], "parameters": {"n": "3"}}"#;
        let provenance = read(text).expect("readable");
        assert_eq!(provenance.seed, Some(7));
        assert_eq!(provenance.parameters["n"], "3");
        assert_eq!(provenance.other["colour"][0], "red");
        assert_eq!(provenance.other.len(), 1);
    }

    #[test]
    fn a_usual_field_of_another_type_is_kept_as_it_is() {
        let text =
            r#"{"author":"me","seed":"seven","threads":-2,"parameters":{"n":3},"program":null}"#;
        let provenance = read(text).expect("readable");
        assert_eq!(provenance.seed, None);
        assert_eq!(provenance.other["seed"], "seven");
        let written = serde_json::to_string(&provenance).expect("a map of values");
        assert_eq!(read(&written).expect("readable"), provenance);
        assert_eq!(provenance.other.len(), 4);
    }

    #[test]
    fn every_name_is_written_once() {
        let mut provenance = Provenance { seed: Some(1), ..Provenance::default() };
        provenance.other.insert("seed".to_owned(), 2.into());
        assert_eq!(serde_json::to_string(&provenance).expect("a map of values"), r#"{"seed":1}"#);
        provenance.cpu_seconds = Some(f64::NAN);
        assert!(!serde_json::to_string(&provenance).expect("a map of values").contains("cpu"));
    }

    #[test]
    fn repeated_names_and_floods_are_refused() {
        assert!(read(r#"{"a": 1, "a": 1}"#).is_err());
        assert!(read(r#"{"a": [{"b": 1, "b": 1}]}"#).is_err());
        let flood = format!(r#"{{"a": [{}0]}}"#, "0,".repeat(limits::PROVENANCE_VALUES));
        let refused = read(&flood).expect_err("too many values").to_string();
        assert!(refused.contains("more than 65536 values"), "{refused}");
        let deep = format!(r#"{{"a": {}"#, "[".repeat(100_000));
        assert!(read(&deep).is_err());
        assert!(read("[]").is_err());
    }
}
