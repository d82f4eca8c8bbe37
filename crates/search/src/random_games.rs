//! Uniformly random games, one after the other.

use std::ops::ControlFlow;
use std::sync::Arc;

use geometry::Move;
use rules::{Engine, Playout};

use crate::method::EngineMethod;
use crate::playout::play_random;
use crate::registry::{MethodBuild, MethodInfo};
use crate::run::SearchBase;
use crate::state::MethodState;
use crate::{BudgetMeter, Rng, Run, SearchState, StateError};

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "random",
    summary: "plays random games and keeps the longest",
    source: "every move is uniform among the legal ones; the baseline of all comparisons",
    playout: "games",
    parameters: &[],
    build: MethodBuild::FromValues(|_| Arc::new(RandomGames)),
};

/// Plays random games and keeps the longest: every move is uniform among the legal ones.
#[derive(Debug, Clone, Copy, Default)]
pub struct RandomGames;

impl EngineMethod for RandomGames {
    fn start_on<E: Engine>(&self, base: SearchBase<E>, _rng: &mut Rng) -> Box<dyn Run> {
        Box::new(RandomRun {
            start: base.position(),
            playout: base.engine.playout(),
            max_moves: base.max_moves(),
            base,
        })
    }
}

struct RandomRun<E: Engine> {
    base: SearchBase<E>,
    start: E::Position,
    playout: E::Playout,
    max_moves: usize,
}

impl<E: Engine> Run for RandomRun<E> {
    fn step(&mut self, meter: &mut BudgetMeter<'_>, rng: &mut Rng) -> ControlFlow<()> {
        meter.playout()?;
        let score = play_random(&mut self.playout, &self.start, self.max_moves, meter, rng);
        if score > self.base.best.len() {
            return self.base.improve(self.playout.moves(&self.start), meter);
        }
        ControlFlow::Continue(())
    }

    fn best(&self) -> &[Move] {
        &self.base.best
    }

    fn state(&self) -> Option<MethodState> {
        Some(MethodState::empty(INFO.name))
    }

    fn restore(&mut self, state: &SearchState) -> Result<(), StateError> {
        self.base.restore(state)?;
        if state.search.is_empty(INFO.name) { Ok(()) } else { Err(StateError::Method) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::found;
    use crate::{Budget, Event, Search};
    use geometry::Game;
    use rand::SeedableRng;
    use std::time::{Duration, Instant};

    #[test]
    fn the_seed_decides_the_game() {
        assert_eq!(found(&RandomGames, "5D", 200, 7), found(&RandomGames, "5D", 200, 7));
        assert_ne!(found(&RandomGames, "5D", 200, 7), found(&RandomGames, "5D", 200, 8));
    }

    #[test]
    fn more_playouts_are_never_worse() {
        let length = |playouts| found(&RandomGames, "5D", playouts, 1).len();
        assert!(length(1000) >= length(10));
        assert_eq!(length(0), 0);
    }

    #[test]
    fn the_mean_length_is_the_known_one() {
        // 42.9 over millions of games; the standard deviation of one game is below 10.
        let total: usize = (0..2000).map(|seed| found(&RandomGames, "5D", 1, seed).len()).sum();
        let mean = total as f64 / 2000.0;
        assert!((mean - 42.93).abs() < 1.0, "{mean}");
    }

    #[test]
    fn a_game_without_end_is_cut() {
        assert_eq!(found(&RandomGames, "2D", 1, 1).len(), 10_000);
    }

    /// The length of the game found, and the last number of playouts reported.
    fn stopped_at(length: usize, budget: Budget) -> (usize, u64) {
        let game = Game::named("5D").expect("known");
        let search = Search::start(&RandomGames, &game, &[], Rng::seed_from_u64(3));
        let mut reported = 0;
        let found = search.run(budget, |event| match event {
            Event::Improved(game) if game.len() >= length => ControlFlow::Break(()),
            Event::Progress(playouts) => {
                reported = playouts;
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Continue(()),
        });
        (found.len(), reported)
    }

    #[test]
    fn a_callback_can_stop_it_and_learns_the_number_of_playouts() {
        let (length, playouts) = stopped_at(50, Budget::default());
        assert!(length >= 50 && playouts > 0);
    }

    #[test]
    fn a_deadline_that_has_passed_stops_it_at_once() {
        let deadline = Instant::now().checked_sub(Duration::from_secs(1));
        let (_, playouts) = stopped_at(usize::MAX, Budget { playouts: None, deadline });
        assert!(playouts <= 1, "{playouts}");
    }
}
