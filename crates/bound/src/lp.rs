//! Linear programs solved in floats and made into certificates in integers.

mod certify;
mod programs;

pub use certify::{NoCertificate, certify};
pub use programs::{NoSolution, Programs};
