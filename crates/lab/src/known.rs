//! What is known of the games: records in print, and the proofs that come with the program. The judge
//! goes through a proof before anything is said of it.

use std::fmt;

use geometry::{Game, Point};
use verify::{Claim, EndlessPlay, ProvenClaim, Refusal};

/// The bounds for whole games in `proofs`, by file name; that of 4T is too large to be carried along.
const BOUNDS: [(&str, &[u8]); 3] = [
    ("4D-35.tree.gz", include_bytes!("../../../proofs/4D-35.tree.gz")),
    ("5D-133.caps.gz", include_bytes!("../../../proofs/5D-133.caps.gz")),
    ("5T-570.cover.gz", include_bytes!("../../../proofs/5T-570.cover.gz")),
];

/// The proofs of endless play in `proofs/endless`, by file name.
const ENDLESS: [(&str, &str); 8] = [
    ("2D-1-dot.json", include_str!("../../../proofs/endless/2D-1-dot.json")),
    ("2T-1-dot.json", include_str!("../../../proofs/endless/2T-1-dot.json")),
    ("3D-3-dots.json", include_str!("../../../proofs/endless/3D-3-dots.json")),
    ("3T-3-dots.json", include_str!("../../../proofs/endless/3T-3-dots.json")),
    ("3D-cross.json", include_str!("../../../proofs/endless/3D-cross.json")),
    ("3T-cross.json", include_str!("../../../proofs/endless/3T-cross.json")),
    ("4D-7-dots.json", include_str!("../../../proofs/endless/4D-7-dots.json")),
    ("4T-7-dots.json", include_str!("../../../proofs/endless/4T-7-dots.json")),
];

/// The longest game in print, and whose it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InPrint {
    /// How many moves.
    pub moves: u32,
    /// Who found it, and when.
    pub by: &'static str,
}

/// The longest game in print from the usual cross.
pub fn in_print(game: &Game) -> Option<InPrint> {
    let (moves, by) = match (game.rules.length(), game.rules.touching()) {
        _ if !game.is_usual() => return None,
        (4, true) => (62, "Hyyrö and Poranen 2007"),
        (4, false) => (35, "Hyyrö and Poranen 2007"),
        (5, true) => (178, "Rosin 2011"),
        (5, false) => (82, "Rosin 2010"),
        (6.., _) => (12, "Demaine et al. 2006"),
        _ => return None,
    };
    Some(InPrint { moves, by })
}

/// The names of all proofs that come with the program, as in the folder `proofs`.
pub fn proofs() -> impl Iterator<Item = String> {
    let endless = ENDLESS.iter().map(|(file, _)| format!("endless/{file}"));
    BOUNDS.iter().map(|(file, _)| (*file).to_owned()).chain(endless)
}

/// Has the judge go through the proof of this name; `None` if no such proof comes with the program.
pub fn check(name: &str) -> Option<Result<ProvenClaim, Refusal>> {
    let bytes = match name.strip_prefix("endless/") {
        Some(name) => ENDLESS.iter().find(|(file, _)| *file == name)?.1.as_bytes(),
        None => BOUNDS.iter().find(|(file, _)| *file == name)?.1,
    };
    let text = verify::read(bytes).expect("a proof that comes along is a text");
    Some(verify::verify_proof(&text))
}

/// A proof that comes with the program and shows this game to be endless.
///
/// It does if its start is that of the game, moved. With lines of two dots any start with a dot will
/// do: in these proofs every new dot lies to the right of the one before, so the same moves can be
/// played from a rightmost dot, where nothing is in the way.
pub fn endless(game: &Game) -> Option<KnownEndless> {
    ENDLESS.iter().find_map(|(file, text)| {
        let proven = verify::verify_proof(text).ok()?;
        let Claim::Endless(proof) = proven.claim() else { return None };
        if proof.rules().to_string() != game.rules.to_string() {
            return None;
        }
        let dots = |proof: &EndlessPlay| {
            let dots = proof.start().dots(proof.rules()).into_owned();
            dots.into_iter().map(|dot| Point::new(dot.x, dot.y)).collect::<Vec<Point>>()
        };
        let any_dot = game.rules.length() == 2 && !game.start.dots().is_empty();
        let same = cornered(&dots(proof)) == cornered(game.start.dots());
        (any_dot || same).then(|| KnownEndless { claim: proven.to_string(), file })
    })
}

