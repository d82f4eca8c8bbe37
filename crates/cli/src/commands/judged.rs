//! A file of any format and the verifier's verdict.

use std::path::Path;

use anyhow::{Context, Result};
use evidence::file::Native;
pub(crate) use evidence::moves;
use geometry::{Game, Line, Rules};
use record::{ReadError, Record};
use verify::{Refusal, VerifiedGame};

use crate::files;
use crate::output::{count, note};

/// A file and its verdict.
pub(crate) struct Judged {
    /// The content. A native file with invalid moves is not a record.
    pub(crate) record: Result<Record, ReadError>,
    /// The verdict. A file that cannot be read at all is an error instead.
    pub(crate) verdict: Result<VerifiedGame, Refusal>,
}

/// Reads a file and verifies it.
pub(crate) fn judge(path: &Path, game: Option<&Game>) -> Result<Judged> {
    let bytes = files::read(path)?;
    let (text, record) = native(&bytes, game).with_context(|| files::name(path))?;
    let verdict = verify::judge(&text);
    match verdict {
        Err(refusal) if refusal.is_malformed() => {
            Err(anyhow::Error::new(refusal).context(files::name(path)))
        }
        // What cannot be compared with the requested game is not accepted.
        Ok(_) if record.is_err() && game.is_some() => {
            Err(record.map(drop).unwrap_err()).with_context(|| files::name(path))
        }
        verdict => Ok(Judged { record, verdict }),
    }
}

/// The file in the native format; prints a note if the game was guessed.
pub(crate) fn native(
    bytes: &[u8],
    game: Option<&Game>,
) -> Result<(String, Result<Record, ReadError>), ReadError> {
    let Native { text, record, guessed } = evidence::file::native(bytes, game)?;
    if let Some(game) = guessed {
        note(format_args!("Pentasol does not name the game; read as {game}"));
    }
    Ok((text, record))
}

/// One line about a game: `5T, 82 moves, no legal moves remain`.
pub(crate) fn summary(game: &VerifiedGame) -> String {
    let moves = count(game.score() as usize, "move");
    let left = match game.left() {
        0 => "no legal moves remain".to_owned(),
        1 => "1 legal move remains".to_owned(),
        left => format!("{left} legal moves remain"),
    };
    format!("{}, {moves}, {left}", name(game))
}

/// The faulty line as people type it, in parentheses, if there is one.
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

/// The game's name, like `5T` or `5T from 17 dots`.
fn name(game: &VerifiedGame) -> String {
    match game.start() {
        verify::Start::Cross => game.rules().to_string(),
        start => format!("{} from {start}", game.rules()),
    }
}
