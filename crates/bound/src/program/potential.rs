//! Constraints that hold if the board is the exact hull of the dots.
//!
//! Lines on one lattice line that share no segment form runs with one segment fewer than dots. So a
//! lattice line that has a dot has at least one more dot than its lines have segments, length - 1
//! each. These lattice lines have a dot: the four diagonal sides of an octagonal hull, and every
//! row and column, since a new dot is next to another one, if the start leaves none empty.

use geometry::{Direction, Line, Point};

use super::area::Area;
use super::{Constraint, ConstraintKind, LinearProgram, Sense, VariableMeaning};

/// Adds a constraint for each row and column of the board and, on a hull, for each diagonal side.
pub(crate) fn add_constraints(program: &mut LinearProgram, area: &Area, hull: bool) {
    let range = |key: Key| {
        let low = area.dots.iter().map(|&dot| key(dot)).min();
        let high = area.dots.iter().map(|&dot| key(dot)).max();
        low.zip(high)
    };
    let (sum, difference): (Key, Key) = (|dot| dot.x + dot.y, |dot| dot.x - dot.y);
    let (row, column): (Key, Key) = (|dot| dot.y, |dot| dot.x);
    let (Some(rows), Some(columns)) = (range(row), range(column)) else { return };
    let mut lattice: Vec<(Direction, Key, i32)> = Vec::new();
    lattice.extend((rows.0..=rows.1).map(|place| (Direction::East, row, place)));
    lattice.extend((columns.0..=columns.1).map(|place| (Direction::South, column, place)));
    if let (true, Some(sums), Some(differences)) = (hull, range(sum), range(difference)) {
        lattice.push((Direction::SouthEast, difference, differences.1));
        lattice.push((Direction::NorthEast, sum, sums.1));
        lattice.push((Direction::SouthEast, difference, differences.0));
        lattice.push((Direction::NorthEast, sum, sums.0));
    }
    for (direction, key, place) in lattice {
        let on = |dot| key(dot) == place;
        let first = area.dots.iter().copied().find(|&dot| on(dot));
        let first = first.expect("no lattice line of a board is empty");
        let constraint = runs(program, area, (first, direction), on, 1);
        program.constraints.push(constraint);
    }
}

type Key = fn(Point) -> i32;

/// The dots of a lattice line form at least `least` runs.
pub(super) fn runs(
    program: &LinearProgram,
    area: &Area,
    (first, direction): (Point, Direction),
    on: impl Fn(Point) -> bool,
    least: i64,
) -> Constraint {
    let segments = area.rules.length() as i64 - 1;
    let of_line = |line: Line| (line.direction == direction && on(line.start)).then_some(-segments);
    let factor = |meaning| match meaning {
        VariableMeaning::Dot(dot) => on(dot).then_some(1),
        VariableMeaning::Line(line) => of_line(line),
        VariableMeaning::Birth(birth) => of_line(birth.line),
        VariableMeaning::Turn(_) => None,
    };
    let variables = program.variables.iter().enumerate();
    let terms = variables.filter_map(|(index, variable)| Some((index, factor(variable.meaning)?)));
    let kind = ConstraintKind::Holds(first, direction);
    Constraint { kind, terms: terms.collect(), sense: Sense::AtLeast, rhs: least }
}

/// Whether these dots leave no row and no column empty between them.
pub(crate) fn is_without_gaps(dots: &[Point]) -> bool {
    let gapless = |key: Key| {
        let mut places: Vec<i32> = dots.iter().map(|&dot| key(dot)).collect();
        places.sort_unstable();
        places.windows(2).all(|pair| pair[1] - pair[0] <= 1)
    };
    !dots.is_empty() && gapless(|dot| dot.x) && gapless(|dot| dot.y)
}
