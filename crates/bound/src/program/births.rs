//! Dots and births, a line with its new dot (Michalewski, Nagórko, Pawlewicz 2016, for 5D).
//!
//! Every dot outside the start is placed by exactly one line, and no line has a dot of the start as
//! its new one. The order of play is left to the cuts of `cut.rs`.

use geometry::{Game, Move, Point};

use super::area::Area;
use super::lines::dots;
use super::{Constraint, ConstraintKind, LinearProgram, Sense, Variable, VariableMeaning};

/// The program, with these dots of the start fixed.
pub(crate) fn program(game: &Game, area: &Area, fixed: &[Point]) -> LinearProgram {
    let rules = game.rules;
    let mut variables: Vec<Variable> = dots(area, fixed).collect();
    let mut of_line = Vec::with_capacity(area.lines.len());
    let mut of_dot = vec![Vec::new(); area.dots.len()];
    for &line in &area.lines {
        let first = variables.len();
        for (offset, dot) in (0..).zip(line.points(rules)) {
            let index = area.index(dot).expect("lines are on the board");
            if variables[index].low == 0 {
                of_dot[index].push(variables.len());
                let meaning = VariableMeaning::Birth(Move::new(line, offset));
                variables.push(Variable { meaning, cost: 1, low: 0, high: 1 });
            }
        }
        of_line.push((first..variables.len()).collect::<Vec<usize>>());
    }
    let placed = area.dots.iter().zip(of_dot).enumerate();
    let placed = placed.filter(|&(index, _)| variables[index].low == 0);
    let mut constraints: Vec<Constraint> = placed
        .map(|(index, (&dot, births))| {
            let births = births.into_iter().map(|variable| (variable, 1));
            let terms = std::iter::once((index, -1)).chain(births).collect();
            Constraint { kind: ConstraintKind::Placed(dot), terms, sense: Sense::Equal, rhs: 0 }
        })
        .collect();
    constraints.extend(area.occupation(|line| of_line[line].clone()));
    LinearProgram { variables, constraints }
}
