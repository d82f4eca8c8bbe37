//! The `morpion` command: arguments in, results out. Glue only; the work is done elsewhere.
//!
//! One file per subcommand in `commands`. Results go to stdout, progress and notes to stderr; the
//! exit code is 0 for yes, 1 for a clean no, 2 for trouble.

mod args;
mod commands;
mod files;
mod interrupt;
mod journal;
mod output;
mod progress;
mod queue;
mod solver;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use output::Answer;

/// A laboratory for Morpion Solitaire (Join Five).
///
/// Plays, checks, counts, bounds and draws games. Results go to stdout, progress to stderr. Exit code 0 is
/// yes, 1 a clean no (refused, target missed), 2 trouble (bad input, bad flag, no file).
#[derive(Parser)]
#[command(name = "morpion", version, propagate_version = true)]
struct Morpion {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Search(commands::search::Args),
    Methods(commands::methods::Args),
    Verify(commands::verify::Args),
    Order(commands::order::Args),
    Convert(commands::convert::Args),
    Show(commands::show::Args),
    Count(commands::count::Args),
    Bound(commands::bound::Args),
    Solve(commands::solve::Args),
    Tail(commands::tail::Args),
    Check(commands::check::Args),
    Reduce(commands::reduce::Args),
    Learn(commands::learn::Args),
    Experiment(commands::experiment::Args),
    Run(commands::run::Args),
    Worker(commands::worker::Args),
    Status(commands::status::Args),
    Stop(commands::status::StopArgs),
    Store(commands::store::Args),
    Serve(commands::serve::Args),
    Bench(commands::bench::Args),
    Completions(commands::completions::Args),
    Man(commands::man::Args),
}

fn main() -> ExitCode {
    let outcome = match Morpion::parse().command {
        Command::Search(args) => commands::search::run(args),
        Command::Methods(args) => commands::methods::run(args),
        Command::Verify(args) => commands::verify::run(args),
        Command::Order(args) => commands::order::run(args),
        Command::Convert(args) => commands::convert::run(args),
        Command::Show(args) => commands::show::run(args),
        Command::Count(args) => commands::count::run(args),
        Command::Bound(args) => commands::bound::run(args),
        Command::Solve(args) => commands::solve::run(args),
        Command::Tail(args) => commands::tail::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Reduce(args) => commands::reduce::run(args),
        Command::Learn(args) => commands::learn::run(args),
        Command::Experiment(args) => commands::experiment::run(args),
        Command::Run(args) => commands::run::run(args),
        Command::Worker(args) => commands::worker::run(args),
        Command::Status(args) => commands::status::run(args),
        Command::Stop(args) => commands::status::stop(args),
        Command::Store(args) => commands::store::run(args),
        Command::Serve(args) => commands::serve::run(args),
        Command::Bench(args) => commands::bench::run(args),
        Command::Completions(args) => commands::completions::run(args, Morpion::command()),
        Command::Man(args) => commands::man::run(args, Morpion::command()),
    };
    match outcome {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Ok(Answer::Trouble) => ExitCode::from(2),
        Err(error) => {
            output::note(format_args!("morpion: {error:#}"));
            ExitCode::from(2)
        }
    }
}
