//! Simulated annealing with forward and backward moves (Hyyrö and Poranen 2007, section 2.2).
//!
//! A step draws one of the legal lines or of the loose ones, all alike. A legal line is drawn. A
//! loose one, whose dot no other line uses, is erased with probability exp(-1/t), or if nothing is
//! legal; otherwise a random legal line is drawn instead. The temperature t goes from `t0` down to
//! `t1` by the factor `cooling` after every `steps` steps; then a new run begins.

use std::ops::ControlFlow;

use geometry::{Move, Point};
use rand::Rng as _;
use rules::{AnnealingWalk, Engine};
use serde::{Deserialize, Serialize};

use crate::notation::Lines;
use crate::state::{Inside, in_range};
use crate::stepwise::{Beginning, Stepper, Stepwise};
use crate::{
    BadState, Default, Kind, Meter, MethodInfo, Moves, Parameter, Rng, State, Values, longest,
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

impl Stepper for Sa {
    fn begin<'a, E: Engine>(
        &'a self,
        beginning: Beginning<'a, E>,
        _rng: &mut Rng,
    ) -> impl Stepwise + use<'a, E> {
        Search::new(self, beginning)
    }
}

/// How many steps are made at once.
const STRIDE: u64 = 1000;

struct Search<'a, W> {
    settings: &'a Sa,
    from: &'a [Move],
    /// How every run begins.
    start: W,
    /// At so many lines a walk only goes back.
    most: usize,
    best: Vec<Move>,
    walk: W,
    temperature: f64,
    /// How many steps are left at this temperature.
    left: u64,
}

/// What is saved of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Saved {
    /// What is drawn, after the moves that it began with.
    moves: Moves,
    /// The lists from which steps are drawn, in order: lines to draw, and dots of lines to erase.
    lines: Lines,
    dots: Vec<(i32, i32)>,
    temperature: f64,
    left: u64,
}

impl<'a, W: AnnealingWalk> Search<'a, W> {
    fn new<E: Engine<Walk = W>>(settings: &'a Sa, beginning: Beginning<'a, E>) -> Self {
        let Beginning { engine, from, best } = beginning;
        let start = engine.walk(from);
        Self {
            settings,
            from,
            most: longest(engine.game()).saturating_sub(from.len()),
            best,
            walk: start.clone(),
            start,
            temperature: settings.t0,
            left: settings.steps,
        }
    }

    fn take_up(&mut self, saved: &Saved) -> Result<(), BadState> {
        let Sa { t0, t1, steps, .. } = *self.settings;
        // A run that begins below its end still has one temperature.
        let hot = saved.temperature == t0 || (t1..t0).contains(&saved.temperature);
        in_range(hot, "temperature")?;
        in_range((1..=steps).contains(&saved.left), "number of steps")?;
        in_range(saved.moves.0.len() <= self.most, "length of a game")?;
        let dots: Vec<Point> = saved.dots.iter().map(|&(x, y)| Point::new(x, y)).collect();
        if !dots.iter().all(|dot| dot.within_limit()) {
            return Err(BadState::Lines);
        }
        let walk = self.start.clone().arranged(&saved.moves.0, &saved.lines.0, &dots);
        self.walk = walk.ok_or(BadState::Lines)?;
        (self.temperature, self.left) = (saved.temperature, saved.left);
        Ok(())
    }

    /// Notes the walk's game if it is the longest.
    fn note(&mut self, meter: &mut Meter<'_>) -> ControlFlow<()> {
        if self.from.len() + self.walk.score() > self.best.len() {
            self.best = self.walk.moves(self.from);
            return meter.improved(&self.best);
        }
        ControlFlow::Continue(())
    }

    /// After the last step at a temperature: cools, or begins a new run.
    fn cool(&mut self, meter: &mut Meter<'_>) {
        self.left = self.settings.steps;
        self.temperature *= self.settings.cooling;
        // Cooled below t1, or not at all: either way the run is over.
        if self.temperature < self.settings.t1 {
            let _ = self.note(meter);
            self.walk = self.start.clone();
            self.temperature = self.settings.t0;
        }
    }
}

impl<W: AnnealingWalk> Stepwise for Search<'_, W> {
    fn step(&mut self, meter: &mut Meter<'_>, rng: &mut Rng) -> ControlFlow<()> {
        let backward = chance_of_erasing(self.temperature);
        if self.walk.is_stuck() {
            return ControlFlow::Break(());
        }
        let mut steps = meter.playouts(self.left.min(STRIDE));
        if steps == 0 {
            return ControlFlow::Break(());
        }
        self.left -= steps;
        let most = self.most;
        let mut longest = self.best.len() - self.from.len();
        while steps > 0 {
            // A game is written down when it is about to become shorter, or cannot become longer:
            // not at every step of its way up.
            let forward = self.walk.score() < most;
            let step = self.walk.choose(forward, backward, || rng.next_u64());
            steps -= 1;
            let back = step.is_none_or(W::erases);
            if back & (self.walk.score() > longest) {
                longest = self.walk.score();
                if self.note(meter).is_break() {
                    // Nobody waits for the rest.
                    meter.give_back(steps);
                    self.left += steps;
                    steps = 0;
                }
            }
            if let Some(step) = step {
                self.walk.take(step);
            }
        }
        if self.left == 0 {
            self.cool(meter);
        }
        ControlFlow::Continue(())
    }

    fn restore(&mut self, state: &State) -> Result<(), BadState> {
        let Inside::Sa(saved) = &state.search else { return Err(BadState::Method) };
        self.take_up(saved)
    }

    fn best(&self) -> &[Move] {
        &self.best
    }

    fn inside(&self) -> Inside {
        let (lines, dots) = self.walk.lists();
        Inside::Sa(Saved {
            moves: Moves(self.walk.moves(self.from).split_off(self.from.len())),
            lines: Lines(lines),
            dots: dots.iter().map(|dot| (dot.x, dot.y)).collect(),
            temperature: self.temperature,
            left: self.left,
        })
    }

    /// A game on its way up counts as well. It is no part of the state: a search that goes on will
    /// meet it again, and perhaps longer.
    fn finish(mut self, meter: &mut Meter<'_>) -> Vec<Move> {
        let _ = self.note(meter);
        self.best
    }
}

/// How likely a loose line is erased, as a bound on 32 random bits.
fn chance_of_erasing(temperature: f64) -> u64 {
    ((-1.0 / temperature).exp() * (1u64 << 32) as f64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Searcher, Unwatched};
    use rand::SeedableRng;
    use rules::BitEngine;

    #[test]
    fn the_game_in_which_a_run_ends_counts() {
        // So cold that no line is ever erased: runs of ten steps are games of ten moves.
        let sa = Sa { t0: 0.01, t1: 0.01, cooling: 0.0, steps: 10 };
        let engine = BitEngine::<5, true>::new();
        for playouts in [9, 10, 11, 1000] {
            let budget = Budget { playouts: Some(playouts), deadline: None };
            let mut rng = Rng::seed_from_u64(1);
            let game = sa.search(&engine, &[], budget, &mut rng, &mut Unwatched);
            assert_eq!(game.len() as u64, playouts.min(10));
        }
    }
}
