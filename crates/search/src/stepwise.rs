//! Searches that go on step by step, and are whole in between.

use std::ops::ControlFlow;

use geometry::Move;
use rules::Engine;

use crate::state::Inside;
use crate::{BadState, Budget, Meter, Moves, Observer, Rng, Searcher, State};

/// A search whose state is whole between two steps.
pub(crate) trait Stepwise {
    /// Makes a step, of about a playout.
    ///
    /// `Break` when the meter allows no more, or nothing can follow. The state is whole then too,
    /// unless the meter knows of a playout that was cut.
    fn step(&mut self, meter: &mut Meter<'_>, rng: &mut Rng) -> ControlFlow<()>;

    /// Takes up what a state says that a search of this method had come to, if all is well with it.
    fn restore(&mut self, state: &State) -> Result<(), BadState>;

    /// The best game so far.
    fn best(&self) -> &[Move];

    /// The rest of the state.
    fn inside(&self) -> Inside;

    /// The best game in the end.
    fn finish(self, meter: &mut Meter<'_>) -> Vec<Move>;
}

/// Where a search begins.
pub(crate) struct Beginning<'a, E> {
    pub(crate) engine: &'a E,
    /// Every game begins with these moves.
    pub(crate) from: &'a [Move],
    /// The best game so far: these moves alone, or what a saved search has found.
    pub(crate) best: Vec<Move>,
}

/// A method that searches step by step, and so can stop and go on anywhere.
pub(crate) trait Stepper {
    /// A search that has not made a step.
    fn begin<'a, E: Engine>(
        &'a self,
        beginning: Beginning<'a, E>,
        rng: &mut Rng,
    ) -> impl Stepwise + use<'a, Self, E>;
}

impl<M: Stepper> Searcher for M {
    fn search<E: Engine>(
        &self,
        engine: &E,
        from: &[Move],
        budget: Budget,
        rng: &mut Rng,
        observer: &mut dyn Observer,
    ) -> Vec<Move> {
        let search = self.begin(Beginning { engine, from, best: from.to_vec() }, rng);
        finished(search, Meter::new(budget, observer), rng)
    }

    fn resume<E: Engine>(
        &self,
        engine: &E,
        from: &[Move],
        state: &State,
        budget: Budget,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Move>, BadState> {
        let best = state.checked(engine, from)?;
        // What a search draws to begin with is in its state.
        let mut search = self.begin(Beginning { engine, from, best }, &mut state.generator.clone());
        search.restore(state)?;
        let mut rng = state.generator.clone();
        Ok(finished(search, Meter::after(state.playouts, budget, observer), &mut rng))
    }
}

/// Searches to the end of the budget.
fn finished(mut search: impl Stepwise, mut meter: Meter<'_>, rng: &mut Rng) -> Vec<Move> {
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

fn state_of(search: &impl Stepwise, meter: &Meter<'_>, rng: &Rng) -> State {
    State {
        playouts: meter.spent(),
        generator: rng.clone(),
        best: Moves(search.best().to_vec()),
        search: search.inside(),
    }
}
