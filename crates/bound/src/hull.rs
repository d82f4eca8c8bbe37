//! Bounds for games whose octagonal hull is exactly a board, by telling cases apart.
//!
//! A whole board is bounded by one linear program. That its every row and column, and its diagonal sides,
//! hold a dot makes the bound a little less; what makes it much less is to know that a diagonal near a side
//! holds a dot, or which phase the lines of a long lattice line have. So where the bound is still too large,
//! cases are told apart: a diagonal is [empty or not](Split::Holds); the lines of a lattice line have
//! [one of the phases, or it has two runs](Split::Phases). What is left in the end is a tree of cases
//! whose leaves are certificates. Each case is solved anew; the solution of a case says where to split it.

mod descent;

use std::fmt;

use geometry::{Direction, Game, Point};

use crate::certificate::{compressed, write_duals};
use crate::model::{Kind, LatticeLine, Model, NoModel, Supposed, Task, Unknown, phase};
use crate::{Board, Octagon};

pub use descent::Descent;

/// A proof that games with this hull have at most so many moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HullProof {
    /// The hull.
    pub hull: Octagon,
    /// The cases.
    pub tree: Tree,
}

impl HullProof {
    /// The text of its file: the format `morpion-hull/1` of `docs/formats.md`.
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
    pub fn to_bytes(&self, game: &Game, bound: u32) -> Vec<u8> {
        compressed(&self.to_text(game, bound))
    }

    /// The hull that a text is about, and its cases as they are written there.
    pub fn parts(text: &str) -> Option<(Octagon, &str)> {
        let (_, rest) = text.split_once("\nhull octagon:")?;
        let (sides, rest) = rest.split_once("\nbound ")?;
        let Ok(Board::Octagon(hull)) = format!("octagon:{sides}").parse() else { return None };
        let (_, cases) = rest.split_once('\n')?;
        Some((hull, cases))
    }
}

/// Games with exactly this hull.
fn exact(game: &Game, hull: Octagon) -> Task {
    Task { exact: true, ..Task::new(game.clone(), Board::Octagon(hull), Kind::Lines) }
}

/// Cases of games, each with what shows its bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree {
    /// One case: factors of the rows of its model.
    Leaf(Leaf),
    /// Cases of a case, in the order of [`Split::cases`].
    Split(Split, Vec<Tree>),
}

impl Tree {
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

    /// How many leaves it has.
    pub fn leaves(&self) -> usize {
        match self {
            Self::Leaf(_) => 1,
            Self::Split(_, cases) => cases.iter().map(Self::leaves).sum(),
        }
    }
}

/// Factors of the rows of a model, and what they are to be divided by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// The scale.
    pub scale: i64,
    /// A factor for each row.
    pub duals: Vec<i64>,
}

/// How cases are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Split {
    /// Whether a lattice line holds a dot.
    Holds(LatticeLine),
    /// Which phase the lines of a lattice line that holds a dot have.
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
    /// What is supposed in each case, for lines of this many dots.
    pub fn cases(self, length: usize) -> Vec<Supposed> {
        match self {
            Self::Holds(lattice) => vec![Supposed::Empty(lattice), Supposed::Runs(lattice, 1)],
            Self::Phases(lattice) => {
                let phases = (0..length as u8 - 1).map(|of| Supposed::Phase(lattice, of));
                phases.chain([Supposed::Runs(lattice, 2)]).collect()
            }
        }
    }
}

/// What the solver makes of a case.
#[derive(Debug, Clone, PartialEq)]
pub struct Solved {
    /// The bound that the leaf shows, in whole moves.
    pub bound: i128,
    /// The values of the columns; none if there is no solution.
    pub values: Vec<f64>,
    /// What shows it.
    pub leaf: Leaf,
}

/// Why there is no proof.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoHullProof<E> {
    /// The solver failed.
    #[error(transparent)]
    Solver(E),
    /// There is no model of the hull.
    #[error(transparent)]
    Model(#[from] NoModel),
    /// More cases than wanted.
    #[error("octagon:{hull} takes more than {most} cases")]
    TooManyCases {
        /// The hull.
        hull: Octagon,
        /// How many were wanted at most.
        most: usize,
    },
    /// A case that is solved in whole numbers as far as can be seen, and has too many moves.
    #[error("octagon:{hull}: a case has the bound {bound} and nothing to be told apart")]
    Stuck {
        /// The hull.
        hull: Octagon,
        /// The bound.
        bound: i128,
    },
}

/// Tells cases apart until each has at most `bound` moves, at most so many.
pub fn prove<E>(
    game: &Game,
    hull: Octagon,
    bound: u32,
    most: usize,
    solve: impl FnMut(&Task, &Model) -> Result<Solved, E>,
) -> Result<HullProof, NoHullProof<E>> {
    let mut prover = Prover { hull, bound, most, solve, leaves: 0 };
    let tree = prover.tree(&exact(game, hull))?;
    Ok(HullProof { hull, tree })
}

