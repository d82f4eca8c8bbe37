//! How many positions and sequences there are after each number of moves.
//!
//! A position is a set of lines; the order they were drawn in does not matter. Positions are
//! counted without any table, each exactly once ([`positions`](Kind::Positions)); classes under
//! the symmetries of the start follow from the positions that each symmetry leaves alone
//! ([`classes`](Kind::Classes)); only sequences need memory ([`sequences`](Kind::Sequences)).

mod census;
mod classes;
mod positions;
mod sequences;

use geometry::Game;

use crate::{Kit, Task, with_kit};

pub use census::below;
pub use classes::alike;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Positions that no symmetry of the start maps onto each other.
    Classes,
    /// Positions.
    Positions,
    /// Legal sequences of moves.
    Sequences,
}

/// How to count.
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// How many threads to use.
    pub threads: usize,
    /// How many bytes of memory the tables may take.
    pub memory: u64,
    /// Is told now and then how far the count is, from 0 to 1.
    pub progress: &'a (dyn Fn(f64) + Sync),
}

impl Settings<'static> {
    /// One thread, 1 GiB, no progress.
    pub const QUIET: Self = Self { threads: 1, memory: 1 << 30, progress: &|_| {} };
}

/// The counts after 0, 1, ..., `moves` moves.
pub fn count(
    game: &Game,
    kind: Kind,
    moves: usize,
    settings: Settings<'_>,
) -> Result<Vec<u128>, CountError> {
    with_kit(game, Count { kind, moves, settings })
}

struct Count<'a> {
    kind: Kind,
    moves: usize,
    settings: Settings<'a>,
}

impl Task for Count<'_> {
    type Output = Result<Vec<u128>, CountError>;

    fn run<K: Kit>(self, kit: &K) -> Self::Output {
        let board = kit.board();
        match self.kind {
            Kind::Classes => classes::count(&board, self.moves, self.settings),
            Kind::Positions => positions::count(&board, self.moves, self.settings),
            Kind::Sequences => sequences::count(&board, self.moves, self.settings),
        }
    }
}

/// Why a count could not be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CountError {
    /// A game ran off the board, so the count would be short.
    #[error("after {moves} moves a game can leave the board, so the count would be short")]
    OffBoard {
        /// After how many moves.
        moves: usize,
    },
    /// The tables would be too large.
    #[error(
        "the table of {classes} positions after {moves} moves needs about {needed} bytes; \
         the limit is {limit}"
    )]
    Memory {
        /// After how many moves.
        moves: usize,
        /// How many positions.
        classes: u128,
        /// How many bytes.
        needed: u128,
        /// The limit given.
        limit: u64,
    },
    /// A count beyond 2^128.
    #[error("the number of sequences of {moves} moves is beyond 2^128")]
    Overflow {
        /// After how many moves.
        moves: usize,
    },
}
