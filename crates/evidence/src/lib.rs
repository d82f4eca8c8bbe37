//! Files brought before the verifier, and what it accepted as evidence in types.
//!
//! A [`VerifiedRecord`] is a game that the verifier has replayed, a [`VerifiedProof`] a proof that
//! it has found valid; nothing else makes one, so a game is verified once on its way.
//! [`verify_file`] takes a file in any format of `record`. [`Id`] identifies games up to symmetry.
//! Here, and only here, the verifier's own types become those of `geometry`. Storing things is the
//! work of `store`.
//!
//! ```
//! use morpion_evidence::{VerifiedRecord, verify_file};
//!
//! let check = verify_file(b"5T\n3,0 7,0\n", None)?;
//! let game = check.verdict.expect("a legal game");
//! assert_eq!(game.to_string(), "5T, 1 move, 26 legal moves remain");
//! assert_eq!(game.record().claims.terminal, Some(false));
//!
//! // The record can be verified again, and is the same game.
//! let again = VerifiedRecord::new(game.record().clone()).expect("still legal");
//! assert_eq!(again.id(), game.id());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod convert;
mod file;
mod game;
mod identity;
mod proof;
pub mod seal;

pub use file::{AnyCheck, AnyError, FileCheck, NativeFile, missing_dots, verify_any, verify_file};
pub use game::{GameOrder, VerifiedRecord, VerifyError};
pub use identity::{Id, game_key};
pub use proof::{ProofKind, Subject, VerifiedProof, game_of};
pub use verify::Refusal;
