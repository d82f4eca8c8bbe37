//! What can be chosen about an experiment, and what was chosen.
//!
//! A parameter is data: its name, its help and what its values look like. So a new experiment
//! brings its own parameters, and the command line needs no change.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use geometry::{Game, Move, ParseGameError};
use lab::text::{ParseDurationError, parse_duration};
use solver::Solver;

use crate::paper::choice::{MethodChoice, ParseMethodChoiceError, ParseTargetError, ScoreTarget};
use crate::registry::Experiment;
use crate::scale::{HuntFile, ParseHuntFileError};

/// Something that can be chosen about an experiment: `--NAME` on the command line.
#[derive(Debug, Clone, Copy)]
pub struct ExperimentParameter {
    /// The name, without dashes.
    pub name: &'static str,
    /// Another name for it, or nothing.
    pub alias: Option<&'static str>,
    /// What its values look like, in short: `N,N,...`.
    pub value_name: &'static str,
    /// One sentence of help.
    pub help: &'static str,
    /// What its values are.
    pub kind: ParameterKind,
    /// The value if none is given; without it, the help says what happens.
    pub default: Option<&'static str>,
}

/// What the values of a parameter are.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ParameterKind {
    /// Given or not.
    Flag,
    /// An integer within these limits.
    Integer(u64, u64),
    /// Integers within these limits, separated by commas.
    Integers(u64, u64),
    /// A number within these limits.
    Number(f64, f64),
    /// A time like `90s`.
    Time,
    /// A file or folder.
    Path,
    /// A game like `5T`; may be given several times.
    Games,
    /// A method with parameters; may be given several times.
    Methods,
    /// A score for all games or for one; may be given several times.
    Targets,
    /// A CSV file of `anytime` and a score; may be given several times.
    HuntFiles,
    /// A file with a legal game, which the caller verifies ([`Request::from`]).
    VerifiedGame {
        /// Whether the experiment cannot do without.
        required: bool,
    },
    /// A solver, which the caller opens ([`Request::solver`]).
    Solver,
}

impl ParameterKind {
    /// Whether a value may be given several times.
    #[must_use]
    pub fn repeats(self) -> bool {
        matches!(self, Self::Games | Self::Methods | Self::Targets | Self::HuntFiles)
    }

    /// Whether a text is such a value.
    pub fn check(self, text: &str) -> Result<(), ValueError> {
        match self {
            Self::Flag | Self::Path | Self::VerifiedGame { .. } | Self::Solver => Ok(()),
            Self::Integer(min, max) => integer(text, min, max),
            Self::Integers(min, max) => {
                text.split(',').try_for_each(|text| integer(text, min, max))
            }
            Self::Number(min, max) => match text.parse::<f64>() {
                Ok(number) if (min..=max).contains(&number) => Ok(()),
                _ => Err(ValueError::Number { min, max }),
            },
            Self::Time => parse_duration(text).map(drop).map_err(ValueError::Time),
            Self::Games => text.parse::<Game>().map(drop).map_err(ValueError::Game),
            Self::Methods => text.parse::<MethodChoice>().map(drop).map_err(ValueError::Method),
            Self::Targets => text.parse::<ScoreTarget>().map(drop).map_err(ValueError::Target),
            Self::HuntFiles => text.parse::<HuntFile>().map(drop).map_err(ValueError::HuntFile),
        }
    }
}

fn integer(text: &str, min: u64, max: u64) -> Result<(), ValueError> {
    match text.parse::<u64>() {
        Ok(number) if (min..=max).contains(&number) => Ok(()),
        _ => Err(ValueError::Integer { min, max }),
    }
}

/// Why a text is no value of a parameter.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ValueError {
    /// Not an integer, or out of range.
    #[error("an integer from {min} to {max} is expected")]
    Integer {
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
    },
    /// Not a number, or out of range.
    #[error("a number from {min} to {max} is expected")]
    Number {
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
    },
    /// Not a time.
    #[error(transparent)]
    Time(ParseDurationError),
    /// Not a game.
    #[error(transparent)]
    Game(ParseGameError),
    /// Not a method.
    #[error(transparent)]
    Method(ParseMethodChoiceError),
    /// Not a target.
    #[error(transparent)]
    Target(ParseTargetError),
    /// Not a file and a score.
    #[error(transparent)]
    HuntFile(ParseHuntFileError),
}

