//! The method that does best for the game, with its best settings.
//!
//! Annealing walks through all of 4D in seconds; everywhere else tempering finds longer games for
//! the time (docs/search.md has the figures).

use geometry::Game;

use crate::{MethodInfo, sa, temper};

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "auto",
    summary: "the method that does best for the game, with restarts; takes its parameters",
    source: "sa for disjoint lines of 4, temper for all other games",
    playout: "steps or proposals",
    parameters: &[],
};

/// The method behind it, for a game.
pub(crate) fn behind(game: &Game) -> &'static MethodInfo {
    if game.rules.length() <= 4 && !game.rules.touching() { &sa::INFO } else { &temper::INFO }
}