/// The dots moved so that their bounding box starts at (0,0), sorted.
fn cornered(dots: &[Point]) -> Vec<Point> {
    let left = dots.iter().map(|dot| dot.x).min().unwrap_or(0);
    let top = dots.iter().map(|dot| dot.y).min().unwrap_or(0);
    let mut moved: Vec<Point> = dots.iter().map(|&dot| dot - Point::new(left, top)).collect();
    moved.sort_unstable();
    moved
}

/// Endless play that a proof shows. Prints as `3D: endless, proven by proofs/endless/3D-cross.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownEndless {
    /// What is proven, in words.
    pub claim: String,
    /// The name of the proof in `proofs/endless`.
    pub file: &'static str,
}

impl fmt::Display for KnownEndless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, proven by proofs/endless/{}", self.claim, self.file)
    }
}

/// A bound that a proof shows. Prints as `5T <= 570, by proofs/5T-570.cover.gz`.
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

/// The least bound for this game for which a proof comes with the program.
pub fn bound(game: &Game) -> Option<KnownBound> {
    if *game != Game::from_cross(game.rules) {
        return None;
    }
    let proven = BOUNDS.iter().filter(|(file, _)| file.starts_with(&format!("{}-", game.rules)));
    let known = proven.filter_map(|(file, bytes)| {
        let text = verify::read(*bytes).ok()?;
        let proof = verify::verify_proof(&text).ok()?;
        let bound = proof.claim().upper_bound()?;
        Some(KnownBound { claim: proof.to_string(), bound, file })
    });
    known.min_by_key(|known| known.bound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_proof_that_comes_along_is_accepted_and_named_after_its_game() {
        for (file, text) in ENDLESS {
            let proof = verify::verify_proof(text).unwrap_or_else(|no| panic!("{file}: {no}"));
            let claim = proof.to_string();
            assert!(claim.starts_with(&file[..2]) && claim.ends_with(": endless"), "{claim}");
        }
    }

    #[test]
    fn every_proof_can_be_checked_by_its_name_and_nothing_else() {
        assert_eq!(proofs().count(), BOUNDS.len() + ENDLESS.len());
        for name in proofs() {
            assert!(check(&name).is_some_and(|proof| proof.is_ok()), "{name}");
        }
        for name in ["", "endless/", "5T-570.cover", "../proofs/5T-570.cover.gz", "/etc/passwd"] {
            assert!(check(name).is_none(), "{name}");
        }
    }

    #[test]
    fn no_game_in_print_is_beyond_a_proven_bound() {
        for name in ["4T", "4D", "5T", "5D", "6T", "9D"] {
            let game = Game::named(name).expect("known");
            let in_print = in_print(&game).expect("a record");
            assert!(bound(&game).is_none_or(|known| known.bound >= in_print.moves), "{name}");
        }
        assert_eq!(in_print(&Game::named("3T").expect("known")), None);
    }

    #[test]
    fn with_lines_of_two_every_move_goes_to_the_right_of_the_last_dot() {
        for (file, text) in &ENDLESS[..2] {
            let proven = verify::verify_proof(text).unwrap_or_else(|no| panic!("{file}: {no}"));
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
    fn bounds_that_come_with_the_program_are_proven_and_are_named_for_it() {
        for (file, bytes) in BOUNDS {
            let text = verify::read(bytes).expect("a text");
            let proof = verify::verify_proof(&text).unwrap_or_else(|no| panic!("{file}: {no}"));
            let name = file.split('.').next().expect("a name");
            let claims = [" <= ", " = "].map(|sign| name.replace('-', sign));
            assert!(claims.contains(&proof.to_string()), "{name}");
        }
        let known = bound(&Game::named("5T").expect("known")).expect("a proof");
        assert!(known.bound <= 570, "{known}");
        let known = bound(&Game::named("4D").expect("known")).expect("a proof");
        assert_eq!(known.bound, 35);
        assert!(bound(&Game::named("6D").expect("known")).is_none());
    }
}
