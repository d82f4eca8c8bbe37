//! The linear program of a case, and what a split changes in it.
//!
//! Which constraints there are, in which order, and why they hold is written in the verifier,
//! which builds them again on its own.

use std::fmt;

use geometry::{Direction, Game, Line, Point};

use super::ExtentCase;
use crate::program::{
    Area, Constraint, ConstraintKind, LinearProgram, Sense, VariableMeaning, lines,
};

/// A side of the cross, in the order of the constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Above.
    Above,
    /// To the right.
    Right,
    /// Below.
    Below,
    /// To the left.
    Left,
}

impl Side {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Above, Self::Right, Self::Below, Self::Left];
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Above => "above",
            Self::Right => "right",
            Self::Below => "below",
            Self::Left => "left",
        })
    }
}

/// How a node is split in two; the half with more comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExtentSplit {
    /// There is a dot here, or not.
    Dot(Point),
    /// Positions extend further on this side, or not.
    Extent(Side, i32),
    /// More than `most` lines are drawn along a lattice line, or not.
    Lines {
        /// The direction of the lattice line.
        direction: Direction,
        /// Which lattice line: its y, x, x - y or x + y.
        index: i32,
        /// The largest number of lines in the second half.
        most: i64,
    },
}

/// What is known of the positions at a node, besides the bounds of variables and right-hand sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Levels {
    /// Positions have a dot of at least this level towards the four sides and the four corners.
    pub(super) known: [i32; 8],
    /// Positions have no dot beyond this level towards the four sides.
    pub(super) most: [i32; 4],
}

/// New bounds of variables, and new right-hand sides of constraints.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) bounds: Vec<(usize, (i64, i64))>,
    pub(super) rhs: Vec<(usize, i64)>,
}

/// A lattice line on which lines can be drawn.
#[derive(Debug, Clone)]
pub(super) struct Lattice {
    pub(super) direction: Direction,
    pub(super) index: i32,
    /// The constraint that at least so many lines are drawn along it; the next one says at most.
    pub(super) at_least: usize,
    pub(super) variables: Vec<usize>,
}

/// The points of a lattice line on which lines can be drawn, in order.
#[derive(Debug, Clone)]
pub(super) struct Chain {
    /// The number of its direction.
    pub(super) direction: usize,
    /// Its place in the list of lattice lines.
    pub(super) lattice: usize,
    pub(super) points: Vec<usize>,
}

/// The linear program of a case.
#[derive(Debug)]
pub struct ExtentProgram {
    /// The program at the root.
    pub program: LinearProgram,
    pub(super) dots: Vec<Point>,
    pub(super) root: Levels,
    /// The constraints of the levels 1, 2, ... that say that they are not empty.
    pub(super) nonempty: [Vec<usize>; 8],
    /// The same for lines between neighbouring levels.
    pub(super) gaps: [Vec<usize>; 4],
    pub(super) lattice: Vec<Lattice>,
    pub(super) chains: Vec<Chain>,
    /// The chain through each dot in each direction.
    pub(super) chain_of: Vec<[Option<usize>; 4]>,
    /// The level of each dot towards each side and corner.
    pub(super) levels_of: Vec<[i32; 8]>,
    /// 1 for the dots right of the middle, -1 for those left of it.
    pub(super) right_of_middle: Vec<i64>,
    /// The number of dots of the cross, and of a line.
    pub(super) start: usize,
    pub(super) length: usize,
    /// The constraint of the mirror image.
    pub(super) mirror: usize,
    /// The variables of the lines through each dot.
    pub(super) through: Vec<Vec<usize>>,
    pub(super) width: i32,
    low: Point,
    base: [i32; 8],
}

/// How high a point lies towards each side and corner.
fn heights(Point { x, y }: Point) -> [i32; 8] {
    [-y, x, y, -x, x - y, x + y, y - x, -x - y]
}

/// The directions of the lattice lines of constant height.
const ALONG: [Direction; 8] = [
    Direction::East,
    Direction::South,
    Direction::East,
    Direction::South,
    Direction::SouthEast,
    Direction::NorthEast,
    Direction::SouthEast,
    Direction::NorthEast,
];

/// The side whose height distinguishes the lattice lines of a direction, and the opposite one.
const fn sides(direction: Direction) -> (usize, usize) {
    match direction {
        Direction::East => (2, 0),
        Direction::South => (1, 3),
        Direction::SouthEast => (4, 6),
        Direction::NorthEast => (5, 7),
    }
}

