//! The quantities of the lemmas on hulls, for one position.

use geometry::{Game, Move, Point};

use crate::{Octagon, gap_lines};

/// The octagonal hull of a position and its free half-segments.
///
/// The external ones number potential(hull) - 2 gaps; all together are 8 per dot minus 2 per
/// segment drawn (Michalewski, Nagórko, Pawlewicz 2015).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HullStats {
    /// The hull.
    pub hull: Octagon,
    /// The top left corner of its bounding box.
    pub corner: Point,
    /// The dots of the position, those of the start first.
    pub dots: Vec<Point>,
    /// Diagonals without a dot between others.
    pub gaps: usize,
    /// Free half-segments that point outwards.
    pub external: i64,
    /// The other free half-segments.
    pub internal: i64,
}

impl HullStats {
    /// The hull of the position after these moves; `None` without dots.
    #[must_use]
    pub fn new(game: &Game, moves: &[Move]) -> Option<Self> {
        let new = moves.iter().map(|mv| mv.dot());
        let dots: Vec<Point> = game.start.dots().iter().copied().chain(new).collect();
        let (hull, corner) = Octagon::hull(dots.iter().copied())?;
        let gaps = gap_lines(&dots);
        let external = i64::from(hull.potential()) - 2 * gaps as i64;
        let segments = moves.len() * (game.rules.length() - 1);
        let internal = 8 * dots.len() as i64 - 2 * segments as i64 - external;
        Some(Self { hull, corner, dots, gaps, external, internal })
    }
}
