//! `morpion store`.

mod check;
mod export;
mod get;
mod import;
mod list;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Subcommand;
use geometry::Game;
use store::{Archive, GameFilter, StoreError};

use crate::output::Answer;

/// Keeps games and proofs in an archive
///
/// An archive is one folder: a database and files beside it, which any number of programs may use at
/// once. A game enters only if the judge finds it legal, and a proof if it holds; the same game mirrored,
/// turned or in another order is kept once, with everyone who found it. `morpion run` fills it.
///
/// Examples:
///   morpion store import games proofs
///   morpion store best
///   morpion store list --game 5T --least 165 --limit 10
///   morpion store get 3f9c2a --out game.json
///   morpion store export best --game 5T --limit 100
///   morpion store check
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
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

pub(crate) fn run(args: Args) -> Result<Answer> {
    match args.command {
        Command::List(args) => list::list(&args),
        Command::Best(args) => list::best(&args),
        Command::Get(args) => get::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Check(args) => check::run(&args),
    }
}

/// `--archive`: which one.
#[derive(clap::Args)]
pub(crate) struct ArchiveArgs {
    /// The folder of the archive
    #[arg(long, value_name = "DIR", default_value = "archive")]
    archive: PathBuf,
}

impl ArchiveArgs {
    /// Its folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.archive
    }

    /// Opens the archive, which must be there.
    pub(crate) fn open(&self) -> Result<Archive> {
        Archive::open(&self.archive).map_err(|error| match error {
            none @ StoreError::NoArchive(_) => anyhow::Error::new(none).context(
                "`morpion store import` and `morpion run` make one; --archive names another",
            ),
            other => other.into(),
        })
    }

    /// Opens the archive, or makes a new one.
    pub(crate) fn open_or_create(&self) -> Result<Archive> {
        Archive::open_or_create(&self.archive).context("--archive")
    }
}

/// Which games are meant.
#[derive(clap::Args)]
struct FilterArgs {
    /// Only of this game: 5T, 5D, ...
    #[arg(long, value_name = "GAME")]
    game: Option<Game>,

    /// Only games of so many moves or more
    #[arg(long, value_name = "N")]
    least: Option<u32>,

    /// Only games found by this method
    #[arg(long, value_name = "METHOD")]
    method: Option<String>,

    /// Only so many, the longest first
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
}

impl FilterArgs {
    fn filter(&self) -> GameFilter {
        let Self { game, least, method, limit } = self;
        GameFilter { game: game.clone(), least: *least, method: method.clone(), limit: *limit }
    }
}
