//! From a wish to a result: threads, chance split from one seed, and the judge at the end.
//!
//! A [`Hunt`] runs a search on several threads and gives back a [`Find`], which holds a game that
//! the judge has replayed. A [`SavedHunt`] is one that can go on later. An [`experiment`] is many
//! hunts, kept in a file and put beside what was published. [`tasks`] are done by many workers and
//! kept in an archive. [`judged`] makes files of any format ready for the judge; [`known`] is what there
//! is to compare with. How to look for games is `search`'s matter; this room has no algorithms.

mod certify;
pub mod cover;
mod dots;
mod duration;
pub mod experiment;
mod hunt;
pub mod judged;
pub mod known;
mod meetings;
pub mod methods;
mod programs;
mod saved;
pub mod scale;
mod shades;
pub mod survey;
pub mod tasks;

pub use certify::{NoCertificate, certify};
pub use duration::{BadDuration, parse_duration};
pub use hunt::{Find, Hunt, HuntError, Watcher, hunt, resume};
pub use programs::NoSolution;
pub use saved::{BadSave, SavedHunt, TooLarge};
pub use shades::shades;

/// This program and its version, as records and saved hunts name it.
pub const PROGRAM: &str = concat!("morpion ", env!("CARGO_PKG_VERSION"));
