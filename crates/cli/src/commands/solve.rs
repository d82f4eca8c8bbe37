//! `morpion solve`: the former spelling of `morpion prove tree|boxes|enumeration`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::prove::{WorkArgs, boxes, enumeration, tree};
use crate::args::duration;
use crate::output::Exit;

/// Former spelling of `morpion prove tree|boxes|enumeration`
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    work: WorkArgs,

    /// Kind of proof
    #[arg(long, value_name = "METHOD")]
    by: By,

    /// With --by proof: a game that may be optimal [default: search for one]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// With --by proof: how far beyond the start dots are tried at first
    #[arg(long, value_name = "N", value_parser = tree::reach())]
    reach: Option<u32>,

    /// With --by boxes: the bound for positions with an excluded box
    #[arg(long, value_name = "N")]
    target: Option<u32>,

    /// With --by boxes: rows and columns beyond the start of the largest boxes [default: 13]
    #[arg(long, value_name = "N", value_parser = boxes::steps())]
    steps: Option<u32>,

    /// With --by boxes: time limit for each box, like 5m [default: 1m]
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    patience: Option<Duration>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum By {
    /// All positions are counted: 4D
    Enumeration,
    /// A game and a certified bound: 4D, 4T, 6D
    #[value(alias = "tree")]
    Proof,
    /// The boxes that a game of more than --target moves must reach: 5D
    Boxes,
}

impl Args {
    /// An error if an argument belongs to another kind of proof.
    fn check(&self) -> Result<()> {
        let given = [
            ("--from", self.from.is_some(), By::Proof, "--by proof"),
            ("--reach", self.reach.is_some(), By::Proof, "--by proof"),
            ("--target", self.target.is_some(), By::Boxes, "--by boxes"),
            ("--steps", self.steps.is_some(), By::Boxes, "--by boxes"),
            ("--patience", self.patience.is_some(), By::Boxes, "--by boxes"),
        ];
        match given.into_iter().find(|&(_, is_given, by, _)| is_given && by != self.by) {
            Some((flag, _, _, by)) => bail!("{flag} goes with {by}"),
            None => Ok(()),
        }
    }
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    args.check()?;
    let Args { work, by, from, reach, target, steps, patience } = args;
    match by {
        By::Enumeration => enumeration::run(enumeration::Args { work }),
        By::Proof => tree::run(tree::Args { work, from, reach }),
        By::Boxes => {
            let target = target.context("--by boxes needs --target")?;
            let patience = patience.map_or_else(|| duration(boxes::PATIENCE), Ok)?;
            let steps = steps.unwrap_or(boxes::STEPS);
            boxes::run(boxes::Args { work, target, steps, patience })
        }
    }
}
