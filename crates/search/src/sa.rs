//! Simulated annealing with forward and backward moves (Hyyrö and Poranen 2007, section 2.2).
//!
//! A step chooses uniformly one of the legal and the removable lines. A legal line is drawn. A
//! removable one, whose dot no other line uses, is erased with probability exp(-1/t), or if nothing
//! is legal; otherwise a random legal line is drawn instead. The temperature t decreases from `t0`
//! to `t1` by the factor `cooling` after every `steps` steps; then a new run begins.

use std::ops::ControlFlow;
use std::sync::Arc;

use geometry::{Move, Point};
use rand::Rng as _;
use rules::{AnnealingWalk, Engine};
use serde::{Deserialize, Serialize};

use crate::DefaultValue::{Always, ByGame};
use crate::method::EngineMethod;
use crate::notation::LineList;
use crate::registry::{MethodBuild, MethodInfo};
use crate::run::SearchBase;
use crate::state::{MethodState, in_range};
use crate::{BudgetMeter, MoveList, Parameter, ParameterValues, Rng, Run, SearchState, StateError};

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "sa",
    summary: "simulated annealing: single moves forward and, by the temperature, backward",
    source: "Hyyrö and Poranen 2007, Algorithm 3.1",
    playout: "steps",
    parameters: PARAMETERS,
    build: MethodBuild::FromValues(|values| Arc::new(Sa::from(values))),
};

/// The best temperature in the paper's Table 2.
fn best_temperature(game: &geometry::Game) -> f64 {
    match (game.rules.length(), game.rules.touching()) {
        (..=4, false) => 1.8,
        (..=4, true) => 3.6,
        (_, false) => 3.2,
        (_, true) => 8.0,
    }
}

const PARAMETERS: &[Parameter] = &[
    Parameter::real("t0", 0.01..=1e6, ByGame(best_temperature)).meaning("initial temperature"),
    Parameter::real("t1", 0.01..=1e6, ByGame(best_temperature))
        .meaning("a run ends when the temperature falls below this"),
    Parameter::real("cooling", 0.0..=0.999_999_999, Always(0.99))
        .meaning("factor of the temperature after every `steps` steps"),
    Parameter::integer("steps", 1..=1_000_000_000_000, Always(1e7))
        .meaning("the number of steps at each temperature"),
];

/// The settings of the method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sa {
    /// The initial temperature.
    pub t0: f64,
    /// A run ends when the temperature falls below this.
    pub t1: f64,
    /// The factor of the temperature after every `steps` steps.
    pub cooling: f64,
    /// The number of steps at each temperature.
    pub steps: u64,
}

impl From<&ParameterValues> for Sa {
    fn from(values: &ParameterValues) -> Self {
        Self {
            t0: values.real("t0"),
            t1: values.real("t1"),
            cooling: values.real("cooling"),
            steps: values.integer("steps"),
        }
    }
}

impl EngineMethod for Sa {
    fn start_on<E: Engine>(&self, base: SearchBase<E>, _rng: &mut Rng) -> Box<dyn Run> {
        let start = base.engine.walk(&base.prefix);
        Box::new(SaRun {
            settings: *self,
            max_lines: base.max_lines(),
            walk: start.clone(),
            start,
            temperature: self.t0,
            steps_left: self.steps,
            base,
        })
    }
}

/// The number of steps made at once.
const STRIDE: u64 = 1000;

struct SaRun<E: Engine> {
    settings: Sa,
    base: SearchBase<E>,
    /// The beginning of every run.
    start: E::Walk,
    /// The number of lines at which a walk only goes backward.
    max_lines: usize,
    walk: E::Walk,
    temperature: f64,
    /// The number of steps left at this temperature.
    steps_left: u64,
}

/// The saved state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SaState {
    /// The moves after the prefix.
    moves: MoveList,
    /// The lists from which steps are sampled, in order: legal lines, and dots of removable ones.
    lines: LineList,
    dots: Vec<(i32, i32)>,
    temperature: f64,
    #[serde(rename = "left")]
    steps_left: u64,
}

impl<E: Engine> SaRun<E> {
    /// Records the walk's game if it is the longest.
    fn record(&mut self, meter: &mut BudgetMeter<'_>) -> ControlFlow<()> {
        if self.base.is_better(self.walk.score()) {
            return self.base.improve(self.walk.moves(&self.base.prefix), meter);
        }
        ControlFlow::Continue(())
    }

