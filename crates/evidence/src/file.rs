//! A file of any format, as the judge reads it.

use std::collections::HashSet;

use geometry::{Game, Line, Point};
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

/// For each of the stuck lines of a drawing, counted from 0, its dots that are missing when all other
/// lines are drawn: none, if it has none to add; or several.
pub fn missing_dots(record: &Record, stuck: &[u32]) -> Vec<Vec<Point>> {
    let rules = record.game.rules;
    let is_stuck: HashSet<u32> = stuck.iter().copied().collect();
    let lines: Vec<Line> = record.lines().collect();
    let mut dots: HashSet<Point> = record.game.start.dots().iter().copied().collect();
    let playable = (0..).zip(&lines).filter(|(index, _)| !is_stuck.contains(index));
    dots.extend(playable.flat_map(|(_, line)| line.points(rules)));
    let missing = |&index: &u32| {
        lines[index as usize].points(rules).filter(|point| !dots.contains(point)).collect()
    };
    stuck.iter().map(missing).collect()
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
    fn a_stuck_line_lacks_what_no_other_line_brings() {
        let file = native(b"5T\n3,0 7,0\n20,20 24,20\n7,0 7,4\n", None).expect("readable");
        let missing = missing_dots(&file.record.expect("a drawing"), &[1, 2]);
        assert_eq!(missing[0].len(), 5);
        assert_eq!(missing[1], [(7, 1), (7, 2), (7, 4)].map(|(x, y)| Point::new(x, y)));
    }

    #[test]
    fn a_native_file_is_handed_over_as_it_is() {
        let text = r#"{"format":"morpion-game/1","rules":"5T","start":"cross","moves":[{}]}"#;
        let file = native(text.as_bytes(), None).expect("handed over");
        assert_eq!((file.text.as_str(), file.record.is_err()), (text, true));
    }
}
