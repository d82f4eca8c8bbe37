//! `morpion tail`.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, bail};
use evidence::VerifiedRecord;
use geometry::{Game, Move};
use record::Record;
use search::exhaustive::{self, ExhaustiveError, Part, Settings};
use serde::Serialize;

use crate::args::{FileGame, MAX_THREADS, all_cores};
use crate::commands::judged;
use crate::files;
use crate::interrupt::stop_flag;
use crate::journal::{Journal, conduct};
use crate::output::{Exit, note, print, print_json};
use crate::progress::Progress;

/// Finds the longest game that begins with the first moves of a game
///
/// Goes through everything that can follow the first N moves, as sets of lines, and so proves that no longer
/// game begins with them, or finds one. The fewer moves are kept, the longer it takes: some 40 moves more in 5D, some
/// 30 more in 5T are a matter of seconds.
///
/// Examples:
///   morpion tail games/5D-82.json --keep 60
///   morpion tail games/5D-82.json --keep 40 --journal 5D-40.parts    goes on after Ctrl-C or a crash
///   morpion tail best.json --keep 100 --out better.json
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The game; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    game: FileGame,

    /// How many of its moves to keep
    #[arg(long, value_name = "N")]
    keep: usize,

    /// Write the longest game to this file (native JSON), if it is longer than the one given
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Keep what is done in this file, and go on from there
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,

    /// How many threads to use [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_THREADS)))]
    threads: Option<u32>,

    /// Print one JSON document: game, keep, moves, longest, proven, out
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    game: String,
    keep: usize,
    /// Of the game given.
    moves: usize,
    longest: usize,
    proven: bool,
    out: Option<String>,
}

/// Into how many parts the search is cut: enough for many threads, and to lose little when interrupted.
const PARTS: usize = 512;
/// How many components a thread remembers.
const MEMORY: usize = 2_000_000;

pub(crate) fn run(args: Args) -> Result<Exit> {
    if let Some(out) = &args.out {
        files::check_writable(out)?;
    }
    let found = judged::judge(&args.file, args.game.game()?.as_ref())?;
    let record = found.record.with_context(|| files::name(&args.file))?;
    let verified = found.verdict.with_context(|| files::name(&args.file))?;
    let (game, moves) = (record.game, judged::moves(&verified));
    if args.keep > moves.len() {
        bail!("--keep {}: {} has only {} moves", args.keep, files::name(&args.file), moves.len());
    }
    let parts = exhaustive::parts(&game, &moves[..args.keep], PARTS);
    let stop = stop_flag()?;
    let go_on = || match stop.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let settings = Settings { memory: MEMORY, on: &go_on };
    let name = format!("morpion-parts/1 tail {game} {}", listed(&moves[..args.keep]));
    let kept = match &args.journal {
        Some(path) => {
            let (journal, results) = Journal::open(path, &name, parts.len())?;
            (Some(journal), results)
        }
        None => (None, Default::default()),
    };
    let line = Progress::new();
    let progress = |done: usize| {
        line.show(format_args!("{done} of {} parts done", parts.len()));
    };
    let work = |part: usize| Ok(exhaustive::longest(&game, &parts[part], settings)?.to_string());
    let threads = args.threads.unwrap_or_else(all_cores);
    let results = match conduct(parts.len(), threads, kept, &stop, &progress, &work) {
        Err(error) if error.is::<ExhaustiveError>() && stop.load(Ordering::Relaxed) => None,
        other => Some(other?),
    };
    drop(line);
    let Some(results) = results.filter(|results| results.len() == parts.len()) else {
        bail!("interrupted; with --journal it goes on where it stopped");
    };
    let mut best = (0, 0);
    for (part, length) in results {
        let length: usize = length.parse().context("the journal: a result is a number of moves")?;
        best = best.max((length, part));
    }
    report(&args, &game, &moves, best.0, &parts[best.1])
}

/// The moves as one word.
fn listed(moves: &[Move]) -> String {
    moves.iter().map(|mv| mv.line.to_string().replace(' ', "")).collect()
}

fn report(args: &Args, game: &Game, moves: &[Move], longest: usize, part: &Part) -> Result<Exit> {
    let mut row = Row {
        game: game.to_string(),
        keep: args.keep,
        moves: moves.len(),
        longest,
        proven: true,
        out: None,
    };
    if longest > moves.len() {
        let found = exhaustive::longest_game(game, part, longest, Settings::QUIET)?;
        let record = Record::from_moves(game.clone(), found);
        let verified = VerifiedRecord::new(record.clone())
            .context("the verifier refuses the game found: a bug in this program")?;
        if verified.score() as usize != longest {
            bail!("the game found has {} moves, not {longest}", verified.score());
        }
        match &args.out {
            Some(out) => {
                files::write(out, record.to_json().as_bytes())?;
                row.out = Some(files::name(out));
            }
            None => note(record.to_json().trim_end()),
        }
    }
    if args.json {
        print_json(&row)?;
    } else {
        print(format_args!(
            "{game}: {longest} moves, and no longer game begins with these {} moves",
            args.keep
        ))?;
        if let Some(out) = &row.out {
            print(format_args!(
                "  longer than the game given, by {}: {out}",
                longest - moves.len()
            ))?;
        }
    }
    Ok(Exit::Success)
}
