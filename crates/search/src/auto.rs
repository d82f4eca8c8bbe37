//! The best method for the game, with its default settings.
//!
//! Annealing finds the optimum of 4D in seconds; everywhere else tempering finds longer games in
//! the same time (docs/explanation/search.md has the figures).

use geometry::Game;

use crate::registry::{MethodBuild, MethodInfo};
use crate::{sa, temper};

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "auto",
    summary: "the best method for the game, with restarts; takes its parameters",
    source: "sa for disjoint lines of 4, temper for all other games",
    playout: "steps or proposals",
    parameters: &[],
    build: MethodBuild::Alias(resolve),
};

fn resolve(game: &Game) -> &'static MethodInfo {
    if game.rules.length() <= 4 && !game.rules.touching() { &sa::INFO } else { &temper::INFO }
}
