//! Files of any kind into the archive.

use std::path::Path;

use evidence::{AnyCheck, AnyError, FileCheck, VerifiedProof, VerifyError, verify_any};
use geometry::Game;
use store::{Archive, Insertion, StoreError};

use crate::alignment;
use crate::files::{self, FileError};

/// What became of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Import {
    /// It is in the archive.
    Added {
        /// Whether it is new there.
        added: Insertion,
        /// Its id there.
        id: String,
        /// The game or the claim, in one line.
        what: String,
        /// The game that was assumed, if neither the file nor the caller named one.
        guessed: Option<Game>,
    },
    /// The verifier refuses it.
    Refused(String),
}

/// Why a file could not be imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is neither a game nor a proof.
    #[error(transparent)]
    Unreadable(#[from] AnyError),
    /// The archive cannot take it.
    #[error("cannot be added")]
    Store(#[from] StoreError),
}

/// Verifies a game or a proof and adds it to the archive; `game` is what the caller knows of it.
pub fn import(
    archive: &mut Archive,
    file: &Path,
    game: Option<&Game>,
) -> Result<Import, ImportError> {
    let origin = format!("imported from {}", files::name(file));
    let bytes = files::read(file)?;
    if let Ok(text) = verify::read(&bytes[..])
        && verify::is_proof(&text)
    {
        let proof = match VerifiedProof::new(text) {
            Ok(proof) => proof,
            Err(no) => return Ok(Import::Refused(no.to_string())),
        };
        let added = archive.add_proof(&proof, &origin)?;
        let (id, what) = (proof.id().to_string(), proof.to_string());
        return Ok(Import::Added { added, id, what, guessed: None });
    }
    let FileCheck { record, verdict, guessed, .. } = match verify_any(&bytes, game)? {
        AnyCheck::Game(check) => *check,
        AnyCheck::Proof(_) => unreachable!("proofs were added above"),
    };
    let verified = match verdict {
        Ok(verified) => verified,
        Err(refusal) => {
            let hint = record.ok().as_ref().and_then(alignment::hint);
            let hint = hint.map_or_else(String::new, |hint| format!("; {hint}"));
            return Ok(Import::Refused(format!("{}{hint}", VerifyError::from(refusal))));
        }
    };
    if let Err(error) = record {
        return Ok(Import::Refused(error.to_string()));
    }
    let added = archive.add_game(&verified, &origin)?;
    let (id, what) = (verified.id().to_string(), verified.to_string());
    Ok(Import::Added { added, id, what, guessed })
}
