//! Few boards that cover many hulls.
//!
//! The value of a board grows with it, so a bound for a large board is one for every hull inside.
//! From a hull that nothing covers yet, one-step enlargements follow while the value stays below
//! the target, each time the one that covers most hulls per dot added. How far to go before the
//! solver is asked again is extrapolated from how the value has grown so far.

use super::search::{UncoveredHulls, distinct_images};
use crate::Octagon;

/// The outcome of enlarging a hull.
#[derive(Debug, Clone, PartialEq)]
pub enum Enlargement<S> {
    /// A board that contains it, and what the caller wanted to keep of its solution.
    Board(Octagon, S),
    /// The value of the hull itself exceeds the bound.
    TooLarge(f64),
}

/// The number of hulls that are sampled to compare enlargements.
const SAMPLE: usize = 3000;

/// The number of steps that may cover nothing, in the hope of more behind them.
const BLIND_STEPS: usize = 3;

/// How often a board may turn out too large before its growth ends.
const FAILURES: usize = 4;

/// How far below the next integer a value must lie to stay there when its duals are rounded.
const ROUNDING_MARGIN: f64 = 0.002;

impl UncoveredHulls {
    /// Enlarges a hull as far as the bound allows.
    ///
    /// `solve` returns the value of a board, and whatever the caller wants to keep of the last one.
    pub fn enlarge<S, E>(
        &self,
        hull: Octagon,
        mut solve: impl FnMut(&Octagon) -> Result<(f64, S), E>,
    ) -> Result<Enlargement<S>, E> {
        let limit = f64::from(self.bound) + 1.0 - ROUNDING_MARGIN;
        let (mut value, mut solved) = solve(&hull)?;
        if value >= limit {
            return Ok(Enlargement::TooLarge(value));
        }
        let mut board = hull;
        // Moves per dot added.
        let mut slope = 0.8;
        let mut blocked: Vec<Octagon> = Vec::new();
        let mut rest = self.sample();
        let mut failures = 0;
        while failures < FAILURES {
            rest.cover(&board);
            let room = (limit - value) / slope;
            let Some(next) = rest.path(&board, room, &blocked) else { break };
            let dots = f64::from(next.area() - board.area());
            let (next_value, next_solved) = solve(&next)?;
            // Never flat, or the next extrapolation would have no end.
            slope = ((next_value - value) / dots).max(0.1);
            if next_value < limit {
                (board, value, solved) = (next, next_value, next_solved);
                blocked.clear();
            } else {
                failures += 1;
                blocked.push(next);
            }
        }
        Ok(Enlargement::Board(board, solved))
    }

    /// Some of the hulls, to compare enlargements by.
    fn sample(&self) -> Self {
        let every = self.hulls.len().div_ceil(SAMPLE).max(1);
        Self { bound: self.bound, hulls: self.hulls.iter().copied().step_by(every).collect() }
    }

    /// The board that greedy steps lead to, adding at most `room` dots, or at least one step if one
    /// is not blocked; `None` if nothing more is covered.
    fn path(&self, from: &Octagon, room: f64, blocked: &[Octagon]) -> Option<Octagon> {
        let mut rest = self.clone();
        let (mut board, mut useful, mut blind) = (*from, None, 0);
        while blind < BLIND_STEPS {
            let step = rest.step(&board, blocked)?;
            let too_far = f64::from(step.area() - from.area()) > room;
            if too_far && (useful.is_some() || board != *from) {
                break;
            }
            let before = rest.len();
            rest.cover(&step);
            board = step;
            if rest.len() < before {
                (useful, blind) = (Some(board), 0);
            } else {
                blind += 1;
            }
            if too_far || rest.is_empty() {
                break;
            }
        }
        useful
    }

    /// The enlargement that covers most hulls per dot added.
    fn step(&self, board: &Octagon, blocked: &[Octagon]) -> Option<Octagon> {
        let worth = |larger: &Octagon| {
            let images = distinct_images(larger);
            let covered = |inner: &&Octagon| images.iter().any(|image| image.fits(inner));
            let dots = u64::from(larger.area() - board.area());
            // Of those that cover nothing, the one that adds least.
            1_000_000 * (self.hulls.iter().filter(covered).count() as u64 + 1) / dots
        };
        let free = board.enlargements().filter(|larger| !blocked.contains(larger));
        free.max_by_key(worth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HullFamily;
    use geometry::Game;

    /// The hulls of 5T for a bound so high that few are left.
    fn few() -> UncoveredHulls {
        let game = Game::named("5T").expect("a game");
        UncoveredHulls::new(&HullFamily::new(&game).expect("5T has one"), 690)
    }

    /// A stand-in for the solver: values that grow with the board.
    fn value(board: &Octagon) -> Result<(f64, u32), ()> {
        Ok((f64::from(board.area()) * 0.9, board.area()))
    }

    #[test]
    fn hulls_are_enlarged_until_all_are_covered() {
        let mut uncovered = few();
        let all = uncovered.len();
        let mut boards = 0;
        while let Some(hull) = uncovered.largest(&[]) {
            let enlarged = uncovered.enlarge(hull, value).expect("no error");
            let Enlargement::Board(board, area) = enlarged else { panic!("small enough") };
            assert!(board.fits(&hull) && board.area() == area && f64::from(area) * 0.9 < 691.0);
            uncovered.cover(&board);
            boards += 1;
        }
        assert!(all > 100 && boards * 4 < all, "{boards} for {all}");
    }

    #[test]
    fn a_hull_beyond_the_bound_is_not_enlarged() {
        let uncovered = few();
        let hull = uncovered.largest(&[]).expect("a hull");
        let enlarged = uncovered.enlarge(hull, |_| Ok::<_, ()>((691.0, ())));
        assert_eq!(enlarged, Ok(Enlargement::TooLarge(691.0)));
    }
}
