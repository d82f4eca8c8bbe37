//! The integration tests, in one program.

extern crate morpion_search as search;

mod resume;
mod symmetric;
