//! The search for a tree: depth-first branch and bound on a warm-started linear program.
//!
//! One solver session goes through the whole tree: branching fixes a variable, a cut adds a
//! constraint, and the dual simplex method restarts from the last basis. An integral solution is
//! played: if its dots wait for each other, that is a cut; if it can be played to the end, it is a
//! longer game and refutes the claim. Branching variables are chosen by pseudo-costs that are
//! initialised by strong branching.
//!
//! A search that resumes from the [steps](BranchStep) of an earlier one replays them without the
//! solver: leaves are evaluated again in integers.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use geometry::{Game, Move, Point, play_order};
use solver::{Basis, LpMethod, Session, Solution, SolveOptions, SolveStatus, Solver, SolverError};

use super::{BranchStep, BranchTree, Node, Region, RegionProof, SparseDuals};
use crate::program::cut::{self, Cut};
use crate::program::{Constraint, Variable, VariableMeaning};

/// What a search reports.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event<'a> {
    /// A new step; whoever stores them all can resume from them.
    Step {
        /// The step.
        step: &'a BranchStep,
        /// The share of the tree that is done, each half of a branching counting half.
        done: f64,
        /// The number of leaves so far.
        leaves: usize,
    },
}

/// Why there is no tree.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BranchError {
    /// There is a position that refutes the claim.
    #[error("{region}: there is such a game, with {} moves", moves.len())]
    Refuted {
        /// The region.
        region: Region,
        /// Its moves, in a playable order.
        moves: Vec<Move>,
    },
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// A node that the solver cannot decide.
    #[error("{region}: the solution of the solver is too imprecise")]
    Imprecise {
        /// The region.
        region: Region,
    },
    /// The steps are those of another search.
    #[error("{region}: step {number} of the earlier search does not hold there")]
    Mismatch {
        /// The region.
        region: Region,
        /// Which step, counted from 1.
        number: usize,
    },
    /// The callback asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Proves that no position of a region has more than `bound` moves or, if it is one of leaving,
/// that there is none.
///
/// Resumes from the steps of an earlier search. Stops if `on` breaks.
pub fn prove(
    solver: Solver,
    game: &Game,
    region: Region,
    bound: u32,
    known: Vec<BranchStep>,
    on: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<RegionProof, BranchError> {
    let mut search = Search::new(solver, game, region, bound, on)?;
    search.known = (1..).zip(known).collect();
    let tree = search.tree(1.0)?;
    Ok(RegionProof { region, cuts: search.cuts, tree })
}

/// The same with a single leaf, if that is enough.
pub fn prove_at_root(
    solver: Solver,
    game: &Game,
    region: Region,
    bound: u32,
) -> Result<Option<RegionProof>, BranchError> {
    let mut ignore = |_: Event<'_>| ControlFlow::Continue(());
    let mut search = Search::new(solver, game, region, bound, &mut ignore)?;
    let solution = search.session.solve(&SIMPLEX)?;
    let leaf = search.leaf(&solution);
    Ok(leaf.map(|leaf| RegionProof { region, cuts: Vec::new(), tree: BranchTree::Leaf(leaf) }))
}

struct Search<'a> {
    game: &'a Game,
    region: Region,
    /// The current node, with the constraints of all cuts so far.
    node: Node,
    session: Session,
    cuts: Vec<Cut>,
    /// By variable and half: by how much fixing it lowered the value per unit of change, in total,
    /// and how often it was tried.
    pseudo_costs: HashMap<(usize, bool), (f64, u32)>,
    /// The rest of an earlier search, with the number of each step.
    known: VecDeque<(usize, BranchStep)>,
    done: f64,
    leaves: usize,
    on: &'a mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
}

/// How the programs are solved.
const SIMPLEX: SolveOptions = SolveOptions::new(LpMethod::DualSimplex);
/// How far a value must be from an integer to count as fractional.
const TOLERANCE: f64 = 1e-5;
/// How often a variable is tried before its pseudo-costs are trusted.
const TRIALS: u32 = 4;
/// The limit on simplex iterations of a trial.
const TRIAL_ITERATIONS: u32 = 100;
/// How many variables are tried at a node, and how many of them without finding a better one.
const CANDIDATES: usize = 20;
const LOOKAHEAD: usize = 7;

impl<'a> Search<'a> {
    fn new(
        solver: Solver,
        game: &'a Game,
        region: Region,
        bound: u32,
        on: &'a mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Result<Self, BranchError> {
        let program = region.program(game, bound);
        let mut problem = program.to_solver();
        if !region.counts_moves() {
            // Few moves are what makes leaving hard.
            problem.columns.iter_mut().for_each(|column| column.cost = -column.cost);
        }
        Ok(Self {
            game,
            region,
            node: Node::root(program, bound),
            session: Session::new(solver, &problem)?,
            cuts: Vec::new(),
            pseudo_costs: HashMap::new(),
            known: VecDeque::new(),
            done: 0.0,
            leaves: 0,
            on,
        })
    }

