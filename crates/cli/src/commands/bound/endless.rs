//! `morpion bound GAME --endless`, and the proofs that come with the program.

use std::path::Path;

use anyhow::{Context, Result};
use bound::endless::{self, EndlessPlay};
use geometry::{Game, Move, Point};
use serde::Serialize;
use verify::{EndlessGame, Proof};

use crate::files;
use crate::output::{Answer, count, print, print_json};

/// The proofs of endless play in `proofs/endless`, by file name.
const PROOFS: [(&str, &str); 8] = [
    ("2D-1-dot.json", include_str!("../../../../../proofs/endless/2D-1-dot.json")),
    ("2T-1-dot.json", include_str!("../../../../../proofs/endless/2T-1-dot.json")),
    ("3D-3-dots.json", include_str!("../../../../../proofs/endless/3D-3-dots.json")),
    ("3T-3-dots.json", include_str!("../../../../../proofs/endless/3T-3-dots.json")),
    ("3D-cross.json", include_str!("../../../../../proofs/endless/3D-cross.json")),
    ("3T-cross.json", include_str!("../../../../../proofs/endless/3T-cross.json")),
    ("4D-7-dots.json", include_str!("../../../../../proofs/endless/4D-7-dots.json")),
    ("4T-7-dots.json", include_str!("../../../../../proofs/endless/4T-7-dots.json")),
];

/// A proof that comes with the program and shows this game to be endless, in words.
///
/// It does if its start is that of the game, moved. With lines of two dots any start with a dot will
/// do: in these proofs every new dot lies to the right of the one before, so the same moves can be
/// played from a rightmost dot, where nothing is in the way.
pub(super) fn proof_for(game: &Game) -> Option<String> {
    PROOFS.iter().find_map(|(file, text)| {
        let Ok(Proof::Endless(proof)) = verify::check(text) else { return None };
        if proof.rules().to_string() != game.rules.to_string() {
            return None;
        }
        let dots = |proof: &EndlessGame| {
            let dots = proof.start().dots(proof.rules()).into_owned();
            dots.into_iter().map(|dot| Point::new(dot.x, dot.y)).collect::<Vec<Point>>()
        };
        let any_dot = game.rules.length() == 2 && !game.start.dots().is_empty();
        let same = cornered(&dots(&proof)) == cornered(game.start.dots());
        (any_dot || same).then(|| format!("{}, proven by proofs/endless/{file}", proof.claim()))
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

#[derive(Serialize)]
struct Found {
    game: String,
    start: String,
    endless: bool,
    claim: Option<String>,
    prefix: Option<usize>,
    period: Option<usize>,
    translation: Option<[i32; 2]>,
    out: Option<String>,
}

/// Looks for endless play and has it judged; not to find any proves nothing.
pub(super) fn look(game: &Game, effort: usize, out: Option<&Path>, json: bool) -> Result<Answer> {
    if let Some(out) = out {
        files::check_writable(out)?;
    }
    let found = endless::find(game, effort);
    let claim = match &found {
        Some(play) => {
            let text = written(play);
            let proof = verify::check(&text).context("the judge refuses what was found")?;
            if let Some(out) = out {
                files::write(out, text.as_bytes())?;
            }
            Some(proof.claim())
        }
        None => None,
    };
    if json {
        print_json(&Found {
            game: game.rules.to_string(),
            start: game.start_name(),
            endless: found.is_some(),
            claim,
            prefix: found.as_ref().map(|play| play.prefix.len()),
            period: found.as_ref().map(|play| play.period.len()),
            translation: found.as_ref().map(|play| [play.translation.x, play.translation.y]),
            out: out.filter(|_| found.is_some()).map(files::name),
        })?;
    } else {
        match found.as_ref().zip(claim) {
            Some((play, claim)) => print(format_args!(
                "{claim}, proven: {}, then {} again and again, moved by {}",
                count(play.prefix.len(), "move"),
                count(play.period.len(), "move"),
                play.translation
            ))?,
            None => print(format_args!("{game}: no endless play found, which proves nothing"))?,
        }
    }
    Ok(if found.is_some() { Answer::Yes } else { Answer::No })
}

/// The play as a file of the format `morpion-endless/1`.
fn written(play: &EndlessPlay) -> String {
    let point = |p: Point| format!("[{}, {}]", p.x, p.y);
    let moves = |moves: &[Move]| {
        let written = moves.iter().map(|mv| {
            let (new, first) = (point(mv.dot()), point(mv.line.start));
            format!("    {{\"new\": {new}, \"line\": [{first}, \"{}\"]}}", mv.line.direction)
        });
        match written.collect::<Vec<_>>() {
            none if none.is_empty() => "[]".to_owned(),
            some => format!("[\n{}\n  ]", some.join(",\n")),
        }
    };
    let start = match play.game.start.cross_side() {
        Some(_) => format!("\"{}\"", play.game.start_name()),
        None => {
            let dots: Vec<String> = play.game.start.dots().iter().map(|&dot| point(dot)).collect();
            format!("[{}]", dots.join(", "))
        }
    };
    format!(
        "{{\n  \"format\": \"morpion-endless/1\",\n  \"rules\": \"{}\",\n  \"start\": {start},\n  \
        \"prefix\": {},\n  \"period\": {},\n  \"translation\": {},\n  \
        \"provenance\": {{\"program\": \"morpion {}\"}}\n}}\n",
        play.game.rules,
        moves(&play.prefix),
        moves(&play.period),
        point(play.translation),
        env!("CARGO_PKG_VERSION"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_proof_that_comes_along_is_accepted_and_named_after_its_game() {
        for (file, text) in PROOFS {
            let claim = verify::check(text).unwrap_or_else(|no| panic!("{file}: {no}")).claim();
            assert!(claim.starts_with(&file[..2]) && claim.ends_with(": endless"), "{claim}");
        }
    }

    #[test]
    fn with_lines_of_two_every_move_goes_to_the_right_of_the_last_dot() {
        for (file, text) in &PROOFS[..2] {
            let Ok(Proof::Endless(proof)) = verify::check(text) else { panic!("{file}") };
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
            assert!(proof_for(&game).is_some_and(|proof| proof.starts_with(name)), "{name}");
        }
        for name in ["4D", "4T", "5D", "6T"] {
            assert_eq!(proof_for(&Game::named(name).expect("known")), None);
        }
    }
}
