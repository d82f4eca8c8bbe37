//! The search for the tree of a case: depth-first branch and bound on warm-started linear programs.
//!
//! A split changes bounds of variables and right-hand sides, and the dual simplex method continues
//! from the basis of the parent, until the value falls below the target. When few variables are
//! left, the program is built again without the others. Domains that are too large for the simplex
//! method are solved by interior points and split by extents.
//!
//! What to split by is chosen by pseudo-costs: how much each kind of split has lowered the value
//! per unit of change, first in trials of a few iterations, then in the tree itself. Near the
//! root many splits are tried (strong branching), because a bad one there is repeated everywhere.
//! The number of lines along a lattice line is the best thing to split by: fractional solutions
//! mix lattice lines of two and of three lines.

use std::collections::{HashMap, VecDeque};
use std::mem::replace;
use std::ops::ControlFlow;

use geometry::Game;
use solver::{Basis, LpMethod, Problem, Session, Solution, SolveOptions, SolveStatus, Solver};
use solver::{Row, SolverError};

use super::program::{Change, Levels};
use super::{ExtentCase, ExtentProgram, ExtentSplit, ExtentStep, Side};
use crate::branch::{Node, SparseDuals};
use crate::program::Sense;

/// How much work goes into choosing splits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Above this many open dots a node is solved by interior points.
    pub simplex_dots: usize,
    /// Down to this depth many splits are tried.
    pub strong_depth: usize,
    /// Whether the program has the gap constraints.
    pub gaps: bool,
    /// Whether it has those of diagonals.
    pub corners: bool,
}

impl Effort {
    /// What is good for a case.
    #[must_use]
    pub fn for_case(case: ExtentCase) -> Self {
        let large = case.to >= 7;
        Self { simplex_dots: 1100, strong_depth: 5, gaps: large, corners: !large }
    }
}

/// What a search reports.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event<'a> {
    /// A new step; whoever stores them all can resume from them.
    Step {
        /// The step.
        step: &'a ExtentStep,
        /// The share of the tree that is done, each half of a split counting half.
        done: f64,
        /// The number of leaves so far.
        leaves: usize,
    },
}

/// Why there is no tree.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExtentError {
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// An integral solution: the relaxation has nothing left to split by.
    #[error("{case}: an integral solution has {moves} moves, and no split excludes it")]
    Integral {
        /// The case.
        case: ExtentCase,
        /// Its moves.
        moves: u32,
    },
    /// The steps are those of another search.
    #[error("{case}: step {number} of the earlier search does not hold there")]
    Mismatch {
        /// The case.
        case: ExtentCase,
        /// Which step, counted from 1.
        number: usize,
    },
    /// The callback asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Proves that no position of a case has more than `bound` moves; returns the text of its proof.
///
/// Resumes from the steps of an earlier search. Stops if `on` breaks.
pub fn prove(
    solver: Solver,
    game: &Game,
    case: ExtentCase,
    bound: u32,
    effort: Effort,
    known: Vec<ExtentStep>,
    on: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<String, ExtentError> {
    let shape = ExtentProgram::new(game, case);
    let mut search = Search {
        node: Node::root(shape.program.clone(), bound),
        levels: shape.root,
        shape: &shape,
        case,
        effort,
        solver,
        lp: None,
        costs: PseudoCosts::default(),
        known: (1..).zip(known).collect(),
        done: 0.0,
        leaves: 0,
        on,
    };
    let tree = search.tree(1.0, 0, None)?;
    let mut text = format!("{case}\n");
    tree.write(&mut text);
    Ok(text)
}

/// A tree of positions.
enum Tree {
    Split(ExtentSplit, Box<[Tree; 2]>),
    Leaf(SparseDuals),
}

impl Tree {
    fn write(&self, text: &mut String) {
        let step = match self {
            Self::Split(split, _) => ExtentStep::Split(*split),
            Self::Leaf(leaf) => ExtentStep::Leaf(leaf.clone()),
        };
        text.push_str(&format!("{step}\n"));
        if let Self::Split(_, halves) = self {
            halves.iter().for_each(|half| half.write(text));
        }
    }
}

struct Search<'a> {
    shape: &'a ExtentProgram,
    case: ExtentCase,
    effort: Effort,
    solver: Solver,
    node: Node,
    levels: Levels,
    lp: Option<Lp>,
    costs: PseudoCosts,
    /// The rest of an earlier search, with the number of each step.
    known: VecDeque<(usize, ExtentStep)>,
    done: f64,
    leaves: usize,
    on: &'a mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
}

