//! Names of plans, tasks, workers and keys: the same in a subject of NATS and in the name of a file.

use std::fmt;
use std::str::FromStr;

/// The longest name.
const LONGEST: usize = 128;

/// 1 to 128 letters, digits, `-` and `_` of ASCII, not starting with `-`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(String);

/// Not a name for a queue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a name for a queue: {0:?}; take 1 to {LONGEST} letters, digits, - and _")]
pub struct BadName(String);

impl Name {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Name {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let good = (1..=LONGEST).contains(&text.len())
            && text.bytes().all(plain)
            && !text.starts_with('-');
        if good { Ok(Self(text.into())) } else { Err(BadName(text.chars().take(80).collect())) }
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
    fn a_name_cannot_leave_its_place_in_a_subject_or_a_path() {
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
