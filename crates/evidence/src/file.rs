//! Files of any format before the verifier, which reads the native one.

use std::collections::HashSet;

use geometry::{Game, Line, Point};
use record::{Format, LineFault, Provenance, ReadError, Record};
use verify::{FORMATS, Fault, FormatFault, ProofFormat, ProvenClaim, Refusal, VerifiedGame};

use crate::convert;
use crate::game::VerifiedRecord;

/// A file with the verifier's verdict.
#[derive(Debug)]
#[non_exhaustive]
pub struct FileCheck {
    /// What the verifier was given.
    pub text: String,
    /// What the file says. A native file that the verifier can read need not be a record: its
    /// moves may be malformed, its provenance too large.
    pub record: Result<Record, ReadError>,
    /// The game, if it is legal.
    pub verdict: Result<VerifiedRecord, Refusal>,
    /// The game that was assumed, if neither the file nor the caller named one.
    pub guessed: Option<Game>,
}

/// Verifies a file in any format; `game` is what the caller knows about it.
pub fn verify_file(bytes: &[u8], game: Option<&Game>) -> Result<FileCheck, ReadError> {
    Ok(NativeFile::read(bytes, game)?.verify())
}

/// A game or a proof with the verifier's verdict.
#[derive(Debug)]
pub enum AnyCheck {
    /// A game, in any format.
    Game(Box<FileCheck>),
    /// A proof.
    Proof(Result<ProvenClaim, Refusal>),
}