/// What the parent of a node expected of it.
#[derive(Clone, Copy)]
struct Expectation {
    split: ExtentSplit,
    /// Whether this is the half with more.
    up: bool,
    value: f64,
    change: f64,
}

const SIMPLEX: SolveOptions = SolveOptions::new(LpMethod::DualSimplex);
const INTERIOR_POINT: SolveOptions = SolveOptions::new(LpMethod::InteriorPoint);
/// How far a dot must be from an integer to be split by, and the lines of a lattice line.
const DOT_TOLERANCE: f64 = 1e-5;
const LINES_TOLERANCE: f64 = 0.08;
/// How many splits are ranked and tried at a node, how many iterations a trial has, and after
/// how many trials in the tree the pseudo-costs are trusted.
const CANDIDATES: usize = 10;
const TRIALS: usize = 8;
const ITERATIONS: u32 = 60;
const RELIABLE: u32 = 2;
/// The same near the root.
const STRONG_CANDIDATES: usize = 30;
const STRONG_ITERATIONS: u32 = 120;
/// After how many trials that find nothing better the search for a split ends.
const LOOKAHEAD: usize = 5;
const STRONG_LOOKAHEAD: usize = 12;
/// Below this share of its columns a program is built again.
const REBUILD: f64 = 0.72;

