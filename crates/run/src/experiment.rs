//! x
mod conduct;
mod journal;
mod plan;
mod single;
pub mod statistics;
pub use conduct::*;
pub use journal::*;
pub use plan::*;
