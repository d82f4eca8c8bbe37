//! Solving the relaxation of a range of hulls, and splitting where that is not enough.

use std::ops::{ControlFlow, RangeInclusive};

use solver::{LpMethod, Session, SolveOptions, SolveStatus, Solver, SolverError};

use super::field::Field;
use super::multipliers::Multipliers;
use super::program::{BlockProgram, usual_sizes};
use super::tree::MAX_WAITING;
use super::{HullPlace, HullRange, SizeRanges, SizeTree};

/// The binary logarithms of the scales at which multipliers are rounded.
const SCALES: RangeInclusive<u32> = 4..=18;

/// How often sizes that the solver did not know are added.
const ROUNDS: usize = 3;

/// How precise the solver has to be.
const TOLERANCE: f64 = 1e-5;

/// By how much fewer hulls a smaller scale may prove, as one of so many.
const LOST: usize = 20;

/// The relaxation of some hulls of a range, solved.
#[derive(Debug, Clone)]
pub struct BlockSolution {
    /// The value of the linear program, with the sizes that the solver knew, if there is one.
    pub value: Option<f64>,
    /// The bound that the precise multipliers prove for all of the hulls, in moves and fractions.
    pub certified: f64,
    /// The multipliers, at the smallest scale that proves the target for nearly as many hulls, or
    /// the largest.
    pub multipliers: Multipliers,
    /// The share of each hull.
    pub hull_shares: Vec<f64>,
    /// The sizes of lattice lines in the solution with their shares.
    shares: Vec<LineShares>,
}

/// The sizes of a lattice line in a solution, each with its share of the flow.
#[derive(Debug, Clone)]
struct LineShares {
    direction: usize,
    line: usize,
    sizes: Vec<(i64, f64)>,
}

/// Solves the relaxation of the hulls at these places of a range, aiming at `target` moves.
pub fn solve(
    solver: Solver,
    range: &HullRange,
    places: &[HullPlace],
    ranges: &SizeRanges,
    target: u32,
) -> Result<BlockSolution, SolverError> {
    let field = Field::new(&range.board);
    let mut known = usual_sizes(&field, ranges);
    let limit = i64::from(target) + 1;
    let evaluate = |multipliers: &Multipliers| multipliers.evaluate(&field, range, ranges);
    // How many hulls multipliers prove.
    let proven = |multipliers: &Multipliers, total: Option<i64>| {
        let is_proven = |place: &&HullPlace| {
            let total = total.map(|total| total + multipliers.of_hull(place));
            total.is_none_or(|total| total.div_euclid(multipliers.scale) < limit)
        };
        places.iter().filter(is_proven).count()
    };
    for round in 1.. {
        let program = BlockProgram::new(&field, range, places, ranges, &known);
        let mut session = Session::new(solver, &program.problem)?;
        session.set_tolerance(TOLERANCE)?;
        let solution = session.solve(&SolveOptions::new(LpMethod::InteriorPoint))?;
        let value = (solution.status == SolveStatus::Optimal).then_some(solution.value);
        if let Some(ray) = &solution.ray {
            // Without positions, what proves it may be enlarged until it outweighs all lines.
            let suggested = program.multipliers(ray);
            let mut enlarged =
                SCALES.map(|bits| Multipliers { scale: 1, ..suggested.round(1 << bits) });
            let proves_all = |it: &Multipliers| proven(it, evaluate(it).total) == places.len();
            if let Some(multipliers) = enlarged.find(proves_all) {
                let (certified, shares) = (f64::NEG_INFINITY, Vec::new());
                let hull_shares = vec![0.0; places.len()];
                return Ok(BlockSolution { value, certified, multipliers, hull_shares, shares });
            }
        }
        let suggested = program.multipliers(&solution.duals);
        let precise = suggested.round(1 << SCALES.end());
        let evaluation = evaluate(&precise);
        let most = places.iter().map(|place| precise.of_hull(place)).max();
        let certified = evaluation.total.zip(most).map_or(f64::NEG_INFINITY, |(total, most)| {
            (total + most) as f64 / precise.scale as f64
        });
        // If the value is low enough, only sizes that the solver did not know can be at fault.
        let is_promising = value.is_none_or(|value| value < limit as f64 - 0.1);
        if certified >= limit as f64 && is_promising && round < ROUNDS {
            let mut added = 0;
            for sized in &evaluation.sizes {
                let sizes = &mut known[sized.direction][sized.line];
                if let Err(place) = sizes.binary_search(&sized.size) {
                    sizes.insert(place, sized.size);
                    added += 1;
                }
            }
            if added > 0 {
                continue;
            }
        }
        let most = proven(&precise, evaluation.total);
        let enough = if most == places.len() { most } else { most - most / LOST };
        let smallest = SCALES
            .filter(|_| most > 0)
            .map(|bits| suggested.round(1 << bits))
            .find(|it| proven(it, evaluate(it).total) >= enough);
        let shares = shares(&program, &solution.columns);
        let hull_shares = program.hull_columns.iter().map(|&it| solution.columns[it]).collect();
        let multipliers = smallest.unwrap_or(precise);
        return Ok(BlockSolution { value, certified, multipliers, hull_shares, shares });
    }
    unreachable!("the last round returns")
}

