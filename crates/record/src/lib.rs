//! One game as a file.
//!
//! A [`Record`] is the content of a file in the types of `geometry`. It may hold any moves at all:
//! whether they are legal is for `verify` to decide.
//!
//! [`read`] recognises a format by its content. The verifier takes native files only, byte for
//! byte: [`native_text`] extracts them unread. `docs/reference/game-files.md` specifies every
//! format.
//!
//! ```
//! use geometry::{Direction, Game, Line, Move, Point};
//! use morpion_record::{Format, Record, read, recognise};
//!
//! let line = Line::new(Point::new(3, 0), Direction::East);
//! let record = Record::from_moves(Game::named("5T")?, vec![Move::new(line, 4)]);
//! let text = record.to_json();
//! assert_eq!(recognise(text.as_bytes()), Format::Native);
//! assert_eq!(read(text.as_bytes(), None)?, record);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod exchange;
mod fit;
mod format;
mod json;
pub mod limits;
mod model;
mod msr;
mod native;
mod pentasol;
mod picture;
mod png;
mod provenance;
mod scan;
mod start;
mod svg;
mod text;
mod value;
mod written;

use std::borrow::Cow;

use geometry::Game;

pub use error::{
    CompactFault, LineFault, MoveFault, PngFault, ReadError, Snippet, StartFault, WriteError,
};
pub use format::{Format, recognise};
pub use model::{Claims, Play, Record};
pub use png::PNG_KEYWORD;
pub use provenance::Provenance;
pub use start::{parse_start_name, read_start};
pub use svg::SVG_NAMESPACE;
pub use value::{
    CompactLines, CompactMoves, CoordinateError, DirectionJson, DotJson, LineJson, MoveJson,
    StartJson,
};

pub use written::written_text;

/// This program and its version, as records and checkpoints name it.
pub const PROGRAM: &str = concat!("morpion ", env!("CARGO_PKG_VERSION"));

/// Reads a file of any format.
///
/// `game` is what the caller knows about it. It is needed where the file does not say
/// ([`ReadError::NeedsGame`]), and must agree where it does ([`ReadError::OtherGame`]).
pub fn read(bytes: &[u8], game: Option<&Game>) -> Result<Record, ReadError> {
    if bytes.len() > limits::BYTES {
        return Err(ReadError::TooLarge);
    }
    let format = recognise(bytes);
    let text = || format::as_text(bytes).ok_or(ReadError::NotText);
    let record = match format {
        Format::Native => native::read(text()?)?,
        Format::Msr => msr::read(text()?)?,
        Format::Exchange => exchange::read(text()?)?,
        Format::Svg => inside(&svg::game_inside(text()?)?)?,
        Format::Png => inside(png::game_inside(bytes)?)?,
        // These need not name the game.
        Format::Pentasol => return pentasol::read(text()?, game),
        Format::Text => return text::read(text()?, game),
    };
    match game {
        Some(asked) if *asked != record.game => {
            Err(ReadError::OtherGame { file: record.game, asked: asked.clone() })
        }
        _ => Ok(record),
    }
}

/// The native JSON of a file that holds one, byte for byte: of a native file, or of an SVG or PNG
/// picture that carries its game. `None` for the other formats, which have to be converted.
///
/// This is what the verifier is given; nothing of it has been read or checked yet.
pub fn native_text(bytes: &[u8]) -> Result<Option<Cow<'_, str>>, ReadError> {
    if bytes.len() > limits::BYTES {
        return Err(ReadError::TooLarge);
    }
    let text = || format::as_text(bytes).ok_or(ReadError::NotText);
    Ok(match recognise(bytes) {
        Format::Native => Some(Cow::Borrowed(text()?)),
        Format::Svg => Some(Cow::Owned(svg::game_inside(text()?)?)),
        Format::Png => Some(Cow::Borrowed(png::game_inside(bytes)?)),
        _ => None,
    })
}

/// Reads the native JSON that a picture carries.
fn inside(text: &str) -> Result<Record, ReadError> {
    native::read(text).map_err(|error| ReadError::Inside { error: Box::new(error) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_must_agree_with_what_the_caller_knows() {
        let (touching, disjoint) =
            (Game::named("5T").expect("known"), Game::named("5D").expect("known"));
        let record = Record::from_moves(touching.clone(), vec![]);
        let files = [
            record.to_json(),
            record.to_msr().expect("a usual game"),
            record.to_text(),
            format!("<svg>{}</svg>", record.to_svg_metadata()),
            r#"{"game": "5T", "moves": []}"#.to_owned(),
        ];
        for file in files {
            let bytes = file.as_bytes();
            let found = read(bytes, Some(&touching)).expect(&file);
            assert_eq!(found.game, touching);
            let error = read(bytes, Some(&disjoint)).expect_err(&file);
            let other = ReadError::OtherGame { file: touching.clone(), asked: disjoint.clone() };
            assert_eq!(error, other);
        }
    }

    #[test]
    fn the_verifier_gets_native_files_byte_for_byte() {
        let text = "{\"format\" :  \"morpion-game/1\", \"nonsense\": [}";
        assert_eq!(native_text(text.as_bytes()), Ok(Some(Cow::Borrowed(text))));
        assert_eq!(native_text(b"5T\n"), Ok(None));
        let svg = "<svg><game xmlns='urn:morpion:game'>&lt;nonsense</game></svg>";
        assert_eq!(native_text(svg.as_bytes()), Ok(Some(Cow::Borrowed("<nonsense"))));
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        assert_eq!(read(b"\xff\xfe{}", None), Err(ReadError::NotText));
        assert_eq!(read(b"{\"format\": \"\xff\"}", None), Err(ReadError::NotText));
        assert_eq!(read(b"", None), Err(ReadError::Empty));
    }
}
