//! The experiments: one row each.

use std::fmt;

use crate::design::ExperimentDesign;
use crate::error::ExperimentError;
use crate::output::ResultsView;
use crate::paper::designs::{self, PaperOptions};
use crate::paper::{self, report};
use crate::request::{ExperimentParameter, ParameterKind, Request};
use crate::{OnEvent, chance, scale, starts, survey};

/// An experiment.
#[derive(Clone, Copy)]
pub struct Experiment {
    /// Its name; also that of its files.
    pub name: &'static str,
    /// What it does, and where it comes from.
    pub title: &'static str,
    /// The estimated cost with default values.
    pub cost: fn() -> ExperimentCost,
    /// Runs it, or resumes it, and writes its files.
    pub run: fn(&Request, OnEvent<'_>) -> Result<Vec<ResultsView>, ExperimentError>,
    parameters: &'static [&'static [ExperimentParameter]],
}

/// The estimated cost of an experiment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExperimentCost {
    /// The number of runs.
    pub runs: usize,
    /// CPU seconds on a core of 2.8 GHz.
    pub cpu_seconds: f64,
    /// The same with `quick`.
    pub quick_cpu_seconds: f64,
}

impl Experiment {
    /// What can be chosen.
    pub fn parameters(&self) -> impl Iterator<Item = &'static ExperimentParameter> + use<> {
        self.parameters.iter().copied().flatten()
    }
}

impl fmt::Debug for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Experiment").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The experiment of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Experiment> {
    EXPERIMENTS.iter().find(|experiment| experiment.name == name)
}

/// All experiments.
pub static EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "table1",
        title: "random sampling (RS1, RS2): Hyyrö and Poranen 2007, Table 1",
        cost: || estimate(designs::table1),
        run: |request, on| paper::run(request, on, designs::table1, report::table1),
        parameters: &[COMMON, REPEATS, SIZES],
    },
    Experiment {
        name: "readings",
        title: "RS1 by the average and by the longest endgame, beside Table 1",
        cost: || estimate(designs::readings),
        run: |request, on| paper::run(request, on, designs::readings, report::readings),
        parameters: &[COMMON, REPEATS, SIZES],
    },
    Experiment {
        name: "table2",
        title: "simulated annealing at the best temperatures: Table 2",
        cost: || estimate(designs::table2),
        run: |request, on| paper::run(request, on, designs::table2, report::table2),
        parameters: &[COMMON, REPEATS, SIZES],
    },
    Experiment {
        name: "table3",
        title: "the best games of table1, table2, fig4 and fig5, run if missing: Table 3",
        cost: || sum([designs::table1, designs::table2, designs::fig4, designs::fig5]),
        run: paper::table3,
        parameters: &[COMMON, REPEATS, LONG],
    },
    Experiment {
        name: "fig4",
        title: "annealing of 4D and 4T at all temperatures: Figure 4",
        cost: || estimate(designs::fig4),
        run: |request, on| paper::run(request, on, designs::fig4, report::figure),
        parameters: &[COMMON, REPEATS, SIZES],
    },
    Experiment {
        name: "fig5",
        title: "annealing of 5D and 5T at all temperatures: Figure 5",
        cost: || estimate(designs::fig5),
        run: |request, on| paper::run(request, on, designs::fig5, report::figure),
        parameters: &[COMMON, REPEATS, SIZES],
    },
    Experiment {
        name: "long",
        title: "the two long annealings with known parameters: section 3.2",
        cost: || estimate(designs::long),
        run: |request, on| paper::run(request, on, designs::long, report::long),
        parameters: &[COMMON, REPEATS],
    },
    Experiment {
        name: "prefix",
        title: "annealing from the first moves of a game: section 3.3",
        cost: paper::prefix_cost,
        run: paper::prefix,
        parameters: &[COMMON, REPEATS, PREFIX],
    },
    Experiment {
        name: "nmcs",
        title: "single games by nested Monte-Carlo search: Cazenave 2009",
        cost: || estimate(designs::nmcs),
        run: |request, on| paper::run(request, on, designs::nmcs, report::nmcs),
        parameters: &[COMMON, REPEATS, LEVELS],
    },
    Experiment {
        name: "nrpa",
        title: "single runs of nested rollout policy adaptation: Rosin 2011",
        cost: || estimate(designs::nrpa),
        run: |request, on| paper::run(request, on, designs::nrpa, report::nrpa),
        parameters: &[COMMON, REPEATS, NRPA_LEVELS],
    },
    #[cfg(feature = "learn")]
    Experiment {
        name: "r2",
        title: "learning curves of ranked-reward self-play: Wang et al. 2020",
        cost: || fixed(2, 14_400.0, 20.0),
        run: crate::ranked_reward::run,
        parameters: &[COMMON, RANKED_REWARD],
    },
    Experiment {
        name: "anytime",
        title: "score against CPU time, for any methods on any games",
        cost: paper::anytime_cost,
        run: paper::anytime,
        parameters: &[COMMON, ANYTIME],
    },
    Experiment {
        name: "chance",
        title: "success rate per core-hour for a score, from the runs of `anytime`",
        cost: || fixed(1, 0.02, 0.01),
        run: chance::run,
        parameters: &[BASIC, CHANCE],
    },
    Experiment {
        name: "starts",
        title: "a search over starts of as many dots as the cross has, for the longest games",
        cost: || fixed(1000, 4000.0, 1.0),
        run: starts::run,
        parameters: &[BASIC, STARTS],
    },
    Experiment {
        name: "boards",
        title: "LP values of random 5T boards",
        cost: || fixed(288, 300.0, 15.0),
        run: survey::run,
        parameters: &[COMMON, BOARDS],
    },
    Experiment {
        name: "scale",
        title: "a proof and a hunt on a large cluster, simulated from measured times",
        cost: || fixed(9 * 3 * 10, 30.0, 3.0),
        run: scale::run,
        parameters: &[BASIC, SCALE],
    },
    Experiment {
        name: "all",
        title: "table1, table2, fig4, fig5 and table3, each in its own folder",
        cost: || sum([designs::table1, designs::table2, designs::fig4, designs::fig5]),
        run: paper::all,
        parameters: &[COMMON, REPEATS, LONG, ALSO_PREFIX],
    },
];

