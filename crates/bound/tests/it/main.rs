//! The integration tests, in one program.

extern crate morpion_bound as bound;

mod caps;
mod common;
mod cover;
mod extents;
mod formulas;
mod hulls;
mod models;
mod mutations;
mod ranges;
mod trees;