impl ExtentProgram {
    /// The program of a case of a disjoint game from the usual cross.
    #[must_use]
    pub fn new(game: &Game, case: ExtentCase) -> Self {
        let rules = game.rules;
        let (low, high) = game.start.bounds().expect("a cross has dots");
        let to = case.to as i32;
        let (low, high) =
            (Point::new(low.x - to, low.y - to), Point::new(high.x + to, high.y + to));
        let row = |y: i32| (low.x..=high.x).map(move |x| Point::new(x, y));
        let dots: Vec<Point> = (low.y..=high.y).flat_map(row).collect();
        let cross = game.start.dots();
        let base = std::array::from_fn(|side| {
            cross.iter().map(|&dot| heights(dot)[side]).max().expect("a cross has dots")
        });
        let program = lines(game, &Area::new(dots.clone(), rules), cross);
        let mut known = [0; 8];
        known[0] = case.from as i32;
        let mut built = Self {
            root: Levels { known, most: [to; 4] },
            nonempty: Default::default(),
            gaps: Default::default(),
            lattice: Vec::new(),
            chains: Vec::new(),
            chain_of: Vec::new(),
            levels_of: Vec::new(),
            right_of_middle: Vec::new(),
            start: cross.len(),
            length: rules.length(),
            mirror: 0,
            through: vec![Vec::new(); dots.len()],
            width: high.x - low.x + 1,
            low,
            base,
            program,
            dots,
        };
        built.levels_of = built.dots.iter().map(|&dot| built.levels(dot)).collect();
        built.add_mirror(game);
        built.add_levels(game);
        built.add_lattice(game);
        built.add_chains();
        built
    }

    /// The level of a point towards each side and corner.
    fn levels(&self, point: Point) -> [i32; 8] {
        let heights = heights(point);
        std::array::from_fn(|side| heights[side] - self.base[side])
    }

    /// The variable of a dot.
    pub(super) fn dot(&self, point: Point) -> Option<usize> {
        let (x, y) = (point.x - self.low.x, point.y - self.low.y);
        let inside = (0..self.width).contains(&x) && y >= 0;
        let index = inside.then(|| (y * self.width + x) as usize)?;
        (index < self.dots.len()).then_some(index)
    }

    /// The variables of lines, with the lines.
    fn lines(&self) -> impl Iterator<Item = (usize, Line)> {
        let variables = self.program.variables.iter().enumerate();
        variables.filter_map(|(index, variable)| match variable.meaning {
            VariableMeaning::Line(line) => Some((index, line)),
            _ => None,
        })
    }

    fn add(&mut self, terms: Vec<(usize, i64)>, sense: Sense, rhs: i64) -> usize {
        let kind = ConstraintKind::Region;
        self.program.constraints.push(Constraint { kind, terms, sense, rhs });
        self.program.constraints.len() - 1
    }

    fn add_mirror(&mut self, game: &Game) {
        let (low, high) = game.start.bounds().expect("a cross has dots");
        let side = |dot: &Point| i64::from((2 * dot.x - low.x - high.x).signum());
        self.right_of_middle = self.dots.iter().map(side).collect();
        let sides = self.right_of_middle.iter().copied().enumerate();
        let terms = sides.filter(|&(_, side)| side != 0).collect();
        self.mirror = self.add(terms, Sense::AtLeast, 0);
    }

    fn add_levels(&mut self, game: &Game) {
        let steps = game.rules.length() as i64 - 1;
        let last: [i32; 8] = std::array::from_fn(|side| {
            let levels = self.dots.iter().map(|&dot| self.levels(dot)[side]);
            levels.max().unwrap_or(0)
        });
        // By side and level: the dots, the lines along it, the lines that leave it downwards.
        let count = |side: usize| last[side].max(0) as usize + 2;
        let empty = |side: usize| vec![Vec::new(); count(side)];
        let mut on: [Vec<Vec<(usize, i64)>>; 8] = std::array::from_fn(empty);
        let mut below: [Vec<Vec<(usize, i64)>>; 8] = std::array::from_fn(empty);
        let mut across: [Vec<Vec<(usize, i64)>>; 8] = std::array::from_fn(empty);
        for (index, &dot) in self.dots.iter().enumerate() {
            for (side, level) in self.levels(dot).into_iter().enumerate() {
                if level > 0 {
                    on[side][level as usize].push((index, 1));
                }
                if level >= 0 && (level as usize) + 1 < count(side) {
                    below[side][level as usize + 1].push((index, 1));
                }
            }
        }
        for (variable, line) in self.lines() {
            let ends = [line.start, line.start + line.direction.step() * steps as i32];
            let [first, last] = ends.map(|dot| self.levels(dot));
            for side in 0..8 {
                let (low, high) = (first[side].min(last[side]), first[side].max(last[side]));
                if ALONG[side] == line.direction {
                    if low > 0 {
                        on[side][low as usize].push((variable, -steps));
                    }
                } else {
                    for level in low.max(0) + 1..=high {
                        across[side][level as usize].push((variable, -1));
                    }
                }
            }
        }
        let is_known =
            |built: &Self, side: usize, level: usize| level as i32 <= built.root.known[side];
        for side in 0..8 {
            for level in 1..=last[side].max(0) as usize {
                let mut terms = on[side][level].clone();
                if side >= 4 {
                    terms.extend(&on[side][level + 1]);
                }
                let rhs = i64::from(is_known(self, side, level));
                let row = self.add(terms, Sense::AtLeast, rhs);
                self.nonempty[side].push(row);
            }
        }
        for side in 0..4 {
            for level in 1..=last[side].max(0) as usize {
                let dots = on[side][level].iter().filter(|(_, factor)| *factor == 1);
                let mut terms: Vec<(usize, i64)> = dots.map(|&(dot, _)| (dot, 2)).collect();
                terms.extend(&below[side][level]);
                terms.extend(&across[side][level]);
                let rhs = 2 * i64::from(is_known(self, side, level));
                let row = self.add(terms, Sense::AtLeast, rhs);
                self.gaps[side].push(row);
            }
        }
    }