/// Why a request cannot be carried out.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The experiment has no such parameter.
    #[error("{experiment} has no parameter {name}")]
    Unknown {
        /// The experiment.
        experiment: &'static str,
        /// The parameter asked for.
        name: String,
    },
    /// A value is none.
    #[error("--{name} {value}")]
    Value {
        /// The parameter.
        name: &'static str,
        /// The value given.
        value: String,
        /// What is wrong with it.
        source: ValueError,
    },
    /// A parameter that the experiment cannot do without.
    #[error("--{0} is missing")]
    Missing(&'static str),
    /// More moves are to be kept than the game has.
    #[error("--keep {keep}: {name} has only {moves} moves")]
    Keep {
        /// How many are to be kept.
        keep: usize,
        /// The name of the game.
        name: String,
        /// How many it has.
        moves: usize,
    },
    /// Two targets for the same game.
    #[error("--target: {0} has two targets")]
    TwoTargets(String),
    /// A target for a game that is not run.
    #[error("--target: {0} is not run; name it with --game")]
    IdleTarget(String),
}

/// A legal game whose first moves are kept.
#[derive(Debug, Clone, PartialEq)]
pub struct PrefixGame {
    /// The name of its file, for messages.
    pub name: String,
    /// The game.
    pub game: Game,
    /// Its moves; they must be legal.
    pub moves: Vec<Move>,
}

/// The values chosen for the parameters of an experiment.
#[derive(Debug)]
pub struct Request {
    experiment: &'static Experiment,
    threads: u32,
    values: BTreeMap<&'static str, Vec<String>>,
    /// The game of a parameter of kind [`ParameterKind::VerifiedGame`].
    pub from: Option<PrefixGame>,
    /// The solver of a parameter of kind [`ParameterKind::Solver`].
    pub solver: Option<Solver>,
}

impl Request {
    /// A request with default values, on this number of threads unless `threads` is set.
    #[must_use]
    pub fn new(experiment: &'static Experiment, threads: u32) -> Self {
        let defaults = experiment
            .parameters()
            .filter_map(|parameter| Some((parameter.name, vec![parameter.default?.to_owned()])));
        Self { experiment, threads, values: defaults.collect(), from: None, solver: None }
    }

    /// Sets a parameter; one that [repeats](ParameterKind::repeats) gets another value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), RequestError> {
        let parameter = self.experiment.parameters().find(|it| it.name == name);
        let parameter = parameter.ok_or_else(|| RequestError::Unknown {
            experiment: self.experiment.name,
            name: name.to_owned(),
        })?;
        let ExperimentParameter { name, kind, .. } = *parameter;
        let bad = |source| RequestError::Value { name, value: value.to_owned(), source };
        kind.check(value).map_err(bad)?;
        let values = self.values.entry(name).or_default();
        if !kind.repeats() {
            values.clear();
        }
        values.push(value.to_owned());
        Ok(())
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// The value of a parameter; `set` has checked it.
    pub(crate) fn get<T: FromStr>(&self, name: &str) -> Option<T> {
        self.values.get(name)?.last()?.parse().ok()
    }

    /// All values of a parameter; nothing if there is none.
    pub(crate) fn all<T: FromStr>(&self, name: &str) -> Option<Vec<T>> {
        let values = self.values.get(name)?;
        Some(values.iter().filter_map(|value| value.parse().ok()).collect())
    }

    /// The values of a parameter of kind [`ParameterKind::Integers`].
    pub(crate) fn integers<T: FromStr>(&self, name: &str) -> Option<Vec<T>> {
        let values = self.values.get(name)?.last()?;
        Some(values.split(',').filter_map(|value| value.parse().ok()).collect())
    }

    pub(crate) fn time(&self, name: &str) -> Option<Duration> {
        parse_duration(self.values.get(name)?.last()?).ok()
    }

    pub(crate) fn is_quick(&self) -> bool {
        self.has("quick")
    }

    pub(crate) fn seed(&self) -> u64 {
        self.get("seed").unwrap_or(1)
    }

    pub(crate) fn threads(&self) -> u32 {
        self.get("threads").unwrap_or(self.threads)
    }

    /// The folder for the results.
    pub(crate) fn out(&self) -> PathBuf {
        let given = self.get("out");
        given.unwrap_or_else(|| PathBuf::from("out").join(self.experiment.name))
    }
}
