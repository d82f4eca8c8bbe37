//! Parts of a search: positions that have some lines and not others.

use std::ops::ControlFlow;

use geometry::{Game, Line, Move, Point};

use crate::exhaustive::NoResult;
use crate::exhaustive::grid::Grid;
use crate::exhaustive::open::{Longest, Open, Stop};

/// All positions that begin with some moves and never have some lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Part {
    /// The moves that they begin with.
    pub played: Vec<Move>,
    /// The lines that they do not have.
    pub given_up: Vec<Line>,
}

/// How to search.
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// How many components of positions to remember.
    pub memory: usize,
    /// Is asked now and then whether to go on.
    pub go_on: &'a (dyn Fn() -> ControlFlow<()> + Sync),
}

impl Settings<'static> {
    /// Goes on to the end, remembering a million components.
    pub const QUIET: Self = Self { memory: 1_000_000, go_on: &|| ControlFlow::Continue(()) };
}

/// How far beyond the dots of a part games are followed, at first and at last.
const MARGINS: [u32; 4] = [2, 4, 7, 11];

impl Part {
    /// The most moves that can follow those of this part, found on the least grid that holds them.
    pub(crate) fn longest(&self, game: &Game, settings: Settings<'_>) -> Result<u32, NoResult> {
        for margin in MARGINS {
            match self.longest_within(game, margin, settings) {
                None | Some(Err(Stop::OffGrid)) => {}
                Some(Err(Stop::Asked)) => return Err(NoResult::Interrupted),
                Some(Ok(more)) => return Ok(more),
            }
        }
        Err(NoResult::OffGrid { margin: MARGINS[MARGINS.len() - 1] })
    }

    /// The same on the grid that goes so far beyond the dots; `None` if there is none so large.
    fn longest_within(
        &self,
        game: &Game,
        margin: u32,
        settings: Settings<'_>,
    ) -> Option<Result<u32, Stop>> {
        let new = self.played.iter().map(|mv| mv.dot());
        let mut dots = game.start.dots().iter().copied().chain(new);
        let first = dots.next().unwrap_or(Point::new(0, 0));
        let (low, high) = dots.fold((first, first), |(low, high), dot| {
            (
                Point::new(low.x.min(dot.x), low.y.min(dot.y)),
                Point::new(high.x.max(dot.x), high.y.max(dot.y)),
            )
        });
        let beyond = Point::new(margin as i32, margin as i32);
        let (low, high) = (low - beyond, high + beyond);
        None.or_else(|| Some(self.longest_on(&Grid::<5>::new(game, low, high)?, settings)))
            .or_else(|| Some(self.longest_on(&Grid::<9>::new(game, low, high)?, settings)))
            .or_else(|| Some(self.longest_on(&Grid::<16>::new(game, low, high)?, settings)))
            .or_else(|| Some(self.longest_on(&Grid::<32>::new(game, low, high)?, settings)))
    }

    fn longest_on<const N: usize>(
        &self,
        grid: &Grid<N>,
        settings: Settings<'_>,
    ) -> Result<u32, Stop> {
        let mut open: Open<N> = grid.after(&self.played);
        for &line in &self.given_up {
            if let Some(number) = grid.line_number(line) {
                open.give_up((line.direction as usize, number));
            }
        }
        Longest::new(grid, settings.memory, settings.go_on).of(open)
    }
}
