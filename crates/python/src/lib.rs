//! The Python package `morpion`, as the extension module `morpion._core`.
//!
//! Classes for positions, records, searches and environments, and the questions of `api`. Long work
//! runs on a thread of its own while Python's other threads go on. The layer in Python
//! (`python/morpion`) adds results as dataclasses, the exceptions and Gymnasium. Rules, verdicts
//! and messages are those of the crates below.

// What the macros of PyO3 expand to; there is no unsafe block here.
#![allow(unsafe_code)]
// Tuples are what Python unpacks.
#![allow(clippy::type_complexity)]

mod environment;
mod error;
mod game;
mod moves;
mod position;
mod questions;
mod record;
mod reduction;
mod search;
mod source;
mod wait;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::environment::VectorEnvironment;
    #[pymodule_export]
    use crate::moves::Move;
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::questions::{bound, count, endgame, methods, order, proof, records, verify};
    #[pymodule_export]
    use crate::record::Record;
    #[pymodule_export]
    use crate::reduction::Reduction;
    #[pymodule_export]
    use crate::search::Search;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("PROGRAM", ::record::PROGRAM)
    }
}
