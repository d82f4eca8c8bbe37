//! The number of positions and sequences after each number of moves.
//!
//! A position is a set of lines; the order they were drawn in does not matter. Positions are
//! counted without any table, each exactly once ([`positions`](CountKind::Positions)); classes
//! under the symmetries of the start follow from the positions that each symmetry fixes
//! ([`classes`](CountKind::Classes)); only sequences need memory
//! ([`sequences`](CountKind::Sequences)).

mod census;
mod classes;
pub mod partition;
mod positions;
mod sequences;

use geometry::Game;

use crate::{Engine, EngineVisitor, with_engine};

pub use census::count_within;
pub use classes::classes_from_positions;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CountKind {
    /// Positions up to the symmetries of the start.
    Classes,
    /// Positions.
    Positions,
    /// Legal sequences of moves.
    Sequences,
}

/// The resources a count may use.
#[derive(Clone, Copy)]
pub struct CountOptions<'a> {
    /// The number of threads.
    pub threads: usize,
    /// The number of bytes of memory that tables may take.
    pub memory: u64,
    /// Called now and then with the fraction done.
    pub progress: &'a (dyn Fn(f64) + Sync),
}

impl CountOptions<'static> {
    /// One thread, 1 GiB, no progress.
    pub const QUIET: Self = Self { threads: 1, memory: 1 << 30, progress: &|_| {} };
}

/// The counts after 0, 1, ..., `moves` moves.
pub fn count(
    game: &Game,
    kind: CountKind,
    moves: usize,
    settings: CountOptions<'_>,
) -> Result<Vec<u128>, CountError> {
    with_engine(game, Count { kind, moves, settings })
}

struct Count<'a> {
    kind: CountKind,
    moves: usize,
    settings: CountOptions<'a>,
}

impl EngineVisitor for Count<'_> {
    type Output = Result<Vec<u128>, CountError>;

    fn visit<E: Engine>(self, engine: &E) -> Self::Output {
        let position = engine.position();
        match self.kind {
            CountKind::Classes => classes::count(&position, self.moves, self.settings),
            CountKind::Positions => positions::count(&position, self.moves, self.settings),
            CountKind::Sequences => sequences::count(&position, self.moves, self.settings),
        }
    }
}

/// Why a count could not be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CountError {
    /// A game leaves the grid, so the count would be too small.
    #[error("after {moves} moves a game can leave the grid, so the count would be too small")]
    OffGrid {
        /// The number of moves after which it happens.
        moves: usize,
    },
    /// The tables would be too large.
    #[error(
        "the table of {classes} positions after {moves} moves needs about {needed} bytes; \
         the limit is {limit}"
    )]
    Memory {
        /// The number of moves after which it happens.
        moves: usize,
        /// The number of positions.
        classes: u128,
        /// The number of bytes.
        needed: u128,
        /// The limit given.
        limit: u64,
    },
    /// A count beyond 2^128.
    #[error("the number of sequences of {moves} moves is beyond 2^128")]
    Overflow {
        /// The number of moves after which it happens.
        moves: usize,
    },
}
