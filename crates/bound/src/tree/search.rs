//! Looking for a tree: branch and bound on a linear program that is changed a little and solved again.
//!
//! One model goes through the whole tree, depth first: a split fixes a column, a cut adds a row, and the dual
//! simplex method goes on from where it stood. A solution in whole numbers is played: what waits for itself is a
//! cut; what can be played to the end is a longer game, and there is no proof. Which dot to split by is
//! learned: how much a dot takes off the value when it is fixed is tried a few times, then believed.
//!
//! A search that goes on from the [steps](Step) of an earlier one walks through them without the solver: leaves
//! are added up again in whole numbers.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use geometry::{Game, Move, Point};
use solver::{Basis, Method, Settings, Solution, Solver, SolverError, Status};

use super::{Case, CaseProof, Leaf, Step, Tree};
use crate::model::cuts::{self, Cut};
use crate::model::{Model, Row, Sense, Unknown};

/// How far a search is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The share of the tree that is done, each half of a split counting half.
    pub done: f64,
    /// How many leaves there are so far.
    pub leaves: usize,
}

/// Why there is no tree.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoTree {
    /// There is a position that refutes the claim.
    #[error("{case}: there is such a game, of {} moves", moves.len())]
    Refuted {
        /// The case.
        case: Case,
        /// Its moves, in an order that can be played.
        moves: Vec<Move>,
    },
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// A leaf that the solver's numbers are too vague for.
    #[error("{case}: the solver's numbers are too vague")]
    Vague {
        /// The case.
        case: Case,
    },
    /// An earlier search has not come this way.
    #[error("{case}: step {number} of an earlier search does not hold there")]
    Unfit {
        /// The case.
        case: Case,
        /// Which of its steps, counted from 1.
        number: usize,
    },
    /// The caller wanted no more.
    #[error("interrupted")]
    Interrupted,
}

/// Is told every step that is new, and how far the search is with it; says whether to go on.
pub type Observer<'a> = dyn FnMut(&Step, Progress) -> ControlFlow<()> + 'a;

/// Shows that no position of a case has more than `bound` moves, or, if it is one of leaving, that there is none.
///
/// Goes on from the steps of an earlier search.
pub fn prove(
    solver: Solver,
    game: &Game,
    case: Case,
    bound: u32,
    known: Vec<Step>,
    observe: &mut Observer<'_>,
) -> Result<CaseProof, NoTree> {
    let mut search = Search::new(solver, game, case, bound, observe)?;
    search.known = (1..).zip(known).collect();
    let tree = search.tree(1.0)?;
    Ok(CaseProof { case, cuts: search.cuts, tree })
}

/// The same by a single leaf, if that is enough.
pub fn prove_at_once(
    solver: Solver,
    game: &Game,
    case: Case,
    bound: u32,
) -> Result<Option<CaseProof>, NoTree> {
    let mut nobody = |_: &Step, _: Progress| ControlFlow::Continue(());
    let mut search = Search::new(solver, game, case, bound, &mut nobody)?;
    let solution = search.lp.solve(&Settings::by(Method::DualSimplex))?;
    let leaf = search.leaf(&solution);
    Ok(leaf.map(|leaf| CaseProof { case, cuts: Vec::new(), tree: Tree::Leaf(leaf) }))
}

struct Search<'a> {
    game: &'a Game,
    case: Case,
    bound: u32,
    /// With the rows of all cuts so far.
    model: Model,
    /// The columns' bounds at this place of the tree.
    bounds: Vec<(i64, i64)>,
    lp: solver::Model,
    cuts: Vec<Cut>,
    /// By column and half: what fixing it took off the value for each unit of change, and how often.
    rates: HashMap<(usize, bool), (f64, u32)>,
    /// What an earlier search has found from here on, with the number of each step.
    known: VecDeque<(usize, Step)>,
    progress: Progress,
    observe: &'a mut Observer<'a>,
}

/// How far a number must be from a whole one to count as something else.
const VAGUE: f64 = 1e-5;
/// How often fixing a column is tried before what was learned is believed.
const TRIALS: u32 = 4;
/// How many steps of the simplex method such a trial takes at most.
const TRIAL_STEPS: u32 = 100;
/// How many columns are tried at one place, and how many of them without a better one being found.
const CANDIDATES: usize = 20;
const IN_VAIN: usize = 7;

