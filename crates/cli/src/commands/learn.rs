//! `morpion learn`.

mod parameters;
mod play;
mod report;
mod train;

use anyhow::Result;

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
/// Preuss, Emmerich and Plaat 2020; docs/explanation/learning.md). A training run lives in a
/// folder: its state (training.state), the network (model.net), the best game (best.json) and the
/// learning curve (curve.csv, curve.svg). Killed at any moment, it continues with `resume` and ends
/// with the same weights as without the interruption: they depend on the seed alone, not on threads
/// or time.
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
