//! How much of anything a client may ask for.

use std::time::Duration;

/// The most moves of a game that is played on a page.
pub(crate) const PLAYED_MOVES: usize = 10_000;
/// The most moves, or lines, of a game that is checked or drawn.
pub(crate) const CHECKED_MOVES: usize = 100_000;
/// The most dots of a start.
pub(crate) const DOTS: usize = 20_000;
/// The most variables, and the most clauses, of a formula.
pub(crate) const FORMULA: usize = 40;
/// The longest search for a hint.
pub(crate) const HINT_TIME: Duration = Duration::from_secs(30);

/// What a server bears; the defaults suit one person and their friends.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// How long the head of a request may take to arrive, and an idle connection to be used again.
    pub head_time: Duration,
    /// How long its body may take.
    pub body_time: Duration,
    /// The most bytes of a body.
    pub body_bytes: usize,
    /// The most connections at once.
    pub connections: usize,
    /// The most event streams at once.
    pub streams: usize,
    /// How many requests an address may make in a second, on average.
    pub rate: u32,
    /// How many hunts may run at once.
    pub running: usize,
    /// How many hunts are remembered; the oldest that has ended goes first.
    pub remembered: usize,
    /// How long requests that are being answered may take to end when the server stops.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            head_time: Duration::from_secs(10),
            body_time: Duration::from_secs(10),
            body_bytes: 8 << 20,
            connections: 1024,
            streams: 256,
            rate: 2000,
            running: 4,
            remembered: 64,
            grace: Duration::from_secs(3),
        }
    }
}
