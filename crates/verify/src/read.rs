//! From bytes to text, and no further than the limits.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;
use thiserror::Error;

use crate::fault::FormatFault;
use crate::refusal::Refusal;

/// The largest file that is read: 128 MiB.
pub const MAX_BYTES: usize = 128 << 20;

/// The most moves or lines that a file may have.
pub const MAX_MOVES: usize = 2_000_000;

/// The most dots that a start may list.
pub const MAX_DOTS: usize = 4_000_000;

/// Reads a whole file as text, inflated if it is compressed with gzip, but never more than
/// [`MAX_BYTES`] and one byte of either.
pub fn read(source: impl Read) -> Result<String, ReadError> {
    let mut bytes = read_bytes(source)?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        bytes = read_bytes(MultiGzDecoder::new(&bytes[..])).map_err(|error| match error {
            ReadError::Io(error) => {
                Refusal::from(FormatFault::NotGzip { message: error.to_string() }).into()
            }
            refused => refused,
        })?;
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Refusal::from(FormatFault::NotUtf8 { at }).into()
    })
}

fn read_bytes(source: impl Read) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    source.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    match bytes.len() > MAX_BYTES {
        true => Err(Refusal::from(FormatFault::TooLarge).into()),
        false => Ok(bytes),
    }
}

/// Why there is no text to verify.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The system could not read the file.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// The file was read, but it is not text, or too large.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// By hand, since the message includes the cause, which should not be printed again as the source.
impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        ReadError::Io(error)
    }
}

/// A text without its byte order mark, if it is not too large. Every format begins here.
pub(crate) fn open(text: &str) -> Result<&str, Refusal> {
    match text.len() > MAX_BYTES {
        true => Err(FormatFault::TooLarge.into()),
        false => Ok(text.strip_prefix('\u{feff}').unwrap_or(text)),
    }
}

/// A text from a file, or as much of it as fits in a message.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 160;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_file_is_read_no_further_than_the_limit() {
        let error = read(io::repeat(b' ')).expect_err("too large");
        assert_eq!(error.to_string(), FormatFault::TooLarge.to_string());
    }

    #[test]
    fn bytes_that_are_not_text_are_refused_with_their_place() {
        let error = read(&b"{\"\xff"[..]).expect_err("not UTF-8");
        assert_eq!(error.to_string(), "not text: byte 2 is not UTF-8");
    }
}
