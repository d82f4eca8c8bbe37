//! Going through everything once more.

use crate::games::GameEntry;
use crate::proofs::{ProofEntry, entry_of};
use crate::{Archive, CheckedProof, JudgedGame, StoreError, StoredGame, StoredProof, game_key};

/// Something that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// The database as such.
    Database,
    /// A game.
    Game,
    /// A proof.
    Proof,
}

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// What kind of thing.
    pub item: Item,
    /// What is wrong with what, in words.
    pub reason: String,
}

/// How much was gone through, and what was found to be damaged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checked {
    /// How many games.
    pub games: usize,
    /// How many proofs.
    pub proofs: usize,
    /// What is damaged.
    pub damages: Vec<Damage>,
}

impl Archive {
    /// Has the judge go through every game and every proof once more, and compares what lists say of them.
    ///
    /// `told` hears after each how many there have been and how many there are.
    pub fn check(&self, mut told: impl FnMut(usize, usize)) -> Result<Checked, StoreError> {
        let mut checked = Checked::default();
        let mut damage = |item, reason| checked.damages.push(Damage { item, reason });
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
            told(done, all);
            if let Err(reason) = self.check_game(number) {
                damage(Item::Game, reason);
            }
        }
        for (done, &number) in proofs.iter().enumerate() {
            told(games.len() + done, all);
            if let Err(reason) = self.check_proof(number) {
                damage(Item::Proof, reason);
            }
        }
        (checked.games, checked.proofs) = (games.len(), proofs.len());
        Ok(checked)
    }

    /// What SQLite itself finds wrong.
    fn database_faults(&self) -> Vec<String> {
        let lines = || -> rusqlite::Result<Vec<String>> {
            let mut statement = self.connection.prepare("PRAGMA integrity_check")?;
            let lines = statement.query_map([], |row| row.get(0))?;
            lines.collect()
        };
        match lines() {
            Ok(lines) => lines.into_iter().filter(|line| line != "ok").collect(),
            Err(error) => vec![error.to_string()],
        }
    }

    fn numbers(&self, table: &str) -> rusqlite::Result<Vec<i64>> {
        let sql = format!("SELECT number FROM {table} ORDER BY number");
        let mut statement = self.connection.prepare(&sql)?;
        statement.query_map([], |row| row.get(0))?.collect()
    }

    fn check_game(&self, number: i64) -> Result<(), String> {
        let StoredGame { entry, text, .. } = self.game_at(number).map_err(|error| match error {
            StoreError::Damaged { what, reason } => format!("{what} {reason}"),
            other => format!("game number {number}: {other}"),
        })?;
        let GameEntry { id, game, score, left, .. } = &entry;
        let judged = JudgedGame::judge(&text).map_err(|no| format!("the game {id}: {no}"))?;
        let verified = judged.verified();
        let same = judged.id() == id
            && game_key(judged.game()) == *game
            && (verified.score(), verified.left()) == (*score, *left);
        match same {
            true => Ok(()),
            false => Err(format!("the game {id} is not what the list says of it")),
        }
    }

    fn check_proof(&self, number: i64) -> Result<(), String> {
        let StoredProof { entry, text, .. } =
            self.proof_at(number).map_err(|error| match error {
                StoreError::Damaged { what, reason } => format!("{what} {reason}"),
                other => format!("proof number {number}: {other}"),
            })?;
        let proof =
            CheckedProof::check(text).map_err(|no| format!("the proof {}: {no}", entry.id))?;
        let again = entry_of(&proof, &entry.file, &entry.origin);
        match (ProofEntry { added: entry.added, ..again }) == entry {
            true => Ok(()),
            false => Err(format!("the proof {} is not what the list says of it", entry.id)),
        }
    }
}
