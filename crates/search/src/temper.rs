//! Parallel tempering over ruin and recreate, on whole games.
//!
//! A state is a finished game. A proposal erases a few lines with all that depends on them, and
//! completes what is left to a finished game again: lines that were lost on the way come back first
//! if they can, then chance decides. Longer games are always accepted, shorter ones with
//! probability exp(change / temperature). Several replicas run at temperatures on both sides of the
//! freezing point and exchange their games, so that good ones cool and stuck ones thaw.

mod replica;

use geometry::Move;
use rand::RngExt;
use rules::Sheet;

use crate::{Budget, Meter, Observer, Rng};
use replica::Replica;

/// The settings of the method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Temper {
    /// How many replicas.
    pub replicas: usize,
    /// The lowest temperature.
    pub coldest: f64,
    /// The highest temperature.
    pub hottest: f64,
    /// At most so many lines are chosen to be erased.
    pub most_chosen: usize,
    /// How likely the chosen lines lie close together.
    pub near: f64,
    /// How many lines may be lost: a proposal that loses n lines is made with probability `loss` / n.
    pub loss: f64,
    /// How likely the chosen lines are held back until nothing else can be drawn.
    pub hold_back: f64,
    /// How many proposals each replica makes between exchanges.
    pub proposals: u32,
}

impl Temper {
    /// The best settings found for touching lines of 5.
    pub const TOUCHING: Self = Self {
        replicas: 8,
        coldest: 0.55,
        hottest: 1.35,
        most_chosen: 4,
        near: 0.3,
        loss: 16.0,
        hold_back: 0.3,
        proposals: 200,
    };

    /// The best settings found for disjoint lines of 5.
    pub const DISJOINT: Self = Self {
        coldest: 0.38,
        hottest: 0.75,
        near: 0.0,
        loss: 12.0,
        hold_back: 0.5,
        ..Self::TOUCHING
    };

    /// The best game found from the start of `sheet`.
    pub fn search<S: Sheet>(
        &self,
        sheet: &S,
        budget: Budget,
        rng: &mut Rng,
        observer: &mut dyn Observer,
    ) -> Vec<Move> {
        let mut meter = Meter::new(budget, observer);
        let mut best = Vec::new();
        let temperature = |i: usize| {
            let part = i as f64 / (self.replicas.max(2) - 1) as f64;
            self.coldest * (self.hottest / self.coldest).powf(part)
        };
        let mut replicas: Vec<Replica<S>> =
            (0..self.replicas).map(|_| Replica::new(sheet, rng)).collect();
        loop {
            for (i, replica) in replicas.iter_mut().enumerate() {
                let temperature = temperature(i);
                for _ in 0..self.proposals {
                    if meter.playout().is_break() {
                        return best;
                    }
                    replica.propose(self, temperature, rng);
                    if replica.score() > best.len() {
                        best = replica.moves();
                        if meter.improved(&best).is_break() {
                            return best;
                        }
                    }
                }
            }
            for i in 1..replicas.len() {
                let slope = 1.0 / temperature(i - 1) - 1.0 / temperature(i);
                let gain = replicas[i].score() as f64 - replicas[i - 1].score() as f64;
                if rng.random::<f64>() < (slope * gain).exp() {
                    replicas.swap(i - 1, i);
                }
            }
        }
    }
}