impl<'a> Search<'a> {
    fn new(
        solver: Solver,
        game: &'a Game,
        case: Case,
        bound: u32,
        observe: &'a mut Observer<'a>,
    ) -> Result<Self, NoTree> {
        let model = case.model(game, bound);
        let mut problem = model.problem();
        if !case.counts() {
            // Few moves are what makes leaving hard.
            problem.columns.iter_mut().for_each(|column| column.cost = -column.cost);
        }
        Ok(Self {
            game,
            case,
            bound,
            bounds: model.columns.iter().map(|column| (column.low, column.high)).collect(),
            model,
            lp: solver::Model::new(solver, &problem)?,
            cuts: Vec::new(),
            rates: HashMap::new(),
            known: VecDeque::new(),
            progress: Progress { done: 0.0, leaves: 0 },
            observe,
        })
    }

    /// The tree from here on, which is this share of the whole.
    fn tree(&mut self, share: f64) -> Result<Tree, NoTree> {
        let step = match self.known_step()? {
            Some(step) => step,
            None => self.next_step()?,
        };
        let column = match step {
            Step::Split(column) => column,
            Step::Leaf(leaf) => {
                self.progress.done += share;
                self.progress.leaves += 1;
                return Ok(Tree::Leaf(leaf));
            }
            Step::Cut(_) => unreachable!("cuts are added on the way"),
        };
        let before = self.bounds[column];
        let mut half = |fixed: i64| {
            self.fix(column, (fixed, fixed))?;
            self.tree(share / 2.0)
        };
        let halves = [half(1)?, half(0)?];
        self.fix(column, before)?;
        // What closes a half without using that it is one closes all of it.
        let mut whole = halves.iter().filter_map(|half| match half {
            Tree::Leaf(leaf) if self.closes(leaf) => Some(leaf.clone()),
            _ => None,
        });
        match whole.next() {
            Some(leaf) => Ok(Tree::Leaf(self.shortened(leaf))),
            None => Ok(Tree::Split(column, Box::new(halves))),
        }
    }

    /// What an earlier search has found for this place, with the cuts on the way to it.
    fn known_step(&mut self) -> Result<Option<Step>, NoTree> {
        while let Some((number, step)) = self.known.pop_front() {
            let holds = match &step {
                Step::Cut(cut) => {
                    if self.add(cut.clone(), |_| true)? {
                        continue;
                    }
                    false
                }
                Step::Split(column) => {
                    self.bounds.get(*column).is_some_and(|(low, high)| low < high)
                }
                Step::Leaf(leaf) => {
                    let known = |&(row, _): &(usize, i64)| row < self.model.rows.len();
                    leaf.duals.iter().all(known) && self.closes(leaf)
                }
            };
            return match holds {
                true => Ok(Some(match step {
                    Step::Leaf(leaf) => Step::Leaf(self.shortened(leaf)),
                    step => step,
                })),
                false => Err(NoTree::Unfit { case: self.case, number }),
            };
        }
        Ok(None)
    }

    /// Closes this place, or says by which column to split it.
    fn next_step(&mut self) -> Result<Step, NoTree> {
        let step = loop {
            let solution = self.lp.solve(&Settings::by(Method::DualSimplex))?;
            if let Some(leaf) = self.leaf(&solution) {
                break Step::Leaf(leaf);
            }
            if solution.status != Status::Optimal || !self.cut(&solution)? {
                let column = self.branching(&solution)?;
                break Step::Split(column.ok_or(NoTree::Vague { case: self.case })?);
            }
        };
        self.tell(&step)?;
        Ok(step)
    }

    fn tell(&mut self, step: &Step) -> Result<(), NoTree> {
        match (self.observe)(step, self.progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(NoTree::Interrupted),
        }
    }

    fn fix(&mut self, column: usize, bounds: (i64, i64)) -> Result<(), NoTree> {
        self.bounds[column] = bounds;
        Ok(self.lp.set_column(column, bounds.0 as f64, bounds.1 as f64)?)
    }

    /// Whole numbers that close this place, if the solution suggests some.
    fn leaf(&self, solution: &Solution) -> Option<Leaf> {
        let counts = self.case.counts();
        let limit = f64::from(self.bound) + 1.0;
        let (factors, scales, counted) = match (solution.status, &solution.ray) {
            (Status::Optimal, _) if counts && solution.value < limit => {
                (&solution.duals, 3..31, true)
            }
            (Status::Infeasible, Some(ray)) => (ray, 0..31, false),
            _ => return None,
        };
        let size = factors.iter().fold(0.0, |size: f64, factor| size.max(factor.abs()));
        scales.into_iter().find_map(|bits| {
            let scale = 1i64 << bits;
            let by = if counted { scale as f64 } else { scale as f64 / size };
            let duals = self.model.rows.iter().zip(factors).enumerate();
            let duals = duals.filter_map(|(number, (row, factor))| {
                let dual = (factor * by).round() as i64;
                let allowed = match row.sense {
                    Sense::AtMost => dual > 0,
                    Sense::AtLeast => dual < 0,
                    Sense::Equal => dual != 0,
                };
                allowed.then_some((number, dual))
            });
            let leaf = Leaf { scale: if counted { scale } else { 0 }, duals: duals.collect() };
            self.closes(&leaf).then(|| self.shortened(leaf))
        })
    }

