//! The integration tests, in one program.

extern crate morpion_store as store;

mod archive;
