//! The solution of a linear program as a picture.

use std::collections::BTreeMap;

use bound::model::{Model, Task, Unknown};
use geometry::Line;
use render::Theme;
use render::shades::Shades;
use solver::Solution;

/// The solution of a model as a picture: the darker, the more of a dot or line is there.
pub fn shades(task: &Task, model: &Model, solution: &Solution, theme: Theme) -> String {
    let mut dots = Vec::new();
    let mut lines: BTreeMap<Line, f64> = BTreeMap::new();
    for (column, &share) in model.columns.iter().zip(&solution.columns) {
        match column.unknown {
            Unknown::Dot(dot) => dots.push((dot, share)),
            Unknown::Line(line) => *lines.entry(line).or_default() += share,
            Unknown::Birth(birth) => *lines.entry(birth.line).or_default() += share,
        }
    }
    let exact = if task.exact { ", exact" } else { "" };
    render::shades::shades(&Shades {
        title: format!("{} on {}: {:.4}", task.game, task.board, solution.value),
        note: format!(
            "A solution of the model {}{exact}: the darker, the more of it is there.",
            task.kind
        ),
        rules: task.game.rules,
        dots,
        lines: lines.into_iter().collect(),
        outline: Vec::new(),
        theme,
    })
}