    fn add_lattice(&mut self, game: &Game) {
        let mut lattice: Vec<Lattice> = Vec::new();
        for direction in Direction::ALL {
            let side = sides(direction).0;
            let mut of_index = std::collections::BTreeMap::<i32, Vec<usize>>::new();
            for (variable, line) in self.lines().filter(|(_, line)| line.direction == direction) {
                of_index.entry(heights(line.start)[side]).or_default().push(variable);
            }
            let lines = of_index.into_iter().map(|(index, variables)| Lattice {
                direction,
                index,
                at_least: 0,
                variables,
            });
            lattice.extend(lines);
        }
        let length = game.rules.length() as i64;
        for line in &mut lattice {
            let terms: Vec<(usize, i64)> = line.variables.iter().map(|&it| (it, 1)).collect();
            // On p points start p - L + 1 lines.
            let points = line.variables.len() as i64 + length - 1;
            line.at_least = self.add(terms.clone(), Sense::AtLeast, 0);
            self.add(terms, Sense::AtMost, points / length);
        }
        self.lattice = lattice;
        for (variable, line) in self.lines().collect::<Vec<_>>() {
            for dot in line.points(game.rules) {
                let dot = self.dot(dot).expect("lines lie on the dots");
                self.through[dot].push(variable);
            }
        }
    }

    fn add_chains(&mut self) {
        self.chain_of = vec![[None; 4]; self.dots.len()];
        for (number, line) in self.lattice.iter().enumerate() {
            let side = sides(line.direction).0;
            let mut points: Vec<usize> = (0..self.dots.len())
                .filter(|&dot| heights(self.dots[dot])[side] == line.index)
                .collect();
            points.sort_unstable_by_key(|&dot| (self.dots[dot].x, self.dots[dot].y));
            let direction = line.direction as usize;
            points.iter().for_each(|&dot| self.chain_of[dot][direction] = Some(number));
            self.chains.push(Chain { direction, lattice: number, points });
        }
    }

    /// Whether the levels towards a side or corner are lattice lines of this direction.
    pub(super) fn is_along(&self, side: usize, direction: usize) -> bool {
        ALONG[side] as usize == direction
    }

    /// Whether a node can be split so, and what each half changes.
    pub(super) fn split(
        &self,
        levels: &Levels,
        bounds: &[(i64, i64)],
        rhs: impl Fn(usize) -> i64,
        split: ExtentSplit,
    ) -> Option<[(Levels, Change); 2]> {
        let mut halves = [(*levels, Change::default()), (*levels, Change::default())];
        let [(more, first), (fewer, second)] = &mut halves;
        match split {
            ExtentSplit::Dot(dot) => {
                let index = self.dot(dot).filter(|&index| bounds[index] == (0, 1))?;
                first.bounds.push((index, (1, 1)));
                for (known, level) in more.known.iter_mut().zip(self.levels(dot)) {
                    *known = (*known).max(level);
                }
                self.remove(index, bounds, second);
            }
            ExtentSplit::Extent(side, most) => {
                let number = side as usize;
                let splits = levels.known[number] <= most && most < levels.most[number];
                splits.then_some(())?;
                more.known[number] = most + 1;
                fewer.most[number] = most;
                for (index, &dot) in self.dots.iter().enumerate() {
                    if self.levels(dot)[number] > most && bounds[index].1 > 0 {
                        self.remove(index, bounds, second);
                    }
                }
            }
            ExtentSplit::Lines { direction, index, most } => {
                let is_line = |it: &&Lattice| it.direction == direction && it.index == index;
                let line = self.lattice.iter().find(is_line)?;
                let (low, high) = (rhs(line.at_least), rhs(line.at_least + 1));
                (low <= most && most < high).then_some(())?;
                first.rhs.push((line.at_least, most + 1));
                second.rhs.push((line.at_least + 1, most));
                let (side, other) = sides(direction);
                more.known[side] = more.known[side].max(index - self.base[side]);
                more.known[other] = more.known[other].max(-index - self.base[other]);
            }
        }
        for side in 0..8 {
            let range = levels.known[side].max(0)..more.known[side];
            for level in range.map(|level| level as usize) {
                first.rhs.extend(self.nonempty[side].get(level).map(|&row| (row, 1)));
                let gaps = if side < 4 { self.gaps[side].get(level) } else { None };
                first.rhs.extend(gaps.map(|&row| (row, 2)));
            }
        }
        Some(halves)
    }

    /// Removes a dot and the lines through it.
    fn remove(&self, dot: usize, bounds: &[(i64, i64)], change: &mut Change) {
        let removed = std::iter::once(&dot).chain(&self.through[dot]);
        let removed = removed.filter(|&&variable| bounds[variable].1 > 0);
        change.bounds.extend(removed.map(|&variable| (variable, (0, 0))));
    }
}
