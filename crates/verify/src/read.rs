//! From bytes to what a file says, and no further than the limits.
//!
//! Here a file becomes text and its lines and moves become those of the rules. The shape of the
//! text is `json`'s concern; whether the moves are legal is that of `game` and `drawing`.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;
use thiserror::Error;

use crate::refusal::{Fault, Refusal};
use crate::rules::{Direction, Line, Move, Point, Rules};
use crate::start::Start;

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
                Refusal::from(Fault::NotGzip { message: error.to_string() }).into()
            }
            refused => refused,
        })?;
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Refusal::from(Fault::NotUtf8 { at }).into()
    })
}

fn read_bytes(source: impl Read) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    source.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    match bytes.len() > MAX_BYTES {
        true => Err(Refusal::from(Fault::TooLarge).into()),
        false => Ok(bytes),
    }
}

/// Why there is no text to judge.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The system could not read the file.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// The file was read and is no text, or too large a one.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// By hand, since the message tells the cause: it should not be told again as the source.
impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        ReadError::Io(error)
    }
}

/// What a game file says. Its moves may still mean anything.
#[derive(Debug)]
pub(crate) struct GameFile {
    pub(crate) rules: Rules,
    pub(crate) start: Start,
    pub(crate) content: Content,
    pub(crate) claims: Claims,
}

/// A game or a drawing.
#[derive(Debug)]
pub(crate) enum Content {
    Moves(Vec<WrittenMove>),
    Lines(Vec<WrittenLine>),
}

/// What the file says of itself and need not say.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    pub(crate) score: Option<u64>,
    pub(crate) terminal: Option<bool>,
}

/// A move as it is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WrittenMove {
    pub(crate) new: Point,
    pub(crate) line: WrittenLine,
}

impl WrittenMove {
    /// The move that is meant.
    pub(crate) fn meaning(self, rules: Rules) -> Result<Move, Fault> {
        let line = self.line.meaning(rules)?;
        if !self.new.within_limit() {
            return Err(Fault::BeyondLimit);
        }
        Ok(Move { new: self.new, line })
    }
}

/// A line as it is written: from a dot on, in a direction or up to another dot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WrittenLine {
    pub(crate) from: Point,
    pub(crate) to: Toward,
}

/// How a written line goes on from its first dot.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Toward {
    Direction(Direction),
    End(Point),
}

impl WrittenLine {
    /// The line that is meant, all within the limit.
    pub(crate) fn meaning(self, rules: Rules) -> Result<Line, Fault> {
        if !self.from.within_limit() {
            return Err(Fault::BeyondLimit);
        }
        let line = match self.to {
            Toward::Direction(direction) => Line { first: self.from, direction },
            Toward::End(end) if !end.within_limit() => return Err(Fault::BeyondLimit),
            Toward::End(end) => rules.line_between(self.from, end).ok_or(Fault::WrongLength {
                one: self.from,
                other: end,
                length: rules.length(),
            })?,
        };
        if rules.dots(line).any(|dot| !dot.within_limit()) {
            return Err(Fault::BeyondLimit);
        }
        Ok(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::LIMIT;

    fn meaning(x: i32, to: Toward) -> Result<Line, Fault> {
        let rules = Rules::parse("5T").expect("known rules");
        WrittenLine { from: Point { x, y: 0 }, to }.meaning(rules)
    }

    #[test]
    fn an_endless_file_is_read_no_further_than_the_limit() {
        let error = read(io::repeat(b' ')).expect_err("too large");
        assert_eq!(error.to_string(), Fault::TooLarge.to_string());
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_with_their_place() {
        let error = read(&b"{\"\xff"[..]).expect_err("not UTF-8");
        assert_eq!(error.to_string(), "not a text: byte 2 is not UTF-8");
    }

    #[test]
    fn a_line_may_reach_the_limit_but_not_beyond() {
        let east = Toward::Direction(Direction::East);
        assert!(meaning(LIMIT - 4, east).is_ok());
        assert_eq!(meaning(LIMIT - 3, east), Err(Fault::BeyondLimit));
        let end = |x| Toward::End(Point { x, y: 0 });
        assert!(meaning(4 - LIMIT, end(-LIMIT)).is_ok());
        assert_eq!(meaning(3 - LIMIT, end(-LIMIT - 1)), Err(Fault::BeyondLimit));
        assert_eq!(meaning(i32::MIN, end(i32::MAX)), Err(Fault::BeyondLimit));
    }

    #[test]
    fn a_line_in_the_file_takes_few_bytes() {
        assert!(size_of::<WrittenMove>() <= 28);
    }
}