fn estimate(design: fn(&PaperOptions) -> ExperimentDesign) -> ExperimentCost {
    sum([design])
}

fn sum<const N: usize>(all: [fn(&PaperOptions) -> ExperimentDesign; N]) -> ExperimentCost {
    let (mut runs, mut seconds) = (0, [0.0, 0.0]);
    for design in all {
        for (quick, seconds) in [false, true].into_iter().zip(&mut seconds) {
            let options = PaperOptions { quick, repeats: None, sizes: None, seed: 1 };
            let design = design(&options);
            runs += if quick { 0 } else { design.total() };
            *seconds += design.cost();
        }
    }
    fixed(runs, seconds[0], seconds[1])
}

fn fixed(runs: usize, cpu_seconds: f64, quick_cpu_seconds: f64) -> ExperimentCost {
    ExperimentCost { runs, cpu_seconds, quick_cpu_seconds }
}

const fn parameter(
    name: &'static str,
    value_name: &'static str,
    kind: ParameterKind,
    help: &'static str,
) -> ExperimentParameter {
    ExperimentParameter { name, alias: None, value_name, help, kind, default: None }
}

impl ExperimentParameter {
    const fn or(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }

    const fn alias(self, alias: &'static str) -> Self {
        Self { alias: Some(alias), ..self }
    }
}

use ParameterKind::{
    Flag, Games, HuntFiles, Integer, Integers, Methods, Number, Path, Targets, Time, VerifiedGame,
};

const QUICK: ExperimentParameter =
    parameter("quick", "", Flag, "Small sizes and few repeats: done within a minute");
const SEED: ExperimentParameter =
    parameter("seed", "N", Integer(0, u64::MAX), "Random seed").or("1");
