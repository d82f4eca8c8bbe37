//! `morpion bound GAME --endless`.

use std::path::Path;

use anyhow::{Context, Result};
use bound::endless::{self, EndlessPlay};
use geometry::{Game, Move, Point};
use serde::Serialize;

use crate::files;
use crate::output::{Exit, count, print, print_json};

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
pub(super) fn look(game: &Game, effort: usize, out: Option<&Path>, json: bool) -> Result<Exit> {
    if let Some(out) = out {
        files::check_writable(out)?;
    }
    let found = endless::find(game, effort);
    let claim = match &found {
        Some(play) => {
            let text = written(play);
            let proof =
                verify::verify_proof(&text).context("the verifier refuses what was found")?;
            if let Some(out) = out {
                files::write(out, text.as_bytes())?;
            }
            Some(proof.to_string())
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
    Ok(if found.is_some() { Exit::Success } else { Exit::Negative })
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
