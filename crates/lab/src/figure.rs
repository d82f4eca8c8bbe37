//! Pictures of results.

#[cfg(feature = "learn")]
pub mod curve;
mod hull;
mod lp;

pub use api::figure::{gadget_figure, pattern_figure};
pub use hull::hull;
pub use lp::shades;
