//! Pictures of results.

mod lp;

pub use lp::shades;
