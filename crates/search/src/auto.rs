//! The method that does best for the game, with its best settings.
//!
//! Annealing walks through all of 4D in seconds; everywhere else tempering finds longer games for
//! the time (docs/search.md has the figures).

use geometry::{Game, Move};
use rules::Kit;

use crate::{
    BadState, Budget, MethodInfo, Observer, Rng, Sa, Searcher, State, Temper, UnknownMethod,
    Values, sa, temper,
};

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "auto",
    summary: "the method that does best for the game, with restarts",
    source: "sa for disjoint lines of 4, temper for all other games, both with their defaults",
    playout: "steps or proposals",
    parameters: &[],
};

/// The method chosen.
#[derive(Debug, Clone)]
pub enum Auto {
    /// Simulated annealing.
    Sa(Sa),
    /// Parallel tempering.
    Temper(Temper),
}

impl Auto {
    /// The choice for a game.
    pub(crate) fn of(game: &Game) -> Result<Self, UnknownMethod> {
        let defaults = |info: MethodInfo| Values::read(info.parameters, game, []);
        Ok(if game.rules.length() <= 4 && !game.rules.touching() {
            Self::Sa(Sa::of(&defaults(sa::INFO)?))
        } else {
            Self::Temper(Temper::of(&defaults(temper::INFO)?))
        })
    }
}

impl Searcher for Auto {
    fn search<K: Kit>(
        &self,
        kit: &K,
        from: &[Move],
        budget: Budget,
        rng: &mut Rng,
        observer: &mut dyn Observer,
    ) -> Vec<Move> {
        match self {
            Self::Sa(method) => method.search(kit, from, budget, rng, observer),
            Self::Temper(method) => method.search(kit, from, budget, rng, observer),
        }
    }

    fn resume<K: Kit>(
        &self,
        kit: &K,
        from: &[Move],
        state: &State,
        budget: Budget,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Move>, BadState> {
        match self {
            Self::Sa(method) => method.resume(kit, from, state, budget, observer),
            Self::Temper(method) => method.resume(kit, from, state, budget, observer),
        }
    }
}
