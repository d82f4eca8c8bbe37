//! The search for the tree of a case: depth-first branch and bound on warm-started linear programs.
//!
//! A split changes bounds of variables and right-hand sides, and the dual simplex method continues
//! from the basis of the parent, until the value falls below the target. When few variables are
//! left, the program is built again without the others. Large domains are solved by interior
//! points instead, from scratch but much faster. What to split by is chosen in `branching.rs`.

use std::collections::VecDeque;
use std::mem::replace;
use std::ops::ControlFlow;

use geometry::Game;
use solver::{Basis, LpMethod, Solution, SolveOptions, SolveStatus, Solver, SolverError};

use super::branching::{Candidate, PseudoCosts, candidates, score};
use super::prices::{PricedNode, Prices};
use super::program::{Change, Levels};
use super::relaxation::{Families, Objective, Relaxation};
use super::rounding::FloatPrices;
use super::{ExtentCase, ExtentProgram, ExtentSplit, ExtentStep, PriceLeaf, Sketch};
use crate::branch::Node;

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

/// Finds an extent that no position has, whatever its number of moves; returns it with the text of
/// the proof, or nothing if there is none up to `most`.
pub fn find_exit(
    solver: Solver,
    game: &Game,
    most: u32,
) -> Result<Option<(u32, String)>, SolverError> {
    let mut extent = 1;
    while extent <= most {
        let shape = ExtentProgram::new(game, ExtentCase { from: extent, to: extent });
        let node = Node::root(shape.program.clone(), 0);
        let families = Families { gaps: true, corners: true, reached_only: true };
        let mut relaxation = Relaxation::new(solver, &shape, &node, families, Objective::Surplus)?;
        let solution = relaxation.session.solve(&INTERIOR_POINT)?;
        let priced = PricedNode::new(&shape, &node, &shape.root);
        if let Some(prices) = prices(&priced, &node, &relaxation, &solution) {
            let leaf = ExtentStep::Leaf(priced.leaf(&prices));
            return Ok(Some((extent, format!("exit {extent}\n{leaf}\n"))));
        }
        // One level more adds less than one dot without a line.
        let missing = game.start.dots().len() as f64 + solution.value;
        extent += missing.ceil().max(1.0) as u32;
    }
    Ok(None)
}

