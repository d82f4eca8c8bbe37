//! Simulated annealing with forward and backward moves (Hyyrö and Poranen 2007, section 2.2).
//!
//! A step draws one of the legal lines or of the loose ones, all alike. A legal line is drawn. A
//! loose one, whose dot no other line uses, is erased with probability exp(-1/t), or if nothing is
//! legal; otherwise a random legal line is drawn instead. The temperature t goes from `t0` down to
//! `t1` by the factor `cooling` after every `steps` steps; then a new run begins.

use geometry::Move;
use rand::Rng as _;
use rules::{Kit, Walk};

use crate::{
    Budget, Default, Kind, Meter, MethodInfo, Observer, Parameter, Rng, Searcher, Values, longest,
};

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "sa",
    summary: "simulated annealing: single moves forward and, depending on the temperature, backward",
    source: "Hyyrö and Poranen 2007, Algorithm 3.1",
    playout: "steps",
    parameters: PARAMETERS,
};

/// The temperature that did best in the paper's Table 2.
fn best_temperature(game: &geometry::Game) -> f64 {
    match (game.rules.length(), game.rules.touching()) {
        (..=4, false) => 1.8,
        (..=4, true) => 3.6,
        (_, false) => 3.2,
        (_, true) => 8.0,
    }
}

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "t0",
        meaning: "the temperature at the beginning",
        kind: Kind::Real { min: 0.01, max: 1e6 },
        default: Default::ByGame(best_temperature),
    },
    Parameter {
        name: "t1",
        meaning: "a run ends when the temperature falls below this",
        kind: Kind::Real { min: 0.01, max: 1e6 },
        default: Default::ByGame(best_temperature),
    },
    Parameter {
        name: "cooling",
        meaning: "the temperature is multiplied by this",
        kind: Kind::Real { min: 0.0, max: 0.999_999_999 },
        default: Default::Always(0.99),
    },
    Parameter {
        name: "steps",
        meaning: "after so many steps",
        kind: Kind::Integer { min: 1, max: 1_000_000_000_000 },
        default: Default::Always(1e7),
    },
];

/// The settings of the method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sa {
    /// The temperature at the beginning.
    pub t0: f64,
    /// A run ends when the temperature falls below this.
    pub t1: f64,
    /// The temperature is multiplied by this.
    pub cooling: f64,
    /// After so many steps.
    pub steps: u64,
}

impl Sa {
    pub(crate) fn of(values: &Values) -> Self {
        Self {
            t0: values.real("t0"),
            t1: values.real("t1"),
            cooling: values.real("cooling"),
            steps: values.integer("steps"),
        }
    }
}

impl Searcher for Sa {
    fn search<K: Kit>(
        &self,
        kit: &K,
        from: &[Move],
        budget: Budget,
        rng: &mut Rng,
        observer: &mut dyn Observer,
    ) -> Vec<Move> {
        let mut meter = Meter::new(budget, observer);
        let start = kit.walk(from);
        let most = longest(kit.game()).saturating_sub(from.len());
        let mut best = from.to_vec();
        let mut longest = 0;
        loop {
            let mut walk = start.clone();
            let mut temperature = self.t0;
            loop {
                let backward = chance_of_erasing(temperature);
                let mut left = self.steps;
                while left > 0 {
                    let steps = meter.playouts(left.min(1000));
                    if steps == 0 || walk.is_stuck() {
                        if walk.score() > longest {
                            best = walk.moves(from);
                            let _ = meter.improved(&best);
                        }
                        return best;
                    }
                    left -= steps;
                    for _ in 0..steps {
                        // A game is written down when it is about to become shorter, or cannot
                        // become longer: not at every step of its way up.
                        let forward = walk.score() < most;
                        let step = walk.choose(forward, backward, || rng.next_u64());
                        let back = step.is_none_or(K::Walk::erases);
                        if back & (walk.score() > longest) {
                            longest = walk.score();
                            best = walk.moves(from);
                            if meter.improved(&best).is_break() {
                                return best;
                            }
                        }
                        if let Some(step) = step {
                            walk.take(step);
                        }
                    }
                }
                temperature *= self.cooling;
                // Cooled below t1, or not at all: either way the run is over.
                if temperature < self.t1 {
                    break;
                }
            }
        }
    }
}

/// How likely a loose line is erased, as a bound on 32 random bits.
fn chance_of_erasing(temperature: f64) -> u64 {
    ((-1.0 / temperature).exp() * (1u64 << 32) as f64) as u64
}