impl Search<'_> {
    /// The tree below the current node, which is this share of the whole.
    fn tree(
        &mut self,
        share: f64,
        depth: usize,
        expectation: Option<Expectation>,
    ) -> Result<Tree, ExtentError> {
        // A program that is built here is about this node and those below it only.
        let outer = self.dense_program();
        let (step, parent) = match self.known_step()? {
            Some(step) => (step, None),
            None => self.next_step(depth, expectation)?,
        };
        let tree = match step {
            ExtentStep::Leaf(leaf) => {
                self.done += share;
                self.leaves += 1;
                Tree::Leaf(leaf)
            }
            ExtentStep::Split(split) => self.halves(split, share, depth, parent)?,
        };
        if let Some(outer) = outer {
            self.lp = outer;
        }
        Ok(tree)
    }

    fn halves(
        &mut self,
        split: ExtentSplit,
        share: f64,
        depth: usize,
        parent: Option<Parent>,
    ) -> Result<Tree, ExtentError> {
        let halves = self.split(split).expect("the split was checked");
        let mut trees = Vec::with_capacity(2);
        for ((levels, change), up) in halves.into_iter().zip([true, false]) {
            let before = self.apply(levels, &change)?;
            let expectation = parent.as_ref().map(|parent| parent.expectation(split, up));
            let basis = parent.as_ref().and_then(|parent| parent.basis.as_ref());
            if let (Some(basis), Some(lp)) = (basis, &mut self.lp) {
                lp.session.set_basis(basis)?;
            }
            trees.push(self.tree(share / 2.0, depth + 1, expectation)?);
            self.apply(before.0, &before.1)?;
        }
        // Duals that prune a half without using what is special about it prune the whole.
        let whole = trees.iter().find_map(|half| match half {
            Tree::Leaf(leaf) if self.node.is_pruned_by(leaf) => Some(leaf.clone()),
            _ => None,
        });
        match whole {
            Some(leaf) => Ok(Tree::Leaf(self.node.shortened(leaf))),
            None => {
                let halves = <[Tree; 2]>::try_from(trees).ok().expect("two halves");
                Ok(Tree::Split(split, Box::new(halves)))
            }
        }
    }

    fn split(&self, split: ExtentSplit) -> Option<[(Levels, Change); 2]> {
        let rhs = |row: usize| self.node.program.constraints[row].rhs;
        self.shape.split(&self.levels, &self.node.bounds, rhs, split)
    }

    /// Makes a change, and returns the one that takes it back.
    fn apply(&mut self, levels: Levels, change: &Change) -> Result<(Levels, Change), ExtentError> {
        let mut before = Change::default();
        for &(variable, bounds) in &change.bounds {
            let old = replace(&mut self.node.bounds[variable], bounds);
            before.bounds.push((variable, old));
            if let Some(lp) = &mut self.lp {
                lp.set_bounds(variable, bounds)?;
            }
        }
        for &(row, rhs) in &change.rhs {
            let old = replace(&mut self.node.program.constraints[row].rhs, rhs);
            before.rhs.push((row, old));
            if let Some(lp) = &mut self.lp {
                lp.set_rhs(row, &self.node)?;
            }
        }
        before.bounds.reverse();
        before.rhs.reverse();
        Ok((replace(&mut self.levels, levels), before))
    }

    /// Puts a program aside if many of its columns are fixed, or if there is none: what is built
    /// instead must be dropped when this node is left.
    fn dense_program(&mut self) -> Option<Option<Lp>> {
        let is_dense = self.lp.as_ref().is_some_and(|lp| {
            let open = lp.columns.iter().filter(|&&variable| self.node.bounds[variable].1 > 0);
            open.count() as f64 >= REBUILD * lp.columns.len() as f64
        });
        (!is_dense).then(|| self.lp.take())
    }

    /// What an earlier search found for this node.
    fn known_step(&mut self) -> Result<Option<ExtentStep>, ExtentError> {
        let Some((number, step)) = self.known.pop_front() else { return Ok(None) };
        let rows = self.node.program.constraints.len();
        match step {
            ExtentStep::Split(split) if self.split(split).is_some() => Ok(Some(step)),
            ExtentStep::Leaf(leaf)
                if leaf.duals.iter().all(|&(row, _)| row < rows)
                    && self.node.is_pruned_by(&leaf) =>
            {
                Ok(Some(ExtentStep::Leaf(self.node.shortened(leaf))))
            }
            _ => Err(ExtentError::Mismatch { case: self.case, number }),
        }
    }

    /// Prunes this node, or chooses a split.
    fn next_step(
        &mut self,
        depth: usize,
        expectation: Option<Expectation>,
    ) -> Result<(ExtentStep, Option<Parent>), ExtentError> {
        let dots = self.shape.dots.len();
        let open = self.node.bounds[..dots].iter().filter(|bounds| bounds.1 > 0).count();
        let (step, parent) = match open > self.effort.simplex_dots {
            true => (self.large_step()?, None),
            false => self.small_step(depth, expectation)?,
        };
        let event = Event::Step { step: &step, done: self.done, leaves: self.leaves };
        match (self.on)(event) {
            ControlFlow::Continue(()) => Ok((step, parent)),
            ControlFlow::Break(()) => Err(ExtentError::Interrupted),
        }
    }

    /// A step on a large domain: one solution by interior points, or a split by an extent.
    fn large_step(&mut self) -> Result<ExtentStep, ExtentError> {
        self.lp = None;
        let mut lp =
            Lp::new(self.solver, self.shape, &self.node, Effort { gaps: true, ..self.effort })?;
        let solution = lp.session.solve(&INTERIOR_POINT)?;
        if let Some(leaf) = self.leaf(&lp, &solution) {
            return Ok(ExtentStep::Leaf(leaf));
        }
        if let Some(split) = self.widest_extent() {
            return Ok(ExtentStep::Split(split));
        }
        // Nothing but dots is left to split by: the one that is most undecided.
        let doubt = |&index: &usize| {
            let value = solution.columns[index];
            value.min(1.0 - value)
        };
        let columns = 0..lp.columns.len();
        let is_open = |&column: &usize| {
            let variable = lp.columns[column];
            variable < self.shape.dots.len() && self.node.bounds[variable] == (0, 1)
        };
        let most = columns.filter(is_open).max_by(|a, b| doubt(a).total_cmp(&doubt(b)));
        let dot = most.map(|column| ExtentSplit::Dot(self.shape.dots[lp.columns[column]]));
        dot.map(ExtentStep::Split).ok_or_else(|| self.integral(&solution))
    }

    /// The widest range of an extent, halved.
    fn widest_extent(&self) -> Option<ExtentSplit> {
        let range = |side: &Side| {
            let number = *side as usize;
            (self.levels.known[number].max(0), self.levels.most[number])
        };
        let width = |side: &Side| range(side).1 - range(side).0;
        let sides = [Side::Right, Side::Left, Side::Below, Side::Above];
        let widest = sides.into_iter().filter(|side| width(side) > 0).max_by_key(width)?;
        let (low, high) = range(&widest);
        Some(ExtentSplit::Extent(widest, (low + high) / 2))
    }

    fn integral(&self, solution: &Solution) -> ExtentError {
        ExtentError::Integral { case: self.case, moves: solution.value.round() as u32 }
    }

    /// A step by the dual simplex method.
    fn small_step(
        &mut self,
        depth: usize,
        expectation: Option<Expectation>,
    ) -> Result<(ExtentStep, Option<Parent>), ExtentError> {
        let limit = f64::from(self.node.target) + 1.0;
        let mut lp = match self.lp.take() {
            Some(lp) => lp,
            None => Lp::new(self.solver, self.shape, &self.node, self.effort)?,
        };
        let options = SolveOptions { cutoff: Some(limit - 1e-6), ..SIMPLEX };
        let mut solution = lp.session.solve(&options)?;
        let is_pruned = |solution: &Solution| match solution.status {
            SolveStatus::Optimal => solution.value < limit - 1e-6,
            SolveStatus::Infeasible | SolveStatus::Cutoff => true,
            _ => false,
        };
        if let Some(Expectation { split, up, value, change }) = expectation {
            let most = value - limit + 0.3;
            let gain = match is_pruned(&solution) {
                true => most,
                false => (value - solution.value).clamp(0.0, most),
            };
            self.costs.learn(split, up, gain / change);
        }
        if is_pruned(&solution) {
            let mut leaf = self.leaf(&lp, &solution);
            if leaf.is_none() {
                // The basis at the cutoff did not round: solve to the end, then from scratch.
                solution = lp.session.solve(&SIMPLEX)?;
                leaf = self.leaf(&lp, &solution);
            }
            if leaf.is_none() {
                let mut cold = Lp::new(self.solver, self.shape, &self.node, self.effort)?;
                let solution = cold.session.solve(&SIMPLEX)?;
                leaf = self.leaf(&cold, &solution);
            }
            if let Some(leaf) = leaf {
                self.lp = Some(lp);
                return Ok((ExtentStep::Leaf(leaf), None));
            }
        }
        let basis = lp.session.basis()?;
        self.lp = Some(lp);
        let chosen = self.choose(&solution, &basis, depth < self.effort.strong_depth)?;
        // Where the solver cannot decide, any dot will do.
        let any = || self.open_dot().filter(|_| is_pruned(&solution)).map(|dot| (dot, [0.5; 2]));
        let Some((split, changes)) = chosen.or_else(any) else {
            return Err(self.integral(&solution));
        };
        let parent = Parent { basis: Some(basis), value: solution.value, changes };
        Ok((ExtentStep::Split(split), Some(parent)))
    }

    /// A split by the first dot that is open.
    fn open_dot(&self) -> Option<ExtentSplit> {
        let open = self.shape.dots.iter().zip(&self.node.bounds).find(|it| *it.1 == (0, 1));
        open.map(|(&dot, _)| ExtentSplit::Dot(dot))
    }

    /// Integer duals that prune this node, if the solution suggests some.
    fn leaf(&self, lp: &Lp, solution: &Solution) -> Option<SparseDuals> {
        let limit = f64::from(self.node.target) + 1.0;
        match (solution.status, &solution.ray) {
            (SolveStatus::Optimal, _) if solution.value >= limit => None,
            (SolveStatus::Optimal | SolveStatus::Cutoff, _) => {
                self.node.round(&lp.duals(&solution.duals, &self.node), 3..31, true)
            }
            (SolveStatus::Infeasible, Some(ray)) => {
                self.node.round(&lp.duals(ray, &self.node), 0..31, false)
            }
            _ => None,
        }
    }

    /// The splits that a fractional solution suggests, with how far each half is away.
    fn candidates(&self, lp: &Lp, solution: &Solution) -> Vec<(ExtentSplit, [f64; 2])> {
        let mut candidates = Vec::new();
        let mut values = vec![0.0; self.node.bounds.len()];
        for (&variable, &value) in lp.columns.iter().zip(&solution.columns) {
            values[variable] = value;
        }
        for (index, &dot) in self.shape.dots.iter().enumerate() {
            let value = values[index];
            let is_open = self.node.bounds[index] == (0, 1);
            if is_open && value > DOT_TOLERANCE && value < 1.0 - DOT_TOLERANCE {
                candidates.push((ExtentSplit::Dot(dot), [1.0 - value, value]));
            }
        }
        for line in &self.shape.lattice {
            let value: f64 = line.variables.iter().map(|&variable| values[variable]).sum();
            let most = (value + 1e-7).floor();
            let above = value - most;
            if (LINES_TOLERANCE..=1.0 - LINES_TOLERANCE).contains(&above) {
                let (direction, index) = (line.direction, line.index);
                let split = ExtentSplit::Lines { direction, index, most: most as i64 };
                candidates.push((split, [1.0 - above, above]));
            }
        }
        candidates
    }

    /// The split to make, with how far each half is away.
    fn choose(
        &mut self,
        solution: &Solution,
        basis: &Basis,
        strong: bool,
    ) -> Result<Option<(ExtentSplit, [f64; 2])>, ExtentError> {
        let over = solution.value - f64::from(self.node.target) - 1.0 + 0.3;
        let score = |gains: [f64; 2]| {
            let [a, b] = gains.map(|gain| gain.clamp(1e-3, over.max(1e-3)));
            a * b + 0.02 * (a + b)
        };
        let lp = self.lp.as_ref().expect("it was just solved");
        let candidates = self.candidates(lp, solution);
        let mut ranked: Vec<(f64, ExtentSplit, [f64; 2])> = candidates
            .into_iter()
            .filter(|(split, _)| self.split(*split).is_some())
            .map(|(split, changes)| {
                let expected =
                    [true, false].map(|up| self.costs.rate(split, up) * changes[usize::from(!up)]);
                (score(expected), split, changes)
            })
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        ranked.truncate(if strong { STRONG_CANDIDATES } else { CANDIDATES });
        let lookahead = if strong { STRONG_LOOKAHEAD } else { LOOKAHEAD };
        let (mut best, mut in_a_row, mut trials) = ((-1.0, None), 0, 0);
        for (mut rank, split, changes) in ranked {
            let is_open = strong || (self.costs.trials(split) < RELIABLE && trials < TRIALS);
            if is_open && in_a_row < lookahead {
                trials += 1;
                rank = score(self.try_out(split, changes, solution, basis, strong, over)?);
            }
            if rank > best.0 {
                (best, in_a_row) = ((rank, Some((split, changes))), 0);
            } else {
                in_a_row += 1;
            }
        }
        if let Some(lp) = &mut self.lp {
            lp.session.set_basis(basis)?;
        }
        Ok(best.1)
    }

    /// By how much the value falls in the two halves of a split, after a few iterations.
    fn try_out(
        &mut self,
        split: ExtentSplit,
        changes: [f64; 2],
        solution: &Solution,
        basis: &Basis,
        strong: bool,
        over: f64,
    ) -> Result<[f64; 2], ExtentError> {
        let limit = f64::from(self.node.target) + 1.0;
        let iterations = if strong { STRONG_ITERATIONS } else { ITERATIONS };
        let options = SolveOptions {
            cutoff: Some(limit - 1e-6),
            iteration_limit: Some(iterations),
            ..SIMPLEX
        };
        let halves = self.split(split).expect("the split was checked");
        let mut gains = [0.0; 2];
        for (half, (levels, change)) in halves.into_iter().enumerate() {
            let before = self.apply(levels, &change)?;
            let lp = self.lp.as_mut().expect("it was just solved");
            lp.session.set_basis(basis)?;
            let tried = lp.session.solve(&options)?;
            self.apply(before.0, &before.1)?;
            gains[half] = match tried.status {
                SolveStatus::Optimal | SolveStatus::IterationLimit => {
                    (solution.value - tried.value).clamp(0.0, over)
                }
                _ => over,
            };
            self.costs.learn(split, half == 0, gains[half] / changes[half]);
        }
        Ok(gains)
    }
}

