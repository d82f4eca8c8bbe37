//! Names of plans, tasks, workers and keys, valid in a NATS subject and in a file name.

use std::fmt;
use std::str::FromStr;

const LONGEST: usize = 128;

/// 1 to 128 ASCII letters, digits, `-` and `_`, not starting with `-`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(String);

/// Why a text is not a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid name {0:?}; use 1 to {LONGEST} letters, digits, `-` and `_`")]
pub struct ParseNameError(String);

impl Name {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Name {
    type Err = ParseNameError;

    fn from_str(text: &str) -> Result<Self, ParseNameError> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let is_valid = (1..=LONGEST).contains(&text.len())
            && text.bytes().all(is_plain)
            && !text.starts_with('-');
        if is_valid {
            Ok(Self(text.into()))
        } else {
            Err(ParseNameError(text.chars().take(80).collect()))
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_escape_from_a_subject_or_a_path() {
        for good in ["5T-hunt_1", "a", &"x".repeat(LONGEST)] {
            assert_eq!(good.parse::<Name>().map(|name| name.to_string()), Ok(good.into()));
        }
        for bad in
            ["", ".", "a.b", "a*", ">", "a/b", "a b", "ä", "-x", "a\n", &"x".repeat(LONGEST + 1)]
        {
            assert!(bad.parse::<Name>().is_err(), "{bad:?}");
        }
    }
}
