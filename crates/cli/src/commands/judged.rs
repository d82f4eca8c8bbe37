//! A file of any format, brought before the judge.

use std::path::Path;

use anyhow::{Context, Result};
use evidence::file::Native;
pub(crate) use evidence::moves;
use geometry::{Game, Line, Rules};
use record::{ReadError, Record};
use verify::{Refusal, VerifiedGame};

use crate::files;
use crate::output::{count, note};

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
    let (text, record) = native(&bytes, game).with_context(|| files::name(path))?;
    let verdict = verify::judge(&text);
    match verdict {
        Err(refusal) if refusal.is_malformed() => {
            Err(anyhow::Error::new(refusal).context(files::name(path)))
        }
        // What cannot be compared with the game asked for is not waved through.
        Ok(_) if record.is_err() && game.is_some() => {
            Err(record.map(drop).unwrap_err()).with_context(|| files::name(path))
        }
        verdict => Ok(Judged { record, verdict }),
    }
}

/// The file as the judge reads it; says so if a game had to be guessed.
pub(crate) fn native(
    bytes: &[u8],
    game: Option<&Game>,
) -> Result<(String, Result<Record, ReadError>), ReadError> {
    let Native { text, record, guessed } = evidence::file::native(bytes, game)?;
    if let Some(game) = guessed {
        note(format_args!("Pentasol does not say which game: taken as {game}"));
    }
    Ok((text, record))
}

/// A game in words: `5T, 82 moves, none left`.
pub(crate) fn summary(game: &VerifiedGame) -> String {
    let moves = count(game.score() as usize, "move");
    let left = match game.left() {
        0 => "none left".to_owned(),
        left => format!("{left} more possible"),
    };
    format!("{}, {moves}, {left}", name(game))
}

/// The faulty line as people type it, in brackets, if there is one.
pub(crate) fn ends_of_fault(refusal: &Refusal, record: Option<&Record>) -> String {
    let line = refusal.number().zip(record).and_then(|(number, record)| {
        let line = record.lines().nth(number as usize - 1)?;
        Some(format!(" ({})", ends(line, record.game.rules)))
    });
    line.unwrap_or_default()
}

/// The two ends of a line as people type them: `3,0 7,0`.
pub(crate) fn ends(line: Line, rules: Rules) -> String {
    let (one, other) = (line.start, line.end(rules));
    format!("{},{} {},{}", one.x, one.y, other.x, other.y)
}

/// The game in words, like `5T` or `5T from 17 dots`.
fn name(game: &VerifiedGame) -> String {
    match game.start() {
        verify::Start::Cross => game.rules().to_string(),
        start => format!("{} from {start}", game.rules()),
    }
}
