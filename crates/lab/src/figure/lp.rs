//! The solution of a linear program as a picture.

use std::collections::BTreeMap;

use bound::BoardProblem;
use bound::lp::BoardSolution;
use bound::program::VariableMeaning;
use geometry::Line;
use render::Theme;
use render::heat::FractionalBoard;

/// The solution of a board as a picture: the darker, the larger the value of a dot or line.
#[must_use]
pub fn shades(problem: &BoardProblem, solved: &BoardSolution, theme: Theme) -> String {
    let mut dots = Vec::new();
    let mut lines: BTreeMap<Line, f64> = BTreeMap::new();
    for (variable, &value) in solved.program.variables.iter().zip(&solved.solution.columns) {
        match variable.meaning {
            VariableMeaning::Dot(dot) => dots.push((dot, value)),
            VariableMeaning::Line(line) => *lines.entry(line).or_default() += value,
            VariableMeaning::Birth(birth) => *lines.entry(birth.line).or_default() += value,
            VariableMeaning::Turn(_) => {}
        }
    }
    let exact = if problem.exact { ", exact" } else { "" };
    render::heat::heat(&FractionalBoard {
        title: format!("{} on {}: {:.4}", problem.game, problem.board, solved.solution.value),
        note: format!(
            "A solution of the model {}{exact}: the darker, the more of it is there.",
            problem.formulation
        ),
        rules: problem.game.rules,
        dots,
        lines: lines.into_iter().collect(),
        outline: Vec::new(),
        theme,
    })
}
