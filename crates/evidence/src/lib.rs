//! Any file brought before the verifier, and what it accepted as evidence in types.
//!
//! [`file`] makes files of any format ready for the verifier; a [`JudgedGame`] and a [`CheckedProof`] are
//! what it accepted; [`Id`] says when two games are the same. No disks here.

pub mod file;
mod identity;
pub mod seal;
mod verified;

pub use identity::{Id, game_key};
pub use verified::{CheckedProof, JudgedGame, NotAccepted, ProofKind, Subject, moves};
