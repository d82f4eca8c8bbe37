//! One search on several threads, checkpointed, to a verified game.

mod checkpoint;
pub mod dots;
mod exchange;
#[expect(clippy::module_inception, reason = "the subject of the crate")]
mod hunt;

pub use checkpoint::{BadSave, SavedHunt, TooLarge};
pub use hunt::{Find, Hunt, HuntError, Watcher, hunt, resume};

/// This program and its version, as records and checkpoints name it.
pub const PROGRAM: &str = concat!("morpion ", env!("CARGO_PKG_VERSION"));
