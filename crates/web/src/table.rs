//! The table of known results. Verifying every proof takes a moment, so it is made once, when it is
//! first requested.

use std::sync::{Arc, OnceLock};

use geometry::Game;
use lab::view::{BoundRow, bound_rows};

use crate::refusal::Refusal;
use crate::work::WorkPool;

/// The rows, once they are made.
#[derive(Default)]
pub(crate) struct BoundTable(Arc<OnceLock<Vec<BoundRow>>>);

impl BoundTable {
    /// All rows; the first caller has them made, the others wait. They are made even if nobody
    /// waits any longer, so that a page that is left at once does not start it all over.
    pub(crate) async fn rows(&self, work: &WorkPool) -> Result<&[BoundRow], Refusal> {
        if self.0.get().is_none() {
            let rows = Arc::clone(&self.0);
            work.run(move |_| rows.get_or_init(bound_rows).len()).await?;
        }
        Ok(self.0.get().ok_or(Refusal::Failed)?)
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
