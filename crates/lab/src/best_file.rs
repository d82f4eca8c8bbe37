//! The file of the best game so far, which only a longer game replaces.

use std::path::Path;

use evidence::{FileCheck, Refusal, VerifiedRecord, verify_file};
use geometry::{Game, Move};
use record::{Provenance, ReadError, Record, WriteError};
use render::{RenderError, Size, Style};

use crate::files::{self, FileError};

/// What became of a game offered to a best file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BestFileUpdate {
    /// It was written.
    Written,
    /// The file already holds a game of this many moves.
    Kept(usize),
}

/// Why a file cannot be used for, or as, a game.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BestFileError {
    /// It cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// It holds something else, or a game of another kind.
    #[error("{0}")]
    Read(String, #[source] ReadError),
    /// Its game is illegal.
    #[error("{0} does not hold a legal game")]
    Refused(String, #[source] Refusal),
    /// Its format cannot hold the game.
    #[error("{0}")]
    Format(String, #[source] WriteError),
    /// The picture cannot be drawn.
    #[error("{0}")]
    Picture(String, #[source] RenderError),
    /// Its format cannot be read back, so a longer game could not be recognised.
    #[error("{0}: choose .json, .psol, .msr, .svg or .png; `morpion convert` writes the others")]
    Extension(String),
    /// It has fewer moves than requested.
    #[error("{name} has only {moves} moves")]
    Short {
        /// Its name.
        name: String,
        /// How many it has.
        moves: usize,
    },
}

/// Reads the game of a file, which must be legal and of this kind; `None` if there is no file.
pub fn read(path: &Path, game: &Game) -> Result<Option<VerifiedRecord>, BestFileError> {
    if !path.is_file() {
        return Ok(None);
    }
    read_game(path, game).map(Some)
}

/// Checks, before any work, that a file does not hold a game of another kind that is legal as one
/// of this kind too, and would be lost: Pentasol does not say which of 5D and 5T it is.
pub fn check_kind(path: &Path, game: &Game) -> Result<(), BestFileError> {
    if !path.is_file() {
        return Ok(());
    }
    match kind_of(&files::read(path)?) {
        Some(file) if file != *game => Err(other_game(path, file, game)),
        _ => Ok(()),
    }
}

/// The game of a file that does not name it, if it is legal.
fn kind_of(bytes: &[u8]) -> Option<Game> {
    verify_file(bytes, None).ok()?.guessed
}

fn other_game(path: &Path, file: Game, asked: &Game) -> BestFileError {
    let error = ReadError::OtherGame { file, asked: asked.clone() };
    BestFileError::Read(files::name(path), error)
}

/// Checks, before any work, that the format of a file, by its extension, can hold games of this
/// kind.
pub fn check_format(path: &Path, game: &Game) -> Result<(), BestFileError> {
    encode(path, &Record::from_moves(game.clone(), Vec::new())).map(drop)
}

fn ending(path: &Path) -> String {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ending.to_ascii_lowercase()
}

/// A game in the format that the extension says; native JSON without one.
fn encode(path: &Path, record: &Record) -> Result<Vec<u8>, BestFileError> {
    let format = |error| BestFileError::Format(files::name(path), error);
    let picture = |error| BestFileError::Picture(files::name(path), error);
    Ok(match &*ending(path) {
        "psol" => record.to_pentasol().map_err(format)?.into(),
        "msr" => record.to_msr().map_err(format)?.into(),
        "svg" => render::svg(record, &Style::default()).into(),
        "png" => render::png(record, &Style::default(), Size::Scale(1.0)).map_err(picture)?,
        "json" | "" => record.to_json().into(),
        _ => return Err(BestFileError::Extension(files::name(path))),
    })
}

/// Writes a game unless the file already holds one as long. A file that holds anything else is
/// not touched.
///
/// With `last`, a game of the same length written earlier by the same search is replaced, so that
/// its provenance is final.
pub fn write_if_longer(
    path: &Path,
    record: &Record,
    last: bool,
) -> Result<BestFileUpdate, BestFileError> {
    files::exclusively(path, || {
        let found = record.lines().len();
        if let Some(held) = read(path, &record.game)? {
            let score = held.score() as usize;
            // Pentasol and MSR do not say which search found a game.
            let is_anonymous = matches!(&*ending(path), "psol" | "msr");
            let is_same = || is_of_same_search(held.provenance(), &record.provenance);
            let ours = last && (is_anonymous || is_same());
            if score > found || score == found && score > 0 && !ours {
                return Ok(BestFileUpdate::Kept(score));
            }
        }
        files::write_locked(path, &encode(path, record)?)?;
        Ok(BestFileUpdate::Written)
    })
}

/// The first `keep` moves of the game in a file, or all of them.
pub fn first_moves(
    path: &Path,
    game: &Game,
    keep: Option<usize>,
) -> Result<Vec<Move>, BestFileError> {
    let mut moves = read_game(path, game)?.moves().to_vec();
    let keep = keep.unwrap_or(moves.len());
    if keep > moves.len() {
        return Err(BestFileError::Short { name: files::name(path), moves: moves.len() });
    }
    moves.truncate(keep);
    Ok(moves)
}

fn read_game(path: &Path, game: &Game) -> Result<VerifiedRecord, BestFileError> {
    let bytes = files::read(path)?;
    let unreadable = |error| BestFileError::Read(files::name(path), error);
    let FileCheck { record, verdict, .. } = verify_file(&bytes, Some(game)).map_err(unreadable)?;
    let verified = verdict.map_err(|no| match kind_of(&bytes) {
        Some(file) => other_game(path, file, game),
        None => BestFileError::Refused(files::name(path), no),
    })?;
    // What cannot be compared with the game is not accepted.
    record.map_err(unreadable)?;
    Ok(verified)
}

fn is_of_same_search(one: &Provenance, other: &Provenance) -> bool {
    let search = |of: &Provenance| {
        let (playouts, cpu_seconds) = (None, None);
        Provenance { playouts, cpu_seconds, ..of.clone() }
    };
    search(one) == search(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::{Direction, Line, Point};

    fn game(count: usize, seed: u64) -> Record {
        let moves = [
            Move::new(Line::new(Point::new(3, 0), Direction::East), 4),
            Move::new(Line::new(Point::new(3, 9), Direction::East), 4),
        ];
        let game = Game::named("5T").expect("known");
        let mut record = Record::from_moves(game, moves[..count].to_vec());
        record.provenance.seed = Some(seed);
        record
    }

    #[test]
    fn only_a_longer_game_replaces_the_best_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("best.json");
        let update = |record: &Record, last| write_if_longer(&path, record, last).expect("written");
        assert_eq!(update(&game(1, 1), false), BestFileUpdate::Written);
        assert_eq!(update(&game(1, 2), true), BestFileUpdate::Kept(1));
        assert_eq!(update(&game(1, 1), false), BestFileUpdate::Kept(1));
        assert_eq!(update(&game(1, 1), true), BestFileUpdate::Written, "of the same search");
        assert_eq!(update(&game(2, 2), false), BestFileUpdate::Written);
        assert_eq!(update(&game(0, 3), true), BestFileUpdate::Kept(2));
        let five = Game::named("5T").expect("known");
        assert_eq!(first_moves(&path, &five, Some(1)).expect("moves").len(), 1);
        assert!(matches!(
            first_moves(&path, &five, Some(3)),
            Err(BestFileError::Short { moves: 2, .. })
        ));
        let other = Game::named("5D").expect("known");
        assert!(matches!(read(&path, &other), Err(BestFileError::Read(..))));
        std::fs::write(&path, "letter").expect("written");
        assert!(write_if_longer(&path, &game(2, 2), true).is_err(), "not touched");
        assert_eq!(std::fs::read(&path).expect("there"), b"letter");
    }

    #[test]
    fn pentasol_of_another_kind_is_recognised() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("best.psol");
        let [five, disjoint] = ["5T", "5D"].map(|name| Game::named(name).expect("known"));
        assert!(check_kind(&path, &five).is_ok(), "no file yet");
        // Both moves touch no other line.
        write_if_longer(&path, &game(2, 1), false).expect("written");
        assert!(check_kind(&path, &disjoint).is_ok());
        let refused = check_kind(&path, &five).expect_err("also of 5D");
        let BestFileError::Read(_, reason) = refused else { panic!("{refused}") };
        assert!(matches!(&reason, ReadError::OtherGame { file, .. } if *file == disjoint));
    }
}
