//! Dots and lines: the relaxation 5T++ of Michalewski, Nagórko, Pawlewicz (2015), for any rules.
//!
//! Every line has its dots, no two lines overlap, and there is one more dot for each line. Neither
//! the order of play nor which dot of a line was new is part of it.

use geometry::{Game, Point};

use super::area::Area;
use super::{Constraint, ConstraintKind, LinearProgram, Sense, Variable, VariableMeaning};

/// The program, with these dots of the start fixed.
pub(crate) fn program(game: &Game, area: &Area, fixed: &[Point]) -> LinearProgram {
    let lines = area.lines.iter().map(|&line| {
        let meaning = VariableMeaning::Line(line);
        Variable { meaning, cost: 1, low: 0, high: 1 }
    });
    let variables: Vec<Variable> = dots(area, fixed).chain(lines).collect();
    let factor = |variable: usize| if variable < area.dots.len() { 1 } else { -1 };
    let balance = Constraint {
        kind: ConstraintKind::Balance,
        terms: (0..variables.len()).map(|variable| (variable, factor(variable))).collect(),
        sense: Sense::Equal,
        rhs: game.start.dots().len() as i64,
    };
    let mut constraints = vec![balance];
    constraints.extend(area.occupation(|line| vec![area.dots.len() + line]));
    LinearProgram { variables, constraints }
}

/// A variable for each dot of the board.
pub(super) fn dots<'a>(area: &'a Area, fixed: &'a [Point]) -> impl Iterator<Item = Variable> + 'a {
    area.dots.iter().map(|&dot| {
        // The dots of a start are sorted.
        let low = i64::from(fixed.binary_search(&dot).is_ok());
        Variable { meaning: VariableMeaning::Dot(dot), cost: 0, low, high: 1 }
    })
}
