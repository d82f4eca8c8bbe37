//! A look at random boards: what linear programs say of them, and what proofs would cost.
//!
//! Two samples. Of the maximal boards of a [`HullFamily`], evenly: their values, each with its certificate. Of the
//! hulls that have too many dots for a target, the same number from each layer of dots: the value of the
//! board, and if that is beyond the target, how the bound of the hull comes down as cases are told apart. From
//! the seed alone follows which boards are looked at; only processor times depend on the machine.

mod report;
mod table;

use std::collections::BTreeMap;
use std::sync::Mutex;
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

pub use report::{Cost, Estimate, Report, report};
pub use table::{BadTable, read, write};

/// What to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    /// How many maximal boards.
    pub maximal: usize,
    /// How many hulls of each layer.
    pub hulls: usize,
    /// How many linear programs may be spent on the cases of a hull.
    pub programs: usize,
    /// The lowest bound of interest.
    pub target: u32,
    /// Where all choices come from.
    pub seed: u64,
}

/// How many numbers of dots make a layer.
pub const LAYER: u32 = 20;

/// Of what a board was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stratum {
    /// The maximal boards.
    Maximal,
    /// The hulls with this many dots, or up to [`LAYER`] - 1 more.
    Hulls(u32),
}

/// The boards to be looked at, and how many each stands for.
#[derive(Debug, Clone)]
pub struct Sample {
    /// How many boards each stratum has.
    pub sizes: BTreeMap<Stratum, u64>,
    /// The boards.
    pub boards: Vec<(Stratum, Octagon)>,
}

impl Sample {
    /// Draws the boards of a wish.
    pub fn draw(game: &Game, wish: &Wish) -> Result<Self, FamilyError> {
        let family = HullFamily::new(game)?;
        // More dots than this, or else there are not too many moves anyway.
        let least = wish.target + family.potential() / 8 + 1;
        let mut rng = Rng::seed_from_u64(wish.seed);
        let mut drawn: BTreeMap<Stratum, (u64, Vec<Octagon>)> = BTreeMap::new();
        let mut offer = |stratum, most: usize, octagon: Octagon| {
            let (seen, kept) = drawn.entry(stratum).or_default();
            *seen += 1;
            // Each so far is kept with the same chance (Vitter 1985, algorithm R).
            if kept.len() < most {
                kept.push(octagon);
            } else if let Some(place) = kept.get_mut(rng.random_range(0..*seen) as usize) {
                *place = octagon;
            }
        };
        family.for_each_class(|octagon| {
            if family.is_maximal(&octagon) {
                offer(Stratum::Maximal, wish.maximal, octagon);
            }
            if let Some(more) = octagon.area().checked_sub(least) {
                offer(Stratum::Hulls(least + more / LAYER * LAYER), wish.hulls, octagon);
            }
        });
        let sizes = drawn.iter().map(|(&stratum, &(seen, _))| (stratum, seen)).collect();
        let mut boards: Vec<(Stratum, Octagon)> = Vec::new();
        for (stratum, (_, kept)) in drawn {
            boards.extend(kept.into_iter().map(|octagon| (stratum, octagon)));
        }
        // A survey that is stopped has looked at all strata alike.
        boards.shuffle(&mut rng);
        Ok(Self { sizes, boards })
    }
}

/// What was seen of a board.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// Of what it was drawn.
    pub stratum: Stratum,
    /// The board.
    pub board: Octagon,
    /// The value of its linear program.
    pub value: f64,
    /// The processor time to solve it and to make the certificate.
    pub cpu: Duration,
    /// How the bound of the hull came down; empty if nobody looked.
    pub descent: Footholds,
}

/// The bounds of a hull, each less than the one before, and at last what was spent in all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Footholds(pub Vec<Foothold>);

impl Footholds {
    /// What it took to come down to this bound, if it did.
    pub fn to(&self, bound: u32) -> Option<Foothold> {
        self.0.iter().copied().find(|foothold| foothold.bound <= i128::from(bound))
    }

    /// Where it ended.
    pub fn last(&self) -> Option<Foothold> {
        self.0.last().copied()
    }
}

/// A bound on the way down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foothold {
    /// The most moves.
    pub bound: i128,
    /// How many linear programs it took.
    pub programs: usize,
    /// How much processor time.
    pub cpu: Duration,
}

/// Is told how a survey goes, from whichever thread has news.
pub trait SurveyWatcher: Sync {
    /// Another board has been looked at; these are all.
    fn seen(&self, probes: &[Probe]);

