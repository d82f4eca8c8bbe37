//! Games in the archive: each is stored once, with every discovery of it.

use evidence::seal::seal;
use evidence::{Id, VerifiedRecord, game_key};
use geometry::Game;
use record::Provenance;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde::Deserialize;

use crate::archive::{compressed, now};
use crate::{Archive, StoreError, chain};

/// Whether something that was added is new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Insertion {
    /// It is new.
    New,
    /// The archive has it already, perhaps mirrored or in another order; the discovery is recorded.
    Duplicate,
}

/// A game in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct GameEntry {
    /// Identifies it.
    pub id: Id,
    /// The game: `5T`, `5T cross:6`, `5T dots:...`.
    pub game: String,
    /// The number of moves.
    pub score: u32,
    /// The number of legal moves that remain.
    pub left: u64,
    /// When it was added, in seconds since 1970.
    pub added: i64,
    /// How often it was discovered.
    pub discoveries: u32,
    /// Who discovered it first, and how.
    pub provenance: Provenance,
}

/// One discovery of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Discovery {
    /// By whom, and how.
    pub provenance: Provenance,
    /// How it entered the archive.
    pub origin: String,
    /// When, in seconds since 1970.
    pub added: i64,
}

/// A game with everything known about it.
#[derive(Debug, Clone)]
pub struct StoredGame {
    /// Its entry in a list.
    pub entry: GameEntry,
    /// The file, in the native format, as it was verified when it was added.
    pub text: String,
    /// Every discovery of it.
    pub discoveries: Vec<Discovery>,
}

/// How a game was found, whole or in part: a page names its method after all that took part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Finder {
    /// By a search, whichever its method.
    Search,
    /// By hand.
    Hand,
    /// From a file or a link.
    Imported,
}

impl Finder {
    /// The condition on a row of `finds`.
    fn condition(self) -> &'static str {
        match self {
            Self::Search => "method NOT IN ('by hand', 'imported', 'by hand and imported')",
            Self::Hand => "method LIKE 'by hand%'",
            Self::Imported => "method LIKE '%imported'",
        }
    }
}

/// Selects games; by default, all.
#[derive(Debug, Clone, Default)]
pub struct GameFilter {
    /// Only of this game.
    pub game: Option<Game>,
    /// Only of at least this many moves.
    pub least: Option<u32>,
    /// Only those discovered by this method.
    pub method: Option<String>,
    /// Only those that were first found this way.
    pub finder: Option<Finder>,
    /// At most this many, the best.
    pub limit: Option<u32>,
}

impl Archive {
    /// Adds a game; `origin` says how it entered the archive.
    pub fn add_game(
        &mut self,
        game: &VerifiedRecord,
        origin: &str,
    ) -> Result<Insertion, StoreError> {
        let change = self.change()?;
        let (_, added) = add(&change, game, origin)?;
        chain::extend(&change)?;
        change.commit()?;
        Ok(added)
    }

