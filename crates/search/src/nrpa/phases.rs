//! How a search spends its time.

use std::ops::ControlFlow;

use geometry::{Game, Move};
use rules::{Engine, EngineVisitor, with_engine};

use super::{Nrpa, NrpaRun};
use crate::run::SearchBase;
use crate::{Budget, BudgetMeter, Event, Rng};

/// A phase of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NrpaPhase {
    /// Games are played by a policy, and the best of them set aside.
    Play,
    /// The best game is analysed: which lines were legal when.
    Analyse,
    /// Policies are moved towards games, level by level.
    Adapt,
}

impl Nrpa {
    /// Searches from the start of a game, and calls `done` at the end of each phase.
    ///
    /// Finds the same game as a search without it.
    pub fn search_by_phases(
        &self,
        game: &Game,
        budget: Budget,
        rng: &mut Rng,
        done: impl FnMut(NrpaPhase),
    ) -> Vec<Move> {
        with_engine(game, SearchByPhases { nrpa: self, budget, rng, done })
    }
}

struct SearchByPhases<'a, F> {
    nrpa: &'a Nrpa,
    budget: Budget,
    rng: &'a mut Rng,
    done: F,
}

impl<F: FnMut(NrpaPhase)> EngineVisitor for SearchByPhases<'_, F> {
    type Output = Vec<Move>;

    fn visit<E: Engine>(mut self, engine: &E) -> Vec<Move> {
        let mut run = NrpaRun::new(*self.nrpa, None, SearchBase::new(engine, &[]));
        let mut on = |_: Event<'_>| ControlFlow::Continue(());
        let mut meter = BudgetMeter::new(self.budget, &mut on);
        while run.step_by_phases(&mut meter, self.rng, &mut self.done).is_continue() {}
        run.base.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::found;
    use rand::SeedableRng;

    #[test]
    fn phases_follow_one_another_and_the_game_is_the_same() {
        let nrpa = Nrpa { level: 2, iterations: 10, alpha: 1.0, playouts: 4, repeats: 0, beam: 1 };
        let game = Game::named("5D").expect("known");
        let mut phases = Vec::new();
        let mut rng = Rng::seed_from_u64(5);
        let budget = Budget::playouts(403);
        let best = nrpa.search_by_phases(&game, budget, &mut rng, |phase| phases.push(phase));
        assert_eq!(phases, [NrpaPhase::Play, NrpaPhase::Analyse, NrpaPhase::Adapt].repeat(100));
        assert_eq!(found(&nrpa, "5D", 403, 5), best);
    }
}
