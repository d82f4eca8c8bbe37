//! The table of known results. Verifying every proof takes a moment, so it is made once, when it is
//! first requested.

use geometry::Game;
use lab::view::{BoundRow, bound_rows};
use tokio::sync::OnceCell;

use crate::refusal::Refusal;
use crate::work::WorkPool;

/// The rows, once they are made.
#[derive(Default)]
pub(crate) struct BoundTable(OnceCell<Vec<BoundRow>>);

impl BoundTable {
    /// All rows; the first caller makes them, the others wait.
    pub(crate) async fn rows(&self, work: &WorkPool) -> Result<&[BoundRow], Refusal> {
        let make = || work.run(|_| bound_rows());
        Ok(self.0.get_or_try_init(make).await?)
    }

    /// The row of a game, if it is in the table.
    pub(crate) async fn row(
        &self,
        game: &Game,
        work: &WorkPool,
    ) -> Result<Option<&BoundRow>, Refusal> {
        let name = game.rules.to_string();
        Ok(self.rows(work).await?.iter().find(|row| row.game == name))
    }
}
