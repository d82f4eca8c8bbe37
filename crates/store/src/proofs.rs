//! Proofs in the archive: the claim of each is a row, its text a file.

use evidence::seal::seal;
use evidence::{Id, ProofKind, Subject, VerifiedProof, game_key};
use geometry::Game;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::archive::{compressed, now};
use crate::files::Files;
use crate::games::{Insertion, by_digits};
use crate::{Archive, StoreError, chain};

/// A proof in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct ProofEntry {
    /// Identifies it.
    pub id: Id,
    /// What it is about.
    pub kind: ProofKind,
    /// The game.
    pub game: String,
    /// The board, if it is about one, after `exact ` if games must reach all its sides.
    pub board: Option<String>,
    /// The upper bound; -1 if there is no such game.
    pub bound: Option<i64>,
    /// What is proven.
    pub claim: String,
    /// How it entered the archive.
    pub origin: String,
    /// When it was added, in seconds since 1970.
    pub added: i64,
    /// The name of its file.
    pub(crate) file: String,
}

/// A proof with its text.
#[derive(Debug, Clone)]
pub struct StoredProof {
    /// Its entry in a list.
    pub entry: ProofEntry,
    /// The text, as it was verified when it was added.
    pub text: String,
    /// The text compressed with gzip, as it is stored.
    pub file: Vec<u8>,
}

/// Selects proofs; by default, all.
#[derive(Debug, Clone, Default)]
pub struct ProofFilter {
    /// Only about this game.
    pub game: Option<Game>,
    /// Only of this kind.
    pub kind: Option<ProofKind>,
    /// At most this many.
    pub limit: Option<u32>,
}

impl Archive {
    /// Adds a proof; `origin` says how it entered the archive.
    pub fn add_proof(
        &mut self,
        proof: &VerifiedProof,
        origin: &str,
    ) -> Result<Insertion, StoreError> {
        let file = store_text(&self.files, proof)?;
        let change = self.change()?;
        let (_, added) = add(&change, proof, &file, origin)?;
        chain::extend(&change)?;
        change.commit()?;
        Ok(added)
    }

    /// The selected proofs: for each game and board, the smallest bound first.
    pub fn proofs(&self, filter: &ProofFilter) -> Result<Vec<ProofEntry>, StoreError> {
        let sql =
            "SELECT number, id, kind, game, board, bound, claim, origin, added, file FROM proofs
                   WHERE (?1 IS NULL OR game = ?1) AND (?2 IS NULL OR kind = ?2)
                   ORDER BY game, kind DESC, board, bound, number LIMIT ?3";
        let mut statement = self.connection.prepare_cached(sql)?;
        let selected = params![
            filter.game.as_ref().map(game_key),
            filter.kind.map(ProofKind::name),
            filter.limit.map_or(-1, i64::from)
        ];
        let rows = statement.query_map(selected, entry)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The proof whose id starts with these digits.
    pub fn proof(&self, digits: &str) -> Result<StoredProof, StoreError> {
        let number = by_digits(&self.connection, "proofs", digits)?;
        self.proof_at(number)
    }

    /// The proof of a row, if it is undamaged.
    pub(crate) fn proof_at(&self, number: i64) -> Result<StoredProof, StoreError> {
        let sql = "SELECT number, id, kind, game, board, bound, claim, origin, added, file, seal
                   FROM proofs WHERE number = ?1";
        let row = |row: &Row<'_>| Ok((entry(row)?, row.get::<_, Vec<u8>>(10)?));
        let (entry, sealed) = self.connection.query_row(sql, [number], row)?;
        let damaged = |reason: String| StoreError::Damaged {
            what: format!("the proof {} ({})", entry.id, entry.claim),
            reason,
        };
        if sealed != seal_of(&entry) {
            return Err(damaged("its checksum is wrong".to_owned()));
        }
        let file = self.files.read(&entry.file).map_err(|error| damaged(error.to_string()))?;
        let text = verify::read(&file[..]).map_err(|error| damaged(error.to_string()))?;
        Ok(StoredProof { entry, text, file })
    }
}

/// Stores the text of a proof in a file and returns its name.
pub(crate) fn store_text(files: &Files, proof: &VerifiedProof) -> Result<String, StoreError> {
    files.add(&compressed(proof.text()))
}

/// Adds a proof within a transaction, and returns its row.
pub(crate) fn add(
    connection: &Connection,
    proof: &VerifiedProof,
    file: &str,
    origin: &str,
) -> Result<(i64, Insertion), StoreError> {
    let old = connection
        .prepare_cached("SELECT number FROM proofs WHERE id = ?1")?
        .query_row([proof.id().as_str()], |row| row.get(0))
        .optional()?;
    if let Some(number) = old {
        return Ok((number, Insertion::Duplicate));
    }
    let entry = entry_of(proof, file, origin);
    let sealed = seal_of(&entry);
    let ProofEntry { id, kind, game, board, bound, claim, origin, added, file } = entry;
    let kind = kind.name();
    connection
        .prepare_cached(
            "INSERT INTO proofs (id, kind, game, board, bound, claim, origin, added, file, seal)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(params![
            id.as_str(),
            kind,
            game,
            board,
            bound,
            claim,
            origin,
            added,
            file,
            sealed
        ])?;
    Ok((connection.last_insert_rowid(), Insertion::New))
}

/// The entry of a proof.
pub(crate) fn entry_of(proof: &VerifiedProof, file: &str, origin: &str) -> ProofEntry {
    let Subject { kind, game, board, bound } = proof.subject().clone();
    ProofEntry {
        id: proof.id(),
        kind,
        game: game_key(&game),
        board,
        bound,
        claim: proof.to_string(),
        origin: origin.to_owned(),
        added: now(),
        file: file.to_owned(),
    }
}

/// The columns `number, id, kind, game, board, bound, claim, origin, added, file` as an entry.
fn entry(row: &Row<'_>) -> rusqlite::Result<ProofEntry> {
    let kind: String = row.get(2)?;
    let kind = ProofKind::ALL.into_iter().find(|known| known.name() == kind);
    Ok(ProofEntry {
        id: Id::from_stored(row.get(1)?),
        kind: kind.ok_or(rusqlite::Error::InvalidQuery)?,
        game: row.get(3)?,
        board: row.get(4)?,
        bound: row.get(5)?,
        claim: row.get(6)?,
        origin: row.get(7)?,
        added: row.get(8)?,
        file: row.get(9)?,
    })
}

fn seal_of(entry: &ProofEntry) -> [u8; 32] {
    let ProofEntry { id, kind, game, board, bound, claim, origin, added, file } = entry;
    let numbers = format!("{bound:?} {added}");
    let board = board.as_deref().unwrap_or_default();
    let texts = [id.as_str(), kind.name(), game, board, claim, origin, file, &numbers];
    seal(&texts.map(str::as_bytes))
}
