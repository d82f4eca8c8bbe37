//! The archive: what was found and proven, and the work that is under way, in one folder.
//!
//! An [`Archive`] is a SQLite database and, beside it, files that are named by their content. A game
//! enters only as a [`evidence::JudgedGame`] and a proof only as a [`evidence::CheckedProof`], which the judge alone can
//! make of a file; whatever is kept is sealed, so that [`Archive::check`] can name what a disk has
//! damaged. Many processes may use an archive at once, and any of them may be killed at any moment.
//! Looking for games is the work of others.

mod archive;
mod check;
mod drafts;
mod error;
mod files;
mod games;
mod ledger;
mod proofs;
pub mod queue;
mod schema;
mod states;

pub use archive::{Archive, Lead};
pub use check::{Checked, Damage, Item};
pub use drafts::{Draft, Drafts};
pub use error::StoreError;
pub use games::{Added, Find, GameEntry, GameFilter, StoredGame};
pub use ledger::{
    Accepted, Attempts, Completion, Counts, Event, Mishap, Run, RunState, TaskEntry, TaskState,
};
pub use proofs::{ProofEntry, ProofFilter, StoredProof};
pub use states::States;
