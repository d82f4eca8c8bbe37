//! The integration tests, in one program.

extern crate morpion_record as record;

mod bomb;
mod common;
mod hostile;
mod round_trips;
