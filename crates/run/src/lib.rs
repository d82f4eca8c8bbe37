//! From a wish to a result: threads, chance split from one seed, and the judge at the end.
//!
//! A [`Hunt`] runs a search on several threads and gives back a [`Find`], which holds a game that
//! the judge has replayed. An [`experiment`] is many of them, kept in a file and put beside what was
//! published. How to look for games is `search`'s matter; this room has no algorithms.

pub mod experiment;
mod hunt;

pub use hunt::{Find, Hunt, HuntError, Watcher, hunt};