/// Proves that no position of a case has more than `bound` moves; returns the text of its proof.
///
/// Resumes from the steps of an earlier search, and splits as in the sketch of another one, as far
/// as it goes. Stops if `on` breaks.
pub fn prove(
    solver: Solver,
    game: &Game,
    case: ExtentCase,
    bound: u32,
    known: Vec<ExtentStep>,
    sketch: &Sketch,
    on: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<String, ExtentError> {
    let shape = ExtentProgram::new(game, case);
    let is_large = case.to >= 7;
    let mut search = Search {
        node: Node::root(shape.program.clone(), bound),
        levels: shape.root,
        shape: &shape,
        case,
        families: Families { gaps: is_large, corners: !is_large, reached_only: false },
        solver,
        relaxation: None,
        costs: PseudoCosts::default(),
        known: (1..).zip(known).collect(),
        done: 0.0,
        leaves: 0,
        on,
    };
    let tree = search.tree(1.0, 0, None, sketch)?;
    let mut text = format!("{case}\n");
    tree.write(&mut text);
    Ok(text)
}

/// A tree of positions.
enum Tree {
    Split(ExtentSplit, Box<[Tree; 2]>),
    /// As it is written, and with the prices of all dots until its parent has seen it.
    Leaf(PriceLeaf, Option<Box<Prices>>),
}

impl Tree {
    fn write(&self, text: &mut String) {
        let step = match self {
            Self::Split(split, _) => ExtentStep::Split(*split),
            Self::Leaf(leaf, _) => ExtentStep::Leaf(leaf.clone()),
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
    families: Families,
    solver: Solver,
    node: Node,
    levels: Levels,
    relaxation: Option<Relaxation>,
    costs: PseudoCosts,
    /// The rest of an earlier search, with the number of each step.
    known: VecDeque<(usize, ExtentStep)>,
    done: f64,
    leaves: usize,
    on: &'a mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
}

/// A node that was split, as its halves know it.
#[derive(Clone)]
struct Parent {
    candidate: Candidate,
    value: f64,
    basis: Option<Basis>,
}

/// What becomes of a node.
enum Step {
    Split(ExtentSplit),
    Leaf(Box<Prices>),
}

/// What the solver has found out about a node.
struct Outcome {
    prices: Option<Prices>,
    is_pruned: bool,
    solution: Solution,
    basis: Option<Basis>,
}

const SIMPLEX: SolveOptions = SolveOptions::new(LpMethod::DualSimplex);
const INTERIOR_POINT: SolveOptions =
    SolveOptions { ray: false, ..SolveOptions::new(LpMethod::InteriorPoint) };
/// Above this many open dots a node is solved by interior points.
const SIMPLEX_DOTS: usize = 800;
/// How a split is chosen deep in the tree, and near its root, where a bad choice is repeated in
/// every branch.
const DEEP: Effort =
    Effort { candidates: 10, trials: 8, iterations: 40, reliable: 2, lookahead: 4 };
const STRONG: Effort =
    Effort { candidates: 24, trials: 24, iterations: 100, reliable: u32::MAX, lookahead: 10 };
const STRONG_DEPTH: usize = 4;

/// How much work goes into the choice of a split.
struct Effort {
    /// How many splits are ranked.
    candidates: usize,
    /// How many of them are tried.
    trials: usize,
    /// How many iterations a trial has.
    iterations: u32,
    /// After how many trials in the tree the pseudo-costs of a split are trusted.
    reliable: u32,
    /// After how many trials that find nothing better the choice is made.
    lookahead: usize,
}

/// What counts as below the target, and how much further down is still better.
const BELOW: f64 = 1e-6;
const MARGIN: f64 = 0.3;
/// How far below the target a solve may stop: the further, the smaller are the prices.
const ROOM: f64 = 3.0;

impl Search<'_> {
    /// The tree below the current node, which is this share of the whole.
    fn tree(
        &mut self,
        share: f64,
        depth: usize,
        parent: Option<(&Parent, bool)>,
        sketch: &Sketch,
    ) -> Result<Tree, ExtentError> {
        // A program that is built here is about this node and those below it only.
        let is_dense = self.relaxation.as_ref().is_some_and(|it| it.is_dense(&self.node));
        let outer = (!is_dense).then(|| self.relaxation.take());
        let tree = match self.known_step()? {
            Some(Step::Leaf(prices)) => self.prune(prices, share),
            Some(Step::Split(split)) => self.halves(split, share, depth, None, sketch)?,
            None => match self.next_step(depth, parent, sketch)? {
                (Step::Leaf(prices), _) => self.prune(prices, share),
                (Step::Split(split), parent) => self.halves(split, share, depth, parent, sketch)?,
            },
        };
        if let Some(outer) = outer {
            self.relaxation = outer;
        }
        Ok(tree)
    }

    /// The current node as prices see it.
    fn priced(&self) -> PricedNode<'_> {
        PricedNode::new(self.shape, &self.node, &self.levels)
    }

    fn prune(&mut self, prices: Box<Prices>, share: f64) -> Tree {
        self.done += share;
        self.leaves += 1;
        Tree::Leaf(self.priced().leaf(&prices), Some(prices))
    }

    fn halves(
        &mut self,
        split: ExtentSplit,
        share: f64,
        depth: usize,
        parent: Option<Parent>,
        sketch: &Sketch,
    ) -> Result<Tree, ExtentError> {
        let halves = self.split(split).expect("the split was checked");
        let mut trees = Vec::with_capacity(2);
        for ((levels, change), more) in halves.into_iter().zip([true, false]) {
            let before = self.apply(levels, &change)?;
            let basis = parent.as_ref().and_then(|parent| parent.basis.as_ref());
            if let (Some(basis), Some(relaxation)) = (basis, &mut self.relaxation) {
                relaxation.session.set_basis(basis)?;
            }
            let parent = parent.as_ref().map(|parent| (parent, more));
            let sketch = sketch.half(split, more);
            trees.push(self.tree(share / 2.0, depth + 1, parent, sketch)?);
            self.apply(before.0, &before.1)?;
        }
        // Prices that prune a half without using what is special about it prune the whole.
        let priced = self.priced();
        let whole = trees.iter_mut().find_map(|half| {
            let Tree::Leaf(_, prices) = half else { return None };
            let mut prices = prices.take()?;
            let evaluation = priced.evaluate(&mut prices);
            priced.is_pruned_by(&evaluation, prices.scale).then_some(prices)
        });
        match whole {
            Some(prices) => Ok(Tree::Leaf(priced.leaf(&prices), Some(prices))),
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
            if let Some(relaxation) = &mut self.relaxation {
                relaxation.set_bounds(variable, bounds)?;
            }
        }
        for &(row, rhs) in &change.rhs {
            let old = replace(&mut self.node.program.constraints[row].rhs, rhs);
            before.rhs.push((row, old));
            if let Some(relaxation) = &mut self.relaxation {
                relaxation.set_rhs(row, &self.node)?;
            }
        }
        before.bounds.reverse();
        before.rhs.reverse();
        Ok((replace(&mut self.levels, levels), before))
    }

    /// What an earlier search found for this node.
    fn known_step(&mut self) -> Result<Option<Step>, ExtentError> {
        let Some((number, step)) = self.known.pop_front() else { return Ok(None) };
        let mismatch = ExtentError::Mismatch { case: self.case, number };
        match step {
            ExtentStep::Split(split) => match self.split(split) {
                Some(_) => Ok(Some(Step::Split(split))),
                None => Err(mismatch),
            },
            ExtentStep::Leaf(leaf) => {
                let priced = self.priced();
                let mut prices = priced.prices(&leaf).ok_or_else(|| mismatch.clone())?;
                let evaluation = priced.evaluate(&mut prices);
                match priced.is_pruned_by(&evaluation, prices.scale) {
                    true => Ok(Some(Step::Leaf(Box::new(prices)))),
                    false => Err(mismatch),
                }
            }
        }
    }

    /// Prunes this node, or chooses a split.
    fn next_step(
        &mut self,
        depth: usize,
        parent: Option<(&Parent, bool)>,
        sketch: &Sketch,
    ) -> Result<(Step, Option<Parent>), ExtentError> {
        let dots = self.shape.dots.len();
        let open = self.node.bounds[..dots].iter().filter(|bounds| bounds.1 > 0).count();
        let is_large = open > SIMPLEX_DOTS;
        let sketched = sketch.split().filter(|&split| self.split(split).is_some());
        // A large domain takes too long to be solved where that decides nothing.
        if let Some(split) = sketched.filter(|_| is_large) {
            self.report(&ExtentStep::Split(split))?;
            return Ok((Step::Split(split), None));
        }
        let outcome = match is_large {
            true => self.solve_by_interior_points()?,
            false => self.solve_by_simplex()?,
        };
        let Outcome { prices, is_pruned, solution, basis } = outcome;
        if let Some((parent, more)) = parent {
            let most = parent.value - self.limit() + MARGIN;
            let gain = if is_pruned { most } else { parent.value - solution.value };
            self.costs.learn(parent.candidate, more, gain.clamp(0.0, most.max(0.0)));
        }
        if let Some(prices) = prices {
            self.report(&ExtentStep::Leaf(self.priced().leaf(&prices)))?;
            return Ok((Step::Leaf(Box::new(prices)), None));
        }
        let chosen = match sketched {
            Some(split) => Some(Candidate { split, distances: [0.5; 2] }),
            None => {
                let effort = if depth < STRONG_DEPTH { &STRONG } else { &DEEP };
                self.choose(&solution, basis.as_ref(), effort)?
            }
        };
        // Where the solver cannot decide, any dot will do.
        let chosen = chosen.or_else(|| self.open_dot().filter(|_| is_pruned));
        let candidate = chosen.ok_or_else(|| ExtentError::Integral {
            case: self.case,
            moves: solution.value.round() as u32,
        })?;
        self.report(&ExtentStep::Split(candidate.split))?;
        let parent = Parent { candidate, value: solution.value, basis };
        Ok((Step::Split(candidate.split), Some(parent)))
    }

    /// Reports a new step.
    fn report(&mut self, step: &ExtentStep) -> Result<(), ExtentError> {
        let event = Event::Step { step, done: self.done, leaves: self.leaves };
        match (self.on)(event) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ExtentError::Interrupted),
        }
    }

    /// The number of moves that is one too many.
    fn limit(&self) -> f64 {
        f64::from(self.node.target) + 1.0
    }

    /// The program of this node: for it alone, or for those below it too.
    fn build(&self, objective: Objective, alone: bool) -> Result<Relaxation, SolverError> {
        let families = Families { reached_only: alone, ..self.families };
        Relaxation::new(self.solver, self.shape, &self.node, families, objective)
    }

    /// Integer prices that prune this node, if a solution suggests some.
    fn prices(&self, relaxation: &Relaxation, solution: &Solution) -> Option<Prices> {
        prices(&self.priced(), &self.node, relaxation, solution)
    }

    /// Solves a large domain.
    fn solve_by_interior_points(&mut self) -> Result<Outcome, ExtentError> {
        let mut relaxation = self.build(Objective::Moves, true)?;
        let solution = relaxation.session.solve(&INTERIOR_POINT)?;
        let mut prices = self.prices(&relaxation, &solution);
        let is_optimal = solution.status == SolveStatus::Optimal;
        if prices.is_none() && !is_optimal {
            // Interior points do not say why there is no solution.
            let mut surplus = self.build(Objective::Surplus, true)?;
            let solution = surplus.session.solve(&INTERIOR_POINT)?;
            prices = self.prices(&surplus, &solution);
            if prices.is_none() {
                return self.solve_by_simplex();
            }
        }
        self.relaxation = Some(relaxation);
        let is_pruned = !is_optimal || solution.value < self.limit() - BELOW;
        Ok(Outcome { prices, is_pruned, solution, basis: None })
    }

    /// Solves a small domain, from the basis of its parent.
    fn solve_by_simplex(&mut self) -> Result<Outcome, ExtentError> {
        let warm = self.relaxation.take().filter(|it| !it.families.reached_only);
        let mut relaxation = match warm {
            Some(relaxation) => relaxation,
            None => self.build(Objective::Moves, false)?,
        };
        let options = SolveOptions { cutoff: Some(self.limit() - ROOM), ..SIMPLEX };
        let mut solution = relaxation.session.solve(&options)?;
        let is_pruned = match solution.status {
            SolveStatus::Optimal => solution.value < self.limit() - BELOW,
            status => matches!(status, SolveStatus::Infeasible | SolveStatus::Cutoff),
        };
        let mut prices = None;
        if is_pruned {
            prices = self.prices(&relaxation, &solution);
            if prices.is_none() {
                // The basis at the cutoff did not round: solve to the end, then from scratch.
                solution = relaxation.session.solve(&SIMPLEX)?;
                prices = self.prices(&relaxation, &solution);
            }
            if prices.is_none() {
                let mut cold = self.build(Objective::Moves, false)?;
                let solution = cold.session.solve(&SIMPLEX)?;
                prices = self.prices(&cold, &solution);
            }
        }
        let basis = if prices.is_none() { Some(relaxation.session.basis()?) } else { None };
        self.relaxation = Some(relaxation);
        Ok(Outcome { prices, is_pruned, solution, basis })
    }

    /// A split by the first dot that is open.
    fn open_dot(&self) -> Option<Candidate> {
        let open = self.shape.dots.iter().zip(&self.node.bounds).find(|it| *it.1 == (0, 1));
        open.map(|(&dot, _)| Candidate { split: ExtentSplit::Dot(dot), distances: [0.5; 2] })
    }

    /// The split to make: the best by pseudo-costs, after some trials from the basis.
    fn choose(
        &mut self,
        solution: &Solution,
        basis: Option<&Basis>,
        effort: &Effort,
    ) -> Result<Option<Candidate>, ExtentError> {
        let over = solution.value - self.limit() + MARGIN;
        let relaxation = self.relaxation.as_ref().expect("it was just solved");
        let candidates = candidates(self.shape, &self.node, relaxation, solution);
        let mut ranked: Vec<(f64, Candidate)> = candidates
            .into_iter()
            .filter(|candidate| self.split(candidate.split).is_some())
            .map(|candidate| (score(self.costs.expected(candidate), over), candidate))
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        ranked.truncate(effort.candidates);
        let Some(basis) = basis else { return Ok(ranked.first().map(|best| best.1)) };
        let (mut best, mut in_a_row, mut trials) = ((-1.0, None), 0, 0);
        for (mut rank, candidate) in ranked {
            let is_open =
                self.costs.trials(candidate.split) < effort.reliable && trials < effort.trials;
            if is_open && in_a_row < effort.lookahead {
                trials += 1;
                rank =
                    score(self.try_out(candidate, solution.value, basis, effort.iterations)?, over);
            }
            if rank > best.0 {
                (best, in_a_row) = ((rank, Some(candidate)), 0);
            } else {
                in_a_row += 1;
            }
        }
        Ok(best.1)
    }

    /// By how much the value falls in the two halves of a split, after a few iterations.
    fn try_out(
        &mut self,
        candidate: Candidate,
        value: f64,
        basis: &Basis,
        iterations: u32,
    ) -> Result<[f64; 2], ExtentError> {
        let options = SolveOptions {
            cutoff: Some(self.limit() - BELOW),
            iteration_limit: Some(iterations),
            ray: false,
            ..SIMPLEX
        };
        let most = (value - self.limit() + MARGIN).max(0.0);
        let halves = self.split(candidate.split).expect("the split was checked");
        let mut gains = [0.0; 2];
        for (half, (levels, change)) in halves.into_iter().enumerate() {
            let before = self.apply(levels, &change)?;
            let relaxation = self.relaxation.as_mut().expect("it was just solved");
            relaxation.session.set_basis(basis)?;
            let tried = relaxation.session.solve(&options)?;
            self.apply(before.0, &before.1)?;
            gains[half] = match tried.status {
                SolveStatus::Optimal | SolveStatus::IterationLimit => {
                    (value - tried.value).clamp(0.0, most)
                }
                _ => most,
            };
            self.costs.learn(candidate, half == 0, gains[half]);
        }
        Ok(gains)
    }
}

/// Integer prices that prune a node, if a solution suggests some.
fn prices(
    priced: &PricedNode<'_>,
    node: &Node,
    relaxation: &Relaxation,
    solution: &Solution,
) -> Option<Prices> {
    let (duals, counts) = match (solution.status, relaxation.objective, &solution.ray) {
        (SolveStatus::Optimal, Objective::Surplus, _) => (&solution.duals, false),
        (SolveStatus::Optimal, _, _) if solution.value >= f64::from(node.target) + 1.0 => {
            return None;
        }
        (SolveStatus::Optimal | SolveStatus::Cutoff, Objective::Moves, _) => {
            (&solution.duals, true)
        }
        (SolveStatus::Infeasible, _, Some(ray)) => (ray, false),
        _ => return None,
    };
    let duals = relaxation.duals(duals, node);
    FloatPrices::new(priced.shape, &priced.reached, &duals).round(priced, counts)
}
