//! What is legal.
//!
//! A [`Board`] can only be reached by legal play, so nothing downstream checks again. There are two:
//! [`PlainBoard`] plays any rules from any start and is written to be read; [`FastBoard`] plays
//! lines of 4 and 5 from the cross and is written to be fast. Tests hold them equal, move for move.
//! Reading and writing games is `record`'s work; choosing moves is `search`'s.

mod board;
pub mod count;
mod fast;
mod plain;
mod plain_sheet;
mod playout;
mod rollout;
mod sheet;
mod walk;

pub use board::{Board, IllegalMove};
pub use fast::{
    Code, FastBoard, FastLines, FastPlayout, FastRollout, FastSheet, FastStep, FastWalk,
};
pub use plain::PlainBoard;
pub use plain_sheet::PlainSheet;
pub use playout::{PlainPlayout, Playout};
pub use rollout::retrace::Retrace;
pub use rollout::{Chance, Rollout, SheetRollout};
pub use sheet::{Lines, Sheet, ordered, try_ordered};
pub use walk::{SheetWalk, Step, Walk};

use geometry::{Game, Move};

/// What plays a game.
pub trait Kit: Sync {
    /// Plays and takes back.
    type Board: Board + Send + Sync;
    /// Draws and erases in any order.
    type Sheet: Sheet + Send + Sync;
    /// Plays to the end.
    type Playout: Playout<Board = Self::Board> + Send + Sync;
    /// Goes forward and backward at random.
    type Walk: Walk + Send + Sync;
    /// Plays to the end by a policy.
    type Rollout: Retrace + Send + Sync;

    /// The game.
    fn game(&self) -> &Game;

    /// A board before the first move.
    fn board(&self) -> Self::Board;

    /// A sheet before the first move.
    fn sheet(&self) -> Self::Sheet;

    /// Plays games to their end, from any board of this game.
    fn playout(&self) -> Self::Playout;

    /// A walk that begins after the moves `from`, which must be legal.
    fn walk(&self, from: &[Move]) -> Self::Walk;

    /// Plays games by a policy that begin after the moves `from`, which must be legal.
    fn rollout(&self, from: &[Move]) -> Self::Rollout;
}

/// The kit for every game.
#[derive(Debug, Clone)]
pub struct Plain(Game);

impl Plain {
    /// The plain kit of this game.
    pub fn new(game: Game) -> Self {
        Self(game)
    }
}

impl Kit for Plain {
    type Board = PlainBoard;
    type Sheet = PlainSheet;
    type Playout = PlainPlayout;
    type Walk = SheetWalk<PlainSheet>;
    type Rollout = SheetRollout<PlainSheet>;

    fn game(&self) -> &Game {
        &self.0
    }

    fn board(&self) -> PlainBoard {
        PlainBoard::start(self.0.clone())
    }

    fn sheet(&self) -> PlainSheet {
        PlainSheet::start(self.0.clone())
    }

    fn playout(&self) -> PlainPlayout {
        PlainPlayout::new(self.board())
    }

    fn walk(&self, from: &[Move]) -> Self::Walk {
        SheetWalk::new(self.sheet(), from)
    }

    fn rollout(&self, from: &[Move]) -> Self::Rollout {
        SheetRollout::new(self.sheet(), from)
    }
}

/// The kit for lines of 4 and 5 from the usual cross.
#[derive(Debug, Clone)]
pub struct Fast<const LENGTH: usize, const TOUCHING: bool>(Game);

impl<const LENGTH: usize, const TOUCHING: bool> Fast<LENGTH, TOUCHING> {
    /// The fast kit.
    pub fn new() -> Self {
        Self(FastBoard::<LENGTH, TOUCHING>::start().game().clone())
    }
}

impl<const LENGTH: usize, const TOUCHING: bool> Default for Fast<LENGTH, TOUCHING> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const LENGTH: usize, const TOUCHING: bool> Kit for Fast<LENGTH, TOUCHING> {
    type Board = FastBoard<LENGTH, TOUCHING>;
    type Sheet = FastSheet<LENGTH, TOUCHING>;
    type Playout = FastPlayout<LENGTH, TOUCHING>;
    type Walk = FastWalk<LENGTH, TOUCHING>;
    type Rollout = FastRollout<LENGTH, TOUCHING>;

    fn game(&self) -> &Game {
        &self.0
    }

    fn board(&self) -> Self::Board {
        FastBoard::start()
    }

    fn sheet(&self) -> Self::Sheet {
        FastSheet::start()
    }

    fn playout(&self) -> Self::Playout {
        FastPlayout::new()
    }

    fn walk(&self, from: &[Move]) -> Self::Walk {
        FastWalk::new(from)
    }

    fn rollout(&self, from: &[Move]) -> Self::Rollout {
        FastRollout::new(from)
    }
}

/// Something to do in a game, whichever kit plays it.
pub trait Task {
    /// What comes out.
    type Output;

    /// Does it.
    fn run<K: Kit>(self, kit: &K) -> Self::Output;
}

/// Runs `task` with the fastest kit that plays `game`.
pub fn with_kit<T: Task>(game: &Game, task: T) -> T::Output {
    if game.is_usual() {
        match (game.rules.length(), game.rules.touching()) {
            (5, true) => return task.run(&Fast::<5, true>::new()),
            (5, false) => return task.run(&Fast::<5, false>::new()),
            (4, true) => return task.run(&Fast::<4, true>::new()),
            (4, false) => return task.run(&Fast::<4, false>::new()),
            _ => {}
        }
    }
    task.run(&Plain::new(game.clone()))
}
