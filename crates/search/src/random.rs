//! Uniformly random games, one after the other.

use geometry::{Game, Move};
use rand::RngExt;
use rules::Board;

use crate::{Budget, Meter, Observer, Rng, Searcher};

/// Plays random games and keeps the longest: every move is drawn evenly from the legal ones.
#[derive(Debug, Clone, Copy, Default)]
pub struct Random;

impl Searcher for Random {
    fn search<B: Board>(
        &mut self,
        start: &B,
        budget: Budget,
        rng: &mut Rng,
        observer: &mut dyn Observer,
    ) -> Vec<Move> {
        let mut meter = Meter::new(budget, observer);
        let longest = longest(start.game());
        let mut board = start.clone();
        let mut best: Option<Vec<Move>> = None;
        while meter.playout().is_continue() {
            board.clone_from(start);
            while !board.legal().is_empty() && board.score() < longest {
                board.play_nth(rng.random_range(0..board.legal().len()));
                if board.score().is_multiple_of(1024) && meter.look().is_break() {
                    break;
                }
            }
            if best.as_ref().is_none_or(|best| board.score() - start.score() > best.len()) {
                let game = board.moves().split_off(start.score());
                let flow = meter.improved(&game);
                best = Some(game);
                if flow.is_break() {
                    break;
                }
            }
        }
        best.unwrap_or_default()
    }
}

/// The number of moves at which a playout is cut: some games never end.
///
/// Far beyond every game that is known to end: no game of the usual ones passes 705 moves (Demaine
/// et al. 2006), and disjoint lines of 5 or more give fewer than four moves for each dot of a start.
fn longest(game: &Game) -> usize {
    (4 * game.start.dots().len()).max(10_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unwatched;
    use rand::SeedableRng;
    use rules::FastBoard;
    use std::ops::ControlFlow;
    use std::time::{Duration, Instant};

    fn found(seed: u64, playouts: u64) -> Vec<Move> {
        let budget = Budget { playouts: Some(playouts), deadline: None };
        let mut rng = Rng::seed_from_u64(seed);
        Random.search(&FastBoard::<5, false>::start(), budget, &mut rng, &mut Unwatched)
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
        let board = rules::PlainBoard::start(Game::named("2D").expect("known"));
        let budget = Budget { playouts: Some(1), deadline: None };
        let game = Random.search(&board, budget, &mut Rng::seed_from_u64(1), &mut Unwatched);
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
        let board = FastBoard::<5, false>::start();
        let game = Random.search(&board, Budget::default(), &mut rng, &mut stop);
        assert!(game.len() >= 50);
        assert!(stop.1 > 0);
    }

    #[test]
    fn a_deadline_that_has_passed_stops_it_at_once() {
        let deadline = Instant::now().checked_sub(Duration::from_secs(1));
        let budget = Budget { playouts: None, deadline };
        let mut stop = StopAt(usize::MAX, 0);
        let mut rng = Rng::seed_from_u64(3);
        Random.search(&FastBoard::<5, false>::start(), budget, &mut rng, &mut stop);
        assert!(stop.1 <= 1, "{}", stop.1);
    }
}
