//! `morpion learn`.

mod chart;
mod folder;
mod parameters;
mod play;
mod report;
mod train;

use std::path::Path;

use anyhow::{Context, Result};
use evidence::VerifiedRecord;
use geometry::{Game, Move};
use learn::NetworkFile;
use record::{Provenance, Record};

use crate::files;
use crate::output::Exit;

const EXAMPLES: &str = "\
Examples:
  morpion learn train 5D --preset small --for 2h --seed 1 --out training
  morpion learn resume training --for 1h
  morpion learn play --model training/model.net --games 100
  morpion learn report training
  morpion search 5D --method learned --model training/model.net --for 30s";

/// Train networks by self-play with ranked reward
///
/// A network plays games, each is ranked among recent ones, and the network learns from them (Wang,
/// Preuss, Emmerich and Plaat 2020; docs/learning.md). A training run lives in a folder: its state
/// (training.state), the network (model.net), the best game (best.json) and the learning curve
/// (curve.csv, curve.svg). Killed at any moment, it continues with `resume` and ends with the same
/// weights as without the interruption: they depend on the seed alone, not on threads or time.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Train(train::TrainArgs),
    Resume(train::ResumeArgs),
    Play(play::Args),
    Report(report::Args),
    Parameters(parameters::Args),
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    match args.command {
        Command::Train(args) => train::train(&args),
        Command::Resume(args) => train::resume(&args),
        Command::Play(args) => play::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Parameters(args) => parameters::run(&args),
    }
}

/// Reads a network file.
pub(crate) fn read_model(path: &Path) -> Result<NetworkFile> {
    let bytes = files::read_up_to(path, NetworkFile::MAX_BYTES as u64)?;
    NetworkFile::from_bytes(&bytes).with_context(|| files::name(path))
}

/// A game by a network as a verified record.
fn verified_record(game: &Game, moves: &[Move], model: &NetworkFile) -> Result<VerifiedRecord> {
    let mut record = Record::from_moves(game.clone(), moves.to_vec());
    let parameters = model.settings.values().iter();
    record.provenance = Provenance {
        program: Some(hunt::PROGRAM.to_owned()),
        method: Some("learned".to_owned()),
        parameters: parameters.map(|(name, value)| (name.to_owned(), value.to_string())).collect(),
        seed: Some(model.seed),
        ..Provenance::default()
    };
    let context = "the verifier refused a game of the network: a bug in this program";
    VerifiedRecord::new(record).context(context)
}
