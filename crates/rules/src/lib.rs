//! What is legal in Morpion Solitaire.
//!
//! A [`Position`] can only be reached by legal play, so nothing downstream checks again. Every game
//! has two kinds of [`Engine`]: [`PlainEngine`] plays any rules from any start and is written to be
//! read; [`BitEngine`] plays lines of 4 and 5 from the cross and is written to be fast. Tests hold
//! them equal, move for move. [`with_engine`] picks the faster one that fits.
//!
//! Reading and writing games is left to `record`, choosing moves to `search`. Nothing here is
//! random: whoever plays at random passes the random numbers in.
//!
//! ```
//! use geometry::Game;
//! use morpion_rules::{PlainPosition, Position};
//!
//! let mut position = PlainPosition::start(Game::named("5T")?);
//! assert_eq!(position.legal().len(), 28);
//! let first = position.legal()[0];
//! position.play(first)?;
//! assert_eq!(position.score(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bits;
pub mod count;
mod engine;
mod line_board;
mod plain_line_board;
mod plain_position;
mod playout;
mod policy_rollout;
mod position;
mod replay;
mod symmetric_line_board;
mod walk;

pub use bits::{
    BitLineBoard, BitLineSet, BitPlayout, BitPolicyRollout, BitPosition, BitStep, BitWalk, Code,
};
pub use engine::{BitEngine, Engine, EngineVisitor, PlainEngine, with_engine, with_engine_after};
pub use line_board::{LineBoard, LineSet};
pub use plain_line_board::PlainLineBoard;
pub use plain_position::PlainPosition;
pub use playout::{PlainPlayout, Playout};
pub use policy_rollout::{LegalSpan, PlainPolicyRollout, PolicyRollout};
pub use position::{IllegalMove, IllegalSequence, Position};
pub use replay::{Replay, replay};
pub use symmetric_line_board::SymmetricLineBoard;
pub use walk::{AnnealingWalk, PlainWalk, Step};
