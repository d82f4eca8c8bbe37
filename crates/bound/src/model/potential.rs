//! What more holds if the board is the exact hull of the dots.
//!
//! Lines on one lattice line that share no segment fall into runs of dots with one segment less than
//! dots. So a lattice line that holds a dot has at least one dot more than its lines have segments,
//! length - 1 each. Which lattice lines hold a dot: in the octagonal hull the four diagonal sides; and
//! every row and column, since a new dot is next to another one, if the start leaves none out.

use geometry::{Direction, Point};

use super::area::Area;
use super::{Model, Row, Says, Sense, Unknown};

/// Adds a row for each row and each column of the board and, on a hull, for each diagonal side.
pub(super) fn add_rows(model: &mut Model, area: &Area, hull: bool) {
    let of = |key: fn(Point) -> i32| {
        let low = area.dots.iter().map(|&dot| key(dot)).min();
        let high = area.dots.iter().map(|&dot| key(dot)).max();
        low.zip(high)
    };
    let (sum, difference): (Key, Key) = (|dot| dot.x + dot.y, |dot| dot.x - dot.y);
    let (row, column): (Key, Key) = (|dot| dot.y, |dot| dot.x);
    let (Some(rows), Some(columns)) = (of(row), of(column)) else { return };
    let mut lattice: Vec<(Direction, Key, i32)> = Vec::new();
    lattice.extend((rows.0..=rows.1).map(|place| (Direction::East, row, place)));
    lattice.extend((columns.0..=columns.1).map(|place| (Direction::South, column, place)));
    if let (true, Some(sums), Some(differences)) = (hull, of(sum), of(difference)) {
        lattice.push((Direction::SouthEast, difference, differences.1));
        lattice.push((Direction::NorthEast, sum, sums.1));
        lattice.push((Direction::SouthEast, difference, differences.0));
        lattice.push((Direction::NorthEast, sum, sums.0));
    }
    for (direction, key, place) in lattice {
        let on = |dot| key(dot) == place;
        let first =
            area.dots.iter().copied().find(|&dot| on(dot)).expect("no line of a board is empty");
        let row = runs(model, area, (first, direction), on, 1);
        model.rows.push(row);
    }
}

type Key = fn(Point) -> i32;

/// The row of a lattice line whose dots make at least so many runs.
pub(super) fn runs(
    model: &Model,
    area: &Area,
    (first, direction): (Point, Direction),
    on: impl Fn(Point) -> bool,
    least: i64,
) -> Row {
    let segments = area.rules.length() as i64 - 1;
    let factor = |unknown: Unknown| {
        let of_line = |line: geometry::Line| {
            (line.direction == direction && on(line.start)).then_some(-segments)
        };
        match unknown {
            Unknown::Dot(dot) => on(dot).then_some(1),
            Unknown::Line(line) => of_line(line),
            Unknown::Birth(birth) => of_line(birth.line),
        }
    };
    let columns = model.columns.iter().enumerate();
    let terms = columns.filter_map(|(number, column)| Some((number, factor(column.unknown)?)));
    let says = Says::Holds(first, direction);
    Row { says, terms: terms.collect(), sense: Sense::AtLeast, right: least }
}

/// Whether these dots leave no row and no column empty between them.
pub(super) fn without_gaps(dots: &[Point]) -> bool {
    let gapless = |key: Key| {
        let mut places: Vec<i32> = dots.iter().map(|&dot| key(dot)).collect();
        places.sort_unstable();
        places.windows(2).all(|pair| pair[1] - pair[0] <= 1)
    };
    !dots.is_empty() && gapless(|dot| dot.x) && gapless(|dot| dot.y)
}
