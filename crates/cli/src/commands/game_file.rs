//! A game file of any format and its verdict.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use evidence::{FileCheck, NativeFile, Refusal, VerifiedRecord};
use geometry::{Game, Line, Rules};
use record::Record;
use verify::ProofFormat;

use crate::files;
use crate::output::note;

/// Reads a file and verifies it. A file that cannot be read at all is an error.
pub(crate) fn verify(path: &Path, game: Option<&Game>) -> Result<FileCheck> {
    verify_bytes(&files::read(path)?, game).with_context(|| files::name(path))
}

/// Verifies the content of a file.
pub(crate) fn verify_bytes(bytes: &[u8], game: Option<&Game>) -> Result<FileCheck> {
    let check = native(bytes, game)?.verify();
    match check.verdict {
        Err(refusal) if refusal.is_malformed() => Err(refusal.into()),
        // What cannot be compared with the requested game is not accepted.
        Ok(_) if check.record.is_err() && game.is_some() => {
            Err(check.record.map(drop).unwrap_err().into())
        }
        _ => Ok(check),
    }
}

/// The file in the native format; prints a note if the game was guessed.
pub(crate) fn native(bytes: &[u8], game: Option<&Game>) -> Result<NativeFile> {
    let file = NativeFile::read(bytes, game).map_err(|error| match other_kind(bytes) {
        Some(text) => anyhow!(text),
        None => error.into(),
    })?;
    if let Some(game) = &file.guessed {
        note_guess(None, game);
    }
    Ok(file)
}

/// What a file is that holds no game, and what to do with it.
fn other_kind(bytes: &[u8]) -> Option<String> {
    let proof = || {
        let title = ProofFormat::of(&verify::read(bytes).ok()?)?.title;
        Some(format!("a proof ({title}), not a game; `morpion verify` takes it"))
    };
    proof().or_else(|| foreign_kind(bytes).map(str::to_owned))
}

/// What a file is that is neither a game nor a proof, as far as that can be seen.
pub(crate) fn foreign_kind(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"GIF8") {
        return Some("a GIF, which shows a game but does not carry it; SVG and PNG do");
    }
    let text = verify::read(bytes).ok()?;
    if text.contains("\"morpion-search/") || text.starts_with("morpion-search/") {
        return Some(
            "a saved search, not a game; `morpion search --resume` with its --out continues it",
        );
    }
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    if first.contains("#g/") {
        return Some("a link of the Play page; open it there, and save the game under More");
    }
    // Lines of games begin with a number, a point or a game; comments say nothing.
    let mut words = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let is_prose = |line: &str| {
        let mut words = line.split_whitespace();
        let is_word = |word: &str| word.chars().filter(|it| it.is_alphabetic()).count() > 2;
        words.clone().count() > 2 && words.all(|word| is_word(word) || word.len() < 4)
    };
    let is_json = text.trim_start().starts_with(['{', '[', '<']);
    (!is_json && words.any(is_prose)).then_some("neither a game nor a proof")
}

/// Prints that the game of a file was guessed.
pub(crate) fn note_guess(file: Option<&Path>, game: &Game) {
    let file = file.map_or_else(String::new, |file| files::name(file) + ": ");
    note(format_args!("{file}Pentasol does not name the game; read as {game}"));
}

/// A verified game with the record beside its length: `5T, 153 moves (record 178, Rosin 2011)`.
pub(crate) fn beside_record(game: &VerifiedRecord) -> String {
    let text = game.to_string();
    let record = lab::records::beside(game.game());
    match text.rsplit_once(", ") {
        Some((length, rest)) => format!("{length}{record}, {rest}"),
        None => text + &record,
    }
}

/// The faulty line as people type it, in parentheses, if there is one.
pub(crate) fn faulty_line(refusal: &Refusal, record: Option<&Record>) -> String {
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