const OUT: ExperimentParameter =
    parameter("out", "DIR", Path, "The folder for the results [default: out/NAME]");
const THREADS: ExperimentParameter =
    parameter("threads", "N", Integer(1, 1024), "Number of parallel runs [default: all cores]");

const BASIC: &[ExperimentParameter] = &[QUICK, SEED, OUT];
const COMMON: &[ExperimentParameter] = &[QUICK, SEED, THREADS, OUT];

const REPEATS: &[ExperimentParameter] = &[parameter(
    "repeats",
    "N",
    Integer(1, 100_000),
    "Runs of each cell [default: as published, 20; long: 1; nmcs: 100; 5 with --quick]",
)];

const SIZES: &[ExperimentParameter] = &[parameter(
    "sizes",
    "N,N,...",
    Integers(1, 1_000_000_000),
    "Other sizes than the published ones: samples of table1, steps of the others",
)];

const LEVELS: &[ExperimentParameter] = &[parameter(
    "levels",
    "N,N,...",
    Integers(1, 9),
    "The levels; each takes some hundred times as long as the one below [default: 1,2]",
)];

const NRPA_LEVELS: &[ExperimentParameter] = &[parameter(
    "levels",
    "N,N,...",
    Integers(1, 6),
    "The levels; each takes a hundred times as long as the one below [default: 1,2,3]",
)];

#[cfg(feature = "learn")]
const RANKED_REWARD: &[ExperimentParameter] = &[
    parameter(
        "iterations",
        "N",
        Integer(1, 100_000),
        "Iterations of each training run [default: 20, or 2 with --quick; 100 in the paper]",
    ),
    parameter(
        "final-simulations",
        "N",
        Integer(0, 1_000_000),
        "Simulations per move of the paper's stage 3 [default: 100; 20000 in the paper, for hours]",
    ),
];

const LONG: &[ExperimentParameter] =
    &[parameter("long", "", Flag, "Run the long annealings as well (`experiment long`: hours)")];

const ALSO_PREFIX: &[ExperimentParameter] = &[parameter(
    "from",
    "FILE",
    VerifiedGame { required: false },
    "Run `prefix` as well, from the first moves of this game",
)];

const PREFIX: &[ExperimentParameter] = &[
    parameter(
        "from",
        "FILE",
        VerifiedGame { required: true },
        "The game whose first moves are kept",
    ),
    parameter(
        "keep",
        "N,N,...",
        Integers(0, u64::MAX),
        "How many of its moves to keep [default: 13 steps around half of them]",
    ),
    parameter(
        "steps",
        "N",
        Integer(1, 1_000_000_000_000),
        "The steps of each run [default: 10000000, or 300000 with --quick]",
    ),
    parameter("temperature", "T", Number(0.0, f64::MAX), "The temperature [default: Table 2's]"),
];

const ANYTIME: &[ExperimentParameter] = &[
    parameter(
        "method",
        "NAME[:PARAMETER=VALUE,...]|external:COMMAND",
        Methods,
        "A method, optionally with parameters, or a program that plays by the lines of JSON of \
         `morpion env` (refused if it fails, plays nothing or sends 100 bad requests in a row); \
         repeatable [default: temper, nrpa, nmcs, sa]",
    ),
    parameter("game", "GAME", Games, "A game; repeatable [default: 5D and 5T]"),
    parameter(
        "seeds",
        "N",
        Integer(1, 100_000),
        "Runs of each method on each game [default: 10, or 3 with --quick]",
    )
    .alias("repeats"),
    parameter(
        "for",
        "TIME",
        Time,
        "The CPU time of each run; a program also ends after three times that and 5 s by the \
         clock [default: 30s, or 1s with --quick]",
    ),
    parameter(
        "target",
        "[GAME=]N",
        Targets,
        "A score whose success rate and waiting time are reported; repeatable, like 5D=80",
    ),
    parameter("stop", "", Flag, "A run stops when it reaches its target"),
];

