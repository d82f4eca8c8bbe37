//! The words of the game: where dots and lines can lie, and what a game is made of.
//!
//! The grid is the integer lattice; x grows right and y grows **down**, as on a screen. Nothing
//! here knows whether a move is legal (that is `rules`) or how a game is written down (`record`).

mod game;
mod line;
mod point;
mod rules;
mod start;
mod symmetry;

pub use game::{Game, UnknownGame};
pub use line::{Line, Move};
pub use point::{COORDINATE_LIMIT, Direction, Point};
pub use rules::{BadRules, Rules};
pub use start::{BadStart, Start};
pub use symmetry::Symmetry;
