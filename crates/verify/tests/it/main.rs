//! The integration tests, in one program.

extern crate morpion_verify as verify;

mod bounds;
mod budget;
mod common;
mod covers;
mod endless;
mod files;
mod laws;
mod mutations;
mod program;
mod schema;
