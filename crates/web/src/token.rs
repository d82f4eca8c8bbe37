//! The secret that requests from other machines must carry.

use std::fmt::Write;

/// A secret; deliberately neither `Debug` nor `Display`.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// The minimum length.
    const SHORTEST: usize = 16;
    /// The maximum length.
    const LONGEST: usize = 256;

    /// A random token.
    pub fn random() -> Result<Self, TokenError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        let mut text = String::new();
        for byte in bytes {
            write!(text, "{byte:02x}").expect("a string takes any text");
        }
        Ok(Self(text))
    }

    /// Parses a chosen token: letters, digits, `-` and `_`, so that it can be part of a URL.
    pub fn parse(text: &str) -> Result<Self, TokenError> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let fits = (Self::SHORTEST..=Self::LONGEST).contains(&text.len());
        if !fits || !text.bytes().all(plain) {
            return Err(TokenError::Characters);
        }
        Ok(Self(text.to_owned()))
    }

    /// The secret itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Compares in time independent of the content.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let pairs = self.0.bytes().zip(text.bytes());
        let difference = pairs.fold(0, |sum, (one, other)| sum | (one ^ other));
        self.0.len() == text.len() && difference == 0
    }
}

/// Why a token cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// Too short, too long, or with other characters.
    #[error(
        "a token consists of {} to {} letters, digits, - and _",
        Token::SHORTEST,
        Token::LONGEST
    )]
    Characters,
    /// No random bytes from the system.
    #[error("no random bytes from the system")]
    Random(#[from] getrandom::Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_tokens_differ_and_can_be_parsed() {
        let (one, other) = (Token::random().expect("random"), Token::random().expect("random"));
        assert!(one.matches(one.reveal()) && !one.matches(other.reveal()) && !one.matches(""));
        assert!(Token::parse(one.reveal()).is_ok());
    }

    #[test]
    fn tokens_that_are_short_or_strange_are_refused() {
        for text in ["", "short", "0123456789abcde;", "0123456789abcdé0", &"a".repeat(257)] {
            assert!(Token::parse(text).is_err(), "{text}");
        }
    }
}
