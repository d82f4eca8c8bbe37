//! What is on the grid before the first move.

use std::fmt;
use std::sync::Arc;

use crate::{COORDINATE_LIMIT, Direction, Point, Symmetry};

/// The dots a game starts from: a cross, or any finite set.
///
/// Two starts with the same dots are equal, however they were made; a set of dots that happens to
/// be a cross at its usual place *is* that cross.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Start {
    /// Sorted, each once.
    dots: Arc<[Point]>,
    cross: Option<usize>,
}

impl Start {
    /// The largest side of a cross.
    pub const MAX_SIDE: usize = 1024;
    /// The most dots a start may have.
    pub const MAX_DOTS: usize = 4_000_000;

    /// The Greek cross of this side: the outline of a plus sign whose arms are `side` dots wide,
    /// with its bounding box starting at (0,0). It has 12 (side - 1) dots; side 1 is a single dot.
    pub fn cross(side: usize) -> Result<Self, StartError> {
        if !(1..=Self::MAX_SIDE).contains(&side) {
            return Err(StartError::Side);
        }
        Ok(Self { dots: cross_dots(side).into(), cross: Some(side) })
    }

    /// Any finite set of dots; repetitions count once.
    pub fn from_dots(dots: impl IntoIterator<Item = Point>) -> Result<Self, StartError> {
        let mut dots: Vec<Point> = dots.into_iter().collect();
        if let Some(&far) = dots.iter().find(|dot| !dot.within_limit()) {
            return Err(StartError::TooFar(far));
        }
        dots.sort_unstable();
        dots.dedup();
        if dots.len() > Self::MAX_DOTS {
            return Err(StartError::TooMany);
        }
        let side = if dots.len() == 1 { 1 } else { dots.len() / 12 + 1 };
        let is_cross = side <= Self::MAX_SIDE && cross_dots(side) == dots;
        Ok(Self { dots: dots.into(), cross: is_cross.then_some(side) })
    }

    /// The dots, sorted.
    pub fn dots(&self) -> &[Point] {
        &self.dots
    }

    /// The side of the cross, if this is one.
    pub fn cross_side(&self) -> Option<usize> {
        self.cross
    }

    /// The smallest and the largest coordinates of the dots; `None` without dots.
    pub fn bounds(&self) -> Option<(Point, Point)> {
        bounds(self.dots.iter().copied())
    }

    /// The symmetries that map these dots onto themselves, the identity first.
    pub fn symmetries(&self) -> Vec<Symmetry> {
        let Some((low, high)) = self.bounds() else {
            return vec![Symmetry::IDENTITY];
        };
        Symmetry::of_box(low, high)
            .into_iter()
            .filter(|symmetry| {
                self.dots.iter().all(|&dot| self.dots.binary_search(&symmetry.point(dot)).is_ok())
            })
            .collect()
    }
}

impl fmt::Debug for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cross {
            Some(side) => write!(f, "Cross({side})"),
            None => f.debug_tuple("Dots").field(&self.dots).finish(),
        }
    }
}

/// Corners of the box around some points.
fn bounds(points: impl Iterator<Item = Point>) -> Option<(Point, Point)> {
    points.fold(None, |found, p| match found {
        None => Some((p, p)),
        Some((low, high)) => Some((
            Point::new(low.x.min(p.x), low.y.min(p.y)),
            Point::new(high.x.max(p.x), high.y.max(p.y)),
        )),
    })
}

/// The outline of a plus sign, walked clockwise, then sorted.
fn cross_dots(side: usize) -> Vec<Point> {
    let edge = side as i32 - 1;
    let right = Direction::East.step();
    let down = Direction::South.step();
    let (left, up) = (right * -1, down * -1);
    let walk = [right, down, right, down, left, down, left, up, left, up, right, up]
        .map(|step| (step, edge));
    let mut at = Point::new(edge, 0);
    let mut dots = vec![at];
    for (step, edge) in walk {
        for _ in 0..edge {
            at = at + step;
            dots.push(at);
        }
    }
    dots.sort_unstable();
    dots.dedup();
    dots
}

/// Why some dots cannot be a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The side of the cross is out of range.
    #[error("the side of a cross must be from 1 to {}", Start::MAX_SIDE)]
    Side,
    /// A dot beyond the coordinate limit.
    #[error("the dot {0} is beyond the coordinate limit of {limit}", limit = COORDINATE_LIMIT)]
    TooFar(Point),
    /// More dots than the limit.
    #[error("more than {} dots", Start::MAX_DOTS)]
    TooMany,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cross_has_twelve_times_its_side_less_one_dots() {
        for side in 2..20 {
            assert_eq!(Start::cross(side).expect("in range").dots().len(), 12 * (side - 1));
        }
        assert_eq!(Start::cross(1).expect("in range").dots(), [Point::new(0, 0)]);
    }

    #[test]
    fn the_usual_cross_lies_where_the_formats_expect_it() {
        let cross = Start::cross(4).expect("in range");
        assert_eq!(cross.bounds(), Some((Point::new(0, 0), Point::new(9, 9))));
        for dot in [(3, 0), (6, 0), (0, 3), (3, 3), (9, 6), (6, 9), (3, 8)] {
            assert!(cross.dots().contains(&Point::new(dot.0, dot.1)), "{dot:?}");
        }
        for gap in [(0, 0), (4, 4), (4, 3), (2, 2)] {
            assert!(!cross.dots().contains(&Point::new(gap.0, gap.1)), "{gap:?}");
        }
    }

    #[test]
    fn dots_that_form_a_cross_are_that_cross() {
        for side in [1, 2, 4, 9] {
            let cross = Start::cross(side).expect("in range");
            let mut dots = cross.dots().to_vec();
            dots.reverse();
            dots.push(dots[0]);
            assert_eq!(Start::from_dots(dots), Ok(cross));
        }
        let moved = Start::from_dots([Point::new(1, 0)]).expect("one dot");
        assert_eq!(moved.cross_side(), None);
        assert_eq!(Start::from_dots([]).expect("no dots").cross_side(), None);
    }

    #[test]
    fn symmetries_are_those_of_the_dots() {
        assert_eq!(Start::cross(4).expect("in range").symmetries().len(), 8);
        let dots = |list: &[(i32, i32)]| {
            Start::from_dots(list.iter().map(|&(x, y)| Point::new(x, y))).expect("few dots")
        };
        assert_eq!(dots(&[(0, 0), (7, 0)]).symmetries().len(), 4);
        assert_eq!(dots(&[(0, 0), (1, 0), (3, 0), (0, 7)]).symmetries().len(), 1);
        assert_eq!(dots(&[(0, 0), (1, 0), (0, 1)]).symmetries().len(), 2);
        assert_eq!(dots(&[]).symmetries().len(), 1);
    }

    #[test]
    fn far_dots_are_refused() {
        let far = Point::new(COORDINATE_LIMIT + 1, 0);
        assert_eq!(Start::from_dots([far]), Err(StartError::TooFar(far)));
        assert_eq!(Start::cross(0), Err(StartError::Side));
    }
}
