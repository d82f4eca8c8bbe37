//! The integration tests, in one program.

extern crate morpion_hunt as hunt;

mod resume;
