//! Bounds for games whose octagonal hull is exactly a board, by splitting into cases.
//!
//! One linear program bounds a whole board. That every row, column and diagonal side of a hull has
//! a dot lowers the bound a little; what lowers it much is to know that a diagonal near a side has
//! a dot, or which phase the lines of a long lattice line have. So while the bound is too large,
//! the games are split: a diagonal is [empty or not](Split::Holds), or the lines of a lattice line
//! have [one of the phases, or it has two runs](Split::Phases). The leaves of the resulting tree
//! are certificates. Each case is solved from scratch; its solution says where to split it.

mod splitting;
mod stats;

use std::fmt;

use geometry::{Direction, Game, Point};

use crate::certificate::{compressed, write_duals};
use crate::program::{Assumption, LatticeLine, LinearProgram, VariableMeaning, phase};
use crate::{Board, BoardProblem, Formulation, Octagon, ProblemError};

pub use splitting::CaseSplitting;
pub use stats::HullStats;

/// A proof that games with this hull have at most some number of moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HullProof {
    /// The hull.
    pub hull: Octagon,
    /// The cases.
    pub tree: CaseTree,
}

impl HullProof {
    /// The text of its file: the format `morpion-hull/1` of `docs/reference/certificates.md`.
    #[must_use]
    pub fn to_text(&self, game: &Game, bound: u32) -> String {
        let Self { hull, tree } = self;
        let claim = exact(game, *hull).claim(i128::from(bound));
        let rules = game.rules;
        let mut text =
            format!("morpion-hull/1\n{claim}\nrules {rules}\nhull octagon:{hull}\nbound {bound}\n");
        tree.write(&mut text);
        text
    }

    /// The bytes of its file: the text, compressed with gzip.
    #[must_use]
    pub fn to_bytes(&self, game: &Game, bound: u32) -> Vec<u8> {
        compressed(&self.to_text(game, bound))
    }

    /// The hull that a text is about, and its cases as they are written there.
    #[must_use]
    pub fn parse(text: &str) -> Option<(Octagon, &str)> {
        let (_, rest) = text.split_once("\nhull octagon:")?;
        let (sides, rest) = rest.split_once("\nbound ")?;
        let Ok(Board::Octagon(hull)) = format!("octagon:{sides}").parse() else { return None };
        let (_, cases) = rest.split_once('\n')?;
        Some((hull, cases))
    }
}

/// The games with exactly this hull.
fn exact(game: &Game, hull: Octagon) -> BoardProblem {
    BoardProblem::new_exact(game.clone(), Board::Octagon(hull), Formulation::Lines)
}

/// A tree of cases with a certificate at every leaf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CaseTree {
    /// A case that is bounded.
    Leaf(DenseDuals),
    /// The cases of a case, in the order of [`Split::cases`].
    Split(Split, Vec<CaseTree>),
}

impl CaseTree {
    fn write(&self, text: &mut String) {
        match self {
            Self::Leaf(leaf) => write_duals(text, leaf.scale, &leaf.duals),
            Self::Split(split, cases) => {
                text.push_str(&split.to_string());
                text.push('\n');
                for case in cases {
                    case.write(text);
                }
            }
        }
    }

    /// The number of leaves.
    #[must_use]
    pub fn leaves(&self) -> usize {
        match self {
            Self::Leaf(_) => 1,
            Self::Split(_, cases) => cases.iter().map(Self::leaves).sum(),
        }
    }
}

/// A multiplier for each constraint of a program, over a common denominator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DenseDuals {
    /// The denominator.
    pub scale: i64,
    /// The multipliers.
    pub duals: Vec<i64>,
}

/// How a case is split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Split {
    /// Whether a lattice line has a dot.
    Holds(LatticeLine),
    /// Which phase the lines of a lattice line that has a dot have.
    Phases(LatticeLine),
}

/// Prints as `holds SE 13` or `phases E 15`.
impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Holds(lattice) => write!(f, "holds {lattice}"),
            Self::Phases(lattice) => write!(f, "phases {lattice}"),
        }
    }
}

impl Split {
    /// The assumption of each case, for lines of this length.
    #[must_use]
    pub fn cases(self, length: usize) -> Vec<Assumption> {
        match self {
            Self::Holds(lattice) => {
                vec![Assumption::Empty(lattice), Assumption::Runs(lattice, 1)]
            }
            Self::Phases(lattice) => {
                let phases = (0..length as u8 - 1).map(|phase| Assumption::Phase(lattice, phase));
                phases.chain([Assumption::Runs(lattice, 2)]).collect()
            }
        }
    }
}

/// The bound of a case, from the solver.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseBound {
    /// The bound that the duals prove, in moves.
    pub bound: i128,
    /// The values of the variables; empty if infeasible.
    pub values: Vec<f64>,
    /// The proof.
    pub duals: DenseDuals,
}

/// Why a hull is not bounded.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HullError<E> {
    /// The solver failed.
    #[error(transparent)]
    Solver(E),
    /// The hull has no linear program.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The limit on cases was reached.
    #[error("octagon:{hull} takes more than {limit} cases")]
    TooManyCases {
        /// The hull.
        hull: Octagon,
        /// The limit.
        limit: usize,
    },
    /// A case whose solution is integral as far as can be seen, with too many moves.
    #[error("octagon:{hull}: a case with the bound {bound} has nothing left to split")]
    Stuck {
        /// The hull.
        hull: Octagon,
        /// The bound.
        bound: i128,
    },
}

