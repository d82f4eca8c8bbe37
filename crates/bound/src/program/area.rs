//! The dots of a board and the lines on them, in the order of the variables.

use std::collections::HashMap;

use geometry::{Direction, Line, Point, Rules};

use super::{Constraint, ConstraintKind, Sense};

/// A board under some rules.
pub(crate) struct Area {
    pub(super) rules: Rules,
    /// Row by row.
    pub(super) dots: Vec<Point>,
    /// By direction, then by first dot, row by row.
    pub(super) lines: Vec<Line>,
    indices: HashMap<Point, usize>,
}

impl Area {
    /// All lines on these dots, which come row by row.
    pub(crate) fn new(dots: Vec<Point>, rules: Rules) -> Self {
        let indices: HashMap<Point, usize> = dots.iter().copied().zip(0..).collect();
        let lines = Direction::ALL
            .into_iter()
            .flat_map(|direction| dots.iter().map(move |&dot| Line::new(dot, direction)));
        let on_board = |line: &Line| line.points(rules).all(|dot| indices.contains_key(&dot));
        let lines = lines.filter(on_board).collect();
        Self { rules, dots, lines, indices }
    }

    /// The index of a dot.
    pub(super) fn index(&self, dot: Point) -> Option<usize> {
        self.indices.get(&dot).copied()
    }

    /// Constraints by which no two lines overlap and no line lacks a dot: the lines that use a dot
    /// in a direction, or a segment that ends or starts at it, sum to at most the dot.
    ///
    /// The variables of a line sum to 1 if it is drawn. Those of the dots come first.
    pub(super) fn occupation(&self, variables_of: impl Fn(usize) -> Vec<usize>) -> Vec<Constraint> {
        let length = self.rules.length();
        // For each dot the variables of the lines through it, with its offset on the line.
        let mut uses: HashMap<(Point, Direction), Vec<(usize, usize)>> = HashMap::new();
        for (number, line) in self.lines.iter().enumerate() {
            let variables = variables_of(number);
            for (offset, dot) in line.points(self.rules).enumerate() {
                let users = uses.entry((dot, line.direction)).or_default();
                users.extend(variables.iter().map(|&variable| (offset, variable)));
            }
        }
        let mut constraints = Vec::new();
        for direction in Direction::ALL {
            for (index, &dot) in self.dots.iter().enumerate() {
                let users = uses.get(&(dot, direction)).map_or(&[][..], Vec::as_slice);
                let mut add = |kind, counts: &dyn Fn(usize) -> bool| {
                    let counted = users.iter().filter(|&&(offset, _)| counts(offset));
                    let mut variables: Vec<usize> =
                        counted.map(|&(_, variable)| variable).collect();
                    if variables.is_empty() {
                        return;
                    }
                    variables.sort_unstable();
                    let lines = variables.into_iter().map(|variable| (variable, 1));
                    let terms = std::iter::once((index, -1)).chain(lines).collect();
                    constraints.push(Constraint { kind, terms, sense: Sense::AtMost, rhs: 0 });
                };
                if self.rules.touching() {
                    add(ConstraintKind::Behind(dot, direction), &|offset| offset > 0);
                    add(ConstraintKind::Ahead(dot, direction), &|offset| offset + 1 < length);
                } else {
                    add(ConstraintKind::Through(dot, direction), &|_| true);
                }
            }
        }
        constraints
    }
}
