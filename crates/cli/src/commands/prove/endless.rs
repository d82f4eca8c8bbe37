//! `morpion prove endless`.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use geometry::Game;
use lab::known;
use lab::view::EndlessView;

use crate::args::GameArgs;
use crate::files;
use crate::interrupt::TimeLimit;
use crate::output::{Exit, count, print, print_json};

/// Search for play that never ends: moves that repeat for ever
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,

    /// Write the proof to this file
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Number of positions to visit, for each direction and distance
    #[arg(long, value_name = "N", default_value_t = EFFORT)]
    effort: u32,

    #[command(flatten)]
    limit: TimeLimit,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// The default effort.
pub(crate) const EFFORT: u32 = 1000;

pub(crate) fn run(args: Args) -> Result<Exit> {
    args.limit.end_without_result();
    let game = args.game.game()?;
    if let Some(known) = known::bound(&game) {
        bail!("{known}: there is no endless play of {game}");
    }
    search(&game, args.effort, args.out.as_deref(), args.json)
}

/// Searches for endless play; finding none proves nothing.
pub(crate) fn search(game: &Game, effort: u32, out: Option<&Path>, json: bool) -> Result<Exit> {
    if let Some(out) = out {
        files::check_writable(out)?;
    }
    let program = concat!("morpion ", env!("CARGO_PKG_VERSION"));
    let found = lab::prove::endless::prove(game, effort as usize, program, out)?;
    let play = found.as_ref().map(|(play, _)| play);
    let claim = found.as_ref().map(|(_, proof)| proof.proven.to_string());
    if json {
        print_json(&EndlessView {
            game: game.rules.to_string(),
            start: game.start_name(),
            endless: play.is_some(),
            claim,
            prefix: play.map(|play| play.prefix.len()),
            period: play.map(|play| play.period.len()),
            translation: play.map(|play| [play.translation.x, play.translation.y]),
            out: out.filter(|_| play.is_some()).map(files::name),
        })?;
    } else {
        match play.zip(claim) {
            Some((play, claim)) => print(format_args!(
                "{claim}, proven: {}, then {} over and over, moved by {}",
                count(play.prefix.len(), "move"),
                count(play.period.len(), "move"),
                play.translation
            ))?,
            None => print(format_args!("{game}: no endless play found (inconclusive)"))?,
        }
    }
    Ok(if found.is_some() { Exit::Success } else { Exit::Negative })
}
