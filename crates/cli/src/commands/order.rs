//! `morpion order`.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::{Context, Result};
use evidence::{GameOrder, Refusal, VerifiedRecord};
use geometry::{Line, Point};
use record::{Play, ReadError, Record};
use serde::Serialize;

use super::judged;
use crate::args::FileGame;
use crate::files;
use crate::output::{Exit, count, print, print_json};

const EXAMPLES: &str = "\
Examples:
  morpion order grid.txt
  morpion order --game 5D drawing.psol --out game.json";

/// Find an order in which the lines of a drawing can be played
///
/// Takes a drawing (text or native JSON with "lines") or any game, whose order is ignored. Lines
/// are numbered from 1 as in the file; comments and empty lines do not count. If no order exists,
/// the lines that can never be played are listed and the exit code is 1.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Drawing or game; `-` for standard input
    file: PathBuf,

    #[command(flatten)]
    game: FileGame,

    /// Write the ordered game to this file (native JSON)
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print one JSON document: verdict, game, lines, playable, order, new, stuck, left, reason
    #[arg(long)]
    json: bool,
}

/// The answer for machines.
#[derive(Default, Serialize)]
struct Outcome {
    verdict: &'static str,
    game: Option<String>,
    lines: Option<usize>,
    playable: Option<usize>,
    /// Numbers of the lines in the file, from 1, in an order in which they can be played.
    order: Vec<u32>,
    /// The new dot of each move of the order.
    new: Vec<[i32; 2]>,
    stuck: Vec<Stuck>,
    left: Option<u64>,
    reason: Option<String>,
}

/// A line that can never be played.
#[derive(Serialize)]
struct Stuck {
    line: u32,
    /// Its dots that are missing at the end: none, if it has none to add; or several.
    missing: Vec<[i32; 2]>,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let game = args.game.game()?;
    if let Some(out) = &args.out {
        files::check_writable(out)?;
    }
    let name = files::name(&args.file);
    let file =
        judged::native(&files::read(&args.file)?, game.as_ref()).with_context(|| name.clone())?;
    let record = file.record;
    match GameOrder::find(&file.text) {
        Err(refusal) if refusal.is_malformed() => Err(anyhow::Error::new(refusal).context(name)),
        Err(refusal) => refused(&args, &name, record.ok().as_ref(), &refusal),
        Ok(GameOrder::Ordered { game, order }) => {
            save(&args, &game, record).with_context(|| name.clone())?;
            ordered(&args, &name, &game, &order)
        }
        Ok(GameOrder::Stuck { stuck }) => {
            is_stuck(&args, &name, &record.with_context(|| name.clone())?, &stuck)
        }
    }
}

fn save(args: &Args, game: &VerifiedRecord, record: Result<Record, ReadError>) -> Result<()> {
    let Some(out) = &args.out else { return Ok(()) };
    let ordered = Record { play: Play::Moves(judged::moves(game)), ..record? };
    files::write(out, ordered.to_json().as_bytes())
}

fn ordered(args: &Args, name: &str, game: &VerifiedRecord, order: &[u32]) -> Result<Exit> {
    let order: Vec<u32> = order.iter().map(|index| index + 1).collect();
    if args.json {
        print_json(&Outcome {
            verdict: "ordered",
            game: Some(game.game().rules.to_string()),
            lines: Some(order.len()),
            playable: Some(order.len()),
            new: game.moves().iter().map(|mv| [mv.dot().x, mv.dot().y]).collect(),
            order,
            left: Some(game.remaining_moves()),
            ..Outcome::default()
        })?;
        return Ok(Exit::Success);
    }
    print(format_args!("{name}: ordered: {game}"))?;
    if args.out.is_none() {
        let rules = game.game().rules;
        for (step, (number, mv)) in (1..).zip(order.iter().zip(judged::moves(game))) {
            let (dot, ends) = (mv.dot(), judged::ends(mv.line, rules));
            print(format_args!("{step:>6}. line {number}, {ends}: adds {},{}", dot.x, dot.y))?;
        }
    }
    Ok(Exit::Success)
}

fn is_stuck(args: &Args, name: &str, record: &Record, stuck: &[u32]) -> Result<Exit> {
    let rules = record.game.rules;
    let lines: Vec<Line> = record.lines().collect();
    let is_stuck: HashSet<u32> = stuck.iter().copied().collect();
    let playable: Vec<u32> = (0..lines.len() as u32).filter(|i| !is_stuck.contains(i)).collect();
    let missing = evidence::missing_dots(record, stuck);
    let stuck = || stuck.iter().copied().zip(&missing);
    if args.json {
        let why = |(i, missing): (u32, &Vec<Point>)| Stuck {
            line: i + 1,
            missing: missing.iter().map(|dot| [dot.x, dot.y]).collect(),
        };
        print_json(&Outcome {
            verdict: "stuck",
            game: Some(rules.to_string()),
            lines: Some(lines.len()),
            playable: Some(playable.len()),
            order: playable.iter().map(|i| i + 1).collect(),
            stuck: stuck().map(why).collect(),
            ..Outcome::default()
        })?;
        return Ok(Exit::Negative);
    }
    let (some, all) = (playable.len(), count(lines.len(), "line"));
    print(format_args!("{name}: stuck: {}, only {some} of {all} can be played", record.game))?;
    let numbers: Vec<String> = playable.iter().map(|i| (i + 1).to_string()).collect();
    print(format_args!("playable: {}", numbers.join(" ")))?;
    for (i, missing) in stuck() {
        let why = match missing.as_slice() {
            [] => "all its dots are there, so it adds none".to_owned(),
            [dot] => format!("{dot} is missing"),
            dots => {
                let dots: Vec<String> = dots.iter().map(Point::to_string).collect();
                format!("{} are missing, and a line adds only one", dots.join(" "))
            }
        };
        print(format_args!(
            "stuck: line {}, {}: {why}",
            i + 1,
            judged::ends(lines[i as usize], rules)
        ))?;
    }
    Ok(Exit::Negative)
}

fn refused(args: &Args, name: &str, record: Option<&Record>, refusal: &Refusal) -> Result<Exit> {
    let reason = format!("{refusal}{}", judged::ends_of_fault(refusal, record));
    if args.json {
        print_json(&Outcome {
            verdict: "refused",
            game: record.map(|record| record.game.rules.to_string()),
            lines: record.map(|record| record.lines().len()),
            reason: Some(reason),
            ..Outcome::default()
        })?;
    } else {
        print(format_args!("{name}: refused: {reason}"))?;
    }
    Ok(Exit::Negative)
}
