//! `morpion count`.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result, anyhow, bail};
use geometry::Game;
use lab::view::CountView;
use rules::count::{CountError, CountKind, CountOptions, count};

use super::prove::{WorkArgs, enumeration};
use crate::args::{GameArgs, MAX_THREADS, all_cores, memory};
use crate::interrupt::{self, TimeLimit};
use crate::output::{Exit, print, print_json};
use crate::progress::Progress;
use crate::solver::SolverArgs;

const EXAMPLES: &str = "\
Examples:
  morpion count 5T --moves 8                 453377
  morpion count 4D --moves 3 --unreduced     9392
  morpion count 5D --moves 3 --sequences     18416
  morpion count --rules 3T --start dots.txt --moves 5 --all
  morpion count 4D --all -o counted          all 379433660459 positions, in parts, resumable";

/// Count the positions after N moves, or all positions of a game
///
/// A position is a set of lines: the order they were drawn in does not matter. By default those
/// that a symmetry of the start maps onto each other count once.
///
/// With --moves, Ctrl-C and --for print the counts that are known by then.
///
/// With --all and without --moves every position is counted, in parts that are stored in the folder
/// of -o; the same command resumes.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,

    /// After how many moves
    #[arg(long, value_name = "N", required_unless_present = "all",
        value_parser = clap::value_parser!(u16).range(0..=1000))]
    moves: Option<u16>,

    /// Count each position, also those alike by symmetry
    #[arg(long, conflicts_with = "sequences", requires = "moves")]
    unreduced: bool,

    /// Count the sequences of moves that lead there
    #[arg(long, requires = "moves")]
    sequences: bool,

    /// Print the counts after 0, 1, ..., N moves, one per line; without --moves, count all
    /// positions
    #[arg(long)]
    all: bool,

    /// With --all alone: folder for the counts of the parts; resumes from what it holds
    #[arg(short, long, value_name = "DIR", conflicts_with = "moves")]
    out: Option<PathBuf>,

    #[command(flatten)]
    limit: TimeLimit,

    /// Number of threads [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_THREADS)))]
    threads: Option<u32>,

    /// Memory limit of the tables of --sequences
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = memory)]
    memory: u64,

    /// Print one JSON document: game, kind and all counts from 0 moves on
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let game = args.game.game()?;
    let Some(moves) = args.moves else { return all_positions(game, args) };
    let (kind, name) = match (args.sequences, args.unreduced) {
        (true, _) => (CountKind::Sequences, "sequences"),
        (_, true) => (CountKind::Positions, "unreduced"),
        _ => (CountKind::Classes, "up to symmetry"),
    };
    let known: Arc<Mutex<Vec<u128>>> = Arc::default();
    let report = {
        let (known, game, all, json) = (Arc::clone(&known), game.clone(), args.all, args.json);
        move || {
            let known = known.lock().expect("no thread panics with it").clone();
            report_known(&known, &game, name, all, json)
        }
    };
    args.limit.end_with(report);
    let line = Progress::new();
    let threads = args.threads.unwrap_or_else(all_cores) as usize;
    // Each count is several times the work of the one before, so that these cost little, and are
    // known if the last one takes too long.
    for moves in 0..=usize::from(moves) {
        let progress = |done: f64| {
            line.show(format_args!("counting {game} after {moves} moves: {:.1} %", 100.0 * done));
        };
        let options = CountOptions { threads, memory: args.memory, progress: &progress };
        let counts = count(&game, kind, moves, options).map_err(advise)?;
        *known.lock().expect("no thread panics with it") = counts;
    }
    drop(line);
    interrupt::begin_report();
    let counts = known.lock().expect("no thread panics with it").clone();
    if args.json {
        print_json(&CountView::new(&game, name, counts))?;
    } else if args.all {
        print_rows(&counts)?;
    } else {
        print(counts[usize::from(moves)])?;
    }
    Ok(Exit::Success)
}

fn print_rows(counts: &[u128]) -> Result<()> {
    let rows: Vec<String> = counts.iter().map(u128::to_string).collect();
    print(rows.join("\n"))
}

/// Prints the counts that are known when the work is interrupted; returns what to say.
fn report_known(counts: &[u128], game: &Game, kind: &'static str, all: bool, json: bool) -> String {
    let Some((last, moves)) = counts.last().zip(counts.len().checked_sub(1)) else {
        return "nothing is counted yet".to_owned();
    };
    let printed = match (json, all) {
        (true, _) => print_json(&CountView::new(game, kind, counts.to_vec())),
        (_, true) => print_rows(counts),
        _ => Ok(()),
    };
    match printed {
        Ok(()) => format!("counted up to {moves} moves, after which there are {last}"),
        Err(error) => format!("{error:#}"),
    }
}

/// Every position of a game, in parts.
fn all_positions(game: Game, args: Args) -> Result<Exit> {
    if !game.is_usual() {
        bail!("--all without --moves is for games from the usual cross, not for {game}");
    }
    enumeration::check_countable(&game)?;
    let out = args.out.context("--all without --moves needs a folder for the counts: -o DIR")?;
    let (threads, limit, json) = (args.threads, args.limit, args.json);
    let solver = SolverArgs::default();
    let work = WorkArgs { game, out, threads, limit, solver, json };
    enumeration::run(enumeration::Args { work })
}

fn advise(error: CountError) -> anyhow::Error {
    let advice = match error {
        CountError::Memory { .. } => "give more with --memory, or ask for fewer --moves",
        _ => "ask for fewer --moves",
    };
    anyhow!("{error}; {advice}")
}