/// Why a file cannot be verified: it is neither a game nor a proof.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnyError {
    /// It is compressed, and damaged or too large.
    #[error(transparent)]
    Compressed(#[from] verify::ReadError),
    /// It is no game in any format.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// It says that it is a proof, but it is malformed.
    #[error("a proof ({}), damaged: {refusal}", format.title)]
    DamagedProof {
        /// The format that it names.
        format: &'static ProofFormat,
        /// What is wrong, and where.
        refusal: Refusal,
    },
    /// It is a proof of a version that is not verified here.
    #[error("format {found} is not one this program reads ({})", format.versions.join(", "))]
    OtherVersion {
        /// The format that it names, whatever its version.
        format: &'static ProofFormat,
        /// The format with the version in the file.
        found: String,
    },
    /// It says that it is a native game, but it is malformed.
    #[error(transparent)]
    Malformed(#[from] Refusal),
}

impl AnyError {
    /// Of a malformed proof.
    fn of_proof(format: &'static ProofFormat, refusal: Refusal) -> Self {
        match refusal.fault {
            Fault::Format(FormatFault::UnknownFormat { text: found, .. }) => {
                Self::OtherVersion { format, found }
            }
            _ => Self::DamagedProof { format, refusal },
        }
    }
}

/// Verifies a game in any format or a proof, compressed with gzip or not; `game` is what the
/// caller knows about a game.
///
/// On native files this is what `morpion-verify` says; of damaged proofs also what they are.
pub fn verify_any(bytes: &[u8], game: Option<&Game>) -> Result<AnyCheck, AnyError> {
    let is_compressed = bytes.starts_with(&[0x1f, 0x8b]);
    let text = match verify::read(bytes) {
        Err(error) if is_compressed => return Err(error.into()),
        text => text.ok(),
    };
    if let Some(text) = &text
        && let Some(format) = ProofFormat::of(text)
    {
        return match verify::verify_proof(text) {
            Err(refusal) if refusal.is_malformed() => Err(AnyError::of_proof(format, refusal)),
            verdict => Ok(AnyCheck::Proof(verdict)),
        };
    }
    let text = text.filter(|_| is_compressed);
    let check = verify_file(text.as_ref().map_or(bytes, String::as_bytes), game)?;
    match check.verdict {
        Err(refusal) if refusal.is_malformed() => Err(malformed(&check.text, refusal)),
        // What cannot be compared with the requested game is not accepted.
        Ok(_) if check.record.is_err() && game.is_some() => {
            Err(check.record.map(drop).expect_err("as matched").into())
        }
        _ => Ok(AnyCheck::Game(Box::new(check))),
    }
}

/// A malformed game; JSON that ends too early may be a proof, which only its format says.
fn malformed(text: &str, refusal: Refusal) -> AnyError {
    let format = match &refusal.fault {
        Fault::Format(FormatFault::UnknownFormat { text, .. }) => {
            FORMATS.iter().find(|format| format.versions.contains(&text.as_str()))
        }
        _ => None,
    };
    match format.and_then(|format| Some((format, verify::verify_proof(text).err()?))) {
        Some((format, refusal)) => AnyError::of_proof(format, refusal),
        None => refusal.into(),
    }
}

/// A file in the native format, ready for the verifier.
#[derive(Debug)]
#[non_exhaustive]
pub struct NativeFile {
    /// Native JSON, alone or out of a picture, as it is; any other format converted.
    pub text: String,
    /// What the file says; see [`FileCheck::record`].
    pub record: Result<Record, ReadError>,
    /// The game that was assumed, if neither the file nor the caller named one.
    pub guessed: Option<Game>,
    /// The verdict, if it was needed for guessing.
    verdict: Option<Result<VerifiedGame, Refusal>>,
}

impl NativeFile {
    /// Reads a file in any format; `game` is what the caller knows about it.
    pub fn read(bytes: &[u8], game: Option<&Game>) -> Result<Self, ReadError> {
        if let Some(text) = record::native_text(bytes)? {
            let record = record::read(bytes, game);
            if let Err(other @ ReadError::OtherGame { .. }) = record {
                return Err(other);
            }
            return Ok(Self { text: text.into_owned(), record, guessed: None, verdict: None });
        }
        match record::read(bytes, game) {
            Err(ReadError::NeedsGame { format: Format::Pentasol }) => guess_pentasol(bytes),
            Ok(record) => {
                let text = record.to_json();
                Ok(Self { text, record: Ok(record), guessed: None, verdict: None })
            }
            Err(error) => Self::written(bytes, game, error),
        }
    }

    /// A file whose moves are none: what is wrong with them the verifier says, as of any other.
    fn written(bytes: &[u8], game: Option<&Game>, error: ReadError) -> Result<Self, ReadError> {
        let text = is_about_moves(&error).then(|| record::written_text(bytes, game)).flatten();
        match text {
            Some(text) => Ok(Self { text, record: Err(error), guessed: None, verdict: None }),
            None => Err(error),
        }
    }

    /// Verifies the file.
    #[must_use]
    pub fn verify(self) -> FileCheck {
        let Self { text, record, guessed, verdict } = self;
        let verdict = verdict.unwrap_or_else(|| verify::verify_game(&text));
        let verdict = verdict.map(|verified| {
            let (game, provenance) = match &record {
                Ok(record) => (record.game.clone(), record.provenance.clone()),
                Err(_) => {
                    let game = convert::game(verified.rules(), verified.start());
                    (game, Provenance::default())
                }
            };
            VerifiedRecord::from_verdict(game, provenance, verified)
        });
        FileCheck { text, record, verdict, guessed }
    }
}

/// Whether a file could be read but for its moves, or for a number in it that is too large.
fn is_about_moves(error: &ReadError) -> bool {
    match error {
        ReadError::Move { .. } | ReadError::Drawn { .. } | ReadError::Json { .. } => true,
        ReadError::Line { fault, .. } => matches!(fault, LineFault::Move(_)),
        ReadError::Inside { error } => is_about_moves(error),
        _ => false,
    }
}

/// Pentasol does not say 5D or 5T: takes the first under which the game is legal, or else the one
/// that can be played further.
fn guess_pentasol(bytes: &[u8]) -> Result<NativeFile, ReadError> {
    let mut furthest: Option<(u32, NativeFile)> = None;
    for name in ["5D", "5T"] {
        let game = Game::named(name).expect("a known game");
        let record = match record::read(bytes, Some(&game)) {
            Ok(record) => record,
            Err(error) => return NativeFile::written(bytes, Some(&game), error),
        };
        let text = record.to_json();
        let verdict = verify::verify_game(&text);
        let fault = verdict.as_ref().err().map(|refusal| refusal.number().unwrap_or(0));
        let guessed = fault.is_none().then_some(game);
        let file = NativeFile { text, record: Ok(record), guessed, verdict: Some(verdict) };
        let Some(fault) = fault else { return Ok(file) };
        if furthest.as_ref().is_none_or(|(number, _)| fault > *number) {
            furthest = Some((fault, file));
        }
    }
    Ok(furthest.expect("two games were tried").1)
}

/// For each of the stuck lines of a drawing, counting from 0, its dots that are missing when all
/// other lines are drawn: none, if it has no dot to add; or several.
#[must_use]
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
    fn pentasol_is_taken_for_the_first_game_under_which_it_is_legal() {
        let check = verify_file(b"(28,28)\n(32,25) - -2\n", None).expect("readable");
        assert_eq!(check.guessed, Some(Game::named("5D").expect("known")));
        let game = check.verdict.expect("legal");
        assert_eq!((game.score(), game.moves()[0].dot()), (1, Point::new(7, 0)));
    }

    #[test]
    fn a_stuck_line_lacks_the_dots_that_no_other_line_adds() {
        let file = NativeFile::read(b"5T\n3,0 7,0\n20,20 24,20\n7,0 7,4\n", None);
        let record = file.expect("readable").record.expect("a drawing");
        let missing = missing_dots(&record, &[1, 2]);
        assert_eq!(missing[0].len(), 5);
        assert_eq!(missing[1], [(7, 1), (7, 2), (7, 4)].map(|(x, y)| Point::new(x, y)));
    }

    /// The same fault has the same verdict, whatever the format.
    #[test]
    fn one_fault_has_one_verdict_in_all_formats() {
        let native = |mv: &str| {
            format!(r#"{{"format":"morpion-game/1","rules":"5T","start":"cross","moves":[{mv}]}}"#)
        };
        let exchange = |mv: &str| format!(r#"{{"game":"5T","moves":[{mv}]}}"#);
        let msr = |mv: &str| format!(r#"{{"version":"0.1","variant":"5T","moves":[{mv}]}}"#);
        let off_line = [
            native(r#"{"new":[9,9],"line":[[3,0],"E"]}"#),
            exchange(r#"{"new":[9,9],"dir":"H","start":[3,0]}"#),
            msr(r#"{"x":9,"y":9,"dir":"H","pos":7}"#),
        ];
        let too_far = [
            native(r#"{"new":[9000000,9],"line":[[9000000,9],"E"]}"#),
            exchange(r#"{"new":[9000000,9],"dir":"H","start":[9000000,9]}"#),
            msr(r#"{"x":9000000,"y":9,"dir":"H","pos":0}"#),
            "(28,28)\n(9000025,34) | 2\n".to_owned(),
        ];
        let no_line = [
            native("").replace("moves", "lines").replace("[]", "[[[0,0],[3,1]]]"),
            "5T\n0,0 3,1\n".to_owned(),
        ];
        for (files, name) in
            [(&off_line[..], "not-on-line"), (&too_far, "beyond-limit"), (&no_line, "wrong-length")]
        {
            for file in files {
                let check =
                    verify_any(file.as_bytes(), None).unwrap_or_else(|e| panic!("{file}: {e}"));
                let AnyCheck::Game(check) = check else { panic!("{file}: a game") };
                let refusal = check.verdict.expect_err(file);
                assert_eq!((refusal.fault.name(), refusal.number()), (name, Some(1)), "{file}");
            }
        }
    }

    #[test]
    fn a_native_file_is_verified_as_it_is() {
        let text = r#"{"format":"morpion-game/1","rules":"5T","start":"cross","moves":[{}]}"#;
        let check = verify_file(text.as_bytes(), None).expect("a native file");
        assert_eq!((check.text.as_str(), check.record.is_err()), (text, true));
        assert!(check.verdict.is_err_and(|refusal| refusal.is_malformed()));
    }

    /// The verifier skips provenance; a record that cannot hold it is still a legal game.
    #[test]
    fn a_legal_game_need_not_be_readable_as_a_record() {
        let twice = r#"{"format":"morpion-game/1","rules":"5T","start":"cross","moves":[],
            "provenance":{"a":1,"a":2}}"#;
        let check = verify_file(twice.as_bytes(), None).expect("a native file");
        assert!(check.record.is_err());
        let game = check.verdict.expect("legal");
        assert_eq!((game.game(), game.score()), (&Game::named("5T").expect("known"), 0));
    }
}
