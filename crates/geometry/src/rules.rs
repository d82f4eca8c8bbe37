//! Which rules a game is played by.

use std::fmt;
use std::str::FromStr;

/// How long a line is, and whether lines of one direction may touch.
///
/// Printed and parsed as players write it: `5T`, `4D`, `16T`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rules {
    length: u8,
    touching: bool,
}

impl Rules {
    /// The shortest line.
    pub const MIN_LENGTH: usize = 2;
    /// The longest line.
    pub const MAX_LENGTH: usize = 16;

    /// Lines of `length` dots; `touching` lines of one direction may share an end dot.
    pub const fn new(length: usize, touching: bool) -> Result<Self, RulesError> {
        if length < Self::MIN_LENGTH || length > Self::MAX_LENGTH {
            return Err(RulesError::Length);
        }
        Ok(Self { length: length as u8, touching })
    }

    /// The number of dots on a line.
    pub const fn length(self) -> usize {
        self.length as usize
    }

    /// Whether two lines of the same direction may share one end dot.
    pub const fn touching(self) -> bool {
        self.touching
    }

    /// The number of marks that a line uses: see [`Line::marks`](crate::Line::marks).
    pub const fn marks(self) -> usize {
        self.length() - self.touching as usize
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.length, if self.touching { 'T' } else { 'D' })
    }
}

impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(name: &str) -> Result<Self, RulesError> {
        let (digits, touching) = match name.as_bytes() {
            [digits @ .., b'T' | b't'] => (digits, true),
            [digits @ .., b'D' | b'd'] => (digits, false),
            _ => return Err(RulesError::Name),
        };
        let length = match *digits {
            [ones @ b'0'..=b'9'] => usize::from(ones - b'0'),
            [tens @ b'1'..=b'9', ones @ b'0'..=b'9'] => {
                usize::from(tens - b'0') * 10 + usize::from(ones - b'0')
            }
            _ => return Err(RulesError::Name),
        };
        Self::new(length, touching)
    }
}

/// Why something does not name rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// Not a number followed by T or D.
    #[error("rules are a line length and T (touching) or D (disjoint), like 5T or 4D")]
    Name,
    /// A line length out of range.
    #[error("the line length must be from {} to {}", Rules::MIN_LENGTH, Rules::MAX_LENGTH)]
    Length,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for length in Rules::MIN_LENGTH..=Rules::MAX_LENGTH {
            for touching in [false, true] {
                let rules = Rules::new(length, touching).expect("in range");
                assert_eq!(rules.to_string().parse(), Ok(rules));
            }
        }
        assert_eq!("5t".parse::<Rules>(), "5T".parse());
    }

    #[test]
    fn other_words_are_refused() {
        for name in ["", "T", "5", "T5", "5X", "05T", "5 T", "+5T", "116T", "é", "5TD"] {
            assert_eq!(name.parse::<Rules>(), Err(RulesError::Name), "{name}");
        }
        for name in ["0T", "1D", "17T", "99D"] {
            assert_eq!(name.parse::<Rules>(), Err(RulesError::Length), "{name}");
        }
    }
}