/// A node that was split.
struct Parent {
    basis: Option<Basis>,
    value: f64,
    changes: [f64; 2],
}

impl Parent {
    fn expectation(&self, split: ExtentSplit, up: bool) -> Expectation {
        let change = self.changes[usize::from(!up)];
        Expectation { split, up, value: self.value, change }
    }
}

/// How much splits have lowered the value per unit of change.
#[derive(Default)]
struct PseudoCosts {
    of_split: HashMap<(ExtentSplit, bool), (f64, u32)>,
    /// By kind of split, for those that were not tried yet.
    of_kind: HashMap<(u8, bool), (f64, u32)>,
}

impl PseudoCosts {
    const UNKNOWN: f64 = 5.0;

    fn kind(split: ExtentSplit) -> u8 {
        match split {
            ExtentSplit::Dot(_) => 0,
            ExtentSplit::Extent(..) => 1,
            ExtentSplit::Lines { .. } => 2,
        }
    }

    fn learn(&mut self, split: ExtentSplit, up: bool, rate: f64) {
        let of_split = self.of_split.entry((split, up)).or_default();
        *of_split = (of_split.0 + rate, of_split.1 + 1);
        let of_kind = self.of_kind.entry((Self::kind(split), up)).or_default();
        *of_kind = (of_kind.0 + rate, of_kind.1 + 1);
    }

