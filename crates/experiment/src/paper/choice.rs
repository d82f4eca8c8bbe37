//! What can be chosen of a comparison: methods with parameters, agents, and scores to reach.

use std::fmt;
use std::str::FromStr;

use geometry::{Game, ParseGameError};
use search::{MethodError, MethodSpec};

use super::designs::DesignError;
use crate::agent;

/// A method with some of its parameters: `sa:t0=8,t1=8`; or an agent, by its command:
/// `external:python agent.py`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MethodChoice {
    /// Its name.
    pub name: String,
    /// Values for some of its parameters.
    pub given: Vec<(String, String)>,
}

impl MethodChoice {
    /// A method with default parameters.
    #[must_use]
    pub(crate) fn with_defaults(name: &str) -> Self {
        Self { name: name.to_owned(), given: Vec::new() }
    }

    /// The method for a game.
    pub(super) fn method(&self, game: &Game) -> Result<MethodSpec, DesignError> {
        if let Some(command) = self.name.strip_prefix(agent::PREFIX) {
            return agent::method(command, game).map_err(|error| {
                DesignError::Agent(command.escape_debug().to_string(), error.kind())
            });
        }
        let given = self.given.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let name = || self.name.escape_debug().to_string();
        MethodSpec::named(&self.name, game, given).map_err(|error| match error {
            MethodError::Unknown => DesignError::Unknown { name: name() },
            error => DesignError::Method(name(), error),
        })
    }
}

impl FromStr for MethodChoice {
    type Err = ParseMethodChoiceError;

    fn from_str(text: &str) -> Result<Self, ParseMethodChoiceError> {
        if text.starts_with(agent::PREFIX) {
            // A comma would end the name in the file of the runs.
            return match text.contains([',', '"', '\n']) {
                true => Err(ParseMethodChoiceError),
                false => Ok(Self::with_defaults(text)),
            };
        }
        let (name, rest) =
            text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let pair = |text: &str| -> Result<(String, String), ParseMethodChoiceError> {
            let (name, value) = text.split_once('=').ok_or(ParseMethodChoiceError)?;
            Ok((name.to_owned(), value.to_owned()))
        };
        let given = rest.map_or(Ok(Vec::new()), |rest| rest.split(',').map(pair).collect())?;
        Ok(Self { name: name.to_owned(), given })
    }
}

/// Why a text is no method with parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("write a method as NAME, NAME:PARAMETER=VALUE,... or external:COMMAND without commas")]
pub struct ParseMethodChoiceError;

/// A score to reach: `80` in every game, or `5D=80`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ScoreTarget {
    /// The game; every game without it.
    pub game: Option<String>,
    /// The score.
    pub score: u64,
}

/// Why a text is no target.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseTargetError {
    /// Neither `N` nor `GAME=N`.
    #[error("write N or GAME=N")]
    Form,
    /// No such game.
    #[error(transparent)]
    Game(#[from] ParseGameError),
    /// Every game reaches it.
    #[error("every game has 0 moves")]
    Zero,
}

impl FromStr for ScoreTarget {
    type Err = ParseTargetError;

    fn from_str(text: &str) -> Result<Self, ParseTargetError> {
        let (game, score) = match text.split_once('=') {
            Some((game, score)) => (Some(game.parse::<Game>()?.to_string()), score),
            None => (None, text),
        };
        match score.parse() {
            Ok(0) => Err(ParseTargetError::Zero),
            Ok(score) => Ok(Self { game, score }),
            Err(_) => Err(ParseTargetError::Form),
        }
    }
}

/// The scores to reach.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ScoreTargets(pub Vec<ScoreTarget>);

impl fmt::Display for ScoreTargets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = |ScoreTarget { game, score }: &ScoreTarget| match game {
            Some(game) => format!("{game}={score}"),
            None => score.to_string(),
        };
        let all: Vec<String> = self.0.iter().map(one).collect();
        f.write_str(if all.is_empty() { "the end" } else { "" })?;
        f.write_str(&all.join(" "))
    }
}

impl ScoreTargets {
    /// The target of a game.
    pub(super) fn get(&self, game: &str) -> Option<u64> {
        let own = self.0.iter().find(|target| target.game.as_deref() == Some(game));
        let any = || self.0.iter().find(|target| target.game.is_none());
        own.or_else(any).map(|target| target.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_and_agents_are_parsed() {
        let choice: MethodChoice = "sa:t0=8,t1=4.0".parse().expect("a method");
        assert_eq!(choice.given[1], ("t1".to_owned(), "4.0".to_owned()));
        let agent: MethodChoice = "external:./agent --depth 3".parse().expect("an agent");
        assert_eq!(agent, MethodChoice::with_defaults("external:./agent --depth 3"));
        for bad in ["sa:", "sa:t0", "sa:t0=8,", "sa:,", "external:./agent,1"] {
            assert_eq!(bad.parse::<MethodChoice>(), Err(ParseMethodChoiceError), "{bad}");
        }
    }

    #[test]
    fn a_target_for_a_game_takes_precedence() {
        let targets =
            ScoreTargets(["80", "5T=150"].map(|text| text.parse().expect("a target")).into());
        assert_eq!((targets.get("5D"), targets.get("5T")), (Some(80), Some(150)));
        assert_eq!(ScoreTargets::default().get("5T"), None);
    }
}
