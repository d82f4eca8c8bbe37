//! `morpion prove tree`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use lab::prove::branch::{Event, MAX_REACH, OptimumRequest, find_incumbent, prove};
use lab::view::OptimumView;

use super::{WorkArgs, continue_unless, file_name};
use crate::commands::game_file;
use crate::output::{Exit, note, print, print_json};
use crate::progress::Progress;

/// How long a game is searched for if none is given.
const SEARCH: Duration = Duration::from_secs(10);

/// Prove an optimum by branch and bound, with an integer certificate at every leaf: 4D, 4T, 6D
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) work: WorkArgs,

    /// A game that may be optimal [default: search for one]
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,

    /// How far beyond the start dots are tried at first [default: as far as the game extends]
    #[arg(long, value_name = "N", value_parser = reach())]
    pub(crate) reach: Option<u32>,
}

/// Parses `--reach`.
pub(crate) fn reach() -> clap::builder::RangedI64ValueParser<u32> {
    clap::builder::RangedI64ValueParser::new().range(0..=i64::from(MAX_REACH))
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let Args { work, from, reach } = args;
    work.check_finite()?;
    let game = &work.game;
    let (solver, stop) = (work.solver.open()?, work.stop_flag()?);
    let incumbent = match &from {
        Some(file) => game_file::verify(file, Some(game))?.verdict?.moves().to_vec(),
        None => find_incumbent(game, SEARCH, work.threads(), &stop)?,
    };
    let (reach, folder, threads) = (reach.unwrap_or(0), &*work.out, work.threads());
    let request = OptimumRequest { game, incumbent, reach, folder, threads, solver };
    let line = Progress::new();
    let proof = prove(request, &|event| {
        match event {
            Event::Incumbent { moves, reach } => {
                note(format_args!("{game}: {moves} moves, extending {reach} beyond the start"));
            }
            Event::Progress { region, done, leaves } => {
                line.show(format_args!("{region}: {:.2} %, {leaves} leaves", 100.0 * done));
            }
        }
        continue_unless(&stop)
    });
    drop(line);
    let proof = proof.map_err(|error| work.explain(error))?;
    let view = OptimumView {
        game: game.rules.to_string(),
        by: "proof",
        claim: proof.proven.to_string(),
        moves: proof.proven.claim().upper_bound().unwrap_or_default(),
        leaves: proof.proven.stats().leaves,
        certificate: file_name(&proof).unwrap_or_default(),
        bytes: proof.bytes,
    };
    if work.json {
        print_json(&view)?;
    } else {
        print(format_args!("{}, proven", view.claim))?;
        let OptimumView { leaves, certificate, bytes, .. } = &view;
        print(format_args!("  {leaves} leaves in {certificate}, {bytes} bytes"))?;
    }
    Ok(Exit::Success)
}
