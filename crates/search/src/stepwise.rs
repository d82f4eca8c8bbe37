//! Searches that go on step by step, and are whole in between.

use std::ops::ControlFlow;

use geometry::Move;

use crate::state::Inside;
use crate::{Budget, Meter, Moves, Observer, Rng, State};

/// A search whose state is whole between two steps.
pub(crate) trait Stepwise {
    /// Makes a step, of about a playout.
    ///
    /// `Break` when the meter allows no more, or nothing can follow. The state is whole then too,
    /// unless the meter knows of a playout that was cut.
    fn step(&mut self, meter: &mut Meter<'_>, rng: &mut Rng) -> ControlFlow<()>;

    /// The best game so far.
    fn best(&self) -> &[Move];

    /// The rest of the state.
    fn inside(&self) -> Inside;

    /// The best game in the end.
    fn finish(self, meter: &mut Meter<'_>) -> Vec<Move>;
}

/// Searches to the end of the budget.
pub(crate) fn search(mut search: impl Stepwise, mut meter: Meter<'_>, rng: &mut Rng) -> Vec<Move> {
    while search.step(&mut meter, rng).is_continue() {
        if meter.wants_state() {
            let state = state_of(&search, &meter, rng);
            meter.hand_over(state);
        }
    }
    if meter.wants_last_state() {
        let state = state_of(&search, &meter, rng);
        meter.hand_over(state);
    }
    search.finish(&mut meter)
}

/// Searches on from a state, of which `search` has been made.
pub(crate) fn resume(
    search: impl Stepwise,
    state: &State,
    budget: Budget,
    observer: &mut dyn Observer,
) -> Vec<Move> {
    let mut rng = state.generator.clone();
    self::search(search, Meter::after(state.playouts, budget, observer), &mut rng)
}

fn state_of(search: &impl Stepwise, meter: &Meter<'_>, rng: &Rng) -> State {
    State {
        playouts: meter.spent(),
        generator: rng.clone(),
        best: Moves(search.best().to_vec()),
        search: search.inside(),
    }
}