    /// The selected games, the longest first.
    pub fn games(&self, filter: &GameFilter) -> Result<Vec<GameEntry>, StoreError> {
        let finder = filter.finder.map_or("TRUE", Finder::condition);
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT number, id, game, score, left, added FROM games
             WHERE (?1 IS NULL OR game = ?1) AND (?2 IS NULL OR score >= ?2)
               AND (?3 IS NULL OR EXISTS
                    (SELECT 1 FROM finds WHERE finds.game = games.number AND finds.method = ?3))
               AND EXISTS (SELECT 1 FROM finds WHERE {finder} AND finds.number =
                    (SELECT min(number) FROM finds WHERE finds.game = games.number))
             ORDER BY score DESC, game, number LIMIT ?4"
        ))?;
        let selected = params![
            filter.game.as_ref().map(game_key),
            filter.least,
            filter.method,
            filter.limit.map_or(-1, i64::from)
        ];
        let rows = statement.query_map(selected, |row| Ok((row.get(0)?, entry(row)?)))?;
        let rows: Vec<(i64, GameEntry)> = rows.collect::<Result<_, _>>()?;
        rows.into_iter().map(|(number, entry)| self.with_discoveries(number, entry)).collect()
    }

    /// The longest game of each kind, in the order of their names.
    pub fn best_games(&self) -> Result<Vec<GameEntry>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT min(number), id, game, score, left, added FROM games AS one
             WHERE score = (SELECT max(score) FROM games WHERE game = one.game)
             GROUP BY game ORDER BY game",
        )?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, entry(row)?)))?;
        let rows: Vec<(i64, GameEntry)> = rows.collect::<Result<_, _>>()?;
        rows.into_iter().map(|(number, entry)| self.with_discoveries(number, entry)).collect()
    }

    /// The game whose id starts with these digits.
    pub fn game(&self, digits: &str) -> Result<StoredGame, StoreError> {
        let number = by_digits(&self.connection, "games", digits)?;
        self.game_at(number)
    }

    /// The game of a row, if it is undamaged.
    pub(crate) fn game_at(&self, number: i64) -> Result<StoredGame, StoreError> {
        let sql =
            "SELECT number, id, game, score, left, added, file, seal FROM games WHERE number = ?1";
        let (entry, file, sealed) = self.connection.query_row(sql, [number], |row| {
            Ok((entry(row)?, row.get::<_, Vec<u8>>(6)?, row.get::<_, Vec<u8>>(7)?))
        })?;
        let damaged = |reason: String| StoreError::Damaged {
            what: format!("the game {} of {}, {} moves,", entry.id, entry.game, entry.score),
            reason,
        };
        if sealed != seal_of(&entry, &file) {
            return Err(damaged("its checksum is wrong".to_owned()));
        }
        let text = verify::read(&file[..]).map_err(|error| damaged(error.to_string()))?;
        let entry = self.with_discoveries(number, entry)?;
        let discoveries = self.discoveries(number)?;
        Ok(StoredGame { entry, text, discoveries })
    }

    /// Every discovery of a game.
    fn discoveries(&self, number: i64) -> Result<Vec<Discovery>, StoreError> {
        let sql = "SELECT method, provenance, origin, added, digest, seal FROM finds
                   WHERE game = ?1 ORDER BY number";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([number])?;
        let mut discoveries = Vec::new();
        while let Some(row) = rows.next()? {
            let (method, provenance): (Option<String>, String) = (row.get(0)?, row.get(1)?);
            let (origin, added): (String, i64) = (row.get(2)?, row.get(3)?);
            let (digest, sealed): (Vec<u8>, Vec<u8>) = (row.get(4)?, row.get(5)?);
            let damaged = |reason: &str| StoreError::Damaged {
                what: format!("the provenance of game number {number} ({origin})"),
                reason: reason.to_owned(),
            };
            let whole = seal_of_discovery(number, added, &digest, &provenance, &origin);
            let is_older = [
                digest_of(method.as_deref(), &provenance, &origin),
                digest_of_file(method.as_deref(), &provenance, &origin),
            ]
            .iter()
            .any(|digest| sealed == older_seal_of_discovery(number, added, digest));
            if sealed != whole && !is_older {
                return Err(damaged("its checksum is wrong"));
            }
            let provenance: Provenance =
                serde_json::from_str(&provenance).map_err(|error| damaged(&error.to_string()))?;
            if provenance.method != method {
                return Err(damaged("it names another method"));
            }
            discoveries.push(Discovery { provenance, origin, added });
        }
        Ok(discoveries)
    }

    /// An entry with its number of discoveries and the first of them.
    fn with_discoveries(&self, number: i64, entry: GameEntry) -> Result<GameEntry, StoreError> {
        let sql = "SELECT count(*),
                          (SELECT provenance FROM finds WHERE game = ?1 ORDER BY number LIMIT 1)
                   FROM finds WHERE game = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let (discoveries, first): (u32, Option<String>) =
            statement.query_row([number], |row| Ok((row.get(0)?, row.get(1)?)))?;
        // What cannot be read is for `audit` to report.
        let provenance =
            first.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        Ok(GameEntry { discoveries, provenance, ..entry })
    }
}

