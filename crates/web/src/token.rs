//! The secret that lets in those who come from other machines.

use std::fmt::Write;

/// A secret. It is not printed by accident.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// The least number of letters.
    const SHORTEST: usize = 16;
    /// The largest number of letters.
    const LONGEST: usize = 256;

    /// A new one, from the system's own chance.
    pub fn drawn() -> Result<Self, BadToken> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        let mut text = String::new();
        for byte in bytes {
            write!(text, "{byte:02x}").expect("a string takes any text");
        }
        Ok(Self(text))
    }

    /// One that was chosen: letters, digits, `-` and `_`, so that it can be part of an address.
    pub fn chosen(text: &str) -> Result<Self, BadToken> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let fits = (Self::SHORTEST..=Self::LONGEST).contains(&text.len());
        if !fits || !text.bytes().all(plain) {
            return Err(BadToken::Letters);
        }
        Ok(Self(text.to_owned()))
    }

    /// For whoever may know it.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether this is the secret; takes as long for a near miss as for any other.
    pub(crate) fn is(&self, text: &str) -> bool {
        let pairs = self.0.bytes().zip(text.bytes());
        let difference = pairs.fold(0, |sum, (one, other)| sum | (one ^ other));
        self.0.len() == text.len() && difference == 0
    }
}

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadToken {
    /// Too short, too long, or with other letters.
    #[error("a token has {} to {} letters, digits, - and _", Token::SHORTEST, Token::LONGEST)]
    Letters,
    /// The system gives no random bytes.
    #[error("the system gives no random bytes")]
    Chance(#[from] getrandom::Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_tokens_differ_and_can_be_chosen_again() {
        let (one, other) = (Token::drawn().expect("chance"), Token::drawn().expect("chance"));
        assert!(one.is(one.reveal()) && !one.is(other.reveal()) && !one.is(""));
        assert!(Token::chosen(one.reveal()).is_ok());
    }

    #[test]
    fn tokens_that_are_short_or_strange_are_refused() {
        for text in ["", "short", "0123456789abcde;", "0123456789abcdé0", &"a".repeat(257)] {
            assert!(Token::chosen(text).is_err(), "{text}");
        }
    }
}
