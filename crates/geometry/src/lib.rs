//! The vocabulary of the game: points, lines, moves, rules and starts.
//!
//! The grid is the integer lattice; x grows right and y grows **down**, as on a screen. Nothing
//! here knows whether a move is legal (`rules`) or how a game is written to a file (`record`).
//!
//! ```
//! use morpion_geometry::{Direction, Game, Line, Move, Point};
//!
//! let game: Game = "5T".parse()?;
//! assert_eq!(game.start.dots().len(), 36);
//!
//! // The line of five dots from (3,0) to the right; its last dot is new.
//! let mv = Move::new(Line::new(Point::new(3, 0), Direction::East), 4);
//! assert_eq!(mv.dot(), Point::new(7, 0));
//!
//! // The cross looks the same under all eight symmetries of the square.
//! let images: Vec<Move> =
//!     game.start.symmetries().into_iter().map(|symmetry| symmetry.mv(mv, game.rules)).collect();
//! assert_eq!(images.len(), 8);
//! # Ok::<(), morpion_geometry::ParseGameError>(())
//! ```

mod game;
mod line;
mod mix;
mod order;
mod point;
mod rules;
mod start;
mod symmetry;

pub use game::{Game, ParseGameError};
pub use line::{Line, Move};
pub use mix::mix64;
pub use order::play_order;
pub use point::{COORDINATE_LIMIT, Direction, Point};
pub use rules::{Rules, RulesError};
pub use start::{Start, StartError};
pub use symmetry::{GameSymmetry, ParseSymmetryError, Symmetry};
