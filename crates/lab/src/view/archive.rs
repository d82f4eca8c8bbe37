//! The archive: its games, proofs and drafts.

use record::{Play, Provenance, ReadError};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{
    Archive, ArchiveAudit, Draft, GameEntry, Insertion, ProofEntry, ProofFilter, StoreError,
    StoredGame,
};

use super::BoardView;

/// A game of the archive, as the command lists it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameView {
    /// Its id.
    pub id: String,
    /// The name of the game.
    pub game: String,
    /// The number of moves.
    pub score: u32,
    /// The number of legal moves that remain.
    pub left: u64,
    /// How often it was found.
    pub finds: u32,
    /// When it was added, in seconds since 1970.
    pub added: i64,
    /// Where it comes from.
    #[cfg_attr(feature = "schema", schemars(with = "Value"))]
    pub provenance: Provenance,
}

impl From<GameEntry> for GameView {
    fn from(entry: GameEntry) -> Self {
        let GameEntry { id, game, score, left, added, discoveries: finds, provenance } = entry;
        Self { id: id.to_string(), game, score, left, finds, added, provenance }
    }
}

/// A proof of the archive.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProofEntryView {
    /// Its id.
    pub id: String,
    /// `board`, `game`, `endless` or `boxes`.
    pub kind: &'static str,
    /// The name of the game.
    pub game: String,
    /// The board, if it is about one.
    pub board: Option<String>,
    /// The bound, if it proves one.
    pub bound: Option<i64>,
    /// What it proves.
    pub claim: String,
    /// Where it comes from.
    pub origin: String,
    /// When it was added, in seconds since 1970.
    pub added: i64,
}

impl From<ProofEntry> for ProofEntryView {
    fn from(entry: ProofEntry) -> Self {
        let ProofEntry { id, kind, game, board, bound, claim, origin, added, .. } = entry;
        Self { id: id.to_string(), kind: kind.name(), game, board, bound, claim, origin, added }
    }
}

/// The longest game and the lowest bound of a game.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BestView {
    /// The name of the game.
    pub game: String,
    /// The longest game; `None` if only bounds are known.
    pub best: Option<GameView>,
    /// The lowest bound for the whole game.
    pub bound: Option<ProofEntryView>,
}

impl BestView {
    /// All games of the archive.
    pub fn list(archive: &Archive) -> Result<Vec<Self>, StoreError> {
        let kind = Some(evidence::ProofKind::Game);
        let mut rows: Vec<Self> = Vec::new();
        for entry in archive.best_games()? {
            rows.push(Self { game: entry.game.clone(), best: Some(entry.into()), bound: None });
        }
        // The lowest bound of a game comes first.
        for entry in archive.proofs(&ProofFilter { kind, ..ProofFilter::default() })? {
            let at = rows.iter().position(|row| row.game == entry.game).unwrap_or_else(|| {
                rows.push(Self { game: entry.game.clone(), best: None, bound: None });
                rows.len() - 1
            });
            rows[at].bound.get_or_insert_with(|| entry.into());
        }
        Ok(rows)
    }
}

/// The games of an archive, as a page shows them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ArchiveView {
    /// Whether the server has an archive.
    pub kept: bool,
    /// The games, the longest first.
    pub games: Vec<ArchivedGameView>,
}

/// How many moves of a game were made by hand, by a search, or came from a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MovesByView {
    /// By hand.
    pub mine: u32,
    /// By a search.
    pub search: u32,
    /// From a file or a link.
    pub imported: u32,
}

/// A game of the archive with what a page draws.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ArchivedGameView {
    /// Its id.
    pub id: String,
    /// The name of the game.
    pub game: String,
    /// The number of moves.
    pub score: u32,
    /// The number of legal moves that remain.
    pub left: u64,
    /// The method that found it.
    pub method: Option<String>,
    /// Of a game that was kept on a page: who made its moves.
    pub moves_by: Option<MovesByView>,
    /// Its author.
    pub author: Option<String>,
    /// When it was added, in seconds since 1970.
    pub added: i64,
    /// How often it was found.
    pub finds: u32,
    /// The game itself; empty if it is too large to draw.
    #[serde(flatten)]
    pub board: BoardView,
    /// The game in the native format; only of a single game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<Value>,
}

