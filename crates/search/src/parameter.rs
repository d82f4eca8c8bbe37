//! Parameters of methods: names, ranges, defaults, and the values given.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use geometry::Game;

/// A parameter of a method.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its name, as in `-p level=3`.
    pub name: &'static str,
    /// What it does, in a few words.
    pub meaning: &'static str,
    /// The values it takes.
    pub range: ParameterRange,
    /// Its value when none is given.
    pub default: DefaultValue,
}

impl Parameter {
    /// A parameter that takes the integers of a range.
    #[must_use]
    pub const fn integer(
        name: &'static str,
        range: RangeInclusive<u64>,
        default: DefaultValue,
    ) -> Self {
        let range = ParameterRange::Integer { min: *range.start(), max: *range.end() };
        Self { name, meaning: "", range, default }
    }

    /// A parameter that takes the real numbers of a range.
    #[must_use]
    pub const fn real(
        name: &'static str,
        range: RangeInclusive<f64>,
        default: DefaultValue,
    ) -> Self {
        let range = ParameterRange::Real { min: *range.start(), max: *range.end() };
        Self { name, meaning: "", range, default }
    }

    /// The same with what it does, in a few words.
    #[must_use]
    pub const fn meaning(self, meaning: &'static str) -> Self {
        Self { meaning, ..self }
    }
}

/// The values a parameter takes, bounds included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParameterRange {
    /// An integer.
    Integer {
        /// The least.
        min: u64,
        /// The largest.
        max: u64,
    },
    /// A real number.
    Real {
        /// The least.
        min: f64,
        /// The largest.
        max: f64,
    },
}

/// The value of a parameter when none is given.
#[derive(Debug, Clone, Copy)]
pub enum DefaultValue {
    /// The same for every game.
    Always(f64),
    /// One for touching and one for disjoint games.
    Touching(f64, f64),
    /// Depending on the game.
    ByGame(fn(&Game) -> f64),
}

impl DefaultValue {
    /// The value for a game.
    pub fn for_game(self, game: &Game) -> f64 {
        match self {
            Self::Always(value) => value,
            Self::Touching(touching, disjoint) => {
                if game.rules.touching() {
                    touching
                } else {
                    disjoint
                }
            }
            Self::ByGame(value) => value(game),
        }
    }
}

impl ParameterRange {
    fn parse(self, text: &str) -> Option<f64> {
        match self {
            Self::Integer { min, max } => {
                let value: u64 = text.parse().ok()?;
                (min..=max).contains(&value).then_some(value as f64)
            }
            Self::Real { min, max } => {
                let value: f64 = text.parse().ok()?;
                (min..=max).contains(&value).then_some(value)
            }
        }
    }
}

impl fmt::Display for ParameterRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer { min, max } => write!(f, "an integer from {min} to {max}"),
            Self::Real { min, max } => write!(f, "a number from {min} to {max}"),
        }
    }
}

/// The values of all parameters of a method, given or by default.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterValues(BTreeMap<&'static str, f64>);

impl ParameterValues {
    /// Parses values given as name and text; the others are the defaults for `game`.
    pub fn parse<'a>(
        parameters: &'static [Parameter],
        game: &Game,
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, ParameterError> {
        let default = |parameter: &Parameter| (parameter.name, parameter.default.for_game(game));
        let mut values: BTreeMap<_, _> = parameters.iter().map(default).collect();
        let mut seen = Vec::new();
        for (name, text) in given {
            let Some(parameter) = parameters.iter().find(|parameter| parameter.name == name) else {
                let known = parameters.iter().map(|parameter| parameter.name).collect();
                return Err(ParameterError::Unknown { name: excerpt(name), known });
            };
            let value = parameter.range.parse(text).ok_or_else(|| ParameterError::Value {
                name: parameter.name,
                value: excerpt(text),
                range: parameter.range,
            })?;
            if seen.contains(&name) {
                return Err(ParameterError::Twice(parameter.name));
            }
            seen.push(name);
            values.insert(parameter.name, value);
        }
        Ok(Self(values))
    }

    /// The value of a real parameter.
    ///
    /// # Panics
    /// If the method has no such parameter.
    pub fn real(&self, name: &str) -> f64 {
        self.0[name]
    }

    /// The value of an integer parameter.
    ///
    /// # Panics
    /// If the method has no such parameter.
    pub fn integer(&self, name: &str) -> u64 {
        self.0[name] as u64
    }

    /// All names and values, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, f64)> + '_ {
        self.0.iter().map(|(&name, &value)| (name, value))
    }
}

/// The beginning of a text, safe to print.
fn excerpt(text: &str) -> Box<str> {
    text.chars().take(40).flat_map(char::escape_debug).collect::<String>().into()
}

/// Why a value was not accepted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// The method has no parameter of that name.
    #[error("no parameter `{name}`; there is {}", list(.known))]
    Unknown {
        /// The name given.
        name: Box<str>,
        /// The names there are.
        known: Vec<&'static str>,
    },
    /// The same parameter was given twice.
    #[error("`{0}` is given twice")]
    Twice(&'static str),
    /// Not a value of that parameter.
    #[error("`{value}` is no value of `{name}`, which is {range}")]
    Value {
        /// The parameter.
        name: &'static str,
        /// The value given.
        value: Box<str>,
        /// What it should be.
        range: ParameterRange,
    },
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::DefaultValue::{Always, Touching};
    use super::*;

    const PARAMETERS: &[Parameter] = &[
        Parameter::integer("level", 1..=9, Always(3.0)),
        Parameter::real("alpha", 0.0..=10.0, Touching(1.0, 0.5)),
    ];

    fn parse(given: &[(&'static str, &'static str)]) -> Result<ParameterValues, ParameterError> {
        let game = Game::named("5D").expect("known");
        ParameterValues::parse(PARAMETERS, &game, given.iter().copied())
    }

    #[test]
    fn what_is_not_given_has_its_default() {
        let values = parse(&[("level", "5")]).expect("good values");
        assert_eq!(values.integer("level"), 5);
        assert_eq!(values.real("alpha"), 0.5);
    }

    #[test]
    fn bad_values_are_refused() {
        let bad =
            [("level", "0"), ("level", "99"), ("level", "1.5"), ("level", ""), ("level", "-1")];
        for given in bad.into_iter().chain([("alpha", "nan"), ("alpha", "inf"), ("alpha", "-1")]) {
            assert!(matches!(parse(&[given]), Err(ParameterError::Value { .. })), "{given:?}");
        }
        let unknown = parse(&[("lvel", "3")]).expect_err("no such parameter");
        assert_eq!(unknown.to_string(), "no parameter `lvel`; there is level, alpha");
        let twice = parse(&[("level", "3"), ("level", "3")]).expect_err("the same again");
        assert_eq!(twice, ParameterError::Twice("level"));
    }
}
