//! 3-SAT as a dot pattern.

pub mod exhaust;
pub mod gadget;
mod row;

pub use row::{DISJOINT, LENGTH, Row, TOUCHING};
