//! The verifier on proofs of endless play: `endless/` holds files with a table of what it says of
//! them, `proofs/endless` the proofs of this repository.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use verify::{Claim, Direction, EndlessPlay, Place, Point, ProvenClaim, verify_game, verify_proof};

use crate::common::files::{Expected, folder, text_of};
use crate::common::random::Random;

#[test]
fn every_file_is_verified_as_the_table_says() {
    for Expected { file, words } in folder("endless") {
        let found = match text_of(&file).and_then(|text| verify_proof(&text)) {
            Ok(proven) => ["proven".to_owned(), proven.stats().rounds.to_string()],
            Err(refusal) => {
                let place = match refusal.place {
                    Place::File => "-".to_owned(),
                    place => place.to_string(),
                };
                [refusal.fault.name().to_owned(), place]
            }
        };
        assert_eq!(found, [words[0].clone(), words[1..].join(" ")], "{file}");
        assert!(text_of(&file).is_ok_and(|text| verify_game(&text).is_err()), "{file} is no game");
    }
}

/// The proofs of this repository.
fn proofs() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs/endless");
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("the proofs").map(|entry| entry.expect("it").path()).collect();
    files.sort();
    let text = |path: &Path| fs::read_to_string(path).expect("a proof");
    files.iter().map(|path| (path.display().to_string(), text(path))).collect()
}

#[test]
fn the_proofs_of_this_repository_are_accepted() {
    let mut claims = Vec::new();
    for (file, text) in proofs() {
        let proven = verify_proof(&text).unwrap_or_else(|refusal| panic!("{file}: {refusal}"));
        let play = endless(&proven);
        assert!(can_be_played(play, 100), "{file}");
        let start = play.start().dots(play.rules()).len();
        claims.push(format!("{} {start}", play.rules()));
    }
    let known = ["2D 1", "2T 1", "3D 3", "3D 12", "3T 3", "3T 12", "4D 7", "4T 7"];
    assert_eq!(claims.iter().map(String::as_str).collect::<HashSet<_>>(), known.into());
    assert_eq!(claims.len(), known.len());
}

/// Whatever number is changed in a proof: what the verifier still accepts can be played far beyond
/// the rounds that it has replayed itself.
#[test]
fn no_change_of_a_number_makes_the_verifier_accept_play_that_ends() {
    let random = &mut Random(7);
    let proofs = proofs();
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..4000 {
        let (file, text) = random.choose(&proofs).clone();
        let mut text = text.into_bytes();
        for _ in 0..1 + random.below(2) {
            let digits: Vec<usize> = (text.len() / 20..text.len() - 60)
                .filter(|&at| text[at].is_ascii_digit())
                .collect();
            text[*random.choose(&digits)] = b'0' + random.below(10) as u8;
        }
        let text = String::from_utf8(text).expect("digits are text");
        match verify_proof(&text) {
            Ok(proven) => {
                let rounds = 3 * proven.stats().rounds as i32 + 30;
                assert!(can_be_played(endless(&proven), rounds), "{file}: {text}");
                accepted += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 3000 && accepted > 10, "{accepted} accepted, {refused} refused");
}

fn endless(proven: &ProvenClaim) -> &EndlessPlay {
    match proven.claim() {
        Claim::Endless(play) => play,
        other => panic!("{other:?}"),
    }
}

/// Whether this many rounds can be played, by rules written down once more.
fn can_be_played(game: &EndlessPlay, rounds: i32) -> bool {
    let rules = game.rules();
    let mut dots: HashSet<Point> = game.start().dots(rules).iter().copied().collect();
    let mut used: HashSet<(Point, Direction)> = HashSet::new();
    let mut play = |mv: &verify::Move, round: i32| {
        let shift = |dot: Point| Point {
            x: dot.x + round * game.translation().x,
            y: dot.y + round * game.translation().y,
        };
        let line: Vec<Point> = rules.dots(mv.line).map(shift).collect();
        let free = usize::from(rules.touching());
        line.contains(&shift(mv.new))
            && dots.insert(shift(mv.new))
            && line.iter().all(|dot| dots.contains(dot))
            && line[..line.len() - free].iter().all(|&dot| used.insert((dot, mv.line.direction)))
    };
    game.prefix().iter().all(|mv| play(mv, 0))
        && (0..rounds).all(|round| game.period().iter().all(|mv| play(mv, round)))
}
