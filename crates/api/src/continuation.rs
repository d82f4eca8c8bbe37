//! A search that starts from the moves of a game, for doors without threads and clocks.

use std::ops::ControlFlow;

use evidence::VerifiedRecord;
use rand::SeedableRng;
use record::Record;
use search::{Budget, MethodSpec, Rng};
use serde::Deserialize;

use crate::view::ContinuationView;
use crate::{ApiError, PlayError, played};

/// The most playouts of one search.
const MOST: u64 = 10_000_000;

/// How much to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct ContinueRequest {
    /// The number of playouts.
    pub playouts: u64,
    /// The seed that every random choice comes from.
    pub seed: u64,
}

/// The longest continuation of a game that so many playouts find.
pub fn continue_game(
    bytes: &[u8],
    request: &ContinueRequest,
) -> Result<ContinuationView, ApiError> {
    let (game, prefix) = played(bytes)?;
    rules::replay(&game, &prefix).map_err(PlayError::from)?;
    let method = MethodSpec::named("auto", &game, []).map_err(ApiError::Search)?;
    let search = method.start(&game, &prefix, Rng::seed_from_u64(request.seed));
    let budget = Budget::playouts(request.playouts.min(MOST));
    let found = search.run(budget, |_| ControlFlow::Continue(()));
    let record = Record::from_moves(game, found);
    Ok(ContinuationView::new(&VerifiedRecord::new(record).map_err(ApiError::Refused)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_goes_on_from_the_moves_and_repeats_itself() {
        let game = br#"{"format":"morpion-game/1","rules":"5D","start":"cross","moves":[
            {"new":[2,0],"line":[[2,0],"E"]}]}"#;
        let request = ContinueRequest { playouts: 300, seed: 7 };
        let found = continue_game(game, &request).expect("a game");
        assert!(found.score > 30 && found.moves[0].new == [2, 0]);
        assert_eq!(continue_game(game, &request).expect("a game"), found);
    }
}
