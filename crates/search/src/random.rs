//! Uniformly random games, one after the other.

use std::ops::ControlFlow;

use geometry::Move;
use rules::{Engine, Playout};

use crate::playout::finish;
use crate::state::Inside;
use crate::stepwise::{Beginning, Stepper, Stepwise};
use crate::{BadState, Meter, MethodInfo, Rng, State, longest, position_after};

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "random",
    summary: "plays random games and keeps the longest",
    source: "every move is drawn evenly from the legal ones; the base line of all comparisons",
    playout: "games",
    parameters: &[],
};

/// Plays random games and keeps the longest: every move is drawn evenly from the legal ones.
#[derive(Debug, Clone, Copy, Default)]
pub struct Random;

impl Stepper for Random {
    fn begin<'a, E: Engine>(
        &'a self,
        beginning: Beginning<'a, E>,
        _rng: &mut Rng,
    ) -> impl Stepwise + use<'a, E> {
        Search::new(beginning)
    }
}

struct Search<P: Playout> {
    start: P::Position,
    playout: P,
    longest: usize,
    best: Vec<Move>,
}

impl<P: Playout> Search<P> {
    fn new<E: Engine<Position = P::Position, Playout = P>>(beginning: Beginning<'_, E>) -> Self {
        let Beginning { engine, from, best } = beginning;
        let start = position_after(engine, from);
        Self { start, playout: engine.playout(), longest: longest(engine.game()), best }
    }
}

impl<P: Playout> Stepwise for Search<P> {
    #[inline]
    fn step(&mut self, meter: &mut Meter<'_>, rng: &mut Rng) -> ControlFlow<()> {
        meter.playout()?;
        let score = finish(&mut self.playout, &self.start, self.longest, meter, rng);
        if score > self.best.len() {
            self.best = self.playout.moves(&self.start);
            return meter.improved(&self.best);
        }
        ControlFlow::Continue(())
    }

    fn restore(&mut self, state: &State) -> Result<(), BadState> {
        let Inside::Random = state.search else { return Err(BadState::Method) };
        Ok(())
    }

    fn best(&self) -> &[Move] {
        &self.best
    }

    fn inside(&self) -> Inside {
        Inside::Random
    }

    fn finish(self, _meter: &mut Meter<'_>) -> Vec<Move> {
        self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Observer, Searcher, Unwatched};
    use geometry::Game;
    use rand::SeedableRng;
    use rules::BitEngine;
    use std::ops::ControlFlow;
    use std::time::{Duration, Instant};

    fn found(seed: u64, playouts: u64) -> Vec<Move> {
        let budget = Budget { playouts: Some(playouts), deadline: None };
        let mut rng = Rng::seed_from_u64(seed);
        Random.search(&BitEngine::<5, false>::new(), &[], budget, &mut rng, &mut Unwatched)
    }

    #[test]
    fn the_seed_decides_the_game() {
        assert_eq!(found(7, 200), found(7, 200));
        assert_ne!(found(7, 200), found(8, 200));
    }

    #[test]
    fn more_playouts_are_never_worse() {
        assert!(found(1, 1000).len() >= found(1, 10).len());
        assert_eq!(found(1, 0), []);
    }

    #[test]
    fn the_mean_length_is_the_known_one() {
        // 42.9 over millions of games; the standard deviation of one game is below 10.
        let total: usize = (0..2000).map(|seed| found(seed, 1).len()).sum();
        let mean = total as f64 / 2000.0;
        assert!((mean - 42.93).abs() < 1.0, "{mean}");
    }

    #[test]
    fn a_game_without_end_is_cut() {
        let engine = rules::PlainEngine::new(Game::named("2D").expect("known"));
        let budget = Budget { playouts: Some(1), deadline: None };
        let game = Random.search(&engine, &[], budget, &mut Rng::seed_from_u64(1), &mut Unwatched);
        assert_eq!(game.len(), 10_000);
    }

    struct StopAt(usize, u64);

    impl Observer for StopAt {
        fn improved(&mut self, game: &[Move]) -> ControlFlow<()> {
            if game.len() >= self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }

        fn spent(&mut self, playouts: u64) -> ControlFlow<()> {
            self.1 = playouts;
            ControlFlow::Continue(())
        }
    }

    #[test]
    fn an_observer_can_stop_it_and_learns_the_number_of_playouts() {
        let mut stop = StopAt(50, 0);
        let mut rng = Rng::seed_from_u64(3);
        let engine = BitEngine::<5, false>::new();
        let game = Random.search(&engine, &[], Budget::default(), &mut rng, &mut stop);
        assert!(game.len() >= 50);
        assert!(stop.1 > 0);
    }

    #[test]
    fn a_deadline_that_has_passed_stops_it_at_once() {
        let deadline = Instant::now().checked_sub(Duration::from_secs(1));
        let budget = Budget { playouts: None, deadline };
        let mut stop = StopAt(usize::MAX, 0);
        let mut rng = Rng::seed_from_u64(3);
        Random.search(&BitEngine::<5, false>::new(), &[], budget, &mut rng, &mut stop);
        assert!(stop.1 <= 1, "{}", stop.1);
    }
}