    /// The tree below the current node, which is this share of the whole.
    fn tree(&mut self, share: f64) -> Result<BranchTree, BranchError> {
        let step = match self.known_step()? {
            Some(step) => step,
            None => self.next_step()?,
        };
        let variable = match step {
            BranchStep::Branch(variable) => variable,
            BranchStep::Leaf(leaf) => {
                self.done += share;
                self.leaves += 1;
                return Ok(BranchTree::Leaf(leaf));
            }
            BranchStep::Cut(_) => unreachable!("cuts are added on the way"),
        };
        let before = self.node.bounds[variable];
        let mut half = |fixed: i64| {
            self.fix(variable, (fixed, fixed))?;
            self.tree(share / 2.0)
        };
        let halves = [half(1)?, half(0)?];
        self.fix(variable, before)?;
        // Duals that prune a half without using what is special about it prune the whole.
        let mut whole = halves.iter().filter_map(|half| match half {
            BranchTree::Leaf(leaf) if self.node.is_pruned_by(leaf) => Some(leaf.clone()),
            _ => None,
        });
        match whole.next() {
            Some(leaf) => Ok(BranchTree::Leaf(self.node.shortened(leaf))),
            None => Ok(BranchTree::Branch(variable, Box::new(halves))),
        }
    }

    /// What an earlier search found for this node, with the cuts on the way to it.
    fn known_step(&mut self) -> Result<Option<BranchStep>, BranchError> {
        while let Some((number, step)) = self.known.pop_front() {
            let holds = match &step {
                BranchStep::Cut(cut) => {
                    if self.add(cut.clone(), |_| true)? {
                        continue;
                    }
                    false
                }
                BranchStep::Branch(variable) => {
                    self.node.bounds.get(*variable).is_some_and(|(low, high)| low < high)
                }
                BranchStep::Leaf(leaf) => {
                    let constraints = self.node.program.constraints.len();
                    let exists = |&(index, _): &(usize, i64)| index < constraints;
                    leaf.duals.iter().all(exists) && self.node.is_pruned_by(leaf)
                }
            };
            return match holds {
                true => Ok(Some(match step {
                    BranchStep::Leaf(leaf) => BranchStep::Leaf(self.node.shortened(leaf)),
                    step => step,
                })),
                false => Err(BranchError::Mismatch { region: self.region, number }),
            };
        }
        Ok(None)
    }

    /// Prunes this node, or chooses the variable to branch on.
    fn next_step(&mut self) -> Result<BranchStep, BranchError> {
        let step = loop {
            let solution = self.session.solve(&SIMPLEX)?;
            if let Some(leaf) = self.leaf(&solution) {
                break BranchStep::Leaf(leaf);
            }
            if solution.status != SolveStatus::Optimal || !self.cut(&solution)? {
                let variable = self.branching_variable(&solution)?;
                let undecided = BranchError::Imprecise { region: self.region };
                break BranchStep::Branch(variable.ok_or(undecided)?);
            }
        };
        self.report(&step)?;
        Ok(step)
    }

    fn report(&mut self, step: &BranchStep) -> Result<(), BranchError> {
        match (self.on)(Event::Step { step, done: self.done, leaves: self.leaves }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(BranchError::Interrupted),
        }
    }

    fn fix(&mut self, variable: usize, bounds: (i64, i64)) -> Result<(), BranchError> {
        self.node.bounds[variable] = bounds;
        Ok(self.session.set_column(variable, bounds.0 as f64, bounds.1 as f64)?)
    }

    /// Integer duals that prune this node, if the solution suggests some.
    fn leaf(&self, solution: &Solution) -> Option<SparseDuals> {
        let limit = f64::from(self.node.target) + 1.0;
        match (solution.status, &solution.ray) {
            (SolveStatus::Optimal, _) if self.region.counts_moves() && solution.value < limit => {
                self.node.round(&solution.duals, 3..31, true)
            }
            (SolveStatus::Infeasible, Some(ray)) => self.node.round(ray, 0..31, false),
            _ => None,
        }
    }

    /// Adds cuts that a solution violates; `false` if there are none, an error if it is a game.
    fn cut(&mut self, solution: &Solution) -> Result<bool, BranchError> {
        let values = &solution.columns;
        let births = |least: f64| -> Vec<Move> {
            let variables = self.node.program.variables.iter().zip(values);
            let births = variables.filter_map(|(variable, &value)| match variable.meaning {
                VariableMeaning::Birth(birth) if value > least => Some(birth),
                _ => None,
            });
            births.collect()
        };
        let integral = values.iter().all(|value| (value - value.round()).abs() < TOLERANCE);
        let levels: &[f64] = if integral { &[0.5] } else { &[0.01, 0.1, 0.3, 0.5] };
        let start = self.game.start.dots();
        let mut found: Vec<Cut> = Vec::new();
        for &level in levels {
            let births = births(level);
            match cut::violated(start, &births, self.game.rules) {
                Some(cut) if found.iter().all(|other| other.dots != cut.dots) => found.push(cut),
                None if integral => {
                    let moves = play_order(self.game, &[], births)
                        .expect("an integer solution can be played");
                    return Err(BranchError::Refuted { region: self.region, moves });
                }
                _ => {}
            }
        }
        let mut added = false;
        for mut cut in found {
            let value_of = |dot: Point| {
                let is_dot = |it: &Variable| it.meaning == VariableMeaning::Dot(dot);
                let index = self.node.program.variables.iter().position(is_dot);
                index.map_or(0.0, |index| values[index])
            };
            let most =
                cut.dots.iter().copied().max_by(|&a, &b| value_of(a).total_cmp(&value_of(b)));
            cut.marked = most.unwrap_or(cut.marked);
            let sum = |constraint: &Constraint| -> f64 {
                constraint.terms.iter().map(|&(index, by)| by as f64 * values[index]).sum()
            };
            if self.add(cut.clone(), |constraint| sum(constraint) < -0.01)? {
                self.report(&BranchStep::Cut(cut))?;
                added = true;
            }
        }
        Ok(added)
    }

