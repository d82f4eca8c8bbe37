//! Exhaustive search for the longest continuation of a game, which proves that there is none
//! longer.
//!
//! The work is cut into parts that can be searched in any order, on any thread, and are known by
//! their indices, so that interrupted work can be resumed. Where results are stored is up to the
//! caller.

mod bits;
mod continuation;
mod grid;
mod open;

use std::ops::ControlFlow;

pub use continuation::{longest, longest_game, parts};
pub use rules::count::partition::Part;

/// The resources of a search.
#[derive(Clone, Copy)]
pub struct ExhaustiveOptions<'a> {
    /// The number of components of positions to remember.
    pub memory: usize,
    /// Called now and then; `Break` interrupts the search.
    pub on: &'a (dyn Fn() -> ControlFlow<()> + Sync),
}

impl ExhaustiveOptions<'static> {
    /// A million components, never interrupted.
    pub const QUIET: Self = Self { memory: 1_000_000, on: &|| ControlFlow::Continue(()) };
}

/// Why a search has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExhaustiveError {
    /// The lines leave the largest grid.
    #[error("games run more than {margin} points beyond the dots: the grid is too small for them")]
    OffGrid {
        /// The largest number of points tried.
        margin: u32,
    },
    /// The caller interrupted it.
    #[error("interrupted")]
    Interrupted,
}
