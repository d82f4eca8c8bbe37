//! `morpion prove`.

pub(crate) mod boxes;
pub(crate) mod caps;
pub(crate) mod cover;
pub(crate) mod endless;
pub(crate) mod enumeration;
pub(crate) mod extents;
pub(crate) mod tree;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, bail};
use geometry::Game;
use lab::files::FileError;
use lab::known;
use lab::prove::{ProofFile, ProveError};
use lab::records;

use crate::args::{all_cores, threads};
use crate::files;
use crate::interrupt::{Interruption, TimeLimit};
use crate::output::Exit;
use crate::solver::SolverArgs;

const EXAMPLES: &str = "\
Examples:
  morpion prove cover 5T --target 502 -o 502     5T <= 502, in two hours of one core
  morpion prove caps 5D -o proofs                5D <= 133, in seconds
  morpion prove tree 4D -o solved                4D = 35, in minutes
  morpion prove extents 5D --target 121 -o 121   5D <= 121, in some minutes
  morpion prove boxes 5D --target 121 -o boxes   5D <= 121 unless a game reaches one of some boxes
  morpion prove endless 3D -o 3D.json            3D never has to end
  morpion prove enumeration 6D -o solved         all positions of 6D";

/// Prove bounds and optima, with certificates for `morpion verify`
///
/// Linear programs are solved by HiGHS (fetch it with scripts/solver), but a proof consists of
/// integers only, and what is printed as proven has been verified. Whatever is found is stored in
/// the folder at once; after an interruption the same command resumes from there.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    proof: Proof,
}

#[derive(clap::Subcommand)]
enum Proof {
    Cover(cover::Args),
    Caps(caps::Args),
    Tree(tree::Args),
    Boxes(boxes::Args),
    Endless(endless::Args),
    Extents(extents::Args),
    Enumeration(enumeration::Args),
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    match args.proof {
        Proof::Cover(args) => {
            args.work.check_target(args.target)?;
            cover::run(args)
        }
        Proof::Caps(args) => caps::run(args),
        Proof::Tree(args) => tree::run(args),
        Proof::Boxes(args) => boxes::run(args),
        Proof::Endless(args) => endless::run(args),
        Proof::Extents(args) => extents::run(args),
        Proof::Enumeration(args) => enumeration::run(args),
    }
}

/// A game from the usual cross, and what every long proof needs.
#[derive(clap::Args)]
pub(crate) struct WorkArgs {
    /// Game: line length and T (touching) or D (disjoint), from the usual cross, like 5D
    #[arg(value_name = "GAME")]
    pub(crate) game: Game,

    /// Folder for the proof and everything found on the way; resumes from what it holds
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: PathBuf,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = threads())]
    pub(crate) threads: Option<u32>,

    #[command(flatten)]
    pub(crate) limit: TimeLimit,

    #[command(flatten)]
    pub(crate) solver: SolverArgs,

    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

impl WorkArgs {
    fn threads(&self) -> u32 {
        self.threads.unwrap_or_else(all_cores)
    }

    /// An error unless the games are known to end.
    fn check_finite(&self) -> Result<()> {
        check_not_endless(&self.game)?;
        if bound::formula::best(&self.game).is_none() {
            bail!("{}: not known whether its games end, so this might not end either", self.game);
        }
        Ok(())
    }

    /// An error if a game that comes with the program is longer than a bound to be proven.
    pub(crate) fn check_target(&self, target: u32) -> Result<()> {
        match records::longest(&self.game) {
            Some((moves, file)) if target < moves => bail!(
                "--target {target}: impossible, since {file} is a game of {} with {moves} moves \
                 (`morpion verify {file}`)",
                self.game
            ),
            _ => Ok(()),
        }
    }

    /// An interruption with advice, or any other error as it is.
    fn explain(&self, error: ProveError) -> anyhow::Error {
        match error {
            ProveError::Interrupted => Interruption(self.interruption()).into(),
            error => error.into(),
        }
    }

    /// What an interruption means: everything found is in the folder.
    fn interruption(&self) -> String {
        resumption(&self.out)
    }

    /// A flag that Ctrl-C sets, once the folder can be one. A linear program that takes long is cut
    /// off.
    fn stop_flag(&self) -> Result<Arc<AtomicBool>> {
        check_folder(&self.out)?;
        let folder = self.out.clone();
        Ok(self.limit.stop_flag_or_exit(move || resumption(&folder)))
    }
}

/// How to go on after an interruption.
fn resumption(folder: &Path) -> String {
    let is_empty = std::fs::read_dir(folder).map_or(true, |mut files| files.next().is_none());
    match (is_empty, files::name(folder)) {
        (true, _) => "nothing was found yet; the same command starts over".to_owned(),
        (false, folder) => format!("the same command resumes from {folder}"),
    }
}

/// An error if it is proven that play need never end.
pub(crate) fn check_not_endless(game: &Game) -> Result<()> {
    match known::endless(game) {
        Some(proof) => bail!("{proof}; this would never end"),
        None => Ok(()),
    }
}

/// Breaks once Ctrl-C was pressed.
pub(crate) fn continue_unless(stop: &AtomicBool) -> ControlFlow<()> {
    match stop.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}

/// The name of the file of a proof.
fn file_name(proof: &ProofFile) -> Option<String> {
    proof.file.as_deref().map(files::name)
}

/// An error if `folder` is a file.
fn check_folder(folder: &Path) -> Result<()> {
    if folder.exists() && !folder.is_dir() {
        return Err(FileError::NotFolder(files::name(folder))).context("--out");
    }
    Ok(())
}
