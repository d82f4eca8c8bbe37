//! `morpion endgame`.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use geometry::{Game, Move};
use lab::parts::PartsError;
use lab::prove::ProveError;
use lab::prove::continuation::{Continuation, Event, longest};
use lab::view::EndgameView;
use record::Record;

use super::prove::continue_unless;
use crate::args::{FileGame, all_cores, threads};
use crate::commands::game_file;
use crate::files;
use crate::interrupt::{Interruption, TimeLimit};
use crate::output::{Exit, note, print, print_json};
use crate::progress::Progress;

const EXAMPLES: &str = "\
Examples:
  morpion endgame games/5D-82.json --keep 60
  morpion endgame games/5D-82.json --keep 40 --journal 5D-40.parts    resumes after Ctrl-C
  morpion endgame best.json --keep 100 -o better.json";

/// Find the longest game that starts with the first moves of a game
///
/// Searches all continuations of the first N moves, as sets of lines, and so proves that no longer
/// game starts with them, or finds one. The fewer moves are kept, the longer it takes: the last 40
/// moves in 5D or the last 30 in 5T are a matter of seconds.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Game file; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    game: FileGame,

    /// Number of its moves to keep
    #[arg(long, value_name = "N")]
    keep: usize,

    /// Write the longest game to this file (native JSON), if it is longer than the given one
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Store results in this file, and resume from it
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,

    #[command(flatten)]
    limit: TimeLimit,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = threads())]
    threads: Option<u32>,

    /// Print one JSON document: game, keep, moves, longest, proven, out
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    if let Some(out) = &args.out {
        files::check_writable(out)?;
    }
    let found = game_file::verify(&args.file, args.game.game()?.as_ref())?;
    let record = found.record.with_context(|| files::name(&args.file))?;
    let verified = found.verdict.with_context(|| files::name(&args.file))?;
    let (game, moves) = (record.game, verified.moves().to_vec());
    if args.keep > moves.len() {
        bail!("--keep {}: {} has only {} moves", args.keep, files::name(&args.file), moves.len());
    }
    if let Some(journal) = &args.journal {
        files::check_target(journal)?;
    }
    let interruption = interrupted(&args);
    let advice = interruption.clone();
    let stop = args.limit.stop_flag_or_exit(move || advice.clone());
    let line = Progress::new();
    let threads = args.threads.unwrap_or_else(all_cores);
    let (start, journal) = (&moves[..args.keep], args.journal.as_deref());
    let found = longest(&game, start, journal, threads, &|event| {
        if let Event::Progress { done, total } = event {
            line.show(format_args!("{done} of {total} parts done"));
        }
        continue_unless(&stop)
    });
    drop(line);
    match found {
        Ok(found) => report(&args, &game, &moves, &found),
        Err(ProveError::Interrupted) => Err(Interruption(interruption).into()),
        Err(ProveError::Parts(PartsError::OtherWork { file, .. })) => bail!(
            "--journal {file}: not of this game and --keep {}; choose another file",
            args.keep
        ),
        Err(error) => Err(error.into()),
    }
}

/// What to do after an interruption.
fn interrupted(args: &Args) -> String {
    match &args.journal {
        Some(file) => format!("the same command resumes from {}", files::name(file)),
        None => "with --journal FILE it would resume".to_owned(),
    }
}

fn report(args: &Args, game: &Game, moves: &[Move], found: &Continuation) -> Result<Exit> {
    let longest = found.longest;
    let mut view = EndgameView {
        game: game.to_string(),
        keep: args.keep,
        moves: moves.len(),
        longest,
        proven: true,
        out: None,
    };
    if longest > moves.len() {
        let record = Record::from_moves(game.clone(), found.moves(game)?);
        let verified = verify::verify_game(&record.to_json());
        let verified = verified.context("the verifier refuses the game found")?;
        if verified.score() as usize != longest {
            bail!("the game found has {} moves, not {longest}", verified.score());
        }
        match &args.out {
            Some(out) => {
                files::write(out, record.to_json().as_bytes())?;
                view.out = Some(files::name(out));
            }
            None => note(record.to_json().trim_end()),
        }
    }
    if args.json {
        print_json(&view)?;
    } else {
        let keep = args.keep;
        print(format_args!(
            "{game}: {longest} moves, and no longer game begins with these {keep} moves"
        ))?;
        if let Some(out) = &view.out {
            let by = longest - moves.len();
            print(format_args!("  longer than the game given, by {by}: {out}"))?;
        }
    }
    Ok(Exit::Success)
}