/// Adds a game within a transaction, and returns its row.
pub(crate) fn add(
    connection: &Connection,
    game: &VerifiedRecord,
    origin: &str,
) -> Result<(i64, Insertion), StoreError> {
    let old = connection
        .prepare_cached("SELECT number FROM games WHERE id = ?1")?
        .query_row([game.id().as_str()], |row| row.get(0))
        .optional()?;
    let (number, added) = match old {
        Some(number) => (number, Insertion::Duplicate),
        None => (insert(connection, game)?, Insertion::New),
    };
    let provenance =
        serde_json::to_string(game.provenance()).expect("provenance is made of JSON values");
    let method = game.provenance().method.as_deref();
    let time = now();
    let digest = digest_of(method, &provenance, origin);
    let sealed = seal_of_discovery(number, time, &digest, &provenance, origin);
    connection
        .prepare_cached(
            "INSERT OR IGNORE INTO finds (game, method, provenance, origin, added, digest, seal)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![number, method, provenance, origin, time, digest, sealed])?;
    Ok((number, added))
}

fn insert(connection: &Connection, game: &VerifiedRecord) -> Result<i64, StoreError> {
    let entry = GameEntry {
        id: game.id(),
        game: game_key(game.game()),
        score: game.score(),
        left: game.remaining_moves(),
        added: now(),
        discoveries: 0,
        provenance: Provenance::default(),
    };
    let file = compressed(&game.to_json());
    let sealed = seal_of(&entry, &file);
    let GameEntry { id, game, score, left, added, .. } = entry;
    let left = i64::try_from(left).unwrap_or(i64::MAX);
    connection
        .prepare_cached(
            "INSERT INTO games (id, game, score, left, file, added, seal)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![id.as_str(), game, score, left, file, added, sealed])?;
    Ok(connection.last_insert_rowid())
}

/// The columns `number, id, game, score, left, added` as an entry without its discoveries.
fn entry(row: &Row<'_>) -> rusqlite::Result<GameEntry> {
    Ok(GameEntry {
        id: Id::from_stored(row.get(1)?),
        game: row.get(2)?,
        score: row.get(3)?,
        left: row.get::<_, i64>(4)?.unsigned_abs(),
        added: row.get(5)?,
        discoveries: 0,
        provenance: Provenance::default(),
    })
}

fn seal_of(entry: &GameEntry, file: &[u8]) -> [u8; 32] {
    let GameEntry { id, game, score, left, added, .. } = entry;
    let numbers = format!("{score} {left} {added}");
    seal(&[id.as_str().as_bytes(), game.as_bytes(), numbers.as_bytes(), file])
}

/// Identifies a discovery of a game: by the hunt, if its seed is known, however far that had come
/// and whichever way its game came here; else by all that is said about it.
fn digest_of(method: Option<&str>, provenance: &str, origin: &str) -> [u8; 32] {
    let known: Option<Provenance> = serde_json::from_str(provenance).ok();
    let hunt = known.filter(|it| it.seed.is_some() && it.method.is_some()).map(|hunt| {
        // What grows while it goes on.
        Provenance { playouts: None, cpu_seconds: None, ..hunt }
    });
    match hunt {
        Some(hunt) => {
            let hunt = serde_json::to_string(&hunt).expect("provenance is made of JSON values");
            seal(&[b"hunt", hunt.as_bytes()])
        }
        None => digest_of_file(method, provenance, origin),
    }
}

/// The same without a seed, and in archives that did not distinguish hunts yet.
fn digest_of_file(method: Option<&str>, provenance: &str, origin: &str) -> [u8; 32] {
    seal(&[method.unwrap_or_default(), provenance, origin].map(str::as_bytes))
}

fn seal_of_discovery(
    game: i64,
    added: i64,
    digest: &[u8],
    provenance: &str,
    origin: &str,
) -> [u8; 32] {
    let numbers = format!("{game} {added}");
    seal(&[numbers.as_bytes(), digest, provenance.as_bytes(), origin.as_bytes()])
}

/// The seal of archives that trusted the digest, which does not have all of a hunt.
fn older_seal_of_discovery(game: i64, added: i64, digest: &[u8; 32]) -> [u8; 32] {
    seal(&[format!("{game} {added}").as_bytes(), digest])
}

/// The row of a table whose id starts with these digits.
pub(crate) fn by_digits(
    connection: &Connection,
    table: &'static str,
    digits: &str,
) -> Result<i64, StoreError> {
    let shown = || digits.chars().take(64).flat_map(char::escape_debug).collect::<String>();
    let is_hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_hex {
        return Err(StoreError::Unknown(shown()));
    }
    let digits = digits.to_ascii_lowercase();
    // All ids from these digits on, up to the first that starts otherwise.
    let sql = format!("SELECT number FROM {table} WHERE id >= ?1 AND id < ?1 || 'g' LIMIT 2");
    let mut statement = connection.prepare_cached(&sql)?;
    let found: Vec<i64> =
        statement.query_map([&digits], |row| row.get(0))?.collect::<Result<_, _>>()?;
    match found[..] {
        [] => Err(StoreError::Unknown(shown())),
        [number] => Ok(number),
        _ => Err(StoreError::Ambiguous(shown())),
    }
}
