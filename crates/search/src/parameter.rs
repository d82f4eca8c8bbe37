//! Parameters of methods: names, ranges, defaults, and the values given.

use std::collections::BTreeMap;
use std::fmt;

use geometry::Game;

/// A parameter of a method.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its name, as in `-p level=3`.
    pub name: &'static str,
    /// What it does, in a few words.
    pub meaning: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// Its value when none is given.
    pub default: Default,
}

/// What values a parameter takes; both ends are allowed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A whole number.
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
pub enum Default {
    /// The same for every game.
    Always(f64),
    /// One for touching and one for disjoint games.
    Touching(f64, f64),
    /// Depending on the game.
    ByGame(fn(&Game) -> f64),
}

impl Default {
    /// The value for a game.
    pub fn of(self, game: &Game) -> f64 {
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

impl Kind {
    fn read(self, text: &str) -> Option<f64> {
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

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::Real { min, max } => write!(f, "a number from {min} to {max}"),
        }
    }
}

/// The values of all parameters of a method: given, or by default.
#[derive(Debug, Clone, PartialEq)]
pub struct Values(BTreeMap<&'static str, f64>);

impl Values {
    /// Reads the values given as name and text; the rest are the defaults for `game`.
    pub fn read<'a>(
        parameters: &'static [Parameter],
        game: &Game,
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, BadParameter> {
        let default = |parameter: &Parameter| (parameter.name, parameter.default.of(game));
        let mut values: BTreeMap<_, _> = parameters.iter().map(default).collect();
        let mut seen = Vec::new();
        for (name, text) in given {
            let Some(parameter) = parameters.iter().find(|parameter| parameter.name == name) else {
                let known = parameters.iter().map(|parameter| parameter.name).collect();
                return Err(BadParameter::Unknown { name: short(name), known });
            };
            let value = parameter.kind.read(text).ok_or_else(|| BadParameter::Value {
                name: parameter.name,
                value: short(text),
                kind: parameter.kind,
            })?;
            if seen.contains(&name) {
                return Err(BadParameter::Twice(parameter.name));
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

    /// The value of a whole parameter.
    ///
    /// # Panics
    /// If the method has no such parameter.
    pub fn integer(&self, name: &str) -> u64 {
        self.0[name] as u64
    }

    /// All names and values, in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, f64)> + '_ {
        self.0.iter().map(|(&name, &value)| (name, value))
    }
}

/// Enough of what was typed to recognise it.
fn short(text: &str) -> Box<str> {
    text.chars().take(40).flat_map(char::escape_debug).collect::<String>().into()
}

/// Why a value was not accepted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BadParameter {
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
    #[error("`{value}` is no value of `{name}`, which is {kind}")]
    Value {
        /// The parameter.
        name: &'static str,
        /// The value given.
        value: Box<str>,
        /// What it should be.
        kind: Kind,
    },
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMETERS: &[Parameter] = &[
        Parameter {
            name: "level",
            meaning: "",
            kind: Kind::Integer { min: 1, max: 9 },
            default: Default::Always(3.0),
        },
        Parameter {
            name: "alpha",
            meaning: "",
            kind: Kind::Real { min: 0.0, max: 10.0 },
            default: Default::Touching(1.0, 0.5),
        },
    ];

    fn read(given: &[(&'static str, &'static str)]) -> Result<Values, BadParameter> {
        let game = Game::named("5D").expect("known");
        Values::read(PARAMETERS, &game, given.iter().copied())
    }

    #[test]
    fn what_is_not_given_has_its_default() {
        let values = read(&[("level", "5")]).expect("good values");
        assert_eq!(values.integer("level"), 5);
        assert_eq!(values.real("alpha"), 0.5);
    }

    #[test]
    fn bad_values_are_refused() {
        let bad =
            [("level", "0"), ("level", "99"), ("level", "1.5"), ("level", ""), ("level", "-1")];
        for given in bad.into_iter().chain([("alpha", "nan"), ("alpha", "inf"), ("alpha", "-1")]) {
            assert!(matches!(read(&[given]), Err(BadParameter::Value { .. })), "{given:?}");
        }
        let unknown = read(&[("lvel", "3")]).expect_err("no such parameter");
        assert_eq!(unknown.to_string(), "no parameter `lvel`; there is level, alpha");
        let twice = read(&[("level", "3"), ("level", "3")]).expect_err("the same again");
        assert_eq!(twice, BadParameter::Twice("level"));
    }
}