struct Prover<F> {
    hull: Octagon,
    bound: u32,
    most: usize,
    solve: F,
    leaves: usize,
}

impl<E, F: FnMut(&Task, &Model) -> Result<Solved, E>> Prover<F> {
    fn tree(&mut self, task: &Task) -> Result<Tree, NoHullProof<E>> {
        let model = task.model()?;
        let Solved { bound, values, leaf } =
            (self.solve)(task, &model).map_err(NoHullProof::Solver)?;
        if bound <= i128::from(self.bound) {
            self.leaves += 1;
            return match self.leaves > self.most {
                true => Err(NoHullProof::TooManyCases { hull: self.hull, most: self.most }),
                false => Ok(Tree::Leaf(leaf)),
            };
        }
        let split = split(task, &model, &values);
        let split = split.ok_or(NoHullProof::Stuck { hull: self.hull, bound })?;
        let mut cases = Vec::new();
        for case in split.cases(task.game.rules.length()) {
            let mut task = task.clone();
            task.supposed.push(case);
            cases.push(self.tree(&task)?);
        }
        Ok(Tree::Split(split, cases))
    }
}

/// How far a sum must be from a whole number to count as something else.
const VAGUE: f64 = 1e-3;

/// Where to tell cases apart: the diagonal that is most nearly empty and yet not; or else the lattice
/// line on which the phases are most mixed.
fn split(task: &Task, model: &Model, values: &[f64]) -> Option<Split> {
    let known = |lattice: LatticeLine| {
        let about = task.supposed.iter().filter(move |known| known.lattice_line() == lattice);
        about.copied()
    };
    let sums = sums(task, model, values);
    let half_empty = sums.iter().filter(|sum| {
        sum.may_be_empty() && known(sum.lattice).next().is_none() && sum.runs < 1.0 - VAGUE
    });
    if let Some(sum) = half_empty.min_by(|a, b| a.runs.total_cmp(&b.runs)) {
        return Some(Split::Holds(sum.lattice));
    }
    let mixed = sums.iter().filter(|sum| {
        let holds = !sum.may_be_empty()
            || known(sum.lattice).any(|known| matches!(known, Supposed::Runs(_, 1)));
        let open = !known(sum.lattice)
            .any(|known| matches!(known, Supposed::Phase(..) | Supposed::Runs(_, 2)));
        holds && open && sum.mixed() > VAGUE
    });
    let most = mixed.max_by(|a, b| a.mixed().total_cmp(&b.mixed()));
    most.map(|sum| Split::Phases(sum.lattice))
}

/// What a solution has on a lattice line.
struct Sum {
    lattice: LatticeLine,
    /// Whether it is a diagonal side of the hull.
    is_side: bool,
    runs: f64,
    by_phase: Vec<f64>,
}

impl Sum {
    /// Whether a game with this hull need not have a dot there: only on diagonals, and not on the sides.
    fn may_be_empty(&self) -> bool {
        let direction = self.lattice.direction;
        !self.is_side && matches!(direction, Direction::SouthEast | Direction::NorthEast)
    }

    /// How much of the lines has another phase than most.
    fn mixed(&self) -> f64 {
        let most = self.by_phase.iter().copied().fold(0.0, f64::max);
        self.by_phase.iter().sum::<f64>() - most
    }
}

/// The sums of all lattice lines, in order.
fn sums(task: &Task, model: &Model, values: &[f64]) -> Vec<Sum> {
    let rules = task.game.rules;
    let phases = rules.length() - 1;
    let mut sums: std::collections::BTreeMap<LatticeLine, Sum> = Default::default();
    let mut at = |point: Point, direction, add: &dyn Fn(&mut Sum)| {
        let lattice = LatticeLine::through(point, direction);
        let new = || Sum { lattice, is_side: false, runs: 0.0, by_phase: vec![0.0; phases] };
        add(sums.entry(lattice).or_insert_with(new));
    };
    for (column, &value) in model.columns.iter().zip(values) {
        match column.unknown {
            Unknown::Dot(dot) => {
                for direction in Direction::ALL {
                    at(dot, direction, &|sum| sum.runs += value);
                }
            }
            Unknown::Line(line) => at(line.start, line.direction, &|sum| {
                sum.runs -= value * phases as f64;
                sum.by_phase[usize::from(phase(line, rules))] += value;
            }),
            Unknown::Birth(_) => {}
        }
    }
    let mut sums: Vec<Sum> = sums.into_values().collect();
    let count = sums.len();
    for i in 0..count {
        let direction = sums[i].lattice.direction;
        let first = i == 0 || sums[i - 1].lattice.direction != direction;
        let last = i + 1 == count || sums[i + 1].lattice.direction != direction;
        sums[i].is_side = first || last;
    }
    sums
}