    /// After the last step at a temperature: cools, or begins a new run.
    fn cool(&mut self, meter: &mut BudgetMeter<'_>) {
        self.steps_left = self.settings.steps;
        self.temperature *= self.settings.cooling;
        // Cooled below t1, or not at all: either way the run is over.
        if self.temperature < self.settings.t1 {
            let _ = self.record(meter);
            self.walk = self.start.clone();
            self.temperature = self.settings.t0;
        }
    }
}

impl<E: Engine> Run for SaRun<E> {
    fn step(&mut self, meter: &mut BudgetMeter<'_>, rng: &mut Rng) -> ControlFlow<()> {
        let backward = erasing_threshold(self.temperature);
        if self.walk.is_stuck() {
            return ControlFlow::Break(());
        }
        let mut steps = meter.playouts(self.steps_left.min(STRIDE));
        if steps == 0 {
            return ControlFlow::Break(());
        }
        self.steps_left -= steps;
        let max_lines = self.max_lines;
        let mut longest = self.base.best.len() - self.base.prefix.len();
        while steps > 0 {
            // A game is recorded when it is about to become shorter, or cannot become longer: not
            // at every step of its way up.
            let forward = self.walk.score() < max_lines;
            let step = self.walk.choose(forward, backward, || rng.next_u64());
            steps -= 1;
            let back = step.is_none_or(E::Walk::erases);
            if back & (self.walk.score() > longest) {
                longest = self.walk.score();
                if self.record(meter).is_break() {
                    meter.give_back(steps);
                    self.steps_left += steps;
                    steps = 0;
                }
            }
            if let Some(step) = step {
                self.walk.take(step);
            }
        }
        if self.steps_left == 0 {
            self.cool(meter);
        }
        ControlFlow::Continue(())
    }

    fn best(&self) -> &[Move] {
        &self.base.best
    }

    fn state(&self) -> Option<MethodState> {
        let (lines, dots) = self.walk.lists();
        let prefix = &self.base.prefix;
        let state = SaState {
            moves: MoveList(self.walk.moves(prefix).split_off(prefix.len())),
            lines: LineList(lines),
            dots: dots.iter().map(|dot| (dot.x, dot.y)).collect(),
            temperature: self.temperature,
            steps_left: self.steps_left,
        };
        Some(MethodState::new(INFO.name, &state))
    }

    fn restore(&mut self, state: &SearchState) -> Result<(), StateError> {
        self.base.restore(state)?;
        let saved: SaState = state.method(INFO.name)?;
        let Sa { t0, t1, steps, .. } = self.settings;
        // A run that begins below its end still has one temperature.
        let hot = saved.temperature == t0 || (t1..t0).contains(&saved.temperature);
        in_range(hot, "temperature")?;
        in_range((1..=steps).contains(&saved.steps_left), "number of steps")?;
        in_range(saved.moves.0.len() <= self.max_lines, "length of a game")?;
        let dots: Vec<Point> = saved.dots.iter().map(|&(x, y)| Point::new(x, y)).collect();
        if !dots.iter().all(|dot| dot.within_limit()) {
            return Err(StateError::Lines);
        }
        let walk = self.start.clone().arranged(&saved.moves.0, &saved.lines.0, &dots);
        self.walk = walk.ok_or(StateError::Lines)?;
        (self.temperature, self.steps_left) = (saved.temperature, saved.steps_left);
        Ok(())
    }

    /// A game on its way up counts as well. It is not part of the state: a resumed search will
    /// reach it again, and perhaps a longer one.
    fn finish(&mut self, meter: &mut BudgetMeter<'_>) {
        let _ = self.record(meter);
    }
}

/// The probability that a removable line is erased, as a threshold for 32 random bits.
fn erasing_threshold(temperature: f64) -> u64 {
    ((-1.0 / temperature).exp() * (1u64 << 32) as f64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::found;

    #[test]
    fn the_game_in_which_a_run_ends_counts() {
        // So cold that no line is ever erased: runs of ten steps are games of ten moves.
        let sa = Sa { t0: 0.01, t1: 0.01, cooling: 0.0, steps: 10 };
        for playouts in [9, 10, 11, 1000] {
            assert_eq!(found(&sa, "5T", playouts, 1).len() as u64, playouts.min(10));
        }
    }
}
