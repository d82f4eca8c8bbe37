//! Which positions a tree is about, and the linear program of those.
//!
//! Positions are told apart by how far they reach beyond the box around the start, which must be a cross
//! or another start with all eight symmetries: so the side that matters may be taken to be the top.

use std::collections::HashSet;
use std::fmt;

use geometry::{Direction, Game, Line, Point};

use crate::Margins;
use crate::model::{Column, Model, Row, Says, Sense, Unknown, model_on};

/// Positions, by how far they reach. A number is the distance in steps from the box around the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Case {
    /// All dots are within this distance.
    Inside(u32),
    /// And a dot at the top is at this distance.
    Touching(u32),
    /// A dot was just placed at the top one step beyond this distance, the only one beyond it.
    Leaving(u32),
    /// All dots are in this box.
    Within(Margins),
    /// And every side of it has a dot.
    Meeting(Margins),
}

/// Prints as `inside 4`, `meeting 4,3,1,2`.
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = |margins: &Margins| margins.margins().map(|steps| steps.to_string()).join(",");
        match self {
            Self::Inside(reach) => write!(f, "inside {reach}"),
            Self::Touching(reach) => write!(f, "touching {reach}"),
            Self::Leaving(reach) => write!(f, "leaving {reach}"),
            Self::Within(margins) => write!(f, "within {}", listed(margins)),
            Self::Meeting(margins) => write!(f, "meeting {}", listed(margins)),
        }
    }
}

impl Case {
    /// Whether it is about how many moves positions have, and not about whether there are any.
    pub(super) fn counts(self) -> bool {
        !matches!(self, Self::Leaving(_))
    }

    /// The linear program: all moves are counted. Positions that do not leave have at most `bound`.
    pub fn model(self, game: &Game, bound: u32) -> Model {
        let (low, high) = game.start.bounds().expect("a cross has dots");
        let dots = self.dots(game, low, high);
        let mut model = model_on(game, dots);
        let upwards = |dot: Point| i64::from((low.y + high.y - 2 * dot.y).signum());
        let rightwards = |dot: Point| i64::from((2 * dot.x - low.x - high.x).signum());
        let beyond = |dot: Point| {
            [low.y - dot.y, dot.x - high.x, dot.y - high.y, low.x - dot.x].map(|steps| steps.max(0))
        };
        match self {
            Self::Inside(_) => {
                let row = of_dots(&model, |dot| upwards(dot) - rightwards(dot), Sense::AtLeast, 0);
                model.rows.push(row);
                model.rows.push(of_dots(&model, rightwards, Sense::AtLeast, 0));
            }
            Self::Touching(reach) => {
                model.rows.push(of_dots(&model, rightwards, Sense::AtLeast, 0));
                let reach = [reach, 0, 0, 0];
                first_beyond(&mut model, game, reach, beyond);
                let top = |dot: Point| i64::from(beyond(dot)[0] == reach[0] as i32);
                model.rows.push(of_dots(&model, top, Sense::AtLeast, 1));
            }
            Self::Leaving(reach) => {
                first_beyond(&mut model, game, [reach + 1, 0, 0, 0], beyond);
                let top = |dot: Point| i64::from(beyond(dot)[0] == reach as i32 + 1);
                model.rows.push(of_dots(&model, top, Sense::Equal, 1));
            }
            Self::Within(_) => {}
            Self::Meeting(met) => first_beyond(&mut model, game, met.margins(), beyond),
        }
        if !self.counts() {
            // One move ago it did not leave.
            let moves = model.columns.iter().enumerate().filter(|(_, column)| column.cost == 1);
            let terms = moves.map(|(number, _)| (number, 1)).collect();
            let right = i64::from(bound) + 1;
            model.rows.push(Row { says: Says::Case, terms, sense: Sense::AtMost, right });
        }
        model
    }

    /// The dots that can come about, row by row.
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

/// The dots of a region that could be placed if lines might overlap.
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

/// A row over dots.
fn of_dots(model: &Model, factor: impl Fn(Point) -> i64, sense: Sense, right: i64) -> Row {
    let columns = model.columns.iter().enumerate();
    let terms = columns.filter_map(|(number, column)| match column.unknown {
        Unknown::Dot(dot) => Some((number, factor(dot))).filter(|&(_, factor)| factor != 0),
        _ => None,
    });
    Row { says: Says::Case, terms: terms.collect(), sense, right }
}

/// For each side that is met, and each step beyond the start up to it: the first dot so far out was placed by a line
/// whose other dots are less far.
fn first_beyond(
    model: &mut Model,
    game: &Game,
    reach: [u32; 4],
    beyond: impl Fn(Point) -> [i32; 4],
) {
    for (side, most) in reach.into_iter().enumerate() {
        for steps in 1..=most as i32 {
            let is_far = |dot: Point| beyond(dot)[side] >= steps;
            let enters = |column: &Column| match column.unknown {
                Unknown::Birth(birth) => {
                    let far = birth.line.points(game.rules).filter(|&dot| is_far(dot));
                    is_far(birth.dot()) && far.count() == 1
                }
                _ => false,
            };
            let columns = model.columns.iter().enumerate();
            let terms = columns.filter(|(_, column)| enters(column)).map(|(number, _)| (number, 1));
            let terms = terms.collect();
            model.rows.push(Row { says: Says::Case, terms, sense: Sense::AtLeast, right: 1 });
        }
    }
}
