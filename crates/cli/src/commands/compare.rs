//! `morpion compare`.

use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use evidence::VerifiedRecord;
use lab::compare::compare;
use record::Record;
use render::Terminal;

use super::game_file;
use crate::args::FileGame;
use crate::files;
use crate::output::{Exit, count, print, print_json};

const EXAMPLES: &str = "\
Examples:
  morpion compare best.json record.psol
  morpion compare games/5T-168.json games/5T-169.json --json";

/// Compare two games: lines and dots in common, up to the eight symmetries
///
/// The second game is turned and mirrored so that it has the most lines in common with the first.
/// Both are drawn.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A game
    #[arg(value_name = "A")]
    one: PathBuf,

    /// Another game of the same rules and start
    #[arg(value_name = "B")]
    other: PathBuf,

    #[command(flatten)]
    game: FileGame,

    /// Leave out the drawings
    #[arg(long)]
    no_picture: bool,

    /// Print one JSON document: game, moves, lines, dots, symmetry, differs_at, same
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let game = args.game.game()?;
    let read = |path: &PathBuf| -> Result<VerifiedRecord> {
        let check = game_file::verify(path, game.as_ref())?;
        check.verdict.map_err(|refusal| {
            let reason = game_file::reason(&refusal, check.record.as_ref().ok());
            anyhow!("{}: refused: {reason}", files::name(path))
        })
    };
    let (one, other) = (read(&args.one)?, read(&args.other)?);
    if one.game() != other.game() {
        let names = [files::name(&args.one), files::name(&args.other)];
        bail!(
            "{} is a game of {}, {} of {}; only games of the same rules and start compare",
            names[0],
            one.game(),
            names[1],
            other.game()
        );
    }
    let (view, image) = compare(one.game(), one.moves(), other.moves());
    if args.json {
        print_json(&view)?;
        return Ok(Exit::Success);
    }
    let [first, second] = view.moves;
    print(format_args!("{}: {first} and {}", view.game, count(second, "move")))?;
    if view.same {
        print("the same game: all lines in common")?;
    } else {
        let (lines, dots) = (count(view.lines, "line"), count(view.dots, "new dot"));
        print(format_args!("in common: {lines}, {dots}"))?;
    }
    match view.symmetry {
        0 => print("compared as they are")?,
        _ => print("the second game is turned or mirrored for this")?,
    }
    match view.differs_at {
        Some(at) if view.same => print(format_args!("played in another order from move {at} on"))?,
        Some(at) => print(format_args!("first difference: move {at}"))?,
        None if first == second => print("the same order of play")?,
        None => print("one starts with all moves of the other")?,
    }
    if !args.no_picture {
        let turned = Record::from_moves(other.game().clone(), image);
        for record in [one.record(), &turned] {
            print(format_args!("\n{}", render::terminal(record, &Terminal::default()).trim_end()))?;
        }
    }
    Ok(Exit::Success)
}
