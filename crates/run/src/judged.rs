//! A file of any format, as the judge reads it.

use geometry::Game;
use record::{Format, ReadError, Record};

/// A file, ready for the judge.
#[derive(Debug)]
pub struct Native {
    /// What the judge is given: native JSON, alone or out of a picture, as it is; any other format
    /// converted.
    pub text: String,
    /// What the file says. A native file with moves that are no moves cannot be a record.
    pub record: Result<Record, ReadError>,
    /// The game that it was taken for, if neither the file nor the caller said which.
    pub guessed: Option<Game>,
}

/// Makes a file ready for the judge; `game` is what the caller knows about it.
pub fn native(bytes: &[u8], game: Option<&Game>) -> Result<Native, ReadError> {
    if let Some(text) = record::native_text(bytes)? {
        let record = record::read(bytes, game);
        if let Err(other @ ReadError::OtherGame { .. }) = record {
            return Err(other);
        }
        return Ok(Native { text: text.into_owned(), record, guessed: None });
    }
    let (record, guessed) = match record::read(bytes, game) {
        Err(ReadError::NeedsGame { format: Format::Pentasol }) => guess_pentasol(bytes)?,
        other => (other?, None),
    };
    Ok(Native { text: record.to_json(), record: Ok(record), guessed })
}

/// Pentasol does not say 5D or 5T: takes the first that makes the game legal, or else the one
/// that plays on for longer.
fn guess_pentasol(bytes: &[u8]) -> Result<(Record, Option<Game>), ReadError> {
    let mut furthest: Option<(u32, Record)> = None;
    for name in ["5D", "5T"] {
        let game = Game::named(name).expect("a known game");
        let record = record::read(bytes, Some(&game))?;
        let fault = match verify::judge(&record.to_json()) {
            Ok(_) => return Ok((record, Some(game))),
            Err(refusal) => refusal.number().unwrap_or(0),
        };
        if furthest.as_ref().is_none_or(|(number, _)| fault > *number) {
            furthest = Some((fault, record));
        }
    }
    Ok((furthest.expect("two games were tried").1, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pentasol_is_taken_for_the_first_game_that_makes_it_legal() {
        let file = native(b"(28,28)\n(32,25) - -2\n", None).expect("readable");
        assert_eq!(file.guessed, Some(Game::named("5D").expect("known")));
        let game = verify::judge(&file.text).expect("legal");
        assert_eq!((game.score(), game.moves()[0].new), (1, verify::Point { x: 7, y: 0 }));
    }

    #[test]
    fn a_native_file_is_handed_over_as_it_is() {
        let text = r#"{"format":"morpion-game/1","rules":"5T","start":"cross","moves":[{}]}"#;
        let file = native(text.as_bytes(), None).expect("handed over");
        assert_eq!((file.text.as_str(), file.record.is_err()), (text, true));
    }
}
