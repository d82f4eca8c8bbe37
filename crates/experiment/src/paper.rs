//! Published tables and figures, run again beside the published values.
//!
//! All are from H. Hyyrö and T. Poranen, *New Heuristics for Morpion Solitaire*, 2007, but for
//! nested search (Cazenave 2009) and the comparison of any methods by CPU time.

pub(crate) mod choice;
pub(crate) mod designs;
pub(crate) mod published;
pub(crate) mod report;

use std::path::{Path, PathBuf};
use std::time::Duration;

use geometry::Game;

use self::choice::{MethodChoice, ScoreTargets};
use self::designs::{PaperOptions, PrefixOptions};
use self::report::{ExperimentResults, PaperReport};
use crate::OnEvent;
use crate::conduct::conduct;
use crate::design::ExperimentDesign;
use crate::error::ExperimentError;
use crate::journal::{Journal, RunResult};
use crate::output::{OutputFolder, ResultsView};
use crate::registry::ExperimentCost;
use crate::request::{PrefixGame, Request, RequestError};

type Views = Result<Vec<ResultsView>, ExperimentError>;
type Design = fn(&PaperOptions) -> ExperimentDesign;

/// A design, its folder, and how its results are reported.
struct Study<'a> {
    design: ExperimentDesign,
    folder: OutputFolder,
    report: Box<dyn Fn(ExperimentResults<'_>) -> PaperReport + 'a>,
}

impl<'a> Study<'a> {
    fn new(
        design: ExperimentDesign,
        folder: PathBuf,
        report: impl Fn(ExperimentResults<'_>) -> PaperReport + 'a,
    ) -> Self {
        let folder = OutputFolder::new(folder, design.name);
        Self { design, folder, report: Box::new(report) }
    }

    /// Whether it can be started or resumed: known before any work.
    fn check(&self) -> Result<(), ExperimentError> {
        self.folder.create()?;
        Journal::open(&self.design, &self.folder.path("csv"))?;
        Ok(())
    }

    /// Makes the runs that are missing and writes the report.
    fn run(
        &self,
        threads: u32,
        on: OnEvent<'_>,
    ) -> Result<(ResultsView, Vec<RunResult>), ExperimentError> {
        let rows = conduct(&self.design, &self.folder.path("csv"), threads, on)?;
        let results = ExperimentResults { design: &self.design, rows: &rows };
        let view = self.folder.publish((self.report)(results), &[results])?;
        Ok((view, rows))
    }

    /// Runs it alone.
    fn run_alone(&self, request: &Request, on: OnEvent<'_>) -> Views {
        self.check()?;
        Ok(vec![self.run(request.threads(), on)?.0])
    }
}

fn options(request: &Request) -> PaperOptions {
    PaperOptions {
        quick: request.is_quick(),
        repeats: request.get("repeats"),
        sizes: request.integers("sizes").or_else(|| request.integers("levels")),
        seed: request.seed(),
    }
}

/// Runs a design that needs nothing but the usual options.
pub(crate) fn run(
    request: &Request,
    on: OnEvent<'_>,
    design: Design,
    report: fn(ExperimentResults<'_>) -> PaperReport,
) -> Views {
    Study::new(design(&options(request)), request.out(), report).run_alone(request, on)
}

pub(crate) fn prefix(request: &Request, on: OnEvent<'_>) -> Views {
    let from = request.from.as_ref().ok_or(RequestError::Missing("from"))?;
    let study = prefix_study(request, from, request.out())?;
    study.run_alone(request, on)
}

fn prefix_study<'a>(
    request: &Request,
    from: &'a PrefixGame,
    out: PathBuf,
) -> Result<Study<'a>, ExperimentError> {
    let PrefixGame { name, game, moves } = from;
    let keep: Option<Vec<usize>> = request.integers("keep");
    if let Some(&keep) = keep.iter().flatten().find(|&&keep| keep > moves.len()) {
        return Err(RequestError::Keep { keep, name: name.clone(), moves: moves.len() }.into());
    }
    let prefix = PrefixOptions {
        game: game.clone(),
        moves: moves.clone(),
        keep,
        steps: request.get("steps"),
        temperature: request.get("temperature"),
    };
    let design = designs::prefix(&prefix, &options(request))?;
    Ok(Study::new(design, out, |results| report::prefix(results, moves.len())))
}

/// The cost of `prefix` for a game of 170 moves.
pub(crate) fn prefix_cost() -> ExperimentCost {
    let cells = PrefixOptions::default_keep(published::RECORD).len();
    let cost = |repeats: f64, steps: f64| cells as f64 * repeats * steps * designs::PER_STEP;
    ExperimentCost {
        runs: cells * 20,
        cpu_seconds: cost(20.0, 1e7),
        quick_cpu_seconds: cost(5.0, 3e5),
    }
}

/// The methods, games, seeds and time of `anytime` if nothing is chosen.
const ANYTIME_METHODS: [&str; 4] = ["temper", "nrpa", "nmcs", "sa"];
const ANYTIME_GAMES: [&str; 2] = ["5D", "5T"];
const ANYTIME_SEEDS: [u32; 2] = [10, 3];
const ANYTIME_SECONDS: [u64; 2] = [30, 1];

