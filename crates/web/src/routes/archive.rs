//! The archive: list games, get one, add one.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use lab::view::{ArchiveView, ArchivedGameView, SavedGameView};
use record::Record;
use serde::Deserialize;
use store::{Finder, GameFilter, Insertion};

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
    finder: Option<Finder>,
    limit: Option<u32>,
}

/// The games of the archive, the longest first.
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    Query(request): Query<ArchiveRequest>,
) -> ApiResult {
    let filter = GameFilter {
        game: request.game.as_deref().map(api::named).transpose()?,
        least: request.least,
        method: request.method,
        finder: request.finder,
        limit: Some(request.limit.unwrap_or(MOST).min(MOST)),
    };
    let (work, archive) = (&app.quick, Arc::clone(&app.archive));
    let view = work.run(move |_| {
        if !archive.exists() {
            return Ok(ArchiveView { kept: false, games: Vec::new() });
        }
        let entries = archive.games(&filter)?;
        let view = |entry: &store::GameEntry| {
            let stored = archive.game(entry.id.as_str())?;
            Ok(ArchivedGameView::new(&stored, DRAWN).map_err(api::ApiError::from)?)
        };
        let games = entries.iter().map(view).collect::<Result<_, Refusal>>()?;
        Ok::<_, Refusal>(ArchiveView { kept: true, games })
    });
    response::json(&view.await??)
}

/// One game, in the native format too.
pub(crate) async fn one(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult {
    let archive = Arc::clone(&app.archive);
    let view = app.quick.run(move |_| {
        let stored = archive.game(&id)?;
        let view = ArchivedGameView::new(&stored, DRAWN).map_err(api::ApiError::from)?;
        Ok::<_, Refusal>(view.with_record(&stored))
    });
    response::json(&view.await??)
}

/// Adds a game played on a page.
pub(crate) async fn keep(State(app): State<Arc<App>>, body: Whole) -> ApiResult {
    let archive = Arc::clone(&app.archive);
    let view = app.quick.run(move |_| {
        let (game, moves) = api::played(&body.0)?;
        // Who played: by hand, by a search, or what was imported.
        let said = record::read(&body.0, None).map_err(api::ApiError::from)?.provenance;
        let record = Record { provenance: said, ..Record::from_moves(game, moves) };
        let (id, added) = archive.add(&record.to_json(), "page")?;
        Ok::<_, Refusal>(SavedGameView { id: id.to_string(), new: added == Insertion::New })
    });
    Ok(response::json_with(StatusCode::CREATED, &view.await??))
}
