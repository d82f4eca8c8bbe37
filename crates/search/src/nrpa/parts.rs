//! What a search does with its time.

use geometry::Move;
use rules::Engine;

use super::{Nrpa, Search};
use crate::stepwise::Beginning;
use crate::{Budget, Meter, Rng, Unwatched};

/// A part of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NrpaPart {
    /// Games are played by a policy, and the best of them set aside.
    Play,
    /// It is looked into: which lines were legal when.
    Look,
    /// Policies are moved towards games, level by level.
    Adapt,
}

impl Nrpa {
    /// Searches from the start, and says which part of the work is done whenever another begins.
    ///
    /// The same game comes of it as of a search that says nothing.
    pub fn search_by_parts<E: Engine>(
        &self,
        engine: &E,
        budget: Budget,
        rng: &mut Rng,
        mut done: impl FnMut(NrpaPart),
    ) -> Vec<Move> {
        let mut search = Search::new(self, None, Beginning { engine, from: &[], best: Vec::new() });
        let mut observer = Unwatched;
        let mut meter = Meter::new(budget, &mut observer);
        while search.step_by_parts(&mut meter, rng, &mut done).is_continue() {}
        search.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Searcher;
    use rand::SeedableRng;
    use rules::BitEngine;

    #[test]
    fn parts_follow_one_another_and_the_game_is_the_same() {
        let engine = BitEngine::<5, false>::new();
        let nrpa = Nrpa { level: 2, iterations: 10, alpha: 1.0, playouts: 4, repeats: 0, beam: 1 };
        let budget = Budget { playouts: Some(403), deadline: None };
        let mut parts = Vec::new();
        let mut rng = Rng::seed_from_u64(5);
        let game = nrpa.search_by_parts(&engine, budget, &mut rng, |part| parts.push(part));
        assert_eq!(parts, [NrpaPart::Play, NrpaPart::Look, NrpaPart::Adapt].repeat(100));
        let mut rng = Rng::seed_from_u64(5);
        assert_eq!(nrpa.search(&engine, &[], budget, &mut rng, &mut Unwatched), game);
    }
}