    /// A leaf that closes, with smaller numbers, and without factors that are not needed, small ones first.
    fn shortened(&self, leaf: Leaf) -> Leaf {
        let smaller = |eighths: i64| {
            let less = |number: i64| (number as f64 * eighths as f64 / 8.0).round() as i64;
            let duals = leaf.duals.iter().map(|&(row, dual)| (row, less(dual)));
            let duals = duals.filter(|&(_, dual)| dual != 0).collect();
            Leaf { scale: less(leaf.scale), duals }
        };
        let smaller = (3..8).map(smaller).find(|smaller| self.closes(smaller));
        let mut leaf = smaller.unwrap_or(leaf);
        let wide = i128::from;
        let most = |column: usize, left: i128| {
            let (low, high) = self.bounds[column];
            (left * wide(low)).max(left * wide(high))
        };
        let (mut left, mut total) = self.weighed(&leaf);
        let room = wide(leaf.scale) * (i128::from(self.bound) + 1);
        leaf.duals.sort_by_key(|&(row, dual)| (dual.unsigned_abs(), row));
        leaf.duals.retain(|&(row, dual)| {
            let row = &self.model.rows[row];
            let changed = |&(column, factor): &(usize, i64)| {
                let after = left[column] + wide(dual) * wide(factor);
                most(column, after) - most(column, left[column])
            };
            let change: i128 = row.terms.iter().map(changed).sum();
            let without = total + change - wide(dual) * wide(row.right);
            let needed = without >= room;
            if !needed {
                total = without;
                for &(column, factor) in &row.terms {
                    left[column] += wide(dual) * wide(factor);
                }
            }
            needed
        });
        leaf.duals.sort_unstable();
        leaf
    }

    /// Whether a leaf leaves no room for more moves than the bound.
    fn closes(&self, leaf: &Leaf) -> bool {
        self.weighed(leaf).1 < i128::from(leaf.scale) * (i128::from(self.bound) + 1)
    }

    /// What a leaf leaves of each column, and the most that this adds up to.
    fn weighed(&self, leaf: &Leaf) -> (Vec<i128>, i128) {
        let (wide, scale) = (i128::from, i128::from(leaf.scale));
        let mut left: Vec<i128> =
            self.model.columns.iter().map(|column| scale * wide(column.cost)).collect();
        let mut total = 0;
        for &(row, dual) in &leaf.duals {
            let row = &self.model.rows[row];
            total += wide(dual) * wide(row.right);
            for &(column, factor) in &row.terms {
                left[column] -= wide(dual) * wide(factor);
            }
        }
        for (&(low, high), left) in self.bounds.iter().zip(&left) {
            total += (left * wide(low)).max(left * wide(high));
        }
        (left, total)
    }

    /// Adds cuts that a solution breaks; `false` if none is found, an error if it is a game.
    fn cut(&mut self, solution: &Solution) -> Result<bool, NoTree> {
        let values = &solution.columns;
        let births = |least: f64| -> Vec<Move> {
            let columns = self.model.columns.iter().zip(values);
            let births = columns.filter_map(|(column, &value)| match column.unknown {
                Unknown::Birth(birth) if value > least => Some(birth),
                _ => None,
            });
            births.collect()
        };
        let whole = values.iter().all(|value| (value - value.round()).abs() < VAGUE);
        let levels: &[f64] = if whole { &[0.5] } else { &[0.01, 0.1, 0.3, 0.5] };
        let start = self.game.start.dots();
        let mut found: Vec<Cut> = Vec::new();
        for &level in levels {
            let births = births(level);
            match cuts::broken(start, &births, self.game.rules) {
                Some(cut) if found.iter().all(|other| other.dots != cut.dots) => found.push(cut),
                None if whole => {
                    let moves = in_order(self.game, births);
                    return Err(NoTree::Refuted { case: self.case, moves });
                }
                _ => {}
            }
        }
        let mut added = false;
        for mut cut in found {
            let value_of = |dot: Point| {
                let column = |column: &crate::model::Column| column.unknown == Unknown::Dot(dot);
                self.model.columns.iter().position(column).map_or(0.0, |column| values[column])
            };
            let most =
                cut.dots.iter().copied().max_by(|&a, &b| value_of(a).total_cmp(&value_of(b)));
            cut.marked = most.unwrap_or(cut.marked);
            let sum = |row: &Row| -> f64 {
                row.terms.iter().map(|&(column, by)| by as f64 * values[column]).sum()
            };
            if self.add(cut.clone(), |row| sum(row) < -0.01)? {
                self.tell(&Step::Cut(cut))?;
                added = true;
            }
        }
        Ok(added)
    }

