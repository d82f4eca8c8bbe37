//! The judge on proofs of endless play: `endless/` holds files with a table of what it says of them,
//! `proofs/endless` the proofs of this repository.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use verify::{Direction, EndlessGame, Place, Point, Proof, check, judge};

use crate::common::chance::Chance;
use crate::common::files::{Expected, folder, text_of};

#[test]
fn every_file_is_judged_as_the_table_says() {
    for Expected { file, words } in folder("endless") {
        let told = match text_of(&file).and_then(|text| check(&text)) {
            Ok(Proof::Endless(game)) => ["proven".to_owned(), game.rounds().to_string()],
            Ok(other) => panic!("{file}: {other:?}"),
            Err(refusal) => {
                let place = match refusal.place {
                    Place::File => "-".to_owned(),
                    place => place.to_string(),
                };
                [refusal.fault.name().to_owned(), place]
            }
        };
        assert_eq!(told, [words[0].clone(), words[1..].join(" ")], "{file}");
        assert!(text_of(&file).is_ok_and(|text| judge(&text).is_err()), "{file} is no game");
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
        match check(&text) {
            Ok(Proof::Endless(game)) => {
                assert!(goes_on(&game, 100), "{file}");
                let start = game.start().dots(game.rules()).len();
                claims.push(format!("{} {start}", game.rules()));
            }
            other => panic!("{file}: {other:?}"),
        }
    }
    let known = ["2D 1", "2T 1", "3D 3", "3D 12", "3T 3", "3T 12", "4D 7", "4T 7"];
    assert_eq!(claims.iter().map(String::as_str).collect::<HashSet<_>>(), known.into());
    assert_eq!(claims.len(), known.len());
}

/// Whatever number is changed in a proof: what the judge still accepts does go on, far beyond the
/// rounds that it has replayed itself.
#[test]
fn no_change_of_a_number_makes_the_judge_accept_play_that_ends() {
    let chance = &mut Chance(7);
    let proofs = proofs();
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..4000 {
        let (file, text) = chance.choose(&proofs).clone();
        let mut text = text.into_bytes();
        for _ in 0..1 + chance.below(2) {
            let digits: Vec<usize> = (text.len() / 20..text.len() - 60)
                .filter(|&at| text[at].is_ascii_digit())
                .collect();
            text[*chance.choose(&digits)] = b'0' + chance.below(10) as u8;
        }
        let text = String::from_utf8(text).expect("digits are text");
        match check(&text) {
            Ok(Proof::Endless(game)) => {
                assert!(goes_on(&game, 3 * game.rounds() as i32 + 30), "{file}: {text}");
                accepted += 1;
            }
            Ok(other) => panic!("{other:?}"),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 3000 && accepted > 10, "{accepted} accepted, {refused} refused");
}

/// Whether so many rounds can be played, by rules written down once more.
fn goes_on(game: &EndlessGame, rounds: i32) -> bool {
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
