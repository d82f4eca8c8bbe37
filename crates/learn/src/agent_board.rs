//! What an agent sees of a position, and the numbers of its actions.
//!
//! An action is a line: the direction, row and column of its first dot, counted in this order; or,
//! merged as in Wang et al. (2020), the row and column of the new dot. An observation has five
//! planes of bytes, each 0 or 1: the dots, and for each direction the points that a line of this
//! direction has used up. A move that is not wholly on the board is not an action.

use geometry::{Direction, Game, Line, Move, Point};

/// A square board for agents, with the start of a game in its middle.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentBoard {
    game: Game,
    side: usize,
    /// The point at the upper left.
    corner: Point,
    merged: bool,
}

impl AgentBoard {
    /// The planes of an observation.
    pub const PLANES: usize = 5;
    /// The largest side of a board.
    pub const MAX_SIDE: usize = 512;

    /// A board of this side [default: twice the line length beyond the start, on every side];
    /// `merged` if moves with the same new dot are one action.
    pub fn new(game: &Game, side: Option<usize>, merged: bool) -> Result<Self, AgentBoardError> {
        let (low, high) = game.start.bounds().ok_or(AgentBoardError::NoDots)?;
        let needed = Self::extent(low, high);
        let side = side.unwrap_or(needed + 4 * game.rules.length());
        if !(needed..=Self::MAX_SIDE).contains(&side) {
            return Err(AgentBoardError::Side { side, needed });
        }
        let before = |low: i32, high: i32| low - (side as i32 - (high - low + 1)) / 2;
        let corner = Point::new(before(low.x, high.x), before(low.y, high.y));
        Ok(Self { game: game.clone(), side, corner, merged })
    }

    fn extent(low: Point, high: Point) -> usize {
        (high.x - low.x).max(high.y - low.y) as usize + 1
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Places along each edge.
    pub fn side(&self) -> usize {
        self.side
    }

    /// Whether moves with the same new dot are one action.
    pub fn is_merged(&self) -> bool {
        self.merged
    }

    /// The number of places.
    pub fn places(&self) -> usize {
        self.side * self.side
    }

    /// The number of actions.
    pub fn actions(&self) -> usize {
        if self.merged { self.places() } else { Direction::ALL.len() * self.places() }
    }

    /// The number of bytes of an observation.
    pub fn observation_len(&self) -> usize {
        Self::PLANES * self.places()
    }

    /// The point at the upper left.
    pub fn corner(&self) -> Point {
        self.corner
    }

    /// Whether the grid of the bit engine holds the whole board, centred alike.
    pub(crate) fn fits_bits(&self) -> bool {
        const INNER: usize = 30;
        let (low, high) = self.game.start.bounds().expect("a board has a start");
        self.side + (INNER + Self::extent(low, high)) % 2 <= INNER
    }

    /// The index of a point among the places; `None` beyond the edge.
    fn place(&self, point: Point) -> Option<usize> {
        let Point { x, y } = point - self.corner;
        let inside = 0..self.side as i32;
        (inside.contains(&x) && inside.contains(&y)).then(|| y as usize * self.side + x as usize)
    }

    /// The action of a move; `None` if it is not wholly on the board.
    #[inline]
    pub fn action(&self, mv: Move) -> Option<usize> {
        let start = self.place(mv.line.start)?;
        self.place(mv.line.end(self.game.rules))?;
        if self.merged {
            return self.place(mv.dot());
        }
        Some(mv.line.direction as usize * self.places() + start)
    }

    /// The line of an action; `None` if actions are merged or there is no such action.
    pub fn line(&self, action: usize) -> Option<Line> {
        let direction = *Direction::ALL.get(action / self.places()).filter(|_| !self.merged)?;
        let place = action % self.places();
        let at = Point::new((place % self.side) as i32, (place / self.side) as i32);
        Some(Line::new(self.corner + at, direction))
    }

    /// The observation before the first move.
    pub(crate) fn start_observation(&self) -> Vec<u8> {
        let mut observation = vec![0; self.observation_len()];
        for &dot in self.game.start.dots() {
            observation[self.place(dot).expect("the start is on the board")] = 1;
        }
        observation
    }

    /// Adds a move, which is wholly on the board, to an observation.
    #[inline]
    pub(crate) fn draw(&self, mv: Move, observation: &mut [u8]) {
        let on_board = "an action is wholly on the board";
        observation[self.place(mv.dot()).expect(on_board)] = 1;
        let first = self.place(mv.line.start).expect(on_board);
        let second = self.place(mv.line.point(1)).expect(on_board);
        let plane = (1 + mv.line.direction as usize) * self.places();
        for mark in 0..self.game.rules.marks() {
            observation[plane + first + mark * second - mark * first] = 1;
        }
    }
}

/// Why there is no such board for agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AgentBoardError {
    /// A start without dots has no middle.
    #[error("the start has no dots")]
    NoDots,
    /// Too small for the start, or too large.
    #[error(
        "a board of side {side} does not do: the start needs {needed}, and {} is the most",
        AgentBoard::MAX_SIDE
    )]
    Side {
        /// The side asked for.
        side: usize,
        /// What the start takes.
        needed: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_on_the_board_has_its_own_action() {
        let game = Game::named("5T").expect("a known game");
        let board = AgentBoard::new(&game, Some(12), false).expect("large enough");
        let on_board = |&action: &usize| {
            let line = board.line(action).expect("an action");
            board.action(Move::new(line, 0)).inspect(|&again| assert_eq!(again, action)).is_some()
        };
        // Of the 4 x 144 first dots, rows and columns fit 8 times, diagonals 8 by 8.
        assert_eq!((0..board.actions()).filter(on_board).count(), 2 * 12 * 8 + 2 * 8 * 8);
        assert_eq!(board.line(board.actions()), None);
    }

    #[test]
    fn a_board_that_is_too_small_or_too_large_is_refused() {
        let game = Game::named("5T").expect("a known game");
        for side in [9, 513] {
            let error = AgentBoard::new(&game, Some(side), false).expect_err("no such board");
            assert_eq!(error, AgentBoardError::Side { side, needed: 10 });
        }
        assert_eq!(AgentBoard::new(&game, None, true).map(|board| board.side()), Ok(30));
    }
}
