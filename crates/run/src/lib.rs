//! From a wish to a result: threads, chance split from one seed, and the judge at the end.
//!
//! A [`Hunt`] runs a search on several threads and gives back a [`Find`], which holds a game that
//! the judge has replayed. A [`SavedHunt`] is one that can go on later. An [`experiment`] is many
//! hunts, kept in a file and put beside what was published. How to look for games is `search`'s
//! matter; this room has no algorithms.

pub mod cover;
pub mod experiment;
mod hunt;
mod meetings;
mod programs;
mod saved;
pub mod survey;

pub use hunt::{Find, Hunt, HuntError, Watcher, hunt, resume};
pub use programs::NoSolution;
pub use saved::{BadSave, SavedHunt, TooLarge};

/// This program and its version, as records and saved hunts name it.
const PROGRAM: &str = concat!("morpion ", env!("CARGO_PKG_VERSION"));