impl ArchivedGameView {
    /// A game of the archive, drawn if it has at most `limit` dots and moves.
    pub fn new(stored: &StoredGame, limit: usize) -> Result<Self, ReadError> {
        let (entry, record) = (&stored.entry, record::read(stored.text.as_bytes(), None)?);
        let moves = match &record.play {
            Play::Moves(moves) => moves.as_slice(),
            Play::Drawing(_) => &[],
        };
        Ok(Self {
            id: entry.id.to_string(),
            game: record.game.to_string(),
            score: entry.score,
            left: entry.left,
            method: entry.provenance.method.clone(),
            moves_by: entry
                .provenance
                .other
                .get("moves_by")
                .and_then(|by| MovesByView::deserialize(by).ok()),
            author: entry.provenance.author.clone(),
            added: entry.added,
            finds: entry.discoveries,
            board: BoardView::within(limit, &record.game, moves),
            record: None,
        })
    }

    /// The same with the native record.
    #[must_use]
    pub fn with_record(self, stored: &StoredGame) -> Self {
        Self { record: serde_json::from_str(&stored.text).ok(), ..self }
    }
}

/// A game added to the archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SavedGameView {
    /// Its id.
    pub id: String,
    /// Whether it is new there.
    pub new: bool,
}

/// An unfinished game.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DraftView {
    /// Its number.
    pub id: u64,
    /// The name of the game.
    pub game: String,
    /// The number of moves.
    pub score: u32,
    /// The number of legal moves that remain.
    pub left: u64,
    /// When it was saved, in seconds since 1970.
    pub saved: i64,
    /// The game itself; empty if it is too large to draw.
    #[serde(flatten)]
    pub board: BoardView,
}

impl DraftView {
    /// An unfinished game, drawn if it has at most `limit` dots and moves.
    #[must_use]
    pub fn new(Draft { number, saved, game }: &Draft, limit: usize) -> Self {
        Self {
            id: *number,
            game: game.game().to_string(),
            score: game.score(),
            left: game.remaining_moves(),
            saved: *saved,
            board: BoardView::within(limit, game.game(), game.moves()),
        }
    }
}

/// The answer to saving or forgetting an unfinished game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SavedDraftView {
    /// Its number.
    pub id: u64,
    /// Whether the server has an archive.
    pub kept: bool,
}

/// What became of an imported file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ImportView {
    /// The file.
    pub file: String,
    /// `new`, `again`, `refused` or `error`.
    pub verdict: &'static str,
    /// The id in the archive.
    pub id: Option<String>,
    /// The game or the claim, in one line.
    pub what: Option<String>,
    /// Why it was not added.
    pub reason: Option<String>,
}

impl ImportView {
    /// A file that was added, or was there already.
    #[must_use]
    pub fn added(file: String, added: Insertion, id: String, what: String) -> Self {
        let verdict = if added == Insertion::New { "new" } else { "again" };
        Self { file, verdict, id: Some(id), what: Some(what), reason: None }
    }

    /// A file that was not added.
    #[must_use]
    pub fn rejected(file: String, verdict: &'static str, reason: String) -> Self {
        Self { file, verdict, id: None, what: None, reason: Some(reason) }
    }
}

/// A file written by an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExportView {
    /// The file.
    pub file: String,
    /// The id in the archive.
    pub id: String,
}

/// The result of verifying a whole archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuditView {
    /// The number of games.
    pub games: usize,
    /// The number of proofs.
    pub proofs: usize,
    /// What is damaged.
    pub damages: Vec<DamageView>,
    /// The ids of proofs that are intact, in a version of their format that only earlier programs
    /// read.
    pub outdated: Vec<String>,
}

impl From<ArchiveAudit> for AuditView {
    fn from(audit: ArchiveAudit) -> Self {
        let damages = audit.damages.into_iter();
        let damages = damages.map(|d| DamageView { item: d.item.name(), reason: d.reason });
        let outdated = audit.outdated.iter().map(ToString::to_string).collect();
        Self { games: audit.games, proofs: audit.proofs, damages: damages.collect(), outdated }
    }
}

/// A damaged item of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DamageView {
    /// `database`, `game` or `proof`.
    pub item: &'static str,
    /// What is wrong.
    pub reason: String,
}
