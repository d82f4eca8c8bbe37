//! Few boards that hold many: which to certify so that together they hold a whole family.
//!
//! The value of a board grows with it, so a bound for a large board is one for every board inside. From
//! a board that nothing holds yet, one-step enlargements are made while the value stays below what is
//! wanted, each time the one that takes in most boards for the dots that it adds. How far to go before
//! the solver is asked again is guessed from how the value has grown so far.

use std::collections::HashSet;

use crate::{Family, Octagon};

/// What is still to be done for a bound: boards that hold many hulls, and hulls by themselves where no
/// board can.
///
/// Where a hull is bounded by itself, those inside it are still to be bounded.
#[derive(Debug, Clone)]
pub struct Agenda {
    family: Family,
    uncovered: Uncovered,
    boards: Vec<Octagon>,
    hulls: HashSet<Octagon>,
    /// The octagons that were looked at, one of each class.
    seen: HashSet<Octagon>,
}

impl Agenda {
    /// What is to be done for a bound if these boards, and these hulls by themselves, are known to have it.
    pub fn new(family: Family, bound: u32, boards: &[Octagon], hulls: &[Octagon]) -> Self {
        let mut uncovered = Uncovered::of(&family, bound);
        for board in boards {
            uncovered.cover(board);
        }
        let largest = std::mem::take(&mut uncovered.boards);
        let hulls = hulls.iter().map(Octagon::canonical).collect();
        let (boards, seen) = (boards.to_vec(), HashSet::new());
        let mut agenda = Self { family, uncovered, boards, hulls, seen };
        for octagon in largest {
            agenda.admit(&octagon);
        }
        agenda
    }

    /// The boards for which nothing is shown yet, among them all that are not inside another of them.
    pub fn uncovered(&self) -> &Uncovered {
        &self.uncovered
    }

    /// Takes a board as bounded, with all inside.
    pub fn add_board(&mut self, board: Octagon) {
        self.uncovered.cover(&board);
        self.boards.push(board);
    }

    /// Takes a hull as bounded by itself.
    pub fn add_hull(&mut self, hull: &Octagon) {
        let hull = hull.canonical();
        self.hulls.insert(hull);
        let before = self.uncovered.len();
        self.uncovered.boards.retain(|board| *board != hull);
        if self.uncovered.len() < before {
            self.admit_reductions(&hull);
        }
    }

    fn admit_reductions(&mut self, octagon: &Octagon) {
        let reductions: Vec<Octagon> = octagon.reductions().collect();
        for reduction in reductions {
            self.admit(&reduction);
        }
    }

    fn admit(&mut self, octagon: &Octagon) {
        let octagon = octagon.canonical();
        let small = octagon.area() <= self.uncovered.bound + self.family.potential() / 8;
        if small
            || !self.seen.insert(octagon)
            || self.boards.iter().any(|board| board.fits_turned(&octagon))
        {
            return;
        }
        if self.hulls.contains(&octagon) || !self.family.has(&octagon) {
            self.admit_reductions(&octagon);
        } else {
            self.uncovered.boards.push(octagon);
        }
    }
}

/// The boards of a family for which a bound is still to be shown.
#[derive(Debug, Clone)]
pub struct Uncovered {
    bound: u32,
    boards: Vec<Octagon>,
}

/// What came of a board.
#[derive(Debug, Clone, PartialEq)]
pub enum Grown<S> {
    /// A board that holds it, and what the solver's caller wanted to have of it.
    Board(Octagon, S),
    /// Its own value, which is too large for the bound.
    TooLarge(f64),
}

/// How many boards are looked at to compare ways to grow.
const SAMPLE: usize = 3000;

/// How many steps are taken that take in nothing, in the hope of more behind them.
const BLIND_STEPS: usize = 3;

/// How often the solver may find a board too large before its growth ends.
const FAILURES: usize = 4;

impl Uncovered {
    /// The maximal boards with more dots than the bound allows lines and the start has dots: the
    /// others are bounded by their dots alone.
    pub fn of(family: &Family, bound: u32) -> Self {
        let mut boards = Vec::new();
        family.for_each_class(|octagon| {
            if octagon.area() > bound + family.potential() / 8 && family.is_maximal(&octagon) {
                boards.push(octagon);
            }
        });
        Self { bound, boards }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.boards.len()
    }

