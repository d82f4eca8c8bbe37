//! Verifying everything in the archive again.

use std::fmt;

use crate::games::GameEntry;
use crate::proofs::{ProofEntry, entry_of};
use crate::{Archive, StoreError, StoredGame, StoredProof, chain, schema};
use evidence::{Id, VerifiedProof, VerifiedRecord, VerifyError, game_key};

/// What can be damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// The database itself.
    Database,
    /// A game.
    Game,
    /// A proof.
    Proof,
}

impl Item {
    /// `database`, `game` or `proof`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Database => "database",
            Self::Game => "game",
            Self::Proof => "proof",
        }
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Something that was found to be damaged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// What it is.
    pub item: Item,
    /// What is wrong with it.
    pub reason: String,
}

/// What was verified, and what was found to be damaged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArchiveAudit {
    /// The number of games.
    pub games: usize,
    /// The number of proofs.
    pub proofs: usize,
    /// What is damaged.
    pub damages: Vec<Damage>,
    /// The proofs that are as they were written, in a version of their format that an earlier
    /// program verified and this one does not read.
    pub outdated: Vec<Id>,
}

impl Archive {
    /// Verifies every game and every proof again, and compares the results with the database.
    ///
    /// `on_progress` is called before each with the number done and the number of all.
    pub fn audit(
        &self,
        mut on_progress: impl FnMut(usize, usize),
    ) -> Result<ArchiveAudit, StoreError> {
        let mut audit = ArchiveAudit::default();
        let ArchiveAudit { damages, outdated, .. } = &mut audit;
        let mut damage = |item, reason| damages.push(Damage { item, reason });
        for line in self.database_faults() {
            damage(Item::Database, line);
        }
        let games = self.numbers("games").unwrap_or_else(|error| {
            damage(Item::Database, error.to_string());
            Vec::new()
        });
        let proofs = self.numbers("proofs").unwrap_or_else(|error| {
            damage(Item::Database, error.to_string());
            Vec::new()
        });
        let all = games.len() + proofs.len();
        for (done, &number) in games.iter().enumerate() {
            on_progress(done, all);
            if let Err(fault) = self.audit_game(number) {
                damage(Item::Game, fault.to_string());
            }
        }
        for (done, &number) in proofs.iter().enumerate() {
            on_progress(games.len() + done, all);
            match self.audit_proof(number) {
                Ok(()) => {}
                Err(Fault::Outdated { id }) => outdated.push(id),
                Err(fault) => damage(Item::Proof, fault.to_string()),
            }
        }
        (audit.games, audit.proofs) = (games.len(), proofs.len());
        Ok(audit)
    }

    /// What SQLite itself finds wrong, what the schema should not have, and what is missing.
    fn database_faults(&self) -> Vec<String> {
        let lines = || -> rusqlite::Result<Vec<String>> {
            let mut statement = self.connection.prepare("PRAGMA integrity_check")?;
            let lines = statement.query_map([], |row| row.get(0))?;
            lines.collect()
        };
        let mut faults = match lines() {
            Ok(lines) => lines.into_iter().filter(|line| line != "ok").collect(),
            Err(error) => vec![error.to_string()],
        };
        let found = [
            schema::faults(&self.connection),
            chain::faults(&self.connection),
            self.dangling_rows(),
        ];
        for found in found {
            faults.extend(found.unwrap_or_else(|error| vec![error.to_string()]));
        }
        faults
    }

    /// Rows that refer to others which are not there.
    fn dangling_rows(&self) -> Result<Vec<String>, StoreError> {
        let mut statement = self.connection.prepare("PRAGMA foreign_key_check")?;
        let rows = statement.query_map([], |row| {
            let (table, to): (String, String) = (row.get(0)?, row.get(2)?);
            Ok(format!("a row of {table} belongs to a row of {to} that is gone"))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn numbers(&self, table: &str) -> rusqlite::Result<Vec<i64>> {
        let sql = format!("SELECT number FROM {table} ORDER BY number");
        let mut statement = self.connection.prepare(&sql)?;
        statement.query_map([], |row| row.get(0))?.collect()
    }

    fn audit_game(&self, number: i64) -> Result<(), Fault> {
        let StoredGame { entry, text, .. } =
            self.game_at(number).map_err(Fault::read(Item::Game, number))?;
        let GameEntry { id, game, score, left, .. } = &entry;
        let verified = VerifiedRecord::parse(&text).map_err(Fault::refused(Item::Game, id))?;
        let is_same = verified.id() == *id
            && game_key(verified.game()) == *game
            && (verified.score(), verified.remaining_moves()) == (*score, *left);
        Fault::unless(is_same, Item::Game, id)
    }

    fn audit_proof(&self, number: i64) -> Result<(), Fault> {
        let StoredProof { entry, text, .. } =
            self.proof_at(number).map_err(Fault::read(Item::Proof, number))?;
        if Id::from_text(&text) == entry.id && is_outdated(&text) {
            return Err(Fault::Outdated { id: entry.id });
        }
        let proof = VerifiedProof::new(text).map_err(Fault::refused(Item::Proof, &entry.id))?;
        let again = entry_of(&proof, &entry.file, &entry.origin);
        let is_same = ProofEntry { added: entry.added, ..again } == entry;
        Fault::unless(is_same, Item::Proof, &entry.id)
    }
}

/// Whether a text names a proof format, or a version of one, that is no longer read.
fn is_outdated(text: &str) -> bool {
    let version = text.lines().next().unwrap_or_default();
    let is_read = || verify::FORMATS.iter().any(|format| format.versions.contains(&version));
    version.starts_with("morpion-") && !is_read()
}

/// What is wrong with a game or a proof.
#[derive(Debug, thiserror::Error)]
enum Fault {
    /// It is not what was written.
    #[error("{what} {reason}")]
    Damaged { what: String, reason: String },
    /// It cannot be read.
    #[error("{item} number {number}: {source}")]
    Unreadable { item: Item, number: i64, source: StoreError },
    /// The verifier refuses it.
    #[error("the {item} {id}: {source}")]
    Refused { item: Item, id: Id, source: VerifyError },
    /// It is as it was written, but in a version that is no longer read.
    #[error("the proof {id} is in a format that this program does not read")]
    Outdated { id: Id },
    /// It is legal, but something else.
    #[error("the {item} {id} is not what the database says")]
    Mismatch { item: Item, id: Id },
}

impl Fault {
    fn read(item: Item, number: i64) -> impl FnOnce(StoreError) -> Self {
        move |error| match error {
            StoreError::Damaged { what, reason } => Self::Damaged { what, reason },
            source => Self::Unreadable { item, number, source },
        }
    }

    fn refused(item: Item, id: &Id) -> impl FnOnce(VerifyError) -> Self {
        let id = id.clone();
        move |source| Self::Refused { item, id, source }
    }

    fn unless(is_same: bool, item: Item, id: &Id) -> Result<(), Self> {
        if is_same { Ok(()) } else { Err(Self::Mismatch { item, id: id.clone() }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_of_an_earlier_version_is_outdated() {
        for text in ["morpion-cover/2\nrules 5T\n", "morpion-hull/1\n", "morpion-extents/1"] {
            assert!(is_outdated(text), "{text}");
        }
        for text in ["morpion-cover/5\nrules 5T\n", "morpion-caps/1\n", "{}", ""] {
            assert!(!is_outdated(text), "{text}");
        }
    }
}
