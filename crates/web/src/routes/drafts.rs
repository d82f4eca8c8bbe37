//! Unfinished games, saved by the page while they are played, one file each.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use lab::view::{DraftView, SavedDraftView};
use record::Record;

use super::archive::DRAWN;
use crate::body::Whole;
use crate::refusal::Refusal;
use crate::response::{self, ApiResult};
use crate::server::App;

/// All unfinished games, the latest first; none without an archive.
pub(crate) async fn list(State(app): State<Arc<App>>) -> ApiResult {
    let archive = Arc::clone(&app.archive);
    let drafts = app.quick.run(move |_| match archive.exists() {
        true => Ok(archive.drafts()?.iter().map(|draft| DraftView::new(draft, DRAWN)).collect()),
        false => Ok::<_, Refusal>(Vec::new()),
    });
    response::json(&drafts.await??)
}

/// One unfinished game, in the native format.
pub(crate) async fn one(State(app): State<Arc<App>>, Path(id): Path<u64>) -> ApiResult {
    let archive = Arc::clone(&app.archive);
    let text = app.quick.run(move |_| Ok::<_, Refusal>(archive.draft(id)?.game.to_json()));
    Ok(response::typed(StatusCode::OK, "application/json", text.await??))
}

/// Saves an unfinished game under this number, if there is an archive.
pub(crate) async fn save(
    State(app): State<Arc<App>>,
    Path(id): Path<u64>,
    body: Whole,
) -> ApiResult {
    let archive = Arc::clone(&app.archive);
    let saved = app.quick.run(move |_| {
        let (game, moves) = api::played(&body.0)?;
        let kept = archive.exists();
        if kept {
            archive.save_draft(id, &Record::from_moves(game, moves).to_json())?;
        }
        Ok::<_, Refusal>(SavedDraftView { id, kept })
    });
    response::json(&saved.await??)
}

/// Forgets a game.
pub(crate) async fn forget(State(app): State<Arc<App>>, Path(id): Path<u64>) -> ApiResult {
    let archive = Arc::clone(&app.archive);
    let forgotten = app.quick.run(move |_| {
        let kept = archive.exists();
        if kept {
            archive.forget_draft(id)?;
        }
        Ok::<_, Refusal>(SavedDraftView { id, kept })
    });
    response::json(&forgotten.await??)
}
