//! The judge.
//!
//! What is claimed elsewhere is decided here: [`judge`] replays a game file move by move, [`order`]
//! finds out whether a drawing without an order can be played at all, [`check`] goes through a
//! proof. A [`VerifiedGame`] or a [`Proof`] comes from nowhere else, so code that holds one need
//! not ask again.
//!
//! The judge shares no code with the players, to inherit no mistake of theirs: it reads the bytes
//! an outsider would read, in the native format only (`docs/formats.md`), and has its own plain
//! rules. Converting other formats is `record`'s work, playing fast is that of `rules`.
#![forbid(unsafe_code)]

mod board;
mod bound;
mod boxes;
mod caps;
mod cover;
mod drawing;
mod endless;
mod game;
mod grid;
mod hull;
mod json;
mod net;
mod proof;
mod read;
mod refusal;
mod rules;
mod start;
mod tree;

pub use bound::{Board, BoardBound, MAX_BOARD_DOTS};
pub use boxes::BoxBound;
pub use cover::GameBound;
pub use drawing::{Ordering, order};
pub use endless::EndlessGame;
pub use game::{VerifiedGame, judge};
pub use proof::{Proof, boxes_in_words, check, is_proof};
pub use read::{MAX_BYTES, MAX_DOTS, MAX_MOVES, ReadError, read};
pub use refusal::{Fault, Place, Refusal};
pub use rules::{Direction, LIMIT, Line, Move, Point, Rules};
pub use start::Start;
pub use tree::Optimum;