    /// Whether to stop now.
    fn wants_stop(&self) -> bool;
}

/// Why there is no survey.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoSurvey {
    /// A linear program has no good end.
    #[error(transparent)]
    Program(#[from] LpError),
    /// A hull has no model.
    #[error(transparent)]
    Model(#[from] ProblemError),
    /// It was stopped; what was seen is kept by whoever was told.
    #[error("stopped")]
    Stopped,
}

/// Looks at all boards of a sample that have not been looked at before, on so many threads.
pub fn survey(
    game: &Game,
    wish: &Wish,
    sample: &Sample,
    solver: Solver,
    before: Vec<Probe>,
    threads: u32,
    watcher: &dyn SurveyWatcher,
) -> Result<Vec<Probe>, NoSurvey> {
    let is_new = |(stratum, board): &&(Stratum, Octagon)| {
        !before.iter().any(|probe| probe.stratum == *stratum && probe.board == *board)
    };
    let left: Vec<(Stratum, Octagon)> = sample.boards.iter().filter(is_new).copied().collect();
    let left = Mutex::new(left.into_iter());
    let seen = Mutex::new((before, None));
    let surveyor = Surveyor { game, solver, wish, watcher };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let next = left.lock().expect("no thread panics").next();
                    let Some((stratum, board)) = next else { break };
                    let probe = surveyor.probe(stratum, board);
                    let mut seen = seen.lock().expect("no thread panics");
                    match probe {
                        Ok(probe) => {
                            seen.0.push(probe);
                            watcher.seen(&seen.0);
                        }
                        Err(trouble) => {
                            seen.1.get_or_insert(trouble);
                        }
                    }
                    if seen.1.is_some() {
                        break;
                    }
                }
            });
        }
    });
    match seen.into_inner().expect("no thread panics") {
        (mut probes, None) => {
            probes.sort_by_key(|probe| (probe.stratum, probe.board));
            Ok(probes)
        }
        (_, Some(trouble)) => Err(trouble),
    }
}

struct Surveyor<'a> {
    game: &'a Game,
    solver: Solver,
    wish: &'a Wish,
    watcher: &'a dyn SurveyWatcher,
}

impl Surveyor<'_> {
    fn probe(&self, stratum: Stratum, board: Octagon) -> Result<Probe, NoSurvey> {
        self.go_on()?;
        let clock = ThreadTime::now();
        let problem =
            BoardProblem::new(self.game.clone(), Board::Octagon(board), Formulation::Lines);
        let value = lp::certify(self.solver, &problem, LpMethod::InteriorPoint)?.value();
        let cpu = clock.elapsed();
        let too_large = value >= f64::from(self.wish.target) + 1.0;
        let descent = match stratum {
            Stratum::Hulls(_) if too_large => self.descent(board)?,
            _ => Footholds::default(),
        };
        Ok(Probe { stratum, board, value, cpu, descent })
    }

    /// How the bound of a hull comes down, to the target or as far as the programs reach.
    fn descent(&self, hull: Octagon) -> Result<Footholds, NoSurvey> {
        let target = self.wish.target;
        let solve = |problem: &BoardProblem, program: &LinearProgram| {
            self.go_on()?;
            Ok(lp::case_bound(self.solver, problem, program, target)?)
        };
        let clock = ThreadTime::now();
        let mut footholds: Vec<Foothold> = Vec::new();
        let mut descent = CaseSplitting::new(self.game, hull, solve);
        loop {
            let mut now = match descent {
                Ok(descent) => descent,
                Err(HullError::Solver(trouble)) => return Err(trouble),
                Err(HullError::Problem(trouble)) => return Err(trouble.into()),
                // Nothing is left to be told apart: so far and no further.
                Err(_) => break,
            };
            let (bound, programs) = (now.bound(), now.solved());
            let ends = bound <= i128::from(target) || programs >= self.wish.programs;
            if ends || footholds.last().is_none_or(|last| bound < last.bound) {
                footholds.push(Foothold { bound, programs, cpu: clock.elapsed() });
            }
            if ends {
                break;
            }
            descent = now.step(solve).map(|()| now);
        }
        Ok(Footholds(footholds))
    }

    fn go_on(&self) -> Result<(), NoSurvey> {
        if self.watcher.wants_stop() { Err(NoSurvey::Stopped) } else { Ok(()) }
    }
}
