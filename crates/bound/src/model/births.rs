//! Dots and births, a line with its new dot (Michalewski, Nagórko, Pawlewicz 2016, for 5D).
//!
//! Every dot that is not of the start is placed by exactly one line, and no line has a dot of the start
//! as its new one. Nothing is said about the order of play: that is what `cuts.rs` is for.

use geometry::{Game, Move, Point};

use super::area::Area;
use super::{Column, Model, Row, Says, Sense, Unknown, lines};

/// The model, with these dots of the start where they are.
pub(super) fn model(game: &Game, area: &Area, fixed: &[Point]) -> Model {
    let rules = game.rules;
    let mut columns: Vec<Column> = lines::dots(area, fixed).collect();
    let mut of_line = Vec::with_capacity(area.lines.len());
    let mut of_dot = vec![Vec::new(); area.dots.len()];
    for &line in &area.lines {
        let first = columns.len();
        for (offset, dot) in (0..).zip(line.points(rules)) {
            let place = area.place(dot).expect("lines are on the board");
            if columns[place].low == 0 {
                of_dot[place].push(columns.len());
                let unknown = Unknown::Birth(Move::new(line, offset));
                columns.push(Column { unknown, cost: 1, low: 0, high: 1 });
            }
        }
        of_line.push((first..columns.len()).collect::<Vec<usize>>());
    }
    let placed = area.dots.iter().zip(of_dot).enumerate();
    let placed = placed.filter(|&(place, _)| columns[place].low == 0);
    let mut rows: Vec<Row> = placed
        .map(|(place, (&dot, births))| {
            let births = births.into_iter().map(|column| (column, 1));
            let terms = std::iter::once((place, -1)).chain(births).collect();
            Row { says: Says::Placed(dot), terms, sense: Sense::Equal, right: 0 }
        })
        .collect();
    rows.extend(area.occupation(|line| of_line[line].clone()));
    Model { columns, rows }
}
