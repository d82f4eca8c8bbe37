//! A survey of random boards: the values of their linear programs.
//!
//! Two samples: maximal boards of a [`HullFamily`], uniformly; and hulls that have too many dots
//! for a target, the same number from each layer of dots. The seed alone decides which boards are
//! sampled; only CPU times depend on the machine.

mod report;
mod table;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bound::lp::{self, LpError};
use bound::{Board, BoardProblem, FamilyError, Formulation, HullFamily, Octagon};
use cpu_time::ThreadTime;
use geometry::Game;
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use search::Rng;
use solver::{LpMethod, Solver};

use crate::error::ExperimentError;
use crate::output::{OutputFolder, ResultsView, ViewDetails};
use crate::request::{Request, RequestError};
use crate::{Event, OnEvent};

pub(crate) use report::report;
pub use table::ParseSurveyError;
pub(crate) use table::{read, write};

/// The options of a survey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SurveyOptions {
    /// The number of maximal boards.
    pub maximal: usize,
    /// The number of hulls of each layer.
    pub hulls: usize,
    /// The bound for which hulls have too many dots.
    pub target: u32,
    /// The random seed.
    pub seed: u64,
}

/// The width of a layer, in dots.
pub(crate) const LAYER: u32 = 20;

/// What a board was sampled from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Stratum {
    /// The maximal boards.
    Maximal,
    /// The hulls with this many dots, or up to [`LAYER`] - 1 more.
    Hulls(u32),
}

/// The sampled boards, and the sizes of the strata they represent.
#[derive(Debug, Clone)]
pub(crate) struct BoardSample {
    /// The number of boards in each stratum.
    pub sizes: BTreeMap<Stratum, u64>,
    /// The boards.
    pub boards: Vec<(Stratum, Octagon)>,
}

impl BoardSample {
    /// Samples boards.
    pub(crate) fn new(game: &Game, options: &SurveyOptions) -> Result<Self, FamilyError> {
        let family = HullFamily::new(game)?;
        // With fewer dots a game cannot be longer than the target.
        let least = options.target + family.potential() / 8 + 1;
        let mut rng = Rng::seed_from_u64(options.seed);
        let mut drawn: BTreeMap<Stratum, (u64, Vec<Octagon>)> = BTreeMap::new();
        let mut offer = |stratum, most: usize, octagon: Octagon| {
            let (seen, kept) = drawn.entry(stratum).or_default();
            *seen += 1;
            // Each so far is kept with the same probability (Vitter 1985, algorithm R).
            if kept.len() < most {
                kept.push(octagon);
            } else if let Some(place) = kept.get_mut(rng.random_range(0..*seen) as usize) {
                *place = octagon;
            }
        };
        family.for_each_class(|octagon| {
            if family.is_maximal(&octagon) {
                offer(Stratum::Maximal, options.maximal, octagon);
            }
            if let Some(more) = octagon.area().checked_sub(least) {
                offer(Stratum::Hulls(least + more / LAYER * LAYER), options.hulls, octagon);
            }
        });
        let sizes = drawn.iter().map(|(&stratum, &(seen, _))| (stratum, seen)).collect();
        let mut boards: Vec<(Stratum, Octagon)> = Vec::new();
        for (stratum, (_, kept)) in drawn {
            boards.extend(kept.into_iter().map(|octagon| (stratum, octagon)));
        }
        // An interrupted survey has probed all strata alike.
        boards.shuffle(&mut rng);
        Ok(Self { sizes, boards })
    }
}

/// The results for a board.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BoardProbe {
    /// What it was sampled from.
    pub stratum: Stratum,
    /// The board.
    pub board: Octagon,
    /// The value of its linear program.
    pub value: f64,
    /// The CPU time to solve it and to make the certificate.
    pub cpu: Duration,
}

