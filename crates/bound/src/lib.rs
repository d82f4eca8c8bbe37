//! Upper bounds for games of Morpion Solitaire, and proofs that some games have none.
//!
//! - [`formula`]: the published formulas in exact numbers.
//! - [`Board`], [`HullFamily`]: the boards on which relaxations are solved, and the octagons that
//!   can be the hull of a position.
//! - [`BoardProblem`], [`program::LinearProgram`], [`lp`], [`certificate::Certificate`]: the one
//!   pipeline from a board to an integer certificate.
//! - [`blocks`]: the relaxation by the sizes of lattice lines, for ranges of hulls.
//! - [`hull`], [`cover`], [`caps`], [`branch`], [`boxes`], [`extents`]: proofs that need more than
//!   one program.
//! - [`endless`]: the search for play that never ends.
//!
//! Everything found here is a claim: only the verifier, `verify`, decides that it is proven. The
//! feature `solver` (on by default) adds what calls HiGHS: [`lp`] and the branch-and-bound search.
//!
//! ```
//! use morpion_bound::{BoardProblem, Formulation, formula};
//! use geometry::Game;
//!
//! let game = Game::named("5T").expect("a game");
//! assert_eq!(formula::best(&game).map(|best| best.bound), Some(705));
//!
//! let board = "square:10".parse()?;
//! let program = BoardProblem::new(game, board, Formulation::Lines).program()?;
//! assert_eq!(program.variables.len(), 100 + 192);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

#[cfg(feature = "solver")]
pub mod blocks;
mod board;
pub mod boxes;
pub mod branch;
pub mod caps;
pub mod certificate;
#[cfg(feature = "solver")]
pub mod cover;
pub mod endless;
#[cfg(feature = "solver")]
pub mod extents;
mod family;
pub mod formula;
pub mod hull;
#[cfg(feature = "solver")]
pub mod lp;
mod octagon;
mod problem;
pub mod program;

pub use board::{Board, BoardError, Margins, Square};
#[cfg(feature = "solver")]
pub use cover::Cover;
pub use family::{FamilyCounts, FamilyError, HullFamily, published_boards};
pub use octagon::{Octagon, OctagonError, gap_lines};
pub use problem::{BoardProblem, Formulation, ProblemError};
