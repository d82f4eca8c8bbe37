//! Limits on requests.

use std::time::Duration;

/// The longest search for a hint.
pub(crate) const HINT_TIME: Duration = Duration::from_secs(30);

/// The limits of a server; the defaults suit a small group.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Timeout for request headers and idle connections.
    pub head_time: Duration,
    /// Timeout for a request body.
    pub body_time: Duration,
    /// Maximum bytes of a body.
    pub body_bytes: usize,
    /// Maximum bytes of a proof that is sent to be verified, compressed or not.
    pub proof_bytes: usize,
    /// Maximum bodies of more than 256 KiB that are held at once; others wait.
    pub large_bodies: usize,
    /// Maximum concurrent connections.
    pub connections: usize,
    /// Maximum concurrent event streams.
    pub streams: usize,
    /// Requests per second and address, on average.
    pub rate: u32,
    /// Maximum concurrent hunts.
    pub running: usize,
    /// Maximum hunts remembered; the oldest finished one is forgotten first.
    pub remembered: usize,
    /// How long pending requests may take when the server stops.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            head_time: Duration::from_secs(10),
            body_time: Duration::from_secs(10),
            body_bytes: 8 << 20,
            proof_bytes: 24 << 20,
            large_bodies: 4,
            connections: 1024,
            streams: 256,
            rate: 2000,
            running: 4,
            remembered: 64,
            grace: Duration::from_secs(3),
        }
    }
}
