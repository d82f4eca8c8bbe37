//! Known results: published records, and the proofs that ship with the program. Nothing is said of
//! a proof before the verifier has accepted it.

use std::fmt;

use geometry::{Game, Point};
use serde::Serialize;
use sha2::{Digest, Sha256};
use verify::{Claim, EndlessPlay, ProvenClaim, Refusal, verify_proof};

/// Embeds files of the folder `proofs`, each with its name there.
#[cfg(feature = "proofs")]
macro_rules! embed {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../data/proofs/", $name)))),*]
    };
}

/// The proofs that ship with the program; [`LARGE`] has those that do not fit in it. Without the
/// feature `proofs` there are none: pages without a server have them as files.
#[cfg(feature = "proofs")]
const PROOFS: &[(&str, &[u8])] = embed![
    "4D-35.tree.gz",
    "5D-121.extents.gz",
    "5D-133.caps.gz",
    "5T-502.cover.gz",
    "endless/2D-1-dot.json",
    "endless/2T-1-dot.json",
    "endless/3D-3-dots.json",
    "endless/3T-3-dots.json",
    "endless/3D-cross.json",
    "endless/3T-cross.json",
    "endless/4D-7-dots.json",
    "endless/4T-7-dots.json",
];

#[cfg(not(feature = "proofs"))]
const PROOFS: &[(&str, &[u8])] = &[];

/// A proof that is too large to be embedded: its claim and the SHA-256 of its file in `proofs`,
/// which a test verifies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LargeProof {
    /// Its name in the folder `proofs`.
    pub file: &'static str,
    /// The game.
    pub game: &'static str,
    /// What it proves.
    pub claim: &'static str,
    /// No game has more moves.
    pub bound: u32,
    /// The hash of the file, in hexadecimal digits.
    pub sha256: &'static str,
}

/// The proofs that are too large to be embedded.
pub const LARGE: [LargeProof; 2] = [
    LargeProof {
        file: "4T-62.tree.gz",
        game: "4T",
        claim: "4T = 62",
        bound: 62,
        sha256: "9d49c96297888cf75911d23053b78f71adfd774a18aa84a37a9c9cf06c43f1b9",
    },
    LargeProof {
        file: "5D-105.extents.gz",
        game: "5D",
        claim: "5D <= 105",
        bound: 105,
        sha256: "264bf14864c39d2da945acb5c19978239abe1ae7084d2eb99e37cb7f8cd97890",
    },
];

/// The proof with this file, if it is too large to be embedded.
#[must_use]
pub fn large(file: &str) -> Option<&'static LargeProof> {
    LARGE.iter().find(|large| large.file == file)
}

/// The longest published game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordView {
    /// Its length.
    pub moves: u32,
    /// Who found it.
    pub by: &'static str,
    /// When it was published.
    pub year: u16,
}

/// The longest published game from the usual cross.
#[must_use]
pub fn published_record(game: &Game) -> Option<RecordView> {
    let (moves, by, year) = match (game.rules.length(), game.rules.touching()) {
        _ if !game.is_usual() => return None,
        (4, true) => (62, "Hyyrö and Poranen", 2007),
        (4, false) => (35, "Hyyrö and Poranen", 2007),
        (5, true) => (178, "Rosin", 2011),
        (5, false) => (82, "Rosin", 2010),
        (6.., _) => (12, "Demaine et al.", 2006),
        _ => return None,
    };
    Some(RecordView { moves, by, year })
}

/// An upper bound in print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PrintedBoundView {
    /// No game has more moves.
    pub bound: u32,
    /// Who published it.
    pub by: &'static str,
    /// When.
    pub year: u16,
    /// How it can be checked: `no certificate`, `enumeration` or `formula`.
    pub evidence: &'static str,
}

/// The least upper bound in print.
#[must_use]
pub fn printed_bound(game: &Game) -> Option<PrintedBoundView> {
    let (bound, by, year, evidence) = match (game.rules.length(), game.rules.touching()) {
        _ if !game.is_usual() => return None,
        (4, true) => (62, "Quist", 2008, "enumeration"),
        (4, false) => (35, "Quist", 2008, "enumeration"),
        (5, true) => (485, "Michalewski et al.", 2015, "no certificate"),
        (5, false) => (84, "Michalewski et al.", 2016, "no certificate"),
        (6.., _) => (12, "Demaine et al.", 2006, "formula"),
        _ => return None,
    };
    Some(PrintedBoundView { bound, by, year, evidence })
}

