//! How much of anything a file may hold.
//!
//! Whatever lies beyond is refused with the reason, so that hostile bytes cost no more time and
//! memory than a large honest file.

pub use geometry::COORDINATE_LIMIT;
use geometry::Start;

/// The most bytes of a file.
pub const BYTES: usize = 128 << 20;

/// The most bytes that a compact MSR file may inflate to.
pub const INFLATED_BYTES: usize = 16 << 20;

/// The most moves of a game, or lines of a drawing.
pub const MOVES: usize = 2_000_000;

/// The most dots of a start.
pub const DOTS: usize = Start::MAX_DOTS;

/// The most values, nested ones included, in a file's provenance.
pub const PROVENANCE_VALUES: usize = 65_536;