    fn rate(&self, split: ExtentSplit, up: bool) -> f64 {
        let mean = |&(sum, count): &(f64, u32)| sum / f64::from(count);
        let of_kind = self.of_kind.get(&(Self::kind(split), up)).filter(|(_, count)| *count > 5);
        self.of_split.get(&(split, up)).map(mean).unwrap_or_else(|| {
            // Something new is worth a trial.
            of_kind.map_or(Self::UNKNOWN, |of_kind| 1.3 * mean(of_kind))
        })
    }

    fn trials(&self, split: ExtentSplit) -> u32 {
        let count = |up| self.of_split.get(&(split, up)).map_or(0, |&(_, count)| count);
        count(true).min(count(false))
    }
}

/// A linear program in the hands of the solver, without what is fixed to 0.
struct Lp {
    session: Session,
    /// The variable of each column, and the column of each variable.
    columns: Vec<usize>,
    column_of: Vec<Option<u32>>,
    /// The constraints of each row: one, or two that limit the same sum from both sides.
    rows: Vec<(usize, Option<usize>)>,
    row_of: Vec<Option<u32>>,
}

impl Lp {
    fn new(
        solver: Solver,
        shape: &ExtentProgram,
        node: &Node,
        effort: Effort,
    ) -> Result<Self, SolverError> {
        let variables = 0..node.bounds.len();
        let columns: Vec<usize> = variables.filter(|&it| node.bounds[it].1 > 0).collect();
        let mut column_of = vec![None; node.bounds.len()];
        for (column, &variable) in columns.iter().enumerate() {
            column_of[variable] = Some(column as u32);
        }
        let constraints = &node.program.constraints;
        let mut is_left_out = vec![false; constraints.len()];
        let mut leave_out = |rows: &[Vec<usize>]| {
            rows.iter().flatten().for_each(|&row| is_left_out[row] = true);
        };
        if !effort.gaps {
            leave_out(&shape.gaps);
        }
        if !effort.corners {
            leave_out(&shape.nonempty[4..]);
        }
        let mut at_most = HashMap::new();
        for line in &shape.lattice {
            at_most.insert(line.at_least, line.at_least + 1);
            is_left_out[line.at_least + 1] = true;
        }
        let mut lp_rows = Vec::new();
        let (mut rows, mut row_of) = (Vec::new(), vec![None; constraints.len()]);
        for (number, constraint) in constraints.iter().enumerate() {
            let entries: Vec<(usize, f64)> = constraint
                .terms
                .iter()
                .filter_map(|&(variable, factor)| {
                    column_of[variable].map(|column: u32| (column as usize, factor as f64))
                })
                .collect();
            // A dot that no line uses any more is free; a sum of nothing must still fit.
            let says_nothing = constraint.sense == Sense::AtMost && entries.len() < 2;
            if is_left_out[number] || says_nothing {
                continue;
            }
            let other = at_most.get(&number).copied();
            row_of[number] = Some(rows.len() as u32);
            if let Some(other) = other {
                row_of[other] = Some(rows.len() as u32);
            }
            let (low, high) = limits(node, (number, other));
            rows.push((number, other));
            lp_rows.push(Row { low, high, entries });
        }
        let lp_columns = columns.iter().map(|&variable| {
            let (low, high) = node.bounds[variable];
            let cost = node.program.variables[variable].cost as f64;
            solver::Column { cost, low: low as f64, high: high as f64 }
        });
        let problem = Problem { columns: lp_columns.collect(), rows: lp_rows };
        let session = Session::new(solver, &problem)?;
        Ok(Self { session, columns, column_of, rows, row_of })
    }