/// The names of all proofs that ship with the program, as in the folder `proofs`.
pub fn proofs() -> impl Iterator<Item = &'static str> {
    PROOFS.iter().map(|(name, _)| *name)
}

/// The SHA-256 of a file, in hexadecimal digits.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The file of this proof; `None` if no such proof ships with the program.
#[must_use]
pub fn proof(name: &str) -> Option<&'static [u8]> {
    PROOFS.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}

/// Verifies the proof of this name; `None` if no such proof ships with the program.
#[must_use]
pub fn verify(name: &str) -> Option<Result<ProvenClaim, Refusal>> {
    Some(verify_proof(&text(proof(name)?)))
}

/// A proof that ships with the program. Prints as its claim and file:
/// `5T <= 502, by proofs/5T-502.cover.gz`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownBound {
    /// What is proven, in words.
    pub claim: String,
    /// No game has more moves.
    pub bound: u32,
    /// The name of the proof in `proofs`.
    pub file: &'static str,
}

impl fmt::Display for KnownBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, by proofs/{}", self.claim, self.file)
    }
}

/// The least bound for a game with a proof that ships with the program, in it or in `proofs`.
#[must_use]
pub fn bound(game: &Game) -> Option<KnownBound> {
    let known = proven(game, "").filter_map(|(file, proven)| {
        let bound = proven.claim().upper_bound()?;
        let is_usual = *proven.claim().start() == verify::Start::Cross && game.is_usual();
        is_usual.then(|| KnownBound { claim: proven.to_string(), bound, file })
    });
    let name = game.rules.to_string();
    let large = LARGE.iter().filter(|large| game.is_usual() && large.game == name);
    let large = large.map(|&LargeProof { file, claim, bound, .. }| KnownBound {
        claim: claim.to_owned(),
        bound,
        file,
    });
    known.chain(large).min_by_key(|known| known.bound)
}

/// Endless play that a proof shows. Prints as
/// `3D: endless, proven by proofs/endless/3D-cross.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownEndless {
    /// What is proven, in words.
    pub claim: String,
    /// The name of the proof in `proofs`.
    pub file: &'static str,
}

impl fmt::Display for KnownEndless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, proven by proofs/{}", self.claim, self.file)
    }
}

/// A proof that ships with the program and shows this game to be endless.
///
/// It does if its start is that of the game, translated. With lines of two dots any start with a
/// dot will do: in these proofs every new dot lies to the right of the one before, so the same
/// moves can be played from a rightmost dot, where nothing is in the way.
#[must_use]
pub fn endless(game: &Game) -> Option<KnownEndless> {
    proven(game, "endless/").find_map(|(file, proven)| {
        let Claim::Endless(play) = proven.claim() else { return None };
        let any_dot = game.rules.length() == 2 && !game.start.dots().is_empty();
        let same = cornered(&start_of(play)) == cornered(game.start.dots());
        (any_dot || same).then(|| KnownEndless { claim: proven.to_string(), file })
    })
}

/// The proofs of a folder for these rules that the verifier accepts, with their names.
fn proven(game: &Game, folder: &str) -> impl Iterator<Item = (&'static str, ProvenClaim)> + use<> {
    let rules = game.rules.to_string();
    // Verifying takes a moment, so only what is named after these rules is verified.
    let name = format!("{folder}{rules}-");
    PROOFS.iter().filter_map(move |(file, bytes)| {
        let is_about_rules = file.starts_with(&name);
        let proven = is_about_rules.then(|| verify_proof(&text(bytes)).ok()).flatten()?;
        (proven.claim().rules().to_string() == rules).then_some((*file, proven))
    })
}

fn text(bytes: &[u8]) -> String {
    verify::read(bytes).expect("a proof that ships with the program is readable")
}

fn start_of(play: &EndlessPlay) -> Vec<Point> {
    let dots = play.start().dots(play.rules()).into_owned();
    dots.into_iter().map(|dot| Point::new(dot.x, dot.y)).collect()
}

