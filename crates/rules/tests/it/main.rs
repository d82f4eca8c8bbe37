//! The integration tests, in one program.

extern crate morpion_rules as rules;

mod counts;
mod line_boards;
mod positions;
mod symmetric;
