//! A survey of random boards: the values of their linear programs, and what proofs would cost.
//!
//! Two samples: maximal boards of a [`HullFamily`], uniformly, with their values and certificates;
//! and hulls that have too many dots for a target, the same number from each layer of dots, with
//! the value of the board and, if that is above the target, the bound of the hull as it is split
//! into cases. The seed alone decides which boards are sampled; only CPU times depend on the
//! machine.

mod report;
mod table;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bound::hull::{CaseSplitting, HullError};
use bound::lp::{self, LpError};
use bound::program::LinearProgram;
use bound::{Board, BoardProblem, FamilyError, Formulation, HullFamily, Octagon, ProblemError};
use cpu_time::ThreadTime;
use geometry::Game;
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use search::Rng;
use solver::{LpMethod, Solver};

use crate::error::ExperimentError;
use crate::output::{CostView, OutputFolder, ResultsView, ViewDetails};
use crate::request::{Request, RequestError};
use crate::{Event, OnEvent};

pub use report::{BoundCost, Estimate, SurveyReport, report};
pub use table::{ParseSurveyError, read, write};

/// The options of a survey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurveyOptions {
    /// The number of maximal boards.
    pub maximal: usize,
    /// The number of hulls of each layer.
    pub hulls: usize,
    /// The most linear programs for the cases of a hull.
    pub programs: usize,
    /// The lowest bound of interest.
    pub target: u32,
    /// The random seed.
    pub seed: u64,
}

/// The width of a layer, in dots.
pub const LAYER: u32 = 20;

/// What a board was sampled from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stratum {
    /// The maximal boards.
    Maximal,
    /// The hulls with this many dots, or up to [`LAYER`] - 1 more.
    Hulls(u32),
}

/// The sampled boards, and the sizes of the strata they represent.
#[derive(Debug, Clone)]
pub struct BoardSample {
    /// The number of boards in each stratum.
    pub sizes: BTreeMap<Stratum, u64>,
    /// The boards.
    pub boards: Vec<(Stratum, Octagon)>,
}

impl BoardSample {
    /// Samples boards.
    pub fn new(game: &Game, options: &SurveyOptions) -> Result<Self, FamilyError> {
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
pub struct BoardProbe {
    /// What it was sampled from.
    pub stratum: Stratum,
    /// The board.
    pub board: Octagon,
    /// The value of its linear program.
    pub value: f64,
    /// The CPU time to solve it and to make the certificate.
    pub cpu: Duration,
    /// The bound of the hull as it is split into cases; empty if that was not needed.
    pub trace: BoundTrace,
}

/// Decreasing bounds of a hull, and at last the total cost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BoundTrace(pub Vec<TracePoint>);

impl BoundTrace {
    /// The cost of this bound, if it was reached.
    #[must_use]
    pub fn reaching(&self, bound: u32) -> Option<TracePoint> {
        self.0.iter().copied().find(|point| point.bound <= i128::from(bound))
    }

    /// The end.
    #[must_use]
    pub fn last(&self) -> Option<TracePoint> {
        self.0.last().copied()
    }
}

/// A bound of a hull and its cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TracePoint {
    /// The most moves.
    pub bound: i128,
    /// The number of linear programs.
    pub programs: usize,
    /// The CPU time.
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
    /// A hull has no linear program.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The caller interrupted it.
    #[error("interrupted")]
    Interrupted,
}

/// Probes all boards of a sample that `before` does not have, on several threads.
///
/// `on` receives all probes whenever there is a new one, and before every linear program.
pub fn survey(
    game: &Game,
    options: &SurveyOptions,
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
    let surveyor = Surveyor { game, solver, options, on };
    let probe = |_, (stratum, board)| surveyor.probe(stratum, board);
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

struct Surveyor<'a> {
    game: &'a Game,
    solver: Solver,
    options: &'a SurveyOptions,
    on: &'a (dyn Fn(Option<&[BoardProbe]>) -> ControlFlow<()> + Sync),
}

impl Surveyor<'_> {
    fn probe(&self, stratum: Stratum, board: Octagon) -> Result<BoardProbe, SurveyError> {
        self.check_interrupt()?;
        let clock = ThreadTime::now();
        let problem =
            BoardProblem::new(self.game.clone(), Board::Octagon(board), Formulation::Lines);
        let value = lp::certify(self.solver, &problem, LpMethod::InteriorPoint)?.value();
        let cpu = clock.elapsed();
        let is_above = value >= f64::from(self.options.target) + 1.0;
        let trace = match stratum {
            Stratum::Hulls(_) if is_above => self.trace(board)?,
            _ => BoundTrace::default(),
        };
        Ok(BoardProbe { stratum, board, value, cpu, trace })
    }

    /// The bound of a hull by cases, down to the target or until the programs are spent.
    fn trace(&self, hull: Octagon) -> Result<BoundTrace, SurveyError> {
        let target = self.options.target;
        let solve = |problem: &BoardProblem, program: &LinearProgram| {
            self.check_interrupt()?;
            Ok(lp::case_bound(self.solver, problem, program, target)?)
        };
        let clock = ThreadTime::now();
        let mut points: Vec<TracePoint> = Vec::new();
        let mut splitting = CaseSplitting::new(self.game, hull, solve);
        loop {
            let mut now = match splitting {
                Ok(splitting) => splitting,
                Err(HullError::Solver(error)) => return Err(error),
                Err(HullError::Problem(error)) => return Err(error.into()),
                // No case can be split any further.
                Err(_) => break,
            };
            let (bound, programs) = (now.bound(), now.solved());
            let ends = bound <= i128::from(target) || programs >= self.options.programs;
            if ends || points.last().is_none_or(|last| bound < last.bound) {
                points.push(TracePoint { bound, programs, cpu: clock.elapsed() });
            }
            if ends {
                break;
            }
            splitting = now.step(solve).map(|()| now);
        }
        Ok(BoundTrace(points))
    }

    fn check_interrupt(&self) -> Result<(), SurveyError> {
        match (self.on)(None) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(SurveyError::Interrupted),
        }
    }
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
        programs: or("programs", 30, 3),
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
    let probes = survey(&game, &options, &sample, solver, before, request.threads(), &|probes| {
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
    let costs = report.costs.iter().map(CostView::from).collect();
    Ok(vec![folder.view(ViewDetails::Boards { boards: probes.len(), costs })])
}
