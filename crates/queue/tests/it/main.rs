//! The integration tests, in one program.

extern crate morpion_queue as queue;

mod common;
mod laws;
mod servers;
#[path = "common/until.rs"]
mod until;
