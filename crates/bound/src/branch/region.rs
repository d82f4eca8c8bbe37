//! Regions: which positions a tree is about, and their linear program.
//!
//! Positions are classified by how far they extend beyond the bounding box of the start, which must
//! be a cross or another start with all eight symmetries: so the side that matters can be the top.

use std::collections::HashSet;
use std::fmt;

use geometry::{Direction, Game, Line, Point};

use crate::Margins;
use crate::program::{
    Constraint, ConstraintKind, LinearProgram, Sense, Variable, VariableMeaning, births_on,
};

/// Positions by extent. A number is the distance in steps from the bounding box of the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Region {
    /// All dots are within this distance.
    Inside(u32),
    /// All dots are within this distance, and one at the top has it.
    Touching(u32),
    /// The last move placed a dot at the top one step beyond this distance, the only one beyond it.
    Leaving(u32),
    /// All dots are in this box.
    Within(Margins),
    /// All dots are in this box, and every side of it has one.
    Meeting(Margins),
}

/// Prints as `inside 4`, `meeting 4,3,1,2`.
impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inside(reach) => write!(f, "inside {reach}"),
            Self::Touching(reach) => write!(f, "touching {reach}"),
            Self::Leaving(reach) => write!(f, "leaving {reach}"),
            Self::Within(margins) => write!(f, "within {margins}"),
            Self::Meeting(margins) => write!(f, "meeting {margins}"),
        }
    }
}

impl Region {
    /// Whether the claim is about the number of moves, and not that there are no positions.
    #[must_use]
    pub fn counts_moves(self) -> bool {
        !matches!(self, Self::Leaving(_))
    }

    /// The linear program, which counts all moves. Positions that do not leave have at most
    /// `bound`.
    #[must_use]
    pub fn program(self, game: &Game, bound: u32) -> LinearProgram {
        let (low, high) = game.start.bounds().expect("a cross has dots");
        let dots = self.dots(game, low, high);
        let mut program = births_on(game, dots);
        let upwards = |dot: Point| i64::from((low.y + high.y - 2 * dot.y).signum());
        let rightwards = |dot: Point| i64::from((2 * dot.x - low.x - high.x).signum());
        let beyond = |dot: Point| {
            [low.y - dot.y, dot.x - high.x, dot.y - high.y, low.x - dot.x].map(|steps| steps.max(0))
        };
        match self {
            Self::Inside(_) => {
                let steeper = |dot| upwards(dot) - rightwards(dot);
                add_dots(&mut program, steeper, Sense::AtLeast, 0);
                add_dots(&mut program, rightwards, Sense::AtLeast, 0);
            }
            Self::Touching(reach) => {
                add_dots(&mut program, rightwards, Sense::AtLeast, 0);
                add_first_beyond(&mut program, game, [reach, 0, 0, 0], beyond);
                let top = |dot: Point| i64::from(beyond(dot)[0] == reach as i32);
                add_dots(&mut program, top, Sense::AtLeast, 1);
            }
            Self::Leaving(reach) => {
                add_first_beyond(&mut program, game, [reach + 1, 0, 0, 0], beyond);
                let top = |dot: Point| i64::from(beyond(dot)[0] == reach as i32 + 1);
                add_dots(&mut program, top, Sense::Equal, 1);
            }
            Self::Within(_) => {}
            Self::Meeting(met) => add_first_beyond(&mut program, game, met.margins(), beyond),
        }
        if !self.counts_moves() {
            // One move ago it did not leave.
            let moves = program.variables.iter().enumerate().filter(|(_, it)| it.cost == 1);
            let terms = moves.map(|(index, _)| (index, 1)).collect();
            let (kind, rhs) = (ConstraintKind::Region, i64::from(bound) + 1);
            program.constraints.push(Constraint { kind, terms, sense: Sense::AtMost, rhs });
        }
        program
    }

    /// The dots that can be placed, row by row.
    fn dots(self, game: &Game, low: Point, high: Point) -> Vec<Point> {
        let row = |y: i32, [_, right, _, left]: [u32; 4]| {
            (low.x - left as i32..=high.x + right as i32).map(move |x| Point::new(x, y))
        };
        let rows = |reach: [u32; 4]| {
            let ys = low.y - reach[0] as i32..=high.y + reach[2] as i32;
            ys.flat_map(move |y| row(y, reach))
        };
        let mut dots: Vec<Point> = match self {
            Self::Inside(reach) | Self::Touching(reach) => rows([reach; 4]).collect(),
            Self::Leaving(reach) => {
                let top = row(low.y - reach as i32 - 1, [reach, reach + 1, reach, reach]);
                top.chain(rows([reach; 4])).collect()
            }
            Self::Within(margins) | Self::Meeting(margins) => rows(margins.margins()).collect(),
        };
        let reachable = reachable(game, &dots);
        dots.retain(|dot| reachable.contains(dot));
        dots
    }
}

/// The dots of a region that could be placed if lines were allowed to overlap.
fn reachable(game: &Game, region: &[Point]) -> HashSet<Point> {
    let region: HashSet<Point> = region.iter().copied().collect();
    let mut there: HashSet<Point> = game.start.dots().iter().copied().collect();
    loop {
        let before = there.len();
        for &dot in &region {
            let lines = Direction::ALL.into_iter().flat_map(|direction| {
                let back = (0..game.rules.length()).map(move |k| direction.step() * k as i32);
                back.map(move |back| Line::new(dot - back, direction))
            });
            let others = |line: Line| line.points(game.rules).filter(move |&other| other != dot);
            let mut lines = lines.filter(|&line| others(line).all(|other| there.contains(&other)));
            if lines.next().is_some() {
                there.insert(dot);
            }
        }
        if there.len() == before {
            return there;
        }
    }
}

/// Adds a constraint on dots.
fn add_dots(program: &mut LinearProgram, factor: impl Fn(Point) -> i64, sense: Sense, rhs: i64) {
    let variables = program.variables.iter().enumerate();
    let terms = variables.filter_map(|(index, variable)| match variable.meaning {
        VariableMeaning::Dot(dot) => Some((index, factor(dot))).filter(|&(_, it)| it != 0),
        _ => None,
    });
    let terms = terms.collect();
    program.constraints.push(Constraint { kind: ConstraintKind::Region, terms, sense, rhs });
}

/// For each side that is met, and each step beyond the start up to it: the first dot at least that
/// far out was placed by a line whose other dots are less far.
fn add_first_beyond(
    program: &mut LinearProgram,
    game: &Game,
    reach: [u32; 4],
    beyond: impl Fn(Point) -> [i32; 4],
) {
    for (side, most) in reach.into_iter().enumerate() {
        for steps in 1..=most as i32 {
            let is_far = |dot: Point| beyond(dot)[side] >= steps;
            let enters = |variable: &Variable| match variable.meaning {
                VariableMeaning::Birth(birth) => {
                    let far = birth.line.points(game.rules).filter(|&dot| is_far(dot));
                    is_far(birth.dot()) && far.count() == 1
                }
                _ => false,
            };
            let entering = program.variables.iter().enumerate().filter(|(_, it)| enters(it));
            let terms = entering.map(|(index, _)| (index, 1)).collect();
            let (kind, sense) = (ConstraintKind::Region, Sense::AtLeast);
            program.constraints.push(Constraint { kind, terms, sense, rhs: 1 });
        }
    }
}
