//! A game file of any format and its verdict.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use evidence::{AnyError, FileCheck, NativeFile, Refusal, VerifiedRecord};
use geometry::{Game, Line, Rules};
use lab::alignment;
use record::{LineFault, ReadError, Record};
use verify::{FORMATS, ProofFormat};

use crate::files;
use crate::output::note;

/// The extensions of games; those of proofs are in [`FORMATS`].
const EXTENSIONS: [&str; 3] = [".json", ".psol", ".msr"];

/// The extensions of pictures, some of which carry a game.
const PICTURES: [&str; 2] = [".svg", ".png"];

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
        None => advised(error.into()),
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
fn foreign_kind(bytes: &[u8]) -> Option<&'static str> {
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
    let is_prose = |line: &str| {
        let is_word = |word: &&str| word.chars().filter(|it| it.is_alphabetic()).count() > 2;
        let words: Vec<&str> = line.split_whitespace().collect();
        words.len() > 2 && 2 * words.iter().copied().filter(is_word).count() > words.len()
    };
    let is_json = text.trim_start().starts_with(['{', '[', '<']);
    let is_foreign = !is_json && !names_ours(&text) && !typed(&text).any(is_part_of_game);
    (is_foreign && typed(&text).any(is_prose)).then_some("neither a game nor a proof")
}

/// Why a file is neither a game nor a proof: in words of its own if it is something else.
pub(crate) fn unreadable(bytes: &[u8], error: AnyError) -> anyhow::Error {
    foreign_kind(bytes).map_or_else(|| advised(error), |kind| anyhow!(kind))
}

/// An error with what to do, if that is not in it.
fn advised(error: AnyError) -> anyhow::Error {
    match error {
        AnyError::Unreadable(error @ ReadError::OtherGame { .. }) => {
            let is_start = matches!(
                &error, ReadError::OtherGame { file, asked } if file.rules == asked.rules
            );
            let flag = if is_start { "start" } else { "game" };
            anyhow!("{error}; leave --{flag} out, or change the {flag} in the file")
        }
        AnyError::Unreadable(error @ ReadError::NeedsGame { .. }) => {
            anyhow!("{error}, or give --game 5T")
        }
        error => error.into(),
    }
}

/// Whether a file in a folder is passed over if it cannot be read as a game or a proof: neither its
/// name nor its content says that it is one.
pub(crate) fn is_passed_over(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().as_encoded_bytes();
    let ends = |extensions: &[&str]| extensions.iter().any(|end| name.ends_with(end.as_bytes()));
    let Ok(bytes) = files::read(file) else { return false };
    let text = verify::read(&bytes[..]).ok();
    if ends(&PICTURES) {
        return !bytes.windows(GAME.len()).any(|part| part == GAME);
    }
    let is_promising = ends(&EXTENSIONS)
        || FORMATS.iter().any(|format| name.ends_with(format.file_suffix().as_bytes()));
    match text {
        Some(text) => !names_ours(&text) && (!is_promising || names_another(&text)),
        None => !is_promising,
    }
}

/// What a picture with a game contains.
const GAME: &[u8] = b"morpion-game/";

/// Whether a text names a format of ours, of any version, or a game in its first line.
fn names_ours(text: &str) -> bool {
    let mut names = FORMATS.iter().map(|format| format.name).chain(["morpion-game"]);
    let is_named = |name: &str| match text.trim_start().starts_with('{') {
        true => text.contains(&format!("\"{name}/")),
        false => text.starts_with(&format!("{name}/")),
    };
    names.any(is_named) || typed(text).next().is_some_and(|first| first.parse::<Rules>().is_ok())
}

/// Whether a JSON text names a format of this program, like that of a sidecar.
fn names_another(text: &str) -> bool {
    let mut names = text.split("\"morpion-").skip(1).filter_map(|rest| rest.split_once('/'));
    names.any(|(name, _)| name.chars().all(char::is_alphabetic))
}

/// The lines of a text that say something; comments do not.
fn typed(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    lines.filter(|line| !line.is_empty())
}

/// Whether a line, by itself, is one of a typed game, perhaps of another length.
fn is_part_of_game(line: &str) -> bool {
    let game = Game::named("5T").expect("a known game");
    match record::read(line.as_bytes(), Some(&game)) {
        Err(ReadError::Line { fault, .. }) => matches!(fault, LineFault::Move(_)),
        Err(error) => matches!(error, ReadError::OtherGame { .. }),
        Ok(_) => true,
    }
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

/// Why a game is refused, with the faulty line and what could be meant.
pub(crate) fn reason(refusal: &Refusal, record: Option<&Record>) -> String {
    format!("{refusal}{}{}", faulty_line(refusal, record), hint(refusal, record))
}

/// What could be meant, if a drawing cannot be played as it is.
pub(crate) fn hint(refusal: &Refusal, record: Option<&Record>) -> String {
    let hint = record.filter(|_| !refusal.is_malformed()).and_then(alignment::hint);
    hint.map_or_else(String::new, |hint| format!("; {hint}"))
}

/// The two ends of a line as people type them: `3,0 7,0`.
pub(crate) fn ends(line: Line, rules: Rules) -> String {
    let (one, other) = (line.start, line.end(rules));
    format!("{},{} {},{}", one.x, one.y, other.x, other.y)
}
