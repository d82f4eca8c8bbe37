//! Games that are still being played: saved by the page as they go on, one file for each.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use record::Record;
use serde::Serialize;
use store::Draft;

use super::archive::DRAWN;
use super::native::{self, Dot, PlayedMove};
use crate::answer::{self, Answer};
use crate::body::Whole;
use crate::refusal::Refusal;
use crate::server::App;

#[derive(Serialize)]
struct Row {
    id: u64,
    game: String,
    score: u32,
    left: u64,
    /// When it was saved, in seconds since 1970.
    saved: i64,
    length: usize,
    start: Vec<Dot>,
    moves: Vec<PlayedMove>,
}

impl Row {
    fn of(Draft { number, saved, game }: &Draft) -> Self {
        let (played, verified) = (game.game(), game.verified());
        let moves = evidence::moves(verified);
        let small = moves.len() <= DRAWN && played.start.dots().len() <= DRAWN;
        let dots = played.start.dots().iter().filter(|_| small);
        Self {
            id: *number,
            game: played.to_string(),
            score: verified.score(),
            left: verified.left(),
            saved: *saved,
            length: played.rules.length(),
            start: dots.map(|&dot| native::dot(dot)).collect(),
            moves: native::moves(moves.into_iter().filter(|_| small)),
        }
    }
}

/// All of them, the one saved last first; none without an archive.
pub(crate) async fn list(State(app): State<Arc<App>>) -> Answer {
    let shelf = Arc::clone(&app.shelf);
    let drafts = app.quick.run(move |_| match shelf.is_there() {
        true => Ok(shelf.drafts()?.iter().map(Row::of).collect()),
        false => Ok::<_, Refusal>(Vec::new()),
    });
    answer::json(&drafts.await??)
}

/// One of them, in the native format.
pub(crate) async fn one(State(app): State<Arc<App>>, Path(id): Path<u64>) -> Answer {
    let shelf = Arc::clone(&app.shelf);
    let text = app.quick.run(move |_| Ok::<_, Refusal>(shelf.draft(id)?.game.text().to_owned()));
    Ok(answer::typed(StatusCode::OK, "application/json", text.await??))
}

#[derive(Serialize)]
struct Saved {
    id: u64,
    /// Whether this server keeps anything.
    kept: bool,
}

/// Saves a game in place of the one of this number, if there is an archive beside which to save it.
pub(crate) async fn save(State(app): State<Arc<App>>, Path(id): Path<u64>, body: Whole) -> Answer {
    let shelf = Arc::clone(&app.shelf);
    let saved = app.quick.run(move |_| {
        let (game, moves) = native::played(&body.0)?;
        let kept = shelf.is_there();
        if kept {
            shelf.save_draft(id, &Record::of_moves(game, moves).to_json())?;
        }
        Ok::<_, Refusal>(Saved { id, kept })
    });
    answer::json(&saved.await??)
}

/// Forgets a game.
pub(crate) async fn forget(State(app): State<Arc<App>>, Path(id): Path<u64>) -> Answer {
    let shelf = Arc::clone(&app.shelf);
    let forgotten = app.quick.run(move |_| {
        let kept = shelf.is_there();
        if kept {
            shelf.forget_draft(id)?;
        }
        Ok::<_, Refusal>(Saved { id, kept })
    });
    answer::json(&forgotten.await??)
}
