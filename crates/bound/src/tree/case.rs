//! Which positions a tree is about, and the linear program of those.
//!
//! Positions are told apart by how far they reach beyond the box around the start, which must be a cross
//! or another start with all eight symmetries: so the side that matters may be taken to be the top.

use std::collections::HashSet;
use std::fmt;

use geometry::{Direction, Game, Line, Point};

use crate::model::{Column, Model, Row, Says, Sense, Unknown, model_on};

/// Positions, by how far they reach. The number is the distance in steps from the box around the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Case {
    /// All dots are within this distance.
    Inside(u32),
    /// And a dot at the top is at this distance.
    Touching(u32),
    /// A dot was just placed at the top one step beyond this distance, the only one beyond it.
    Leaving(u32),
}

/// Prints as `inside 4`.
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inside(reach) => write!(f, "inside {reach}"),
            Self::Touching(reach) => write!(f, "touching {reach}"),
            Self::Leaving(reach) => write!(f, "leaving {reach}"),
        }
    }
}

impl Case {
    /// The linear program: all moves are counted. Positions that do not leave have at most `bound`.
    pub fn model(self, game: &Game, bound: u32) -> Model {
        let (low, high) = game.start.bounds().expect("a cross has dots");
        let dots = self.dots(game, low, high);
        let top = dots.first().expect("a cross has dots").y;
        let mut model = model_on(game, dots);
        let upwards = |dot: Point| i64::from((low.y + high.y - 2 * dot.y).signum());
        let rightwards = |dot: Point| i64::from((2 * dot.x - low.x - high.x).signum());
        if let Self::Inside(_) = self {
            let row = of_dots(&model, |dot| upwards(dot) - rightwards(dot), Sense::AtLeast, 0);
            model.rows.push(row);
        }
        if !matches!(self, Self::Leaving(_)) {
            model.rows.push(of_dots(&model, rightwards, Sense::AtLeast, 0));
        }
        if !matches!(self, Self::Inside(_)) {
            for y in (top..low.y).rev() {
                let row = first_beyond(&model, game, y);
                model.rows.push(row);
            }
            let sense = if let Self::Touching(_) = self { Sense::AtLeast } else { Sense::Equal };
            model.rows.push(of_dots(&model, |dot| i64::from(dot.y == top), sense, 1));
        }
        if let Self::Leaving(_) = self {
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
        let (Self::Inside(reach) | Self::Touching(reach) | Self::Leaving(reach)) = self;
        let reach = reach as i32;
        let (left, right) = (low.x - reach, high.x + reach);
        let mut dots = Vec::new();
        if let Self::Leaving(_) = self {
            dots.extend((left..=right + 1).map(|x| Point::new(x, low.y - reach - 1)));
        }
        for y in low.y - reach..=high.y + reach {
            dots.extend((left..=right).map(|x| Point::new(x, y)));
        }
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

/// The first dot in row y or above it was placed by a line whose other dots lie below.
fn first_beyond(model: &Model, game: &Game, y: i32) -> Row {
    let enters = |column: &Column| match column.unknown {
        Unknown::Birth(birth) => {
            let beyond = birth.line.points(game.rules).filter(|dot| dot.y <= y);
            birth.dot().y <= y && beyond.count() == 1
        }
        _ => false,
    };
    let columns = model.columns.iter().enumerate();
    let terms = columns.filter(|(_, column)| enters(column)).map(|(number, _)| (number, 1));
    Row { says: Says::Case, terms: terms.collect(), sense: Sense::AtLeast, right: 1 }
}
