//! The archive: games and proofs that the verifier has accepted, and the work under way.
//!
//! An [`Archive`] is a folder: a SQLite database and, beside it, files named by their content. A
//! game enters only as a [`evidence::VerifiedRecord`] and a proof only as a
//! [`evidence::VerifiedProof`], which only the verifier can make from a file. Everything stored has
//! a checksum, so that [`Archive::audit`] finds what a disk has damaged. Many processes may use an
//! archive at once, and any of them may be killed at any moment. Searching for games is left to
//! other crates.
//!
//! ```
//! # extern crate morpion_store as store;
//! use store::{Archive, GameFilter, Insertion};
//!
//! let folder = tempfile::tempdir()?;
//! let mut archive = Archive::open_or_create(folder.path())?;
//! let text = r#"{"format":"morpion-game/1","rules":"5T","start":"cross",
//!     "moves":[{"new":[7,0],"line":[[3,0],"E"]}]}"#;
//! let game = evidence::VerifiedRecord::parse(text)?;
//! assert_eq!(archive.add_game(&game, "by hand")?, Insertion::New);
//! assert_eq!(archive.add_game(&game, "again")?, Insertion::Duplicate);
//! assert_eq!(archive.games(&GameFilter::default())?[0].score, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod archive;
mod audit;
mod chain;
mod checkpoints;
mod drafts;
mod embedded;
mod error;
pub mod files;
mod games;
mod ledger;
mod proofs;
mod schema;

pub use archive::{Archive, Lock, now_millis};
pub use audit::{ArchiveAudit, Damage, Item};
pub use checkpoints::Checkpoints;
pub use drafts::{Draft, Drafts};
pub use embedded::{EmbeddedCoordinator, EmbeddedWorker, RunningTask};
pub use error::StoreError;
pub use games::{Discovery, Finder, GameEntry, GameFilter, Insertion, StoredGame};
pub use ledger::{
    AcceptedResult, Completion, FailureEvent, FailureRecord, QUARANTINE, RetryLimits, RunEntry,
    RunState, TaskCounts, TaskEntry, TaskFailure, TaskState,
};
pub use proofs::{ProofEntry, ProofFilter, StoredProof};
