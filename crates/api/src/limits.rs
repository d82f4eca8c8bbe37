//! Limits on questions.

/// The most moves of a game that is played on a page.
pub const PLAYED_MOVES: usize = 10_000;
/// The most moves, or lines, of a game that is verified or drawn.
pub const VERIFIED_MOVES: usize = 100_000;
/// The most dots of a start.
pub const DOTS: usize = 20_000;
/// The most variables, and the most clauses, of a formula.
pub const FORMULA: usize = 40;
