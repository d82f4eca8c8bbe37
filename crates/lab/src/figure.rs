//! Pictures of results.

#[cfg(feature = "learn")]
pub mod curve;
mod hull;
mod lp;
mod reduction;

pub use hull::hull;
pub use lp::shades;
pub use reduction::{gadget_figure, pattern_figure};
