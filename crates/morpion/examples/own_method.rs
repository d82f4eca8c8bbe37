//! A search method of your own: cut the best game somewhere and finish it at random.
//!
//! `docs/tutorial/own-method.md` explains it.

#![allow(clippy::print_stdout, reason = "an example prints")]

use std::ops::ControlFlow;

use morpion::SeedableRng;
use morpion::geometry::{Game, Move};
use morpion::rules::{PlainPosition, Position};
use morpion::search::random::below;
use morpion::search::{Budget, BudgetMeter, Method, MethodSpec, MethodState, Rng, Run, Search};
use morpion::search::{SearchState, StateError};

#[derive(Debug)]
struct CutAndFinish;

struct CutRun {
    start: PlainPosition,
    best: Vec<Move>,
}

impl Method for CutAndFinish {
    fn start(&self, game: &Game, prefix: &[Move], _rng: &mut Rng) -> Box<dyn Run> {
        let mut start = PlainPosition::start(game.clone());
        prefix.iter().for_each(|&mv| start.play(mv).expect("a legal prefix"));
        Box::new(CutRun { start, best: prefix.to_vec() })
    }
}

impl Run for CutRun {
    /// One playout: keep some first moves of the best game and finish it at random.
    fn step(&mut self, meter: &mut BudgetMeter<'_>, rng: &mut Rng) -> ControlFlow<()> {
        meter.playout()?;
        let given = self.start.score();
        let cut = given + below(rng, self.best.len() - given + 1);
        let mut position = self.start.clone();
        for &mv in &self.best[given..cut] {
            position.play(mv).expect("the best game is legal");
        }
        while !position.legal().is_empty() {
            position.play_nth(below(rng, position.legal().len()));
        }
        let is_longer = position.score() > self.best.len();
        if position.score() >= self.best.len() {
            self.best = position.moves();
        }
        if is_longer { meter.improved(&self.best) } else { ControlFlow::Continue(()) }
    }

    fn best(&self) -> &[Move] {
        &self.best
    }

    fn state(&self) -> Option<MethodState> {
        None // it cannot be saved
    }

    fn restore(&mut self, _state: &SearchState) -> Result<(), StateError> {
        Err(StateError::Method)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Game::named("5D")?;
    let budget = || Budget::playouts(5_000);
    for seed in 1..=5 {
        let rng = || Rng::seed_from_u64(seed);
        let own = Search::start(&CutAndFinish, &game, &[], rng());
        let own = own.run(budget(), |_| ControlFlow::Continue(())).len();
        let random = MethodSpec::named("random", &game, [])?.start(&game, &[], rng());
        let random = random.run(budget(), |_| ControlFlow::Continue(())).len();
        println!("seed {seed}: cut and finish {own}, random {random}");
    }
    Ok(())
}
