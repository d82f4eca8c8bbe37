//! Known results: published records, and the proofs that ship with the program. Nothing is said of
//! a proof before the verifier has accepted it.

use std::fmt;

use geometry::{Game, Point};
use verify::{Claim, EndlessPlay, ProvenClaim, Refusal, verify_proof};

/// Embeds files of the folder `proofs`, each with its name there.
macro_rules! embed {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_bytes!(concat!("../data/proofs/", $name)))),*]
    };
}

/// The proofs that ship with the program; that of 4T is too large.
const PROOFS: [(&str, &[u8]); 11] = embed![
    "4D-35.tree.gz",
    "5D-133.caps.gz",
    "5T-570.cover.gz",
    "endless/2D-1-dot.json",
    "endless/2T-1-dot.json",
    "endless/3D-3-dots.json",
    "endless/3T-3-dots.json",
    "endless/3D-cross.json",
    "endless/3T-cross.json",
    "endless/4D-7-dots.json",
    "endless/4T-7-dots.json",
];

/// The longest published game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedRecord {
    /// Its length.
    pub moves: u32,
    /// Who found it, and when.
    pub by: &'static str,
}

/// The longest published game from the usual cross.
#[must_use]
pub fn published_record(game: &Game) -> Option<PublishedRecord> {
    let (moves, by) = match (game.rules.length(), game.rules.touching()) {
        _ if !game.is_usual() => return None,
        (4, true) => (62, "Hyyrö and Poranen 2007"),
        (4, false) => (35, "Hyyrö and Poranen 2007"),
        (5, true) => (178, "Rosin 2011"),
        (5, false) => (82, "Rosin 2010"),
        (6.., _) => (12, "Demaine et al. 2006"),
        _ => return None,
    };
    Some(PublishedRecord { moves, by })
}

/// The names of all proofs that ship with the program, as in the folder `proofs`.
pub fn proofs() -> impl Iterator<Item = &'static str> {
    PROOFS.iter().map(|(name, _)| *name)
}

/// Verifies the proof of this name; `None` if no such proof ships with the program.
#[must_use]
pub fn verify(name: &str) -> Option<Result<ProvenClaim, Refusal>> {
    let (_, bytes) = PROOFS.iter().find(|(known, _)| *known == name)?;
    Some(verify_proof(&text(bytes)))
}

/// A proof that ships with the program. Prints as its claim and file:
/// `5T <= 570, by proofs/5T-570.cover.gz`.
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

/// The least bound for a game with a proof that ships with the program.
#[must_use]
pub fn bound(game: &Game) -> Option<KnownBound> {
    let known = proven(game).filter_map(|(file, proven)| {
        let bound = proven.claim().upper_bound()?;
        let is_usual = *proven.claim().start() == verify::Start::Cross && game.is_usual();
        is_usual.then(|| KnownBound { claim: proven.to_string(), bound, file })
    });
    known.min_by_key(|known| known.bound)
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
    proven(game).find_map(|(file, proven)| {
        let Claim::Endless(play) = proven.claim() else { return None };
        let any_dot = game.rules.length() == 2 && !game.start.dots().is_empty();
        let same = cornered(&start_of(play)) == cornered(game.start.dots());
        (any_dot || same).then(|| KnownEndless { claim: proven.to_string(), file })
    })
}

/// The proofs for these rules that the verifier accepts, with their names.
fn proven(game: &Game) -> impl Iterator<Item = (&'static str, ProvenClaim)> + use<> {
    let rules = game.rules.to_string();
    PROOFS.iter().filter_map(move |(name, bytes)| {
        let text = text(bytes);
        // Verifying takes a moment, so only what says it is about these rules is verified.
        let is_about_rules = text.contains(&format!("\nrules {rules}\n"))
            || text.contains(&format!("\"rules\": \"{rules}\""));
        let proven = is_about_rules.then(|| verify_proof(&text).ok()).flatten()?;
        (proven.claim().rules().to_string() == rules).then_some((*name, proven))
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
        for name in ["", "endless/", "5T-570.cover", "../proofs/5T-570.cover.gz", "/etc/passwd"] {
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

    #[test]
    fn bounds_are_those_of_the_proofs() {
        let bound = |name: &str| bound(&Game::named(name).expect("known")).map(|it| it.bound);
        let bounds = ["4D", "5D", "5T", "6D"].map(bound);
        assert_eq!(bounds, [Some(35), Some(133), Some(570), None]);
    }
}
