//! Searches for the tests of the methods.

use std::ops::ControlFlow;

use geometry::{Game, Move};
use rand::SeedableRng;

use crate::{Budget, Method, Rng, Search};

/// The longest game of a search.
pub(crate) fn found(method: &dyn Method, game: &str, playouts: u64, seed: u64) -> Vec<Move> {
    run(method, game, Budget::playouts(playouts), seed)
}

/// The longest game of a search that ends by itself.
pub(crate) fn found_at_end(method: &dyn Method, game: &str, seed: u64) -> Vec<Move> {
    run(method, game, Budget::default(), seed)
}

fn run(method: &dyn Method, game: &str, budget: Budget, seed: u64) -> Vec<Move> {
    let game = Game::named(game).expect("a known game");
    let search = Search::start(method, &game, &[], Rng::seed_from_u64(seed));
    search.run(budget, |_| ControlFlow::Continue(()))
}
