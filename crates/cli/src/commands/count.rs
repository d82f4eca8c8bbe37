//! `morpion count`.

use anyhow::Result;
use lab::view::CountView;
use rules::count::{CountError, Kind, Settings, count};

use crate::args::{GameArgs, MAX_THREADS, all_cores, memory};
use crate::output::{Exit, print, print_json};
use crate::progress::Progress;

/// Count the positions after N moves
///
/// A position is a set of lines: the order they were drawn in does not matter. By default those
/// that a symmetry of the start maps onto each other count once.
///
/// Examples:
///   morpion count 5T --moves 8                 453377
///   morpion count 4D --moves 3 --unreduced     9392
///   morpion count 5D --moves 3 --sequences     18416
///   morpion count --rules 3T --start dots.txt --moves 5 --all
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,

    /// After how many moves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=1000))]
    moves: u16,

    /// Count each position, also those alike by symmetry
    #[arg(long, conflicts_with = "sequences")]
    unreduced: bool,

    /// Count the sequences of moves that lead there
    #[arg(long)]
    sequences: bool,

    /// Print the counts after 0, 1, ..., N moves, one per line
    #[arg(long, conflicts_with = "json")]
    all: bool,

    /// How many threads to use [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_THREADS)))]
    threads: Option<u32>,

    /// How much memory the tables of --sequences may take
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = memory)]
    memory: u64,

    /// Print one JSON document: game, kind and all counts from 0 moves on
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let game = args.game.game()?;
    let (kind, name) = match (args.sequences, args.unreduced) {
        (true, _) => (Kind::Sequences, "sequences"),
        (_, true) => (Kind::Positions, "unreduced"),
        _ => (Kind::Classes, "up to symmetry"),
    };
    let line = Progress::new();
    let progress = |done: f64| line.show(format_args!("counting {game}: {:.1} %", 100.0 * done));
    let threads = args.threads.unwrap_or_else(all_cores) as usize;
    let settings = Settings { threads, memory: args.memory, progress: &progress };
    let counts = count(&game, kind, args.moves.into(), settings).map_err(advise)?;
    drop(line);
    if args.json {
        print_json(&CountView::new(&game, name, counts))?;
    } else if args.all {
        let rows: Vec<String> = counts.iter().map(u128::to_string).collect();
        print(rows.join("\n"))?;
    } else {
        print(counts[usize::from(args.moves)])?;
    }
    Ok(Exit::Success)
}

fn advise(error: CountError) -> anyhow::Error {
    let advice = match error {
        CountError::Memory { .. } => "give more with --memory, or ask for fewer --moves",
        _ => "ask for fewer --moves",
    };
    anyhow::Error::new(error).context(advice)
}
