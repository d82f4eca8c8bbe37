//! The integration tests, in one program.

extern crate morpion_solver as solver;

mod highs;
