//! `morpion experiment boards`.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use experiment::survey::{self, NoSurvey, Probe, Sample, SurveyWatcher, Wish};
use geometry::Game;
use serde::Serialize;

use super::args::Basic;
use super::stage::make_folder;
use crate::files;
use crate::interrupt::stop_flag;
use crate::output::{Exit, note, print, print_json};
use crate::progress::Progress;
use crate::solver::SolverArgs;

/// Linear programs of random boards of 5T.
#[derive(clap::Args)]
pub(super) struct BoardsArgs {
    #[command(flatten)]
    basic: Basic,

    /// How many maximal boards are looked at [default: 200; 4 with --quick]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    maximal: Option<u32>,

    /// How many hulls of each layer of 20 dots [default: 8; 1 with --quick]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    hulls: Option<u32>,

    /// How many linear programs may be spent on a hull by cases [default: 30; 3 with --quick]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    programs: Option<u32>,

    /// The lowest bound of interest
    #[arg(long, value_name = "N", default_value_t = 485, value_parser = clap::value_parser!(u32).range(0..=700))]
    target: u32,

    #[command(flatten)]
    solver: SolverArgs,
}

impl BoardsArgs {
    fn wish(&self) -> Wish {
        let Basic { quick, seed, .. } = self.basic;
        let or = |given: Option<u32>, usual, small| {
            given.unwrap_or(if quick { small } else { usual }) as usize
        };
        Wish {
            maximal: or(self.maximal, 200, 4),
            hulls: or(self.hulls, 8, 1),
            programs: or(self.programs, 30, 3),
            target: self.target,
            seed,
        }
    }
}

#[derive(Serialize)]
struct Told {
    experiment: &'static str,
    boards: usize,
    costs: Vec<CostRow>,
    csv: String,
    markdown: String,
    svg: String,
}

#[derive(Serialize)]
struct CostRow {
    bound: u32,
    hulls: f64,
    hulls_error: f64,
    sampled: usize,
    closed: usize,
    cpu_hours: f64,
    cpu_hours_error: f64,
}

pub(super) fn run(args: &BoardsArgs) -> Result<Exit> {
    let game = Game::named("5T").context("5T is a game")?;
    let wish = args.wish();
    let solver = args.solver.open()?;
    let out = args.basic.out("boards");
    make_folder(&out)?;
    let path = |ending: &str| out.join(format!("boards.{ending}"));
    let csv = path("csv");
    let before = match csv.exists() {
        true => {
            let text = String::from_utf8(files::read(&csv)?).context(files::name(&csv))?;
            survey::read(&game, &wish, &text).with_context(|| files::name(&csv))?
        }
        false => Vec::new(),
    };
    let stop = stop_flag()?;
    let sample = Sample::draw(&game, &wish)?;
    let watch = Watch {
        game: &game,
        wish: &wish,
        total: sample.boards.len(),
        csv: csv.clone(),
        stop,
        unwritable: AtomicBool::new(false),
        line: Progress::new(),
    };
    let threads = args.basic.threads();
    let ending = survey::survey(&game, &wish, &sample, solver, before, threads, &watch);
    drop(watch.line);
    if watch.unwritable.into_inner() {
        bail!("what was seen could not be written to {}", files::name(&csv));
    }
    let probes = match ending {
        Ok(probes) => probes,
        Err(NoSurvey::Stopped) => {
            let kept = files::name(&csv);
            note(format_args!(
                "boards: stopped; what was seen is in {kept}, the same command goes on"
            ));
            return Ok(Exit::Negative);
        }
        Err(error) => return Err(error.into()),
    };
    let report = survey::report(&game, &wish, &sample, &probes);
    files::write(&csv, survey::write(&game, &wish, &probes).as_bytes())?;
    files::write(&path("md"), report.markdown.as_bytes())?;
    files::write(&path("svg"), report.svg.as_bytes())?;
    let markdown = files::name(&path("md"));
    if !args.basic.json {
        print(format_args!("boards: {} looked at; {markdown}", probes.len()))?;
        return Ok(Exit::Success);
    }
    let row = |cost: &survey::Cost| CostRow {
        bound: cost.bound,
        hulls: cost.hulls.sum,
        hulls_error: cost.hulls.error,
        sampled: cost.sampled,
        closed: cost.closed,
        cpu_hours: cost.hours.sum,
        cpu_hours_error: cost.hours.error,
    };
    print_json(&Told {
        experiment: "boards",
        boards: probes.len(),
        costs: report.costs.iter().map(row).collect(),
        csv: files::name(&csv),
        markdown,
        svg: files::name(&path("svg")),
    })?;
    Ok(Exit::Success)
}

/// Keeps everything at once, and shows how it goes.
struct Watch<'a> {
    game: &'a Game,
    wish: &'a Wish,
    total: usize,
    csv: PathBuf,
    stop: Arc<AtomicBool>,
    unwritable: AtomicBool,
    line: Progress,
}

impl SurveyWatcher for Watch<'_> {
    fn seen(&self, probes: &[Probe]) {
        let text = survey::write(self.game, self.wish, probes);
        if let Err(error) = files::write(&self.csv, text.as_bytes()) {
            note(format_args!("morpion: {error:#}"));
            self.unwritable.store(true, Ordering::Relaxed);
            self.stop.store(true, Ordering::Relaxed);
        }
        self.line.show(format_args!("boards: {} of {} looked at", probes.len(), self.total));
    }

    fn wants_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
