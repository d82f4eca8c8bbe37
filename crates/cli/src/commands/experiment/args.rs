//! The flags of the experiments.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use experiment::plans::{Choice, Spec, Targets};
use geometry::Game;

use crate::args::{FileGame, MAX_THREADS, all_cores, duration};

/// What every experiment has.
#[derive(clap::Args)]
pub(super) struct Basic {
    /// Small sizes and few repeats: over within a minute, for a look
    #[arg(long)]
    pub(super) quick: bool,

    /// Where the seeds of all runs come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,

    /// How many runs go on at a time [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_THREADS)))]
    threads: Option<u32>,

    /// The folder for the results [default: out/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print the results as JSON
    #[arg(long)]
    pub(super) json: bool,
}

impl Basic {
    pub(super) fn threads(&self) -> u32 {
        self.threads.unwrap_or_else(all_cores)
    }

    /// The folder of the experiment of this name.
    pub(super) fn out(&self, name: &str) -> PathBuf {
        self.out.clone().unwrap_or_else(|| PathBuf::from("out").join(name))
    }

    /// The folder given, or this one.
    pub(super) fn out_or(&self, usual: &str) -> PathBuf {
        self.out.clone().unwrap_or_else(|| PathBuf::from(usual))
    }
}

/// What every published experiment has.
#[derive(clap::Args)]
pub(super) struct Common {
    #[command(flatten)]
    pub(super) basic: Basic,

    /// How often each cell is run [default: as published, 20; long: once; nmcs: 100; 5 with --quick]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    repeats: Option<u32>,
}

impl Common {
    pub(super) fn choice(&self) -> Choice {
        let Basic { quick, seed, .. } = self.basic;
        Choice { quick, repeats: self.repeats, sizes: None, seed }
    }
}

/// A table or a figure.
#[derive(clap::Args)]
pub(super) struct TableArgs {
    #[command(flatten)]
    pub(super) common: Common,

    /// Other sizes than the published ones: samples of table1, steps of the others
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    sizes: Vec<u64>,
}

impl TableArgs {
    pub(super) fn sizes(&self) -> Option<Vec<u64>> {
        (!self.sizes.is_empty()).then(|| self.sizes.clone())
    }
}

/// The long annealings.
#[derive(clap::Args)]
pub(super) struct LongArgs {
    #[command(flatten)]
    pub(super) common: Common,
}

/// Table 3.
#[derive(clap::Args)]
pub(super) struct WholeArgs {
    #[command(flatten)]
    pub(super) common: Common,

    /// Make the long annealings as well (`morpion experiment long`: hours)
    #[arg(long)]
    pub(super) long: bool,
}

/// All experiments.
#[derive(clap::Args)]
pub(super) struct AllArgs {
    #[command(flatten)]
    pub(super) common: Common,

    /// Make the long annealings as well (`morpion experiment long`: hours)
    #[arg(long)]
    pub(super) long: bool,

    /// Make `prefix` as well, from the first moves of this game
    #[arg(long, value_name = "FILE")]
    pub(super) from: Option<PathBuf>,
}

/// Annealing from the first moves of a game.
#[derive(clap::Args)]
pub(super) struct PrefixArgs {
    #[command(flatten)]
    pub(super) common: Common,

    /// The game whose first moves are kept
    #[arg(long, value_name = "FILE")]
    pub(super) from: PathBuf,

    #[command(flatten)]
    pub(super) game: FileGame,

    /// How many of its moves to keep [default: thirteen steps around half of them; 60,65,...,120 of 170]
    #[arg(long, value_name = "N,N,...", value_delimiter = ',')]
    pub(super) keep: Option<Vec<usize>>,

    /// How many steps each run has [default: 10000000, or 300000 with --quick]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub(super) steps: Option<u64>,

    /// The temperature [default: that of Table 2]
    #[arg(long, value_name = "T")]
    pub(super) temperature: Option<f64>,
}

