//! `morpion solve`.

mod boxes;
mod enumeration;
mod proof;
mod trees;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use geometry::Game;

use crate::args::{MAX_THREADS, all_cores, duration};
use crate::files;
use crate::output::Exit;
use crate::solver::SolverArgs;

/// Finds out how long the longest games are, and proves it
///
/// By enumeration: counts every position, by its number of moves, all and up to symmetry. By proof: a game, and
/// trees of linear programs (HiGHS; scripts/solver fetches it) that leave no room for a longer one; their leaves are whole
/// numbers that the judge adds up. By boxes: the same kind of trees for all boxes up to a size, which shows to which boxes
/// a game of more than --target moves must come. All go on from what is kept in --out.
///
/// Examples:
///   morpion solve 4D --by enumeration --out solved
///   morpion solve 4D --by proof --out solved        solved/4D-35.tree.gz, for morpion check
///   morpion solve 4T --by proof --from games/4T-62.json --out solved
///   morpion solve 5D --by boxes --target 121 --out boxes
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The game: line length and T (touching) or D (disjoint), from the usual cross: 4D, 4T, 5D, 6D
    #[arg(value_name = "GAME")]
    game: Game,

    /// By which means
    #[arg(long, value_name = "METHOD")]
    by: By,

    /// Keep what is done in this folder, go on from what is there, and write the result there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// With --by proof: a game that is thought to be as long as any [default: one is looked for]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// With --by proof: how far from the start dots are looked for at first [default: as far as the game reaches]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=i64::from(proof::MAX_REACH)))]
    reach: Option<u32>,

    /// With --by boxes: the most moves that are allowed
    #[arg(long, value_name = "N")]
    target: Option<u32>,

    /// With --by boxes: how many rows and columns boxes reach beyond the start, on all sides together [default: 13]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=24))]
    steps: Option<u32>,

    /// With --by boxes: how long to work on each box, like 5m [default: 1m]
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    patience: Option<Duration>,

    /// How many threads to use [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_THREADS)))]
    threads: Option<u32>,

    #[command(flatten)]
    solver: SolverArgs,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Whether all that is said goes with the means.
    fn check(&self) -> Result<()> {
        let (proof, boxes) = (matches!(self.by, By::Proof), matches!(self.by, By::Boxes));
        let said = [
            ("--from", self.from.is_some(), proof, "--by proof"),
            ("--reach", self.reach.is_some(), proof, "--by proof"),
            ("--target", self.target.is_some(), boxes, "--by boxes"),
            ("--steps", self.steps.is_some(), boxes, "--by boxes"),
            ("--patience", self.patience.is_some(), boxes, "--by boxes"),
        ];
        match said.into_iter().find(|&(_, is_said, fits, _)| is_said && !fits) {
            Some((flag, _, _, means)) => bail!("{flag} goes with {means}"),
            None if boxes && self.target.is_none() => {
                bail!("--by boxes needs --target: the most moves that are allowed")
            }
            None => Ok(()),
        }
    }

    fn threads(&self) -> u32 {
        self.threads.unwrap_or_else(all_cores)
    }
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum By {
    /// Every position is counted: 4D
    Enumeration,
    /// A game and a certified bound: 4D, 4T, 6D
    Proof,
    /// The boxes that a game of more than --target moves must come to: 5D
    Boxes,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    if bound::formula::best(&args.game).is_none() {
        bail!("{}: nobody knows that its games end, so that this might not end either", args.game);
    }
    args.check()?;
    let name = || format!("--out {}", files::name(&args.out));
    std::fs::create_dir_all(&args.out).with_context(name)?;
    match args.by {
        By::Enumeration => enumeration::run(&args),
        By::Proof => proof::run(&args),
        By::Boxes => boxes::run(&args),
    }
}
