//! Verification of a file of any format: a game, or a drawing without an order.

use std::sync::Arc;

use axum::extract::{Query, State};
use evidence::{NativeFile, VerifyError};
use geometry::Game;
use lab::view::FileView;

use super::native::{GameQuery, within};
use crate::body::Whole;
use crate::limits;
use crate::refusal::Refusal;
use crate::response::{self, ApiResult};
use crate::server::App;

/// Verifies the body, in any format.
pub(crate) async fn verify(
    State(app): State<Arc<App>>,
    Query(query): Query<GameQuery>,
    body: Whole,
) -> ApiResult {
    let game = query.game()?;
    let view = app.quick.run(move |_| view(&body.0, game.as_ref()));
    response::json(&view.await??)
}

fn view(bytes: &[u8], game: Option<&Game>) -> Result<FileView, Refusal> {
    let format = record::recognise(bytes).to_string();
    let file = NativeFile::read(bytes, game)?;
    if let Ok(record) = &file.record {
        within("moves", record.lines().len(), limits::VERIFIED_MOVES)?;
        within("dots", record.game.start.dots().len(), limits::DOTS)?;
    }
    FileView::new(format, file.verify()).map_err(|no| match no {
        VerifyError::Refused(refusal) => Refusal::Judge(refusal),
        VerifyError::Unreadable(error) => Refusal::Read(error),
        other => Refusal::NotAccepted(other),
    })
}
