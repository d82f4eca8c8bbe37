//! What the program does with its libraries: plans and workers, searches for proofs, known results,
//! pictures of results, and what the doors show. No algorithms, no printing.

pub mod figure;
pub mod jobs;
pub mod known;
pub mod parts;
pub mod prove;
pub mod solver_path;
mod text;
pub mod view;

pub use text::{BadDuration, parse_duration};
