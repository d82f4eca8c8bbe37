//! `morpion order`.

use std::path::PathBuf;

use anyhow::{Context, Result};
use bound::program::drawing_of_solution;
use evidence::{GameOrder, Refusal, VerifiedRecord};
use geometry::Line;
use lab::alignment::{Alignment, align, hint_at_game, missing_hint};
use lab::view::{OrderView, StuckLineView};
use record::{Play, ReadError, Record};

use super::game_file;
use crate::args::FileGame;
use crate::files;
use crate::output::{Exit, count, note, print, print_json};

const EXAMPLES: &str = "\
Examples:
  morpion order grid.txt
  morpion order --game 5D drawing.psol --out game.json
  morpion order --game 4D solution.sol --out game.json";

/// Find an order in which the lines of a drawing can be played
///
/// Takes a drawing (text or native JSON with "lines"), any game, whose order is ignored, or the
/// solution (.sol) of a program that `morpion bound --write --integer` wrote, with --game. Lines
/// are numbered from 1 as in the file; comments, empty lines and the line that names the game do
/// not count. If no order exists, the exit code is 1 and the lines that can never be played are
/// listed: first those that no other line could help, which are mistyped, then those that only wait
/// for others.
///
/// A drawing that fits only after its coordinates are changed (moved, mirrored, turned, y upward)
/// is read that way, with a note.
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

pub(crate) fn run(args: Args) -> Result<Exit> {
    let game = args.game.game()?;
    if let Some(out) = &args.out {
        files::check_writable(out)?;
    }
    let name = files::name(&args.file);
    let mut bytes = files::read(&args.file)?;
    if args.file.extension().is_some_and(|ending| ending == "sol") {
        let game = game.clone().context("a solution needs --game, like 5D")?;
        let text = String::from_utf8_lossy(&bytes);
        let lines = drawing_of_solution(&text).with_context(|| name.clone())?;
        bytes = Record::from_lines(game, lines).to_json().into_bytes();
    }
    let file = game_file::native(&bytes, game.as_ref()).with_context(|| name.clone())?;
    let record = file.record;
    match GameOrder::find(&file.text) {
        Err(refusal) if refusal.is_malformed() => Err(anyhow::Error::new(refusal).context(name)),
        Err(refusal) => {
            let typed = std::str::from_utf8(&bytes).ok().and_then(hint_at_game);
            refused(&args, &name, record.ok().as_ref(), &refusal, typed)
        }
        Ok(GameOrder::Ordered { game, order }) => {
            save(&args, &game, record).with_context(|| name.clone())?;
            ordered(&args, &name, &game, &order)
        }
        Ok(GameOrder::Stuck { stuck }) => {
            let record = record.with_context(|| name.clone())?;
            let all = record.lines().len();
            let as_written = match all - stuck.len() {
                0 => "nothing fits as written".to_owned(),
                some => format!("only {some} of {all} lines fit as written"),
            };
            match align(&record) {
                Some(Alignment { order: GameOrder::Ordered { game, order }, change, .. }) => {
                    note(format_args!("{name}: {as_written}; {change}, all {all} lines fit"));
                    let aligned = Record { game: game.game().clone(), ..record };
                    save(&args, &game, Ok(aligned)).with_context(|| name.clone())?;
                    ordered(&args, &name, &game, &order)
                }
                Some(Alignment { order: GameOrder::Stuck { stuck }, change, drawing }) => {
                    let some = all - stuck.len();
                    note(format_args!(
                        "{name}: {as_written}; {change}, {some} fit. The coordinates below are \
                         those of the file"
                    ));
                    is_stuck(&args, &name, &drawing, &stuck)
                }
                None => is_stuck(&args, &name, &record, &stuck),
            }
        }
    }
}

fn save(args: &Args, game: &VerifiedRecord, record: Result<Record, ReadError>) -> Result<()> {
    let Some(out) = &args.out else { return Ok(()) };
    let ordered = Record { play: Play::Moves(game.moves().to_vec()), ..record? };
    Ok(files::write(out, ordered.to_json().as_bytes())?)
}

fn ordered(args: &Args, name: &str, game: &VerifiedRecord, order: &[u32]) -> Result<Exit> {
    let view = OrderView::ordered(game, order);
    if args.json {
        print_json(&view)?;
        return Ok(Exit::Success);
    }
    print(format_args!("{name}: ordered: {game}"))?;
    if args.out.is_none() {
        let rules = game.game().rules;
        for (step, (number, mv)) in (1..).zip(view.order.iter().zip(game.moves())) {
            let (dot, ends) = (mv.dot(), game_file::ends(mv.line, rules));
            print(format_args!("{step:>6}. line {number}, {ends}: adds {},{}", dot.x, dot.y))?;
        }
    }
    Ok(Exit::Success)
}

fn is_stuck(args: &Args, name: &str, record: &Record, stuck: &[u32]) -> Result<Exit> {
    let reason = missing_hint(record, stuck);
    let view = OrderView { reason, ..OrderView::stuck(record, stuck) };
    if args.json {
        print_json(&view)?;
        return Ok(Exit::Negative);
    }
    let lines: Vec<Line> = record.lines().collect();
    let (some, all) = (view.order.len(), count(lines.len(), "line"));
    print(format_args!("{name}: stuck: {}, only {some} of {all} can be played", record.game))?;
    let numbers: Vec<String> = view.order.iter().map(u32::to_string).collect();
    match &numbers[..] {
        [] => {}
        [one] => print(format_args!("playable: line {one}"))?,
        several => print(format_args!("playable: lines {}", several.join(" ")))?,
    }
    for StuckLineView { line, missing, waits } in &view.stuck {
        let dots: Vec<String> = missing.iter().map(|[x, y]| format!("({x},{y})")).collect();
        let why = match dots.as_slice() {
            [] => "all its dots are there, so it adds none".to_owned(),
            [dot] => format!("{dot} is missing"),
            dots if *waits => {
                format!("{} are missing until other lines are played", dots.join(" "))
            }
            dots => format!("{} are missing, and a line adds only one", dots.join(" ")),
        };
        let ends = game_file::ends(lines[*line as usize - 1], record.game.rules);
        let state = if *waits { "waits" } else { "stuck" };
        print(format_args!("{state}: line {line}, {ends}: {why}"))?;
    }
    if let Some(reason) = &view.reason {
        print(reason)?;
    }
    Ok(Exit::Negative)
}

fn refused(
    args: &Args,
    name: &str,
    record: Option<&Record>,
    refusal: &Refusal,
    typed: Option<String>,
) -> Result<Exit> {
    let hint = record.and_then(align).and_then(|other| match other.order {
        GameOrder::Ordered { game, .. } => {
            Some(format!("{}, all {} lines fit", other.change, game.score()))
        }
        GameOrder::Stuck { .. } => None,
    });
    let hint = hint.or(typed).map(|hint| format!("; {hint}"));
    let (line, hint) = (game_file::faulty_line(refusal, record), hint.unwrap_or_default());
    let reason = format!("{refusal}{line}{hint}");
    if args.json {
        print_json(&OrderView::refused(record, reason))?;
    } else {
        print(format_args!("{name}: refused: {reason}"))?;
    }
    Ok(Exit::Negative)
}
