//! Verification of a file of any format: a game, or a drawing without an order.

use evidence::{GameOrder, NativeFile, VerifyError};
use geometry::Game;

use crate::view::{FileView, OrderView};
use crate::{ApiError, limits, within};

/// The verdict on a file, and what to draw of it.
pub fn verify(bytes: &[u8], game: Option<&Game>) -> Result<FileView, ApiError> {
    let format = record::recognise(bytes).to_string();
    Ok(FileView::new(format, read(bytes, game)?.verify())?)
}

/// An order in which the lines of a file can be drawn, or the lines that are stuck.
pub fn order(bytes: &[u8], game: Option<&Game>) -> Result<OrderView, ApiError> {
    let file = read(bytes, game)?;
    match GameOrder::find(&file.text) {
        Err(refusal) if refusal.is_malformed() => Err(ApiError::Refused(refusal)),
        Err(refusal) => Ok(OrderView::refused(file.record.ok().as_ref(), refusal.to_string())),
        Ok(GameOrder::Ordered { game, order }) => Ok(OrderView::ordered(&game, &order)),
        Ok(GameOrder::Stuck { stuck }) => Ok(OrderView::stuck(&file.record?, &stuck)),
    }
}

fn read(bytes: &[u8], game: Option<&Game>) -> Result<NativeFile, ApiError> {
    let file = NativeFile::read(bytes, game)?;
    if let Ok(record) = &file.record {
        within("moves", record.lines().len(), limits::VERIFIED_MOVES)?;
        within("dots", record.game.start.dots().len(), limits::DOTS)?;
    }
    Ok(file)
}

impl From<VerifyError> for ApiError {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Refused(refusal) => Self::Refused(refusal),
            VerifyError::Unreadable(error) => Self::Read(error),
            other => Self::NotAccepted(other.to_string().into()),
        }
    }
}
