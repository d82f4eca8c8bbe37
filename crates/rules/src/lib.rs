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
mod sheet;

pub use board::{Board, IllegalMove};
pub use fast::{Code, FastBoard, FastSheet};
pub use plain::PlainBoard;
pub use plain_sheet::PlainSheet;
pub use sheet::{Sheet, ordered};

use geometry::Game;

/// Something to do on a board, whichever board that is.
pub trait Task {
    /// What comes out.
    type Output;

    /// Does it, on a board that stands at its start.
    fn run<B: Board + Send + Sync>(self, board: B) -> Self::Output;
}

/// Runs `task` on the fastest board that plays `game`.
pub fn on_board<T: Task>(game: &Game, task: T) -> T::Output {
    if game.is_usual() {
        match (game.rules.length(), game.rules.touching()) {
            (5, true) => return task.run(FastBoard::<5, true>::start()),
            (5, false) => return task.run(FastBoard::<5, false>::start()),
            (4, true) => return task.run(FastBoard::<4, true>::start()),
            (4, false) => return task.run(FastBoard::<4, false>::start()),
            _ => {}
        }
    }
    task.run(PlainBoard::start(game.clone()))
}
