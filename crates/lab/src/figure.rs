//! Pictures of results.

mod hull;
mod lp;

pub use hull::hull;
pub use lp::shades;
