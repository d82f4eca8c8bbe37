//! Proof drivers: the algorithms of `bound` on threads, with files and the verifier at the end.
//!
//! There is one module for each kind of proof. Each stores what it finds in a folder as soon as it
//! is found and resumes from there. Progress goes to a callback, which may ask to stop. A proof is
//! written only after the verifier has accepted it.

pub mod board;
pub mod boxes;
pub mod branch;
pub mod caps;
pub mod continuation;
pub mod cover;
pub mod endless;
pub mod enumeration;
pub mod extents;
mod steps;

use std::path::{Path, PathBuf};

use bound::branch::BranchError;
use bound::lp::LpError;
use bound::{FamilyError, ProblemError};
use verify::{ProvenClaim, ReadError, Refusal, verify_proof};

use crate::files;
use crate::parts::PartsError;

/// A proof that the verifier has accepted.
#[derive(Debug, Clone)]
pub struct ProofFile {
    /// What it proves.
    pub proven: ProvenClaim,
    /// Where it was written, if anywhere.
    pub file: Option<PathBuf>,
    /// The size of the file.
    pub bytes: usize,
}

/// Verifies a proof and writes it to a file.
fn verify_and_write(bytes: &[u8], file: Option<PathBuf>) -> Result<ProofFile, ProveError> {
    let proven = verify_bytes(bytes)?;
    if let Some(file) = &file {
        write(file, bytes)?;
    }
    Ok(ProofFile { proven, file, bytes: bytes.len() })
}

/// Verifies the bytes of a proof.
fn verify_bytes(bytes: &[u8]) -> Result<ProvenClaim, ProveError> {
    let text = verify::read(bytes).map_err(ProveError::Read)?;
    verify_proof(&text).map_err(ProveError::Refused)
}

/// Writes a file that is there completely or not at all.
fn write(file: &Path, bytes: &[u8]) -> Result<(), ProveError> {
    store::files::write_atomic(file, bytes).map_err(file_error(file, "cannot write "))
}

/// Reads a file.
fn read(file: &Path) -> Result<Vec<u8>, ProveError> {
    std::fs::read(file).map_err(file_error(file, ""))
}

/// Creates a folder, with those around it.
fn create_folder(folder: &Path) -> Result<(), ProveError> {
    Ok(files::create_folder(folder)?)
}

fn file_error<'a>(
    file: &'a Path,
    what: &'static str,
) -> impl FnOnce(std::io::Error) -> ProveError + 'a {
    move |source| ProveError::File { file: format!("{what}{}", files::name(file)), source }
}

/// Why there is no proof. What was found on the way is stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProveError {
    /// No family of hulls is known for the game.
    #[error(transparent)]
    Family(#[from] FamilyError),
    /// A board has no linear program.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// A linear program has no usable solution.
    #[error(transparent)]
    Lp(#[from] LpError),
    /// A tree is not found.
    #[error(transparent)]
    Branch(#[from] BranchError),
    /// A tree of a bound by extents is not found.
    #[error(transparent)]
    Extents(#[from] bound::extents::ExtentError),
    /// A range of hulls is not bounded.
    #[error(transparent)]
    SizeTree(#[from] bound::blocks::SizeTreeError),
    /// A game has no bound by extents.
    #[error(transparent)]
    ExtentCases(#[from] bound::extents::ExtentCasesError),
    /// A search for a game failed.
    #[error(transparent)]
    Hunt(#[from] hunt::HuntError),
    /// An exhaustive search failed.
    #[error(transparent)]
    Exhaustive(#[from] search::exhaustive::ExhaustiveError),
    /// Counting failed.
    #[error(transparent)]
    Count(#[from] rules::count::CountError),
    /// A game is longer than the target.
    #[error("--target {target}: there is a game of {moves} moves; aim for that or more")]
    Target {
        /// The target.
        target: u32,
        /// The length of the game.
        moves: usize,
    },
    /// Games extend too far for a proof by regions.
    #[error("{game}: games extend more than {reach} points beyond the start")]
    Reach {
        /// The game.
        game: String,
        /// The limit.
        reach: u32,
    },
    /// A board has no game, where one was expected.
    #[error("{board} holds no game")]
    NoGame {
        /// The board.
        board: String,
    },
    /// A folder cannot be created.
    #[error(transparent)]
    Folder(#[from] files::FileError),
    /// The verifier cannot read the proof.
    #[error("the verifier cannot read the proof")]
    Read(#[source] ReadError),
    /// The verifier does not accept the proof.
    #[error("the verifier refuses the proof")]
    Refused(#[source] Refusal),
    /// The steps of an earlier search belong to another one.
    #[error("{file}: {source}; remove the file to start over")]
    Steps {
        /// The file.
        file: String,
        /// Which step.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A file of an extent that no position has is damaged.
    #[error("{file} does not begin with `exit` and an extent; remove it")]
    Exit {
        /// The file.
        file: String,
    },
    /// A file cannot be read or written.
    #[error("{file}")]
    File {
        /// The file, and what was tried.
        file: String,
        /// What the system reports.
        #[source]
        source: std::io::Error,
    },
    /// Stored results cannot be used.
    #[error(transparent)]
    Parts(#[from] PartsError),
    /// The callback asked to stop.
    #[error("interrupted")]
    Interrupted,
}
