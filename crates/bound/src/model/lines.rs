//! Dots and lines: the relaxation 5T++ of Michalewski, Nagórko and Pawlewicz (2015), for any rules.
//!
//! Nothing is said about the order of play, nor about which dot of a line was new: only that every
//! line has its dots, that no two overlap, and that there is one dot more for each line.

use geometry::{Game, Point};

use super::area::Area;
use super::{Column, Model, Row, Says, Sense, Unknown};

/// The model, with these dots of the start where they are.
pub(super) fn model(game: &Game, area: &Area, fixed: &[Point]) -> Model {
    let dots = dots(area, fixed);
    let lines = area.lines.iter().map(|&line| Column {
        unknown: Unknown::Line(line),
        cost: 1,
        low: 0,
        high: 1,
    });
    let columns: Vec<Column> = dots.chain(lines).collect();
    let factor = |column: usize| if column < area.dots.len() { 1 } else { -1 };
    let balance = Row {
        says: Says::Balance,
        terms: (0..columns.len()).map(|column| (column, factor(column))).collect(),
        sense: Sense::Equal,
        right: game.start.dots().len() as i64,
    };
    let mut rows = vec![balance];
    rows.extend(area.occupation(|line| vec![area.dots.len() + line]));
    Model { columns, rows }
}

/// A column for each dot of the board.
pub(super) fn dots<'a>(area: &'a Area, fixed: &'a [Point]) -> impl Iterator<Item = Column> + 'a {
    area.dots.iter().map(|&dot| {
        // The dots of a start are sorted.
        let low = i64::from(fixed.binary_search(&dot).is_ok());
        Column { unknown: Unknown::Dot(dot), cost: 0, low, high: 1 }
    })
}
