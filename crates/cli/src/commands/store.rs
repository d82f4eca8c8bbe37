//! `morpion store`.

mod check;
mod export;
mod get;
mod import;
mod list;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::Subcommand;
use geometry::Game;
use lab::files::{self, FileError};
use lab::text::did_you_mean;
use search::METHODS;
use store::{Archive, GameFilter, StoreError};

use crate::output::Exit;

const EXAMPLES: &str = "\
Examples:
  morpion store import games proofs
  morpion store best
  morpion store list --game 5T --least 165 --limit 10
  morpion store get 3f9c2a --out game.json
  morpion store export best --game 5T --limit 100
  morpion store check";

/// Keep verified games and proofs in an archive
///
/// An archive is one folder, a database and files beside it, that any number of programs may use at
/// once. It accepts only verified games and proofs. A game that was found mirrored, rotated or in
/// another order is stored once, with everyone who found it. `morpion run` fills it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    List(list::ListArgs),
    Best(list::BestArgs),
    Get(get::Args),
    Import(import::Args),
    Export(export::Args),
    Check(check::Args),
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    match args.command {
        Command::List(args) => list::list(&args),
        Command::Best(args) => list::best(&args),
        Command::Get(args) => get::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Check(args) => check::run(&args),
    }
}

/// `--archive`.
#[derive(clap::Args)]
pub(crate) struct ArchiveArgs {
    /// Folder of the archive
    #[arg(long, value_name = "DIR", default_value = "archive")]
    archive: PathBuf,
}

impl ArchiveArgs {
    /// Its folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.archive
    }

    /// Opens an existing archive.
    pub(crate) fn open(&self) -> Result<Archive> {
        Archive::open(&self.archive).map_err(|error| match error {
            StoreError::NoArchive(folder) => anyhow!(
                "no archive in {}; create one with `morpion store import`, or name another with \
                 --archive",
                folder.display()
            ),
            other => other.into(),
        })
    }

    /// Opens the archive, or creates one.
    pub(crate) fn open_or_create(&self) -> Result<Archive> {
        if self.archive.is_file() {
            let error = FileError::NotFolder(files::name(&self.archive));
            return Err(error).context("--archive");
        }
        Archive::open_or_create(&self.archive).context("--archive")
    }
}

/// A selection of games.
#[derive(clap::Args)]
struct FilterArgs {
    /// Only this game: 5T, 5D, ...
    #[arg(long, value_name = "GAME")]
    game: Option<Game>,

    /// Only games of at least N moves
    #[arg(long, value_name = "N")]
    least: Option<u32>,

    /// Only games found by this method
    #[arg(long, value_name = "METHOD")]
    method: Option<String>,

    /// At most N games, the longest first
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
}

impl FilterArgs {
    /// That there is no method of this name, as the end of a message. Agents have names of their
    /// own, so that it is no error.
    fn unknown_method(&self) -> String {
        let names = METHODS.iter().map(|info| info.name);
        match &self.method {
            Some(name) if names.clone().all(|known| known != name) => {
                format!("; no method is called `{name}`{}", did_you_mean(name, names))
            }
            _ => String::new(),
        }
    }

    fn filter(&self) -> GameFilter {
        let Self { game, least, method, limit } = self;
        GameFilter {
            game: game.clone(),
            least: *least,
            method: method.clone(),
            limit: *limit,
            ..GameFilter::default()
        }
    }
}