/// The dots translated so that their bounding box starts at (0,0), sorted.
fn cornered(dots: &[Point]) -> Vec<Point> {
    let left = dots.iter().map(|dot| dot.x).min().unwrap_or(0);
    let top = dots.iter().map(|dot| dot.y).min().unwrap_or(0);
    let mut moved: Vec<Point> = dots.iter().map(|&dot| dot - Point::new(left, top)).collect();
    moved.sort_unstable();
    moved
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn every_proof_is_accepted_and_named_after_its_claim() {
        for name in proofs() {
            let proven = verify(name).expect("a known name");
            let proven = proven.unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
            let claim = proven.to_string();
            match name.strip_prefix("endless/") {
                Some(name) => {
                    assert!(claim.starts_with(&name[..2]) && claim.ends_with(": endless"));
                }
                None => {
                    let name = name.split('.').next().expect("a name");
                    let claims = [" <= ", " = "].map(|sign| name.replace('-', sign));
                    assert!(claims.contains(&claim), "{name}: {claim}");
                }
            }
        }
    }

    #[test]
    fn nothing_but_a_known_name_is_a_proof() {
        for name in ["", "endless/", "5T-502.cover", "../proofs/5T-502.cover.gz", "/etc/passwd"] {
            assert!(verify(name).is_none(), "{name}");
        }
    }

    #[test]
    fn no_published_game_is_beyond_a_proven_bound() {
        for name in ["4T", "4D", "5T", "5D", "6T", "9D"] {
            let game = Game::named(name).expect("known");
            let record = published_record(&game).expect("a record");
            assert!(bound(&game).is_none_or(|known| known.bound >= record.moves), "{name}");
        }
        assert_eq!(published_record(&Game::named("3T").expect("known")), None);
    }

    #[test]
    fn with_lines_of_two_every_move_goes_to_the_right_of_the_last_dot() {
        for file in ["endless/2D-1-dot.json", "endless/2T-1-dot.json"] {
            let proven = verify(file).expect("known").expect("proven");
            let Claim::Endless(proof) = proven.claim() else { panic!("{file}") };
            let mut last = proof.start().dots(proof.rules())[0];
            for mv in proof.prefix().iter().chain(proof.period()) {
                assert!(proof.rules().dots(mv.line).any(|dot| dot == last), "{file}");
                assert_eq!(mv.new.x, last.x + 1, "{file}");
                last = mv.new;
            }
            assert_eq!(proof.start().dots(proof.rules()).len(), 1, "{file}");
        }
    }

    #[test]
    fn proofs_are_for_their_own_starts() {
        for name in ["2D", "2T", "3D", "3T"] {
            let game = Game::named(name).expect("known");
            assert!(endless(&game).is_some_and(|proof| proof.claim.starts_with(name)), "{name}");
        }
        for name in ["4D", "4T", "5D", "6T"] {
            assert_eq!(endless(&Game::named(name).expect("known")), None);
        }
    }

    /// The files of the folder `proofs`.
    fn folder() -> std::path::PathBuf {
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs")
    }

    /// So that no proof lies in the folder unknown to the program.
    #[test]
    fn bounds_are_the_least_of_the_folder() {
        let files = std::fs::read_dir(folder()).expect("proofs");
        let files: Vec<String> = files
            .map(|entry| entry.expect("a file").file_name().into_string().expect("text"))
            .collect();
        for name in ["4D", "4T", "5D", "5T", "6D"] {
            let least = files.iter().filter_map(|file| {
                let (game, rest) = file.split_once('-')?;
                let bound: u32 = rest.split_once('.')?.0.parse().ok()?;
                (game == name).then_some(bound)
            });
            let known = bound(&Game::named(name).expect("known")).map(|known| known.bound);
            assert_eq!(known, least.min(), "{name}");
        }
    }

    #[test]
    fn large_proofs_are_in_the_folder_and_hold() {
        for large in LARGE {
            let bytes = std::fs::read(folder().join(large.file)).expect("a proof");
            assert_eq!(sha256(&bytes), large.sha256, "{}", large.file);
            let proven = verify_proof(&text(&bytes)).expect("proven");
            assert_eq!(proven.to_string(), large.claim);
            assert_eq!(proven.claim().upper_bound(), Some(large.bound));
        }
    }
}
