//! A game in its octagonal hull.

use bound::hull::HullStats;
use geometry::{Game, Move};
use render::Theme;
use render::heat::{FractionalBoard, heat};

/// A game in its hull, with a note below.
#[must_use]
pub fn hull(game: &Game, moves: &[Move], stats: &HullStats, note: String, theme: Theme) -> String {
    heat(&FractionalBoard {
        title: format!("{game}: {} moves", moves.len()),
        note,
        rules: game.rules,
        dots: stats.dots.iter().map(|&dot| (dot, 1.0)).collect(),
        lines: moves.iter().map(|mv| (mv.line, 0.7)).collect(),
        outline: stats.hull.vertices().map(|vertex| vertex + stats.corner).to_vec(),
        theme,
    })
}
