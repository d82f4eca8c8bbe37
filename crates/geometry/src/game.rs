//! A game: rules and a start.

use std::fmt;
use std::str::FromStr;

use crate::{Rules, RulesError, Start};

/// What is played: by which rules, from which dots.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Game {
    /// Line length, touching or disjoint.
    pub rules: Rules,
    /// The dots before the first move.
    pub start: Start,
}

impl Game {
    /// The usual game of these rules: from the cross whose side is one less than the line length.
    pub fn from_cross(rules: Rules) -> Self {
        let start = Start::cross(rules.length() - 1).expect("a line length less one is a side");
        Self { rules, start }
    }

    /// The usual game of this name, like `5T`.
    pub fn named(name: &str) -> Result<Self, ParseGameError> {
        name.parse()
    }

    /// Whether the start is the usual cross of the rules.
    pub fn is_usual(&self) -> bool {
        self.start.cross_side() == Some(self.rules.length() - 1)
    }

    /// The start in words: `cross`, `cross:6` or `17 dots`.
    pub fn start_name(&self) -> String {
        match self.start.cross_side() {
            Some(_) if self.is_usual() => "cross".to_owned(),
            Some(side) => format!("cross:{side}"),
            None => format!("{} dots", self.start.dots().len()),
        }
    }
}

impl FromStr for Game {
    type Err = ParseGameError;

    fn from_str(name: &str) -> Result<Self, ParseGameError> {
        let unknown = |reason| ParseGameError { name: name.chars().take(40).collect(), reason };
        name.parse().map(Self::from_cross).map_err(unknown)
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.rules)?;
        if self.is_usual() { Ok(()) } else { write!(f, " from {}", self.start_name()) }
    }
}

/// A name that no game has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown game `{name}`: {reason}{}", self.suggestion())]
pub struct ParseGameError {
    /// The name, cut short if it was long.
    pub name: String,
    /// What is wrong with it.
    pub reason: RulesError,
}

impl ParseGameError {
    /// The game whose number and letter the name has, in another order or among other signs.
    fn suggestion(&self) -> String {
        let digits: String = self.name.chars().filter(char::is_ascii_digit).collect();
        let letters = self.name.chars().map(|letter| letter.to_ascii_uppercase());
        let letters: Vec<char> = letters.filter(|letter| "TD".contains(*letter)).collect();
        let [letter] = letters[..] else { return String::new() };
        let rules: Option<Rules> = format!("{digits}{letter}").parse().ok();
        rules.map_or_else(String::new, |rules| format!("; did you mean `{rules}`?"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point;

    #[test]
    fn games_print_as_players_write_them() {
        assert_eq!(Game::named("5T").expect("known").to_string(), "5T");
        let rules = "5D".parse().expect("known");
        let start = Start::cross(6).expect("in range");
        assert_eq!(Game { rules, start }.to_string(), "5D from cross:6");
        let start = Start::from_dots([Point::new(5, 5), Point::new(6, 5)]).expect("few dots");
        assert_eq!(Game { rules, start }.to_string(), "5D from 2 dots");
    }

    #[test]
    fn an_unknown_name_says_what_it_should_be() {
        let error = Game::named("5X").expect_err("no such game");
        assert!(error.to_string().contains("like 5T or 4D"), "{error}");
    }

    #[test]
    fn a_misspelt_name_is_answered_by_the_game_that_is_meant() {
        for (name, meant) in [("T5", "5T"), ("5-d", "5D"), ("5T.", "5T")] {
            let error = name.parse::<Game>().expect_err("misspelt").to_string();
            assert!(error.ends_with(&format!("; did you mean `{meant}`?")), "{error}");
        }
        for name in ["5", "5TD", "chess", "99T", "T"] {
            let error = name.parse::<Game>().expect_err("no game").to_string();
            assert!(!error.contains("did you mean"), "{error}");
        }
    }
}
