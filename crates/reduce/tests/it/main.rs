//! The integration tests, in one program.

extern crate morpion_reduce as reduce;

mod common;
mod disorder;
mod mutations;
mod truth;
