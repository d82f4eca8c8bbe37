//! All of a game, or all of its rest.
//!
//! [`enumeration`] counts every position, by its number of moves; [`tail`] finds the longest game that
//! begins with given moves, and so shows that there is none longer (`open.rs`). Both are cut into
//! [`Part`]s that can be searched in any order, on any thread, and are known by their numbers, so that what was
//! interrupted goes on. Where results are kept is the caller's business.

mod bits;
pub mod enumeration;
mod grid;
mod open;
mod part;
pub mod tail;

pub use part::{Part, Settings};

/// Why a search did not come to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoResult {
    /// The lines leave every grid there is.
    #[error("games run more than {margin} points beyond the dots: the grid is too small for them")]
    OffGrid {
        /// How many points were tried.
        margin: u32,
    },
    /// The caller wanted no more.
    #[error("interrupted")]
    Interrupted,
}