    /// Adds the constraint of a cut if it has one that is wanted.
    fn add(
        &mut self,
        cut: Cut,
        is_wanted: impl Fn(&Constraint) -> bool,
    ) -> Result<bool, BranchError> {
        let constraint = cut.constraint(&self.node.program, self.game.rules, self.cuts.len());
        let Some(constraint) = constraint.filter(is_wanted) else { return Ok(false) };
        self.session.add_row(&constraint.to_solver())?;
        self.node.program.constraints.push(constraint);
        self.cuts.push(cut);
        Ok(true)
    }

    /// The variable to branch on: a dot if some dot is fractional, else any variable.
    fn branching_variable(&mut self, solution: &Solution) -> Result<Option<usize>, BranchError> {
        let values = &solution.columns;
        let variables = &self.node.program.variables;
        let is_open = |&index: &usize| self.node.bounds[index].0 < self.node.bounds[index].1;
        let is_fractional =
            |&index: &usize| (values[index] - values[index].round()).abs() > TOLERANCE;
        let is_dot = |&index: &usize| matches!(variables[index].meaning, VariableMeaning::Dot(_));
        let mut all = 0..variables.len();
        let mut candidates: Vec<usize> =
            all.clone().filter(is_open).filter(is_fractional).collect();
        if candidates.iter().any(is_dot) {
            candidates.retain(is_dot);
        }
        if candidates.is_empty() {
            // The solver could not decide: any variable will do.
            return Ok(all.find(is_open));
        }
        let expected = |search: &Self, variable: usize, up: bool| {
            let change = if up { 1.0 - values[variable] } else { values[variable] };
            match search.pseudo_costs.get(&(variable, up)) {
                Some(&(sum, times)) => change * sum / f64::from(times),
                None => change,
            }
        };
        let score = |gains: [f64; 2]| gains[0].max(1e-3) * gains[1].max(1e-3);
        let mut ranked: Vec<(f64, usize)> = candidates
            .into_iter()
            .map(|variable| {
                let gains = [false, true].map(|up| expected(self, variable, up));
                (score(gains), variable)
            })
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        let basis = self.session.basis()?;
        let (mut best, mut in_a_row) = ((-1.0, None), 0);
        for (mut rank, variable) in ranked.into_iter().take(CANDIDATES) {
            let times = |up| self.pseudo_costs.get(&(variable, up)).map_or(0, |&(_, times)| times);
            if times(false).min(times(true)) < TRIALS {
                rank = score(self.strong_branch(variable, solution, &basis)?);
            }
            if rank > best.0 {
                (best, in_a_row) = ((rank, Some(variable)), 0);
            } else {
                in_a_row += 1;
            }
            if in_a_row == LOOKAHEAD {
                break;
            }
        }
        self.session.set_basis(&basis)?;
        Ok(best.1)
    }

    /// By how much the value falls when a variable is 0, and when it is 1.
    fn strong_branch(
        &mut self,
        variable: usize,
        solution: &Solution,
        basis: &Basis,
    ) -> Result<[f64; 2], BranchError> {
        let before = self.node.bounds[variable];
        let value = solution.columns[variable];
        // What pruning a half is worth, and the largest gain that counts.
        let over = solution.value - f64::from(self.node.target);
        let (pruned, most) =
            if self.region.counts_moves() { (over, over) } else { (5.0, f64::INFINITY) };
        let options = SolveOptions { iteration_limit: Some(TRIAL_ITERATIONS), ..SIMPLEX };
        let mut gains = [0.0; 2];
        for (up, gain) in [false, true].into_iter().zip(&mut gains) {
            self.fix(variable, (i64::from(up), i64::from(up)))?;
            self.session.set_basis(basis)?;
            let tried = self.session.solve(&options)?;
            *gain = match tried.status {
                SolveStatus::Optimal | SolveStatus::IterationLimit => {
                    (solution.value - tried.value).clamp(0.0, most)
                }
                _ => pruned,
            };
            let change = if up { 1.0 - value } else { value };
            let cost = self.pseudo_costs.entry((variable, up)).or_insert((0.0, 0));
            *cost = (cost.0 + *gain / change, cost.1 + 1);
        }
        self.fix(variable, before)?;
        Ok(gains)
    }
}
