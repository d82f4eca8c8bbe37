//! The `morpion` command: arguments in, results out. The work is done in the libraries.
//!
//! One file per subcommand in `commands`. Results go to stdout, progress and notes to stderr. Exit
//! codes: 0 success, 1 negative result, 2 error, 130 interrupted.

mod args;
mod commands;
mod failpoint;
mod files;
mod groups;
mod interrupt;
mod output;
mod progress;
mod queue;
mod solver;

use std::io::Write as _;
use std::process::ExitCode;

use clap::{FromArgMatches, Parser, Subcommand};

use output::Exit;

/// A laboratory for Morpion Solitaire (Join Five).
///
/// Results go to stdout, progress to stderr; `--json` prints one JSON document. Exit codes: 0
/// success, 1 negative result (refused, target missed, not proven), 2 error (bad input, bad flag,
/// missing file), 130 interrupted by Ctrl-C or SIGTERM with all that was found kept or printed (a
/// server, which has no other end, exits with 0). A second Ctrl-C quits at once.
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
    #[command(alias = "check")]
    Verify(commands::verify::Args),
    Order(commands::order::Args),
    Convert(commands::convert::Args),
    Compare(commands::compare::Args),
    Show(commands::show::Args),
    Count(commands::count::Args),
    Bound(commands::bound::Args),
    Prove(commands::prove::Args),
    #[command(hide = true)]
    Solve(commands::solve::Args),
    #[command(alias = "tail")]
    Endgame(commands::endgame::Args),
    Reduce(commands::reduce::Args),
    Learn(commands::learn::Args),
    Experiment(commands::experiment::Args),
    Env(commands::env::Args),
    Records(commands::records::Args),
    Run(commands::run::Args),
    Worker(commands::worker::Args),
    Status(commands::status::Args),
    Stop(commands::status::StopArgs),
    Store(commands::store::Args),
    #[command(alias = "play")]
    Serve(commands::serve::Args),
    Bench(commands::bench::Args),
    Completions(commands::completions::Args),
    Man(commands::man::Args),
}

fn main() -> ExitCode {
    let parsed = groups::command::<Morpion>().try_get_matches();
    let command = match parsed.and_then(|matches| Morpion::from_arg_matches(&matches)) {
        Ok(Morpion { command }) => command,
        Err(error) => return explain(&error),
    };
    if let Err(error) = interrupt::install() {
        return end(Err(error));
    }
    let outcome = match command {
        Command::Search(args) => commands::search::run(args),
        Command::Methods(args) => commands::methods::run(args),
        Command::Verify(args) => commands::verify::run(args),
        Command::Order(args) => commands::order::run(args),
        Command::Convert(args) => commands::convert::run(args),
        Command::Compare(args) => commands::compare::run(args),
        Command::Show(args) => commands::show::run(args),
        Command::Count(args) => commands::count::run(args),
        Command::Bound(args) => commands::bound::run(args),
        Command::Prove(args) => commands::prove::run(args),
        Command::Solve(args) => commands::solve::run(args),
        Command::Endgame(args) => commands::endgame::run(args),
        Command::Reduce(args) => commands::reduce::run(args),
        Command::Learn(args) => commands::learn::run(args),
        Command::Experiment(args) => commands::experiment::run(args),
        Command::Env(args) => commands::env::run(args),
        Command::Records(args) => commands::records::run(args),
        Command::Run(args) => commands::run::run(args),
        Command::Worker(args) => commands::worker::run(args),
        Command::Status(args) => commands::status::run(args),
        Command::Stop(args) => commands::status::stop(args),
        Command::Store(args) => commands::store::run(args),
        Command::Serve(args) => commands::serve::run(args),
        Command::Bench(args) => commands::bench::run(args),
        Command::Completions(args) => {
            commands::completions::run(args, groups::command::<Morpion>())
        }
        Command::Man(args) => commands::man::run(args, groups::command::<Morpion>()),
    };
    end(outcome)
}

/// What the standard library says of a value that it cannot parse, and what people should be told.
const EXPECTED: [(&str, &str); 6] = [
    ("invalid digit found in string", "expected an integer, like 12"),
    ("cannot parse integer from empty string", "expected an integer, like 12"),
    ("number too large to fit in target type", "the number is too large"),
    ("number too small to fit in target type", "the number is too small"),
    ("invalid float literal", "expected a number, like 0.5"),
    ("invalid socket address syntax", "expected ADDRESS:PORT, like 0.0.0.0:8080"),
];

/// Spellings that still work and are never suggested.
const OLD: [&str; 6] = ["'--seeds'", "'--time'", "'tail'", "'check'", "'solve'", "'play'"];

/// What people look for under another name.
const ELSEWHERE: [(&str, &str); 7] = [
    ("train", "morpion learn train GAME"),
    ("import", "morpion store import PATH"),
    ("export", "morpion store export DIR"),
    ("list", "morpion store list"),
    ("best", "morpion store best"),
    ("hunt", "morpion search GAME"),
    ("improve", "morpion search GAME --from FILE --keep N"),
];

/// What to do, where the parser does not know it.
fn tip(error: &clap::Error) -> Option<String> {
    use clap::error::{ContextKind, ContextValue};
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        _ => None,
    };
    if let Some(command) = word(ContextKind::InvalidSubcommand) {
        let (_, there) = ELSEWHERE.iter().find(|(name, _)| *name == command)?;
        return Some(format!("  tip: `{there}` does that"));
    }
    let symmetry = word(ContextKind::InvalidArg)?.parse::<geometry::GameSymmetry>().ok()?;
    Some(format!("  tip: write --symmetric={symmetry}"))
}

/// Prints help, or what is wrong with the arguments, which may contain anything.
fn explain(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        let mut text = error.render().to_string();
        if text.contains("invalid value '-") {
            let from = "expected an integer, at least 0";
            text = text.replace(": invalid digit found in string\n", &format!(": {from}\n"));
        }
        for (standard, expected) in EXPECTED {
            text = text.replace(&format!(": {standard}\n"), &format!(": {expected}\n"));
        }
        // No value of ours begins with two hyphens, and old spellings are nothing to learn.
        let is_of_use = |line: &&str| {
            let tip = line.trim_start();
            let is_tip = tip.starts_with("tip: ");
            !is_tip || !tip.contains("to pass '-") && OLD.iter().all(|old| !tip.contains(old))
        };
        let tip = tip(error);
        let lines: Vec<&str> = text.lines().filter(is_of_use).chain(tip.as_deref()).collect();
        output::note(lines.join("\n").replace("\n\n\n", "\n\n").trim_end());
        return ExitCode::from(2);
    }
    let printed = error.print().and_then(|()| std::io::stdout().flush());
    end(output::unless_closed(printed).map(|()| Exit::Success))
}

fn end(outcome: anyhow::Result<Exit>) -> ExitCode {
    match outcome {
        Ok(Exit::Success | Exit::Negative) if interrupt::is_requested() => {
            ExitCode::from(interrupt::CODE)
        }
        Ok(Exit::Success) => ExitCode::SUCCESS,
        Ok(Exit::Negative) => ExitCode::from(1),
        Ok(Exit::Error) => ExitCode::from(2),
        Err(error) => {
            output::note(format_args!("morpion: {error:#}"));
            ExitCode::from(match error.is::<interrupt::Interruption>() {
                true if interrupt::is_requested() => interrupt::CODE,
                // The time is over.
                true => 1,
                false => 2,
            })
        }
    }
}
