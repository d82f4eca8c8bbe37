//! The dots of a board and the lines on them, in the order of the columns.

use std::collections::HashMap;

use geometry::{Direction, Line, Point, Rules};

use super::{Row, Says, Sense};

/// A board under some rules.
pub(super) struct Area {
    pub(super) rules: Rules,
    /// Row by row.
    pub(super) dots: Vec<Point>,
    /// By direction, then by first dot, row by row.
    pub(super) lines: Vec<Line>,
    places: HashMap<Point, usize>,
}

impl Area {
    /// All lines on these dots, which come row by row.
    pub(super) fn new(dots: Vec<Point>, rules: Rules) -> Self {
        let places: HashMap<Point, usize> = dots.iter().copied().zip(0..).collect();
        let lines = Direction::ALL
            .into_iter()
            .flat_map(|direction| dots.iter().map(move |&dot| Line::new(dot, direction)));
        let on_board = |line: &Line| line.points(rules).all(|dot| places.contains_key(&dot));
        let lines = lines.filter(on_board).collect();
        Self { rules, dots, lines, places }
    }

    /// The number of a dot.
    pub(super) fn place(&self, dot: Point) -> Option<usize> {
        self.places.get(&dot).copied()
    }

    /// Rows that let no two lines overlap, and no line be drawn without its dots: the lines that use
    /// a dot in a direction, or a segment that ends or begins at it, are together at most the dot.
    ///
    /// The columns of a line are together 1 if it is drawn. The columns of the dots are the first ones.
    pub(super) fn occupation(&self, columns_of: impl Fn(usize) -> Vec<usize>) -> Vec<Row> {
        let length = self.rules.length();
        // For each dot the columns of the lines through it, by which of its dots it is on them.
        let mut uses: HashMap<(Point, Direction), Vec<(usize, usize)>> = HashMap::new();
        for (number, line) in self.lines.iter().enumerate() {
            let columns = columns_of(number);
            for (offset, dot) in line.points(self.rules).enumerate() {
                let users = uses.entry((dot, line.direction)).or_default();
                users.extend(columns.iter().map(|&column| (offset, column)));
            }
        }
        let mut rows = Vec::new();
        for direction in Direction::ALL {
            for (place, &dot) in self.dots.iter().enumerate() {
                let users = uses.get(&(dot, direction)).map_or(&[][..], Vec::as_slice);
                let mut add = |says, counts: &dyn Fn(usize) -> bool| {
                    let mut columns: Vec<usize> = users
                        .iter()
                        .filter(|&&(offset, _)| counts(offset))
                        .map(|&(_, column)| column)
                        .collect();
                    if columns.is_empty() {
                        return;
                    }
                    columns.sort_unstable();
                    let lines = columns.into_iter().map(|column| (column, 1));
                    let terms = std::iter::once((place, -1)).chain(lines).collect();
                    rows.push(Row { says, terms, sense: Sense::AtMost, right: 0 });
                };
                if self.rules.touching() {
                    add(Says::Behind(dot, direction), &|offset| offset > 0);
                    add(Says::Ahead(dot, direction), &|offset| offset + 1 < length);
                } else {
                    add(Says::Through(dot, direction), &|_| true);
                }
            }
        }
        rows
    }
}
