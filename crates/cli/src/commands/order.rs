//! `morpion order`.

use std::path::PathBuf;

use anyhow::{Context, Result};
use record::Record;
use serde::Serialize;
use verify::{Fault, Ordering, Refusal, VerifiedGame};

use super::judged;
use crate::args::FileGame;
use crate::files;
use crate::output::{Answer, print, print_json};

/// Finds an order in which the lines of a drawing can be played, or says which are stuck
///
/// Takes a drawing (text or native JSON with "lines") or any game, whose order it passes over.
/// Lines are numbered as in the file, from 1.
///
/// Examples:
///   morpion order grid.txt
///   morpion order --game 5D drawing.psol --out game.json
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The drawing; `-` is standard input
    file: PathBuf,

    #[command(flatten)]
    game: FileGame,

    /// Write the ordered game to this file (native JSON)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print one JSON document: verdict, game, lines, playable, order
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Outcome {
    verdict: &'static str,
    game: Option<String>,
    lines: Option<usize>,
    playable: Option<usize>,
    /// Numbers of the lines in the file, from 1, in the order they can be played.
    order: Vec<u32>,
    /// The new dot of each move of the order.
    new: Vec<[i32; 2]>,
    /// Numbers of the lines that can never be played.
    stuck: Vec<u32>,
    left: Option<u64>,
    reason: Option<String>,
}

pub(crate) fn run(args: Args) -> Result<Answer> {
    let game = args.game.game()?;
    if let Some(out) = &args.out {
        files::check_writable(out)?;
    }
    let name = args.file.display().to_string();
    let (text, record) =
        judged::native(&files::read(&args.file)?, game.as_ref()).with_context(|| name.clone())?;
    let rules = record.as_ref().ok().map(|record| record.game.to_string());
    let lines = record.as_ref().ok().map(|record| record.lines().len());
    match verify::order(&text) {
        Err(refusal) if refusal.is_malformed() => Err(anyhow::Error::new(refusal).context(name)),
        Err(refusal) => refused(&args, &name, rules, lines, &refusal),
        Ok(Ordering::Ordered { game, order, .. }) => {
            if let Some(out) = &args.out {
                let record = record.with_context(|| name.clone())?;
                let ordered = Record { play: record::Play::Moves(judged::moves(&game)), ..record };
                files::write(out, ordered.to_json().as_bytes())?;
            }
            ordered(&args, &name, &game, &order)
        }
        Ok(Ordering::Stuck { stuck, playable, .. }) => {
            is_stuck(&args, &name, rules, lines, playable, &stuck)
        }
    }
}

fn ordered(args: &Args, name: &str, game: &VerifiedGame, order: &[u32]) -> Result<Answer> {
    let order: Vec<u32> = order.iter().map(|index| index + 1).collect();
    if args.json {
        print_json(&Outcome {
            verdict: "ordered",
            game: Some(game.rules().to_string()),
            lines: Some(order.len()),
            playable: Some(order.len()),
            new: game.moves().iter().map(|mv| [mv.new.x, mv.new.y]).collect(),
            order,
            stuck: Vec::new(),
            left: Some(game.left()),
            reason: None,
        })?;
    } else {
        let (what, left) = (judged::name(game), judged::left(game));
        print(format_args!("{name}: ordered: {what}, {} lines, {left}", order.len()))?;
        if args.out.is_none() {
            for (step, (line, mv)) in (1..).zip(order.iter().zip(game.moves())) {
                let (first, direction) = (mv.line.first, mv.line.direction.name());
                print(format_args!(
                    "{step:>6}. line {line}: dot {} by {first} {direction}",
                    mv.new
                ))?;
            }
        }
    }
    Ok(Answer::Yes)
}

fn is_stuck(
    args: &Args,
    name: &str,
    rules: Option<String>,
    lines: Option<usize>,
    playable: u32,
    stuck: &[u32],
) -> Result<Answer> {
    let stuck: Vec<u32> = stuck.iter().map(|index| index + 1).collect();
    let all = playable + stuck.len() as u32;
    let drawn: Vec<u32> = (1..=all).filter(|number| stuck.binary_search(number).is_err()).collect();
    if args.json {
        print_json(&Outcome {
            verdict: "stuck",
            game: rules,
            lines,
            playable: Some(playable as usize),
            order: drawn,
            new: Vec::new(),
            stuck,
            left: None,
            reason: None,
        })?;
    } else {
        let rules = rules.map_or_else(String::new, |rules| format!("{rules}, "));
        print(format_args!("{name}: stuck: {rules}only {playable} of {all} lines can be played"))?;
        print(format_args!("playable: {}", list(&drawn)))?;
        print(format_args!("stuck: {}", list(&stuck)))?;
    }
    Ok(Answer::No)
}

fn refused(
    args: &Args,
    name: &str,
    rules: Option<String>,
    lines: Option<usize>,
    refusal: &Refusal,
) -> Result<Answer> {
    if args.json {
        let claim = matches!(refusal.fault, Fault::FalseScore { .. } | Fault::FalseTerminal { .. });
        print_json(&Outcome {
            verdict: "refused",
            game: rules,
            lines,
            playable: lines.filter(|_| claim),
            order: Vec::new(),
            new: Vec::new(),
            stuck: Vec::new(),
            left: None,
            reason: Some(refusal.to_string()),
        })?;
    } else {
        print(format_args!("{name}: refused: {refusal}"))?;
    }
    Ok(Answer::No)
}

fn list(numbers: &[u32]) -> String {
    let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
    words.join(" ")
}
