//! The integration tests, in one program.

extern crate morpion_bound as bound;

mod caps;
mod common;
mod cover;
mod formulas;
mod hulls;
mod models;
mod mutations;
mod trees;