/// Splits into at most `limit` cases until each has at most `bound` moves.
pub fn prove<E>(
    game: &Game,
    hull: Octagon,
    bound: u32,
    limit: usize,
    solve: impl FnMut(&BoardProblem, &LinearProgram) -> Result<CaseBound, E>,
) -> Result<HullProof, HullError<E>> {
    let mut prover = Prover { hull, bound, limit, solve, leaves: 0 };
    let tree = prover.tree(&exact(game, hull))?;
    Ok(HullProof { hull, tree })
}

struct Prover<F> {
    hull: Octagon,
    bound: u32,
    limit: usize,
    solve: F,
    leaves: usize,
}

impl<E, F: FnMut(&BoardProblem, &LinearProgram) -> Result<CaseBound, E>> Prover<F> {
    fn tree(&mut self, problem: &BoardProblem) -> Result<CaseTree, HullError<E>> {
        let program = problem.program()?;
        let solved = (self.solve)(problem, &program).map_err(HullError::Solver)?;
        let CaseBound { bound, values, duals } = solved;
        if bound <= i128::from(self.bound) {
            self.leaves += 1;
            return match self.leaves > self.limit {
                true => Err(HullError::TooManyCases { hull: self.hull, limit: self.limit }),
                false => Ok(CaseTree::Leaf(duals)),
            };
        }
        let split = choose_split(problem, &program, &values);
        let split = split.ok_or(HullError::Stuck { hull: self.hull, bound })?;
        let mut cases = Vec::new();
        for assumption in split.cases(problem.game.rules.length()) {
            let mut case = problem.clone();
            case.assumptions.push(assumption);
            cases.push(self.tree(&case)?);
        }
        Ok(CaseTree::Split(split, cases))
    }
}

/// How far a sum must be from an integer to count as fractional.
const TOLERANCE: f64 = 1e-3;

/// Where to split: on the diagonal that is most nearly empty without being so, or else on the
/// lattice line whose phases are most mixed.
fn choose_split(problem: &BoardProblem, program: &LinearProgram, values: &[f64]) -> Option<Split> {
    let known = |lattice: LatticeLine| {
        let about = problem.assumptions.iter();
        about.filter(move |assumption| assumption.lattice_line() == lattice).copied()
    };
    let sums = lattice_sums(problem, program, values);
    let half_empty = sums.iter().filter(|sum| {
        sum.may_be_empty() && known(sum.lattice).next().is_none() && sum.runs < 1.0 - TOLERANCE
    });
    if let Some(sum) = half_empty.min_by(|a, b| a.runs.total_cmp(&b.runs)) {
        return Some(Split::Holds(sum.lattice));
    }
    let mixed = sums.iter().filter(|sum| {
        let has_dot = !sum.may_be_empty()
            || known(sum.lattice).any(|known| matches!(known, Assumption::Runs(_, 1)));
        let is_open = !known(sum.lattice)
            .any(|known| matches!(known, Assumption::Phase(..) | Assumption::Runs(_, 2)));
        has_dot && is_open && sum.mixed() > TOLERANCE
    });
    let most = mixed.max_by(|a, b| a.mixed().total_cmp(&b.mixed()));
    most.map(|sum| Split::Phases(sum.lattice))
}

/// What a solution has on a lattice line.
struct LatticeSum {
    lattice: LatticeLine,
    /// Whether it is a side of the hull.
    is_side: bool,
    runs: f64,
    by_phase: Vec<f64>,
}

impl LatticeSum {
    /// Whether a game with this hull need not have a dot there: only on inner diagonals.
    fn may_be_empty(&self) -> bool {
        let direction = self.lattice.direction;
        !self.is_side && matches!(direction, Direction::SouthEast | Direction::NorthEast)
    }

    /// The total of the lines that do not have the most common phase.
    fn mixed(&self) -> f64 {
        let most = self.by_phase.iter().copied().fold(0.0, f64::max);
        self.by_phase.iter().sum::<f64>() - most
    }
}

/// The sums of all lattice lines, in order.
fn lattice_sums(
    problem: &BoardProblem,
    program: &LinearProgram,
    values: &[f64],
) -> Vec<LatticeSum> {
    let rules = problem.game.rules;
    let phases = rules.length() - 1;
    let mut sums: std::collections::BTreeMap<LatticeLine, LatticeSum> = Default::default();
    let mut at = |point: Point, direction, add: &dyn Fn(&mut LatticeSum)| {
        let lattice = LatticeLine::through(point, direction);
        let new = || {
            let by_phase = vec![0.0; phases];
            LatticeSum { lattice, is_side: false, runs: 0.0, by_phase }
        };
        add(sums.entry(lattice).or_insert_with(new));
    };
    for (variable, &value) in program.variables.iter().zip(values) {
        match variable.meaning {
            VariableMeaning::Dot(dot) => {
                for direction in Direction::ALL {
                    at(dot, direction, &|sum| sum.runs += value);
                }
            }
            VariableMeaning::Line(line) => at(line.start, line.direction, &|sum| {
                sum.runs -= value * phases as f64;
                sum.by_phase[usize::from(phase(line, rules))] += value;
            }),
            VariableMeaning::Birth(_) | VariableMeaning::Turn(_) => {}
        }
    }
    let mut sums: Vec<LatticeSum> = sums.into_values().collect();
    let count = sums.len();
    for i in 0..count {
        let direction = sums[i].lattice.direction;
        let first = i == 0 || sums[i - 1].lattice.direction != direction;
        let last = i + 1 == count || sums[i + 1].lattice.direction != direction;
        sums[i].is_side = first || last;
    }
    sums
}