fn shares(program: &BlockProgram<'_>, columns: &[f64]) -> Vec<LineShares> {
    let mut shares = Vec::new();
    for (direction, lines) in program.size_columns.iter().enumerate() {
        for (line, sizes) in lines.iter().enumerate() {
            let share = |&(size, column): &(i64, usize)| (size, columns[column]);
            let mut sizes: Vec<(i64, f64)> =
                sizes.iter().map(share).filter(|(_, share)| *share > 1e-4).collect();
            let empty = 1.0 - sizes.iter().map(|(_, share)| share).sum::<f64>();
            if empty > 1e-3 {
                sizes.insert(0, (0, empty));
            }
            shares.push(LineShares { direction, line, sizes });
        }
    }
    shares
}

impl BlockSolution {
    /// Whether it proves that no position has more moves.
    #[must_use]
    pub fn proves(&self, target: u32) -> bool {
        self.certified < f64::from(target) + 1.0
    }

    /// The split that takes most apart: the lattice line, and the largest size of the first part.
    fn split(&self) -> Option<(usize, usize, i64)> {
        let mut best: Option<(f64, (usize, usize, i64))> = None;
        for LineShares { direction, line, sizes } in &self.shares {
            let all: f64 = sizes.iter().map(|(_, share)| share).sum();
            for cut in 1..sizes.len() {
                let mean = |sizes: &[(i64, f64)]| {
                    let total: f64 = sizes.iter().map(|(_, share)| share).sum();
                    let sum: f64 = sizes.iter().map(|&(size, share)| size as f64 * share).sum();
                    (total, sum / total)
                };
                let ((less, lower), (_, upper)) = (mean(&sizes[..cut]), mean(&sizes[cut..]));
                let apart = less.min(all - less) * (upper - lower);
                if best.is_none_or(|(most, _)| apart > most) {
                    best = Some((apart, (*direction, *line, sizes[cut].0 - 1)));
                }
            }
        }
        best.filter(|(apart, _)| *apart > 1e-3).map(|(_, split)| split)
    }
}

/// Splits hulls of a range by the sizes of its lattice lines until every part has at most `target`
/// moves.
///
/// `on` is called before each of at most `limit` linear programs and may end the search.
pub fn prove(
    solver: Solver,
    range: &HullRange,
    places: &[HullPlace],
    target: u32,
    limit: usize,
    on: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<SizeTree, SizeTreeError> {
    let mut search = TreeSearch { solver, range, places, target, limit, on, solved: 0 };
    search.tree(&SizeRanges::default(), 0)
}

struct TreeSearch<'a> {
    solver: Solver,
    range: &'a HullRange,
    places: &'a [HullPlace],
    target: u32,
    limit: usize,
    on: &'a mut dyn FnMut() -> ControlFlow<()>,
    solved: usize,
}

impl TreeSearch<'_> {
    /// The tree of these sizes, while so many second parts wait.
    fn tree(&mut self, ranges: &SizeRanges, waiting: usize) -> Result<SizeTree, SizeTreeError> {
        if (self.on)().is_break() {
            return Err(SizeTreeError::Interrupted);
        }
        let error = |bound: f64| SizeTreeError::OutOfReach {
            hulls: *self.range,
            solved: self.solved,
            bound,
        };
        if self.solved >= self.limit {
            return Err(error(f64::INFINITY));
        }
        let solution = solve(self.solver, self.range, self.places, ranges, self.target)?;
        if solution.proves(self.target) {
            self.solved += 1;
            return Ok(SizeTree::Leaf(Box::new(solution.multipliers)));
        }
        let split = solution.split().filter(|_| waiting < MAX_WAITING);
        let split = split.ok_or_else(|| error(solution.certified))?;
        self.solved += 1;
        let (direction, line, most) = split;
        let less = self.tree(&ranges.with(direction, line, 0, most), waiting + 1)?;
        let more = self.tree(&ranges.with(direction, line, most + 1, i64::MAX), waiting)?;
        Ok(SizeTree::Split { direction, line, most, parts: Box::new([less, more]) })
    }
}

/// Why there is no tree.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SizeTreeError {
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The limit on linear programs was reached, or nothing is left to split.
    #[error("{hulls} is not bounded after {solved} linear programs")]
    OutOfReach {
        /// The range of hulls.
        hulls: HullRange,
        /// How many were solved.
        solved: usize,
        /// The bound of the last part.
        bound: f64,
    },
    /// The callback asked to stop.
    #[error("interrupted")]
    Interrupted,
}