    /// Whether the bound is shown.
    pub fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }

    /// Strikes off all boards that lie in this one, moved, turned and mirrored at will.
    pub fn cover(&mut self, board: &Octagon) {
        let images = distinct_images(board);
        self.boards.retain(|inner| !images.iter().any(|image| image.fits(inner)));
    }

    /// The largest board, which has least room to grow, except for those that are taken.
    pub fn largest(&self, taken: &[Octagon]) -> Option<Octagon> {
        let free = self.boards.iter().copied().filter(|board| !taken.contains(board));
        free.max_by_key(Octagon::area)
    }

    /// Lets a board grow.
    ///
    /// `solve` tells the value of a board, and whatever else the caller wants to have of the one that
    /// comes out.
    pub fn grown<S, E>(
        &self,
        board: Octagon,
        mut solve: impl FnMut(&Octagon) -> Result<(f64, S), E>,
    ) -> Result<Grown<S>, E> {
        let limit = f64::from(self.bound) + 1.0 - MARGIN;
        let (mut value, mut solved) = solve(&board)?;
        if value >= limit {
            return Ok(Grown::TooLarge(value));
        }
        let mut grown = board;
        // Moves for each dot that is added.
        let mut slope = 0.8;
        let mut blocked: Vec<Octagon> = Vec::new();
        let mut rest = self.sample();
        let mut failures = 0;
        while failures < FAILURES {
            rest.cover(&grown);
            let room = (limit - value) / slope;
            let Some(next) = rest.path(&grown, room, &blocked) else { break };
            let dots = f64::from(next.area() - grown.area());
            let (next_value, next_solved) = solve(&next)?;
            // Never flat: the next guess would have no end.
            slope = ((next_value - value) / dots).max(0.1);
            if next_value < limit {
                (grown, value, solved) = (next, next_value, next_solved);
                blocked.clear();
            } else {
                failures += 1;
                blocked.push(next);
            }
        }
        Ok(Grown::Board(grown, solved))
    }

    /// A part of the boards that stands for all when ways to grow are compared.
    fn sample(&self) -> Self {
        let every = self.boards.len().div_ceil(SAMPLE).max(1);
        Self { bound: self.bound, boards: self.boards.iter().copied().step_by(every).collect() }
    }

    /// The board that greedy steps lead to, adding at most so many dots, or at least one step if there
    /// is one that is not blocked; `None` if nothing more is taken in.
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

    /// The enlargement that takes in most boards for the dots that it adds.
    fn step(&self, board: &Octagon, blocked: &[Octagon]) -> Option<Octagon> {
        let worth = |larger: &Octagon| {
            let images = distinct_images(larger);
            let taken = |inner: &&Octagon| images.iter().any(|image| image.fits(inner));
            let dots = u64::from(larger.area() - board.area());
            // Of those that take in nothing, the one that adds least.
            1_000_000 * (self.boards.iter().filter(taken).count() as u64 + 1) / dots
        };
        let free = board.enlargements().filter(|larger| !blocked.contains(larger));
        free.max_by_key(worth)
    }
}

/// How far below the next whole number a value must lie, so that it stays there when its duals are
/// rounded to whole numbers.
const MARGIN: f64 = 0.002;

fn distinct_images(board: &Octagon) -> Vec<Octagon> {
    let mut images = board.images().to_vec();
    images.sort_unstable();
    images.dedup();
    images
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Game;

    /// The family of 5T for a bound so high that few boards are left.
    fn few() -> Uncovered {
        let game = Game::named("5T").expect("a game");
        Uncovered::of(&Family::of(&game).expect("5T has one"), 690)
    }

    /// A stand-in for the solver: values that grow with the board.
    fn value(board: &Octagon) -> Result<(f64, u32), ()> {
        Ok((f64::from(board.area()) * 0.9, board.area()))
    }

    #[test]
    fn boards_grow_until_all_are_covered() {
        let mut uncovered = few();
        let all = uncovered.len();
        let mut boards = 0;
        while let Some(board) = uncovered.largest(&[]) {
            let grown = uncovered.grown(board, value).expect("no trouble");
            let Grown::Board(grown, area) = grown else { panic!("small enough") };
            assert!(grown.fits(&board) && grown.area() == area && f64::from(area) * 0.9 < 691.0);
            uncovered.cover(&grown);
            boards += 1;
        }
        assert!(all > 100 && boards * 4 < all, "{boards} for {all}");
    }

    #[test]
    fn a_board_beyond_the_bound_does_not_grow() {
        let uncovered = few();
        let board = uncovered.largest(&[]).expect("a board");
        let grown = uncovered.grown(board, |_| Ok::<_, ()>((691.0, ())));
        assert_eq!(grown, Ok(Grown::TooLarge(691.0)));
    }
}
