//! A file of any format, brought before the judge.

use std::path::Path;

use anyhow::{Context, Result};
use geometry::{Direction, Game, Line, Move, Point};
use record::{Format, ReadError, Record};
use verify::{Refusal, VerifiedGame};

use crate::files;

/// A file and what the judge says of it.
pub(crate) struct Judged {
    /// What the file says. A native file with moves that are no moves cannot be a record.
    pub(crate) record: Result<Record, ReadError>,
    /// The verdict. A file that the judge could not read at all is trouble instead.
    pub(crate) verdict: Result<VerifiedGame, Refusal>,
}

/// Reads a file and has it judged.
pub(crate) fn judge(path: &Path, game: Option<&Game>) -> Result<Judged> {
    let bytes = files::read(path)?;
    let (text, record) = native(&bytes, game).with_context(|| path.display().to_string())?;
    let verdict = verify::judge(&text);
    match verdict {
        Err(refusal) if refusal.is_malformed() => {
            Err(anyhow::Error::new(refusal).context(path.display().to_string()))
        }
        verdict => Ok(Judged { record, verdict }),
    }
}

/// The file as the judge reads it: native JSON, alone or inside a picture, as it is; any other
/// format converted.
pub(crate) fn native(
    bytes: &[u8],
    game: Option<&Game>,
) -> Result<(String, Result<Record, ReadError>)> {
    if let Some(text) = record::native_text(bytes)? {
        let record = record::read(bytes, game);
        if let Err(other @ ReadError::OtherGame { .. }) = record {
            return Err(other.into());
        }
        return Ok((text.into_owned(), record));
    }
    let record = match record::read(bytes, game) {
        Err(ReadError::NeedsGame { format: Format::Pentasol }) => guess_pentasol(bytes)?,
        other => other?,
    };
    Ok((record.to_json(), Ok(record)))
}

/// Pentasol does not say 5D or 5T: takes the first that makes the game legal, or else the one
/// that plays on for longer.
fn guess_pentasol(bytes: &[u8]) -> Result<Record> {
    let mut furthest: Option<(u32, Record)> = None;
    for name in ["5D", "5T"] {
        let game = Game::named(name).expect("a known game");
        let record = record::read(bytes, Some(&game))?;
        let fault = match verify::judge(&record.to_json()) {
            Ok(_) => return Ok(record),
            Err(refusal) => refusal.number().unwrap_or(0),
        };
        if furthest.as_ref().is_none_or(|(number, _)| fault > *number) {
            furthest = Some((fault, record));
        }
    }
    Ok(furthest.expect("two games were tried").1)
}

/// The judge's moves in the words of `geometry`.
pub(crate) fn moves(game: &VerifiedGame) -> Vec<Move> {
    game.moves().iter().map(|&mv| to_move(mv)).collect()
}

fn to_move(mv: verify::Move) -> Move {
    let point = |p: verify::Point| Point::new(p.x, p.y);
    let direction = Direction::named(mv.line.direction.name()).expect("the same four directions");
    let line = Line::new(point(mv.line.first), direction);
    let along = point(mv.new) - line.start;
    Move::new(line, along.x.abs().max(along.y.abs()) as u8)
}

/// How many moves are left, in words.
pub(crate) fn left(game: &VerifiedGame) -> String {
    match game.left() {
        0 => "none left".to_owned(),
        left => format!("{left} more possible"),
    }
}

/// The game in words, like `5T` or `5T from 17 dots`.
pub(crate) fn name(game: &VerifiedGame) -> String {
    match game.start() {
        verify::Start::Cross => game.rules().to_string(),
        start => format!("{} from {start}", game.rules()),
    }
}
