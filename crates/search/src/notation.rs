//! Moves and lines in saved searches, in the compact form of `record`.

pub(crate) use record::CompactLines as LineList;
pub use record::CompactMoves as MoveList;
