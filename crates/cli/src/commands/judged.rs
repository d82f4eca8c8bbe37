//! A file of any format and the verifier's verdict.

use std::path::Path;

use anyhow::{Context, Result};
use evidence::{FileCheck, NativeFile, Refusal, VerifiedRecord};
use geometry::{Game, Line, Move, Rules};
use record::{ReadError, Record};

use crate::files;
use crate::output::note;

/// Reads a file and verifies it. A file that cannot be read at all is an error.
pub(crate) fn judge(path: &Path, game: Option<&Game>) -> Result<FileCheck> {
    let bytes = files::read(path)?;
    let check = native(&bytes, game).with_context(|| files::name(path))?.verify();
    match check.verdict {
        Err(refusal) if refusal.is_malformed() => {
            Err(anyhow::Error::new(refusal).context(files::name(path)))
        }
        // What cannot be compared with the requested game is not accepted.
        Ok(_) if check.record.is_err() && game.is_some() => {
            Err(check.record.map(drop).unwrap_err()).with_context(|| files::name(path))
        }
        _ => Ok(check),
    }
}

/// The file in the native format; prints a note if the game was guessed.
pub(crate) fn native(bytes: &[u8], game: Option<&Game>) -> Result<NativeFile, ReadError> {
    let file = NativeFile::read(bytes, game)?;
    if let Some(game) = &file.guessed {
        note(format_args!("Pentasol does not name the game; read as {game}"));
    }
    Ok(file)
}

/// The moves of a verified game.
pub(crate) fn moves(game: &VerifiedRecord) -> Vec<Move> {
    game.moves().to_vec()
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