const CHANCE: &[ExperimentParameter] = &[parameter(
    "hunt",
    "FILE.csv:SCORE",
    HuntFiles,
    "Search times, as `experiment anytime` writes them, and the score; repeatable [default: six \
     runs of 5T, 30 minutes each, that come with the program]",
)];

const STARTS: &[ExperimentParameter] = &[
    parameter("game", "GAME", Games, "The rules, and the cross to start from [default: 5D]"),
    parameter(
        "method",
        "NAME[:PARAMETER=VALUE,...]",
        Methods,
        "How games are searched from each start [default: temper]",
    ),
    parameter(
        "playouts",
        "N",
        Integer(1, 1_000_000_000_000),
        "Playouts from each start [default: 20000, or 200 with --quick]",
    ),
    parameter(
        "steps",
        "N",
        Integer(1, 10_000_000),
        "How many starts to search, those of earlier sessions included [default: 1000, or 10 with \
         --quick]",
    ),
    parameter("temperature", "T", Number(0.01, 100.0), "The temperature of annealing").or("1"),
];

const BOARDS: &[ExperimentParameter] = &[
    parameter(
        "maximal",
        "N",
        Integer(1, 100_000),
        "How many maximal boards to sample [default: 200, or 4 with --quick]",
    ),
    parameter(
        "hulls",
        "N",
        Integer(1, 100_000),
        "How many hulls of each layer of 20 dots [default: 8, or 1 with --quick]",
    ),
    parameter("target", "N", Integer(0, 700), "The bound for which hulls have too many dots")
        .or("485"),
    parameter("solver", "FILE", ParameterKind::Solver, ""),
];

const SCALE: &[ExperimentParameter] = &[
    parameter(
        "cores",
        "N,N,...",
        Integers(1, 10_000_000),
        "The sizes of the cluster [default: 100,10000,1000000]",
    ),
    parameter(
        "repeats",
        "N",
        Integer(1, 1000),
        "How often each row is simulated [default: 10, or 2 with --quick]",
    ),
    parameter(
        "boards",
        "FILE.csv",
        Path,
        "LP times, as `experiment boards` writes them [default: a built-in sample]",
    ),
    parameter(
        "hunt",
        "FILE.csv:SCORE",
        HuntFiles,
        "Search times, as `experiment anytime` writes them, and the score to reach; repeatable",
    ),
    parameter("goal", "N", Integer(0, u64::MAX), "A score beyond those measured, extrapolated")
        .or("172"),
    parameter(
        "rate",
        "N",
        Number(1e-3, 1e12),
        "Tasks per second through the broker, both ways (the example `rate` measures it)",
    )
    .or("6000"),
    parameter("verifiers", "N", Integer(1, 10_000), "The number of verifier threads")
        .alias("judges")
        .or("1"),
    parameter("verify-board", "TIME", Time, "Verification time of a board's certificate")
        .alias("judge-board")
        .or("1ms"),
    parameter("verify-game", "TIME", Time, "Verification time of a game")
        .alias("judge-game")
        .or("1ms"),
    parameter("life", "TIME", Time, "Mean time to failure of a core").or("1000h"),
    parameter("lease", "TIME", Time, "How long the task of a failed core stays leased").or("30s"),
    parameter("slow", "PERCENT", Number(0.0, 100.0), "The share of tasks on slow cores").or("1"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_defaults_are_valid() {
        for (number, experiment) in EXPERIMENTS.iter().enumerate() {
            assert!(EXPERIMENTS[..number].iter().all(|other| other.name != experiment.name));
            let mut names: Vec<&str> = experiment.parameters().map(|it| it.name).collect();
            for parameter in experiment.parameters() {
                if let Some(default) = parameter.default {
                    assert_eq!(parameter.kind.check(default), Ok(()), "{}", parameter.name);
                }
            }
            names.sort_unstable();
            assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        }
    }

    #[test]
    fn a_full_run_costs_more_than_a_quick_one() {
        for experiment in EXPERIMENTS {
            let cost = (experiment.cost)();
            assert!(cost.cpu_seconds > cost.quick_cpu_seconds && cost.quick_cpu_seconds > 0.0);
        }
    }
}
