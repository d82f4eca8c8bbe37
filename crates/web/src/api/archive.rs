//! The archive: list games, get one, add one.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use record::Record;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{GameFilter, Insertion, StoredGame};

use super::native::{self, Dot, PlayedMove, named};
use crate::archive_handle::ArchiveHandle;
use crate::body::Whole;
use crate::refusal::Refusal;
use crate::response::{self, ApiResult};
use crate::server::App;

/// The most games of one response.
const MOST: u32 = 200;
/// Games with more moves or dots are listed without them.
pub(super) const DRAWN: usize = 2000;

/// A selection of games.
#[derive(Deserialize)]
pub(crate) struct ArchiveRequest {
    game: Option<String>,
    least: Option<u32>,
    method: Option<String>,
    limit: Option<u32>,
}

#[derive(Serialize)]
struct Listed {
    /// Whether this server has an archive.
    kept: bool,
    games: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    id: String,
    game: String,
    score: u32,
    left: u64,
    method: Option<String>,
    author: Option<String>,
    /// When it was added, in seconds since 1970.
    added: i64,
    /// How often it was found.
    finds: u32,
    length: usize,
    start: Vec<Dot>,
    moves: Vec<PlayedMove>,
}

impl Row {
    fn of(stored: &StoredGame) -> Result<Self, Refusal> {
        let (entry, record) = (&stored.entry, record::read(stored.text.as_bytes(), None)?);
        let small = record.lines().len() <= DRAWN && record.game.start.dots().len() <= DRAWN;
        let dots = record.game.start.dots().iter().filter(|_| small);
        Ok(Self {
            id: entry.id.as_str().to_owned(),
            game: record.game.to_string(),
            score: entry.score,
            left: entry.left,
            method: entry.provenance.method.clone(),
            author: entry.provenance.author.clone(),
            added: entry.added,
            finds: entry.discoveries,
            length: record.game.rules.length(),
            start: dots.map(|&dot| native::dot(dot)).collect(),
            moves: native::moves(played(&record).iter().copied().filter(|_| small)),
        })
    }
}

fn played(record: &Record) -> &[geometry::Move] {
    match &record.play {
        record::Play::Moves(moves) => moves,
        record::Play::Drawing(_) => &[],
    }
}

/// The games of the archive, the longest first.
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    Query(request): Query<ArchiveRequest>,
) -> ApiResult {
    let filter = GameFilter {
        game: request.game.as_deref().map(named).transpose()?,
        least: request.least,
        method: request.method,
        limit: Some(request.limit.unwrap_or(MOST).min(MOST)),
    };
    let (work, archive) = (&app.quick, Arc::clone(&app.archive));
    let listed = work.run(move |_| {
        if !archive.exists() {
            return Ok(Listed { kept: false, games: Vec::new() });
        }
        let entries = archive.games(&filter)?;
        let row = |entry: &store::GameEntry| Row::of(&archive.game(entry.id.as_str())?);
        let games = entries.iter().map(row).collect::<Result<_, Refusal>>()?;
        Ok::<_, Refusal>(Listed { kept: true, games })
    });
    response::json(&listed.await??)
}

#[derive(Serialize)]
struct Opened {
    #[serde(flatten)]
    row: Row,
    record: Value,
}

/// One game, in the native format too.
pub(crate) async fn one(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult {
    let archive = Arc::clone(&app.archive);
    let opened = app.quick.run(move |_| {
        let stored = archive.game(&id)?;
        Ok::<_, Refusal>(Opened {
            row: Row::of(&stored)?,
            record: serde_json::from_str(&stored.text)?,
        })
    });
    response::json(&opened.await??)
}

#[derive(Serialize)]
struct Kept {
    id: String,
    /// Whether it was not there before.
    new: bool,
}

/// Adds a game played on a page.
pub(crate) async fn keep(State(app): State<Arc<App>>, body: Whole) -> ApiResult {
    let archive = Arc::clone(&app.archive);
    let kept = app.quick.run(move |_| {
        let (game, moves) = native::played(&body.0)?;
        let record = Record::from_moves(game, moves);
        keep_record(&archive, &record)
    });
    Ok(response::json_with(StatusCode::CREATED, &kept.await??))
}

fn keep_record(archive: &ArchiveHandle, record: &Record) -> Result<Kept, Refusal> {
    let (id, added) = archive.add(&record.to_json(), "page")?;
    Ok(Kept { id: id.as_str().to_owned(), new: added == Insertion::New })
}