pub(crate) fn anytime(request: &Request, on: OnEvent<'_>) -> Views {
    let quick = usize::from(request.is_quick());
    let games = request.all("game").unwrap_or_else(|| {
        ANYTIME_GAMES.map(|name| Game::named(name).expect("a known game")).into()
    });
    let methods = request
        .all("method")
        .unwrap_or_else(|| ANYTIME_METHODS.map(MethodChoice::with_defaults).into());
    let time = request.time("for").unwrap_or(Duration::from_secs(ANYTIME_SECONDS[quick]));
    let targets = ScoreTargets(request.all("target").unwrap_or_default());
    check_targets(&targets, &games)?;
    let until = match request.has("stop") {
        true if targets.0.is_empty() => return Err(RequestError::Missing("target").into()),
        true => targets.clone(),
        false => ScoreTargets::default(),
    };
    let repeats = Some(request.get("seeds").unwrap_or(ANYTIME_SEEDS[quick]));
    let options = PaperOptions { repeats, ..options(request) };
    let design = designs::anytime(&games, &methods, time, &until, &options)?;
    let report = |results: ExperimentResults<'_>| report::anytime(results, &targets);
    Study::new(design, request.out(), report).run_alone(request, on)
}

fn check_targets(targets: &ScoreTargets, games: &[Game]) -> Result<(), RequestError> {
    let games: Vec<String> = games.iter().map(Game::to_string).collect();
    for (place, target) in targets.0.iter().enumerate() {
        let name = || target.game.clone().unwrap_or_else(|| "all games".to_owned());
        if targets.0[..place].iter().any(|other| other.game == target.game) {
            return Err(RequestError::TwoTargets(name()));
        }
        if target.game.as_ref().is_some_and(|game| !games.contains(game)) {
            return Err(RequestError::IdleTarget(name()));
        }
    }
    Ok(())
}

pub(crate) fn anytime_cost() -> ExperimentCost {
    let cells = ANYTIME_GAMES.len() * ANYTIME_METHODS.len();
    let [runs, quick] = ANYTIME_SEEDS.map(|seeds| cells * seeds as usize);
    let [time, quick_time] = ANYTIME_SECONDS.map(|seconds| seconds as f64);
    ExperimentCost {
        runs,
        cpu_seconds: runs as f64 * time,
        quick_cpu_seconds: quick as f64 * quick_time,
    }
}

/// The experiments that Table 3 takes its games from, each in its folder under `out`.
fn sources(request: &Request, out: &Path) -> Vec<Study<'static>> {
    let options = options(request);
    let study = |design: Design, report: fn(ExperimentResults<'_>) -> PaperReport| {
        let design = design(&options);
        let folder = out.join(design.name);
        Study::new(design, folder, report)
    };
    let mut studies = vec![
        study(designs::table1, report::table1),
        study(designs::table2, report::table2),
        study(designs::fig4, report::figure),
        study(designs::fig5, report::figure),
    ];
    let long = study(designs::long, report::long);
    // Long runs made before count even if no new ones are asked for.
    if request.has("long") || long.folder.path("csv").exists() {
        studies.push(long);
    }
    studies
}

/// Runs all sources, then puts the best of them together as Table 3, the last view.
fn best_of(request: &Request, on: OnEvent<'_>, studies: &[Study<'_>], out: PathBuf) -> Views {
    let folder = OutputFolder::new(out, "table3");
    folder.create()?;
    let (mut views, mut all) = (Vec::new(), Vec::new());
    for study in studies {
        let (view, rows) = study.run(request.threads(), on)?;
        views.push(view);
        all.push(rows);
    }
    let results: Vec<ExperimentResults<'_>> = studies
        .iter()
        .zip(&all)
        .map(|(study, rows)| ExperimentResults { design: &study.design, rows })
        .collect();
    let best = report::best(&results);
    folder.write("csv", &best.csv)?;
    views.push(folder.publish(best.report, &results)?);
    Ok(views)
}

pub(crate) fn table3(request: &Request, on: OnEvent<'_>) -> Views {
    let out = request.out();
    let studies = sources(request, &out.parent().map(Path::to_owned).unwrap_or_default());
    studies.iter().try_for_each(Study::check)?;
    let mut views = best_of(request, on, &studies, out)?;
    Ok(views.split_off(views.len() - 1))
}

pub(crate) fn all(request: &Request, on: OnEvent<'_>) -> Views {
    let out = request.get("out").unwrap_or_else(|| PathBuf::from("out"));
    let studies = sources(request, &out);
    let prefix = request.from.as_ref();
    let prefix = prefix.map(|from| prefix_study(request, from, out.join("prefix"))).transpose()?;
    studies.iter().chain(&prefix).try_for_each(Study::check)?;
    let mut views = best_of(request, on, &studies, out.join("table3"))?;
    if let Some(prefix) = prefix {
        views.push(prefix.run(request.threads(), on)?.0);
    }
    Ok(views)
}