    /// Adds the row of a cut if it is one, and wanted.
    fn add(&mut self, cut: Cut, is_wanted: impl Fn(&Row) -> bool) -> Result<bool, NoTree> {
        let row = cut.row(&self.model, self.game.rules, self.cuts.len());
        let Some(row) = row.filter(is_wanted) else { return Ok(false) };
        self.lp.add_row(&row.in_floats())?;
        self.model.rows.push(row);
        self.cuts.push(cut);
        Ok(true)
    }

    /// By which column to split: a dot if some dot is neither there nor not, else anything.
    fn branching(&mut self, solution: &Solution) -> Result<Option<usize>, NoTree> {
        let values = &solution.columns;
        let open = |&column: &usize| self.bounds[column].0 < self.bounds[column].1;
        let vague = |&column: &usize| (values[column] - values[column].round()).abs() > VAGUE;
        let is_dot =
            |&column: &usize| matches!(self.model.columns[column].unknown, Unknown::Dot(_));
        let mut all = 0..self.model.columns.len();
        let mut columns: Vec<usize> = all.clone().filter(open).filter(vague).collect();
        if columns.iter().any(is_dot) {
            columns.retain(is_dot);
        }
        if columns.is_empty() {
            // The solver could not say more: any column will do.
            return Ok(all.find(open));
        }
        let expected = |search: &Self, column: usize, up: bool| {
            let change = if up { 1.0 - values[column] } else { values[column] };
            match search.rates.get(&(column, up)) {
                Some(&(sum, times)) => change * sum / f64::from(times),
                None => change,
            }
        };
        let score = |gains: [f64; 2]| gains[0].max(1e-3) * gains[1].max(1e-3);
        let mut ranked: Vec<(f64, usize)> = columns
            .into_iter()
            .map(|column| {
                let gains = [false, true].map(|up| expected(self, column, up));
                (score(gains), column)
            })
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        let basis = self.lp.basis()?;
        let (mut best, mut in_vain) = ((-1.0, None), 0);
        for (mut rank, column) in ranked.into_iter().take(CANDIDATES) {
            let times = |up| self.rates.get(&(column, up)).map_or(0, |&(_, times)| times);
            if times(false).min(times(true)) < TRIALS {
                rank = score(self.try_out(column, solution, &basis)?);
            }
            if rank > best.0 {
                (best, in_vain) = ((rank, Some(column)), 0);
            } else {
                in_vain += 1;
            }
            if in_vain == IN_VAIN {
                break;
            }
        }
        self.lp.go_back(&basis)?;
        Ok(best.1)
    }

    /// How much the value falls when a column is 0, and when it is 1.
    fn try_out(
        &mut self,
        column: usize,
        solution: &Solution,
        basis: &Basis,
    ) -> Result<[f64; 2], NoTree> {
        let before = self.bounds[column];
        let value = solution.columns[column];
        // What closing a half is worth, and the most that anything is.
        let over = solution.value - f64::from(self.bound);
        let (closed, most) = if self.case.counts() { (over, over) } else { (5.0, f64::INFINITY) };
        let settings =
            Settings { step_limit: Some(TRIAL_STEPS), ..Settings::by(Method::DualSimplex) };
        let mut gains = [0.0; 2];
        for (up, gain) in [false, true].into_iter().zip(&mut gains) {
            self.fix(column, (i64::from(up), i64::from(up)))?;
            self.lp.go_back(basis)?;
            let tried = self.lp.solve(&settings)?;
            *gain = match tried.status {
                Status::Optimal | Status::StepLimit => {
                    (solution.value - tried.value).clamp(0.0, most)
                }
                _ => closed,
            };
            let change = if up { 1.0 - value } else { value };
            let rate = self.rates.entry((column, up)).or_insert((0.0, 0));
            *rate = (rate.0 + *gain / change, rate.1 + 1);
        }
        self.fix(column, before)?;
        Ok(gains)
    }
}

/// The moves in an order in which they can be played; they must have one.
fn in_order(game: &Game, mut left: Vec<Move>) -> Vec<Move> {
    let mut there: std::collections::HashSet<Point> = game.start.dots().iter().copied().collect();
    let mut ordered = Vec::new();
    while !left.is_empty() {
        left.retain(|&birth| {
            let new = birth.dot();
            let mut others = birth.line.points(game.rules).filter(|&dot| dot != new);
            let plays = others.all(|dot| there.contains(&dot));
            if plays {
                there.insert(new);
                ordered.push(birth);
            }
            !plays
        });
    }
    ordered
}
