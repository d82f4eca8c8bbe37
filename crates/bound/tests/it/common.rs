//! What the tests share.

use std::path::Path;

use solver::Solver;

/// The solver, from where `scripts/solver` puts it.
pub(crate) fn solver() -> Solver {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../solver/libhighs.so.1");
    Solver::open(&file).unwrap_or_else(|error| panic!("{error}; run scripts/solver first"))
}
