//! The integration tests, in one program.

extern crate morpion_rules as rules;

mod boards;
mod counts;
mod sheets;