/// Nested Monte-Carlo search.
#[derive(clap::Args)]
pub(super) struct NmcsArgs {
    #[command(flatten)]
    pub(super) common: Common,

    /// The levels [default: 1,2]
    ///
    /// Each takes some hundred times as long as the one below it.
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..=9))]
    levels: Vec<u64>,
}

impl NmcsArgs {
    pub(super) fn levels(&self) -> Option<Vec<u64>> {
        (!self.levels.is_empty()).then(|| self.levels.clone())
    }
}

/// Score against processor time.
#[derive(clap::Args)]
pub(super) struct AnytimeArgs {
    #[command(flatten)]
    pub(super) basic: Basic,

    /// A method, with parameters if need be; may be given several times [default: temper, nrpa, nmcs and sa]
    #[arg(long = "method", value_name = "NAME[:PARAMETER=VALUE,...]")]
    methods: Vec<Spec>,

    /// A game; may be given several times [default: 5D and 5T]
    #[arg(long = "game", value_name = "GAME")]
    games: Vec<Game>,

    /// How many runs for each method and game [default: 10, or 3 with --quick]
    #[arg(long, alias = "repeats", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    seeds: Option<u32>,

    /// The processor time of each run [default: 30s, or 1s with --quick]
    #[arg(long = "for", value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    time: Option<Duration>,

    /// A score whose share and waiting time are told: for all games, or for one like 5D=80
    #[arg(long = "target", value_name = "[GAME=]N")]
    targets: Vec<String>,

    /// A run that reaches its target ends there
    #[arg(long, requires = "targets")]
    pub(super) stop: bool,
}

impl AnytimeArgs {
    pub(super) fn choice(&self) -> Choice {
        let Basic { quick, seed, .. } = self.basic;
        let repeats = Some(self.seeds.unwrap_or(if quick { 3 } else { ANYTIME.1 }));
        Choice { quick, repeats, sizes: None, seed }
    }

    pub(super) fn methods(&self) -> Vec<Spec> {
        if !self.methods.is_empty() {
            return self.methods.clone();
        }
        let plain = |name: &str| Spec { name: name.to_owned(), given: Vec::new() };
        ANYTIME.0.map(plain).into()
    }

    pub(super) fn games(&self) -> Vec<Game> {
        if !self.games.is_empty() {
            return self.games.clone();
        }
        ["5D", "5T"].map(|name| Game::named(name).expect("a known game")).into()
    }

    pub(super) fn time(&self) -> Duration {
        self.time.unwrap_or(if self.basic.quick { Duration::from_secs(1) } else { ANYTIME.2 })
    }

    pub(super) fn targets(&self) -> Result<Targets> {
        let target = |text: &String| -> Result<(Option<String>, u64)> {
            let (game, number) = match text.split_once('=') {
                Some((game, number)) => {
                    let game: Game = game.parse().with_context(|| format!("--target {text}"))?;
                    (Some(game.to_string()), number)
                }
                None => (None, text.as_str()),
            };
            let number: u64 =
                number.parse().with_context(|| format!("--target {text}: write N or GAME=N"))?;
            if number == 0 {
                bail!("--target {text}: every game has that many moves");
            }
            Ok((game, number))
        };
        let targets: Vec<_> = self.targets.iter().map(target).collect::<Result<_>>()?;
        let games: Vec<String> = self.games().iter().map(Game::to_string).collect();
        for (place, (game, _)) in targets.iter().enumerate() {
            let name = game.as_deref().unwrap_or("all games");
            if targets[..place].iter().any(|(other, _)| other == game) {
                bail!("--target: {name} has two targets");
            }
            if game.as_ref().is_some_and(|game| !games.contains(game)) {
                bail!("--target: {name} is not run; name it with --game");
            }
        }
        Ok(Targets(targets))
    }
}

/// The usual methods, seeds and time of `anytime`.
pub(super) const ANYTIME: ([&str; 4], u32, Duration) =
    (["temper", "nrpa", "nmcs", "sa"], 10, Duration::from_secs(30));