/// Why a survey failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SurveyError {
    /// The game has no family of boards.
    #[error(transparent)]
    Family(#[from] FamilyError),
    /// A linear program has no solution.
    #[error(transparent)]
    Program(#[from] LpError),
    /// The caller interrupted it.
    #[error("interrupted")]
    Interrupted,
}

/// Probes all boards of a sample that `before` does not have, on several threads.
///
/// `on` receives all probes whenever there is a new one, and before every linear program.
pub(crate) fn survey(
    game: &Game,
    sample: &BoardSample,
    solver: Solver,
    before: Vec<BoardProbe>,
    threads: u32,
    on: &(dyn Fn(Option<&[BoardProbe]>) -> ControlFlow<()> + Sync),
) -> Result<Vec<BoardProbe>, SurveyError> {
    let is_new = |(stratum, board): &&(Stratum, Octagon)| {
        !before.iter().any(|probe| probe.stratum == *stratum && probe.board == *board)
    };
    let missing: Vec<(Stratum, Octagon)> = sample.boards.iter().filter(is_new).copied().collect();
    let mut probes = before;
    let probe = |_, (stratum, board)| {
        if on(None).is_break() {
            return Err(SurveyError::Interrupted);
        }
        let clock = ThreadTime::now();
        let problem = BoardProblem::new(game.clone(), Board::Octagon(board), Formulation::Lines);
        let value = lp::certify(solver, &problem, LpMethod::InteriorPoint)?.value();
        Ok(BoardProbe { stratum, board, value, cpu: clock.elapsed() })
    };
    lab::parts::run(missing, threads, probe, |probe| {
        probes.push(probe);
        match on(Some(&probes)) {
            ControlFlow::Continue(()) => Ok(ControlFlow::Continue(())),
            ControlFlow::Break(()) => Err(SurveyError::Interrupted),
        }
    })?;
    probes.sort_by_key(|probe| (probe.stratum, probe.board));
    Ok(probes)
}

/// `experiment boards`: a survey of 5T, stored after every board.
pub(crate) fn run(request: &Request, on: OnEvent<'_>) -> Result<Vec<ResultsView>, ExperimentError> {
    let game = Game::named("5T").expect("a known game");
    let quick = request.is_quick();
    let or =
        |name: &str, usual, small| request.get(name).unwrap_or(if quick { small } else { usual });
    let options = SurveyOptions {
        maximal: or("maximal", 200, 4),
        hulls: or("hulls", 8, 1),
        target: request.get("target").unwrap_or(485),
        seed: request.seed(),
    };
    let solver = request.solver.ok_or(RequestError::Missing("solver"))?;
    let folder = OutputFolder::new(request.out(), "boards");
    folder.create()?;
    let csv = folder.path("csv");
    let before = match fs::read_to_string(&csv) {
        Ok(text) => read(&game, &options, &text)
            .map_err(|error| ExperimentError::SurveyTable(csv.clone(), error))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(ExperimentError::File(csv, error)),
    };
    let sample = BoardSample::new(&game, &options).map_err(SurveyError::from)?;
    let (done, total) = (AtomicUsize::new(before.len()), sample.boards.len());
    let unwritten = Mutex::new(None);
    let probes = survey(&game, &sample, solver, before, request.threads(), &|probes| {
        if let Some(probes) = probes {
            done.store(probes.len(), Ordering::Relaxed);
            if let Err(error) = folder.write("csv", &write(&game, &options, probes)) {
                unwritten.lock().expect("no thread panics here").get_or_insert(error);
                return ControlFlow::Break(());
            }
        }
        let (experiment, unit, done) = ("boards", "boards", done.load(Ordering::Relaxed));
        on(Event::Progress { experiment, unit, done, total, remaining: None })
    });
    if let Some(error) = unwritten.into_inner().expect("no thread panics here") {
        return Err(error);
    }
    let probes = probes.map_err(|error| match error {
        SurveyError::Interrupted => {
            let (experiment, unit, done) = ("boards", "boards", done.into_inner());
            ExperimentError::Interrupted { experiment, unit, done, total, file: csv }
        }
        error => error.into(),
    })?;
    let report = report(&game, &options, &sample, &probes);
    folder.write("csv", &write(&game, &options, &probes))?;
    folder.write("md", &report.markdown)?;
    folder.write("svg", &report.svg)?;
    Ok(vec![folder.view(ViewDetails::Boards { boards: probes.len() })])
}
