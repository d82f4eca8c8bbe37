//! Simulated annealing with forward and backward moves (Hyyrö and Poranen 2007, section 2.2).
//!
//! A step draws one of the legal lines or of the loose ones, all alike. A legal line is drawn. A
//! loose one, whose dot no other line uses, is erased with probability exp(-1/t), or if nothing is
//! legal; otherwise a random legal line is drawn instead. The temperature t goes from `t0` down to
//! `t1` by the factor `cooling` after every `steps` steps; then a new run begins.

mod walk;

use std::ops::ControlFlow;

use geometry::Move;
use rules::{Kit, Sheet};
use serde::{Deserialize, Serialize};

use crate::state::{Inside, in_range};
use crate::stepwise::{self, Stepwise};
use crate::{
    BadState, Budget, Default, Kind, Meter, MethodInfo, Observer, Parameter, Rng, Searcher, State,
    Values, draw_all, longest,
};
use walk::{SavedWalk, Step, Walk};

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
        let search = Search::new(self, kit, from, from.to_vec());
        stepwise::search(search, Meter::new(budget, observer), rng)
    }

    fn resume<K: Kit>(
        &self,
        kit: &K,
        from: &[Move],
        state: &State,
        budget: Budget,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Move>, BadState> {
        let Inside::Sa(saved) = &state.search else { return Err(BadState::Method) };
        let mut search = Search::new(self, kit, from, state.checked(kit, from)?);
        search.restore(saved)?;
        Ok(stepwise::resume(search, state, budget, observer))
    }
}

/// How many steps are made at once.
const STRIDE: u64 = 1000;

struct Search<'a, S> {
    settings: &'a Sa,
    from: &'a [Move],
    /// The sheet on which every run begins.
    sheet: S,
    /// At so many lines a walk only goes back.
    most: usize,
    best: Vec<Move>,
    walk: Walk<S>,
    temperature: f64,
    /// How many steps are left at this temperature.
    left: u64,
}

/// What is saved of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Saved {
    walk: SavedWalk,
    temperature: f64,
    left: u64,
}

impl<'a, S: Sheet> Search<'a, S> {
    fn new<K: Kit<Sheet = S>>(
        settings: &'a Sa,
        kit: &K,
        from: &'a [Move],
        best: Vec<Move>,
    ) -> Self {
        let mut sheet = kit.sheet();
        draw_all(&mut sheet, from);
        Self {
            settings,
            from,
            most: longest(kit.game()).saturating_sub(from.len()),
            best,
            walk: Walk::new(sheet.clone()),
            sheet,
            temperature: settings.t0,
            left: settings.steps,
        }
    }

    fn restore(&mut self, saved: &Saved) -> Result<(), BadState> {
        let Sa { t0, t1, steps, .. } = *self.settings;
        // A run that begins below its end still has one temperature.
        let hot = saved.temperature == t0 || (t1..t0).contains(&saved.temperature);
        in_range(hot, "temperature")?;
        in_range((1..=steps).contains(&saved.left), "number of steps")?;
        self.walk = Walk::restored(self.sheet.clone(), self.from, self.most, &saved.walk)?;
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
    fn cool(&mut self) {
        self.left = self.settings.steps;
        self.temperature *= self.settings.cooling;
        // Cooled below t1, or not at all: either way the run is over.
        if self.temperature < self.settings.t1 {
            self.walk = Walk::new(self.sheet.clone());
            self.temperature = self.settings.t0;
        }
    }
}

impl<S: Sheet> Stepwise for Search<'_, S> {
    fn step(&mut self, meter: &mut Meter<'_>, rng: &mut Rng) -> ControlFlow<()> {
        let backward = Walk::<S>::chance_of_erasing(self.temperature);
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
            let step = self.walk.choose(backward, most, rng);
            steps -= 1;
            if !matches!(step, Step::Draw(_)) && self.walk.score() > longest {
                longest = self.walk.score();
                if self.note(meter).is_break() {
                    // Nobody waits for the rest.
                    meter.give_back(steps);
                    self.left += steps;
                    steps = 0;
                }
            }
            self.walk.take(step);
        }
        if self.left == 0 {
            self.cool();
        }
        ControlFlow::Continue(())
    }

    fn best(&self) -> &[Move] {
        &self.best
    }

    fn inside(&self) -> Inside {
        Inside::Sa(Saved {
            walk: self.walk.saved(self.from),
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