    fn set_bounds(&mut self, variable: usize, (low, high): (i64, i64)) -> Result<(), SolverError> {
        match self.column_of[variable] {
            Some(column) => self.session.set_column(column as usize, low as f64, high as f64),
            None => Ok(()),
        }
    }

    fn set_rhs(&mut self, constraint: usize, node: &Node) -> Result<(), SolverError> {
        let Some(row) = self.row_of[constraint] else { return Ok(()) };
        let (low, high) = limits(node, self.rows[row as usize]);
        self.session.set_row(row as usize, low, high)
    }

    /// Multipliers of rows as multipliers of all constraints.
    fn duals(&self, of_rows: &[f64], node: &Node) -> Vec<f64> {
        let mut duals = vec![0.0; node.program.constraints.len()];
        for (&(first, second), &dual) in self.rows.iter().zip(of_rows) {
            match second {
                Some(at_most) if dual > 0.0 => duals[at_most] = dual,
                _ => duals[first] = dual,
            }
        }
        duals
    }
}

/// The limits of a row.
fn limits(node: &Node, (first, second): (usize, Option<usize>)) -> (f64, f64) {
    let constraint = &node.program.constraints[first];
    let rhs = constraint.rhs as f64;
    match (constraint.sense, second) {
        (Sense::Equal, _) => (rhs, rhs),
        (Sense::AtMost, _) => (f64::NEG_INFINITY, rhs),
        (Sense::AtLeast, None) => (rhs, f64::INFINITY),
        (Sense::AtLeast, Some(other)) => (rhs, node.program.constraints[other].rhs as f64),
    }
}
