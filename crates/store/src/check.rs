//! Going through everything once more.

use std::fmt;

use crate::games::GameEntry;
use crate::proofs::{ProofEntry, entry_of};
use crate::{Archive, StoreError, StoredGame, StoredProof};
use evidence::{CheckedProof, Id, JudgedGame, NotAccepted, game_key};

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

impl Item {
    /// What people call it.
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
            if let Err(fault) = self.check_game(number) {
                damage(Item::Game, fault.to_string());
            }
        }
        for (done, &number) in proofs.iter().enumerate() {
            told(games.len() + done, all);
            if let Err(fault) = self.check_proof(number) {
                damage(Item::Proof, fault.to_string());
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

    fn check_game(&self, number: i64) -> Result<(), Fault> {
        let StoredGame { entry, text, .. } =
            self.game_at(number).map_err(Fault::read(Item::Game, number))?;
        let GameEntry { id, game, score, left, .. } = &entry;
        let judged = JudgedGame::judge(&text).map_err(Fault::refused(Item::Game, id))?;
        let verified = judged.verified();
        let same = judged.id() == id
            && game_key(judged.game()) == *game
            && (verified.score(), verified.left()) == (*score, *left);
        Fault::unless(same, Item::Game, id)
    }

    fn check_proof(&self, number: i64) -> Result<(), Fault> {
        let StoredProof { entry, text, .. } =
            self.proof_at(number).map_err(Fault::read(Item::Proof, number))?;
        let proof = CheckedProof::check(text).map_err(Fault::refused(Item::Proof, &entry.id))?;
        let again = entry_of(&proof, &entry.file, &entry.origin);
        let same = ProofEntry { added: entry.added, ..again } == entry;
        Fault::unless(same, Item::Proof, &entry.id)
    }
}

/// What is wrong with a game or a proof.
#[derive(Debug, thiserror::Error)]
enum Fault {
    /// It is not what was written.
    #[error("{what} {reason}")]
    Damaged { what: String, reason: String },
    /// It cannot be read.
    #[error("{item} number {number}: {source}")]
    Unread { item: Item, number: i64, source: StoreError },
    /// The judge refuses it.
    #[error("the {item} {id}: {source}")]
    Refused { item: Item, id: Id, source: NotAccepted },
    /// It is good, but something else.
    #[error("the {item} {id} is not what the list says of it")]
    Listed { item: Item, id: Id },
}

impl Fault {
    fn read(item: Item, number: i64) -> impl FnOnce(StoreError) -> Self {
        move |error| match error {
            StoreError::Damaged { what, reason } => Self::Damaged { what, reason },
            source => Self::Unread { item, number, source },
        }
    }

    fn refused(item: Item, id: &Id) -> impl FnOnce(NotAccepted) -> Self {
        let id = id.clone();
        move |source| Self::Refused { item, id, source }
    }

    fn unless(same: bool, item: Item, id: &Id) -> Result<(), Self> {
        if same { Ok(()) } else { Err(Self::Listed { item, id: id.clone() }) }
    }
}
