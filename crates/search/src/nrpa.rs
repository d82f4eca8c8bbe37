//! Nested rollout policy adaptation (Rosin 2011), and with a beam (Cazenave and Teytaud 2012).
//!
//! A policy gives every line a weight. A playout samples each move with probability proportional to
//! exp(weight). A search of level n makes `iterations` searches of level n - 1, each from a copy of
//! its policy, and after each moves its policy towards the best game so far. A game as long as the
//! best replaces it: that alone is worth many moves. With a beam, every level keeps several games
//! and policies instead of one.

mod phases;
mod playout;
mod policy;
mod prior;
mod spans;
mod state;

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;

use geometry::Move;
use rules::Engine;

use crate::DefaultValue::Always;
use crate::method::EngineMethod;
use crate::registry::{MethodBuild, MethodInfo};
use crate::run::SearchBase;
use crate::state::MethodState;
use crate::{BudgetMeter, Parameter, ParameterValues, Rng, Run, SearchState, StateError};
pub use phases::NrpaPhase;
use playout::{PlayedGame, Player};
use policy::{AdaptBuffers, Policy};
pub(crate) use prior::InformedNrpa;
pub use prior::Prior;

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "nrpa",
    summary: "nested rollout policy adaptation: learns a playout policy while it searches",
    source: "Rosin 2011; with a beam: Cazenave and Teytaud 2012",
    playout: "games",
    parameters: PARAMETERS,
    build: MethodBuild::FromValues(|values| Arc::new(Nrpa::from(values))),
};

/// The same with an initial policy.
pub(crate) const INFORMED: MethodInfo = MethodInfo {
    name: "nrpa-informed",
    summary: "nrpa with an initial policy",
    build: MethodBuild::External,
    ..INFO
};

const PARAMETERS: &[Parameter] = &[
    Parameter::integer("level", 1..=9, Always(4.0))
        .meaning("depth of the nesting; each level multiplies the time by `iterations`"),
    Parameter::integer("iterations", 1..=1_000_000, Always(100.0))
        .meaning("searches of the next lower level that a search makes"),
    Parameter::real("alpha", 0.0001..=100.0, Always(1.0))
        .meaning("learning rate: how far the policy moves towards the best game"),
    Parameter::integer("playouts", 1..=1000, Always(4.0))
        .meaning("games for each adaptation at level 1"),
    Parameter::integer("repeats", 0..=1_000_000, Always(0.0))
        .meaning("a search stops when it has found its best game this often in a row; 0: never"),
    Parameter::integer("beam", 1..=1000, Always(1.0))
        .meaning("size of the beam: games and policies that every level keeps"),
];

/// The settings of the method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nrpa {
    /// The depth of the nesting.
    pub level: u64,
    /// The number of searches of the next lower level that a search makes.
    pub iterations: u64,
    /// The learning rate: how far the policy moves towards the best game.
    pub alpha: f64,
    /// The number of games for each adaptation at level 1.
    pub playouts: u64,
    /// A search stops when its best game has been found this often in a row; 0 for never.
    pub repeats: u64,
    /// The number of games and policies that every level keeps.
    pub beam: usize,
}

impl From<&ParameterValues> for Nrpa {
    fn from(values: &ParameterValues) -> Self {
        Self {
            level: values.integer("level"),
            iterations: values.integer("iterations"),
            alpha: values.real("alpha"),
            playouts: values.integer("playouts"),
            repeats: values.integer("repeats"),
            beam: values.integer("beam") as usize,
        }
    }
}

impl EngineMethod for Nrpa {
    fn start_on<E: Engine>(&self, base: SearchBase<E>, _rng: &mut Rng) -> Box<dyn Run> {
        Box::new(NrpaRun::new(*self, None, base))
    }
}

struct NrpaRun<E: Engine> {
    settings: Nrpa,
    prior: Option<Arc<Prior>>,
    base: SearchBase<E>,
    player: Player<E::PolicyRollout>,
    buffers: AdaptBuffers,
    /// The searches under way, that of the highest level first, each for the first candidate of the
    /// one before it.
    nested: Vec<NestedSearch>,
    /// The number of games played for the next adaptation at level 1, and the number of moves of
    /// the best of them, which the player has set aside.
    played: u64,
    found: Option<usize>,
}

/// A search of one level under way.
#[derive(Default)]
struct NestedSearch {
    /// The number of iterations done, and how often in a row the best game has been found again.
    iterations: u64,
    repeats: u64,
    /// The candidates from whose policies this iteration has still to search; between iterations
    /// the beam, the best first.
    waiting: VecDeque<Candidate>,
    /// The candidates that this iteration has found; always empty without a beam.
    next: Vec<Candidate>,
    /// The hash of the best game before this iteration, once it is no longer waiting.
    before: Option<u64>,
}

/// A game and the policy that has been moved towards it.
#[derive(Default)]
struct Candidate {
    game: PlayedGame,
    policy: Policy,
}

impl<E: Engine> NrpaRun<E> {
    fn new(settings: Nrpa, prior: Option<Arc<Prior>>, base: SearchBase<E>) -> Self {
        let rollout = base.engine.policy_rollout(&base.prefix);
        Self {
            settings,
            prior,
            player: Player::new(rollout, base.max_moves()),
            buffers: AdaptBuffers::default(),
            base,
            nested: Vec::new(),
            played: 0,
            found: None,
        }
    }

    /// Begins searches, each a level below the last, until there is one of level 1.
    fn descend(&mut self) {
        while (self.nested.len() as u64) < self.settings.level {
            let policy = match (self.nested.last(), &self.prior) {
                (Some(above), _) => above.waiting[0].policy.clone(),
                (None, Some(prior)) => prior.policy(&mut self.player),
                (None, None) => Policy::new(self.player.line_count()),
            };
            let waiting = VecDeque::from([Candidate { game: PlayedGame::default(), policy }]);
            self.nested.push(NestedSearch { waiting, ..NestedSearch::default() });
        }
    }

    /// Passes the best of some playouts to level 1. A search that thereby ends passes its games one
    /// level higher.
    fn ascend(&mut self, mut games: Vec<PlayedGame>) {
        while let Some(nested) = self.nested.last_mut() {
            nested.learn(games, &self.settings, &mut self.buffers);
            if !nested.is_over(&self.settings) {
                return;
            }
            let over = self.nested.pop().expect("it is there");
            games = over.waiting.into_iter().map(|candidate| candidate.game).collect();
        }
    }

    /// Plays a game, and adapts after every few. Calls `done` at the end of each phase: this is a
    /// search's step, and what `bench` measures.
    #[inline(always)]
    fn step_by_phases(
        &mut self,
        meter: &mut BudgetMeter<'_>,
        rng: &mut Rng,
        mut done: impl FnMut(NrpaPhase),
    ) -> ControlFlow<()> {
        self.descend();
        meter.playout()?;
        let lowest = self.nested.last().expect("there is a level 1");
        let score = self.player.play(&lowest.waiting[0].policy, rng);
        if self.base.is_better(score) {
            let _ = self.base.improve(self.player.moves(&self.base.prefix), meter);
        }
        if self.found.is_none_or(|found| score >= found) {
            self.found = Some(score);
            self.player.set_aside();
        }
        self.played += 1;
        if self.played == self.settings.playouts {
            done(NrpaPhase::Play);
            self.played = 0;
            // A beam uses every game; one policy only those that are as good as its own.
            let least = if self.settings.beam == 1 { lowest.waiting[0].game.score() } else { 0 };
            let found = self.found.take().filter(|&score| score >= least);
            let games = found.map(|score| self.player.game_set_aside(score)).into_iter().collect();
            done(NrpaPhase::Analyse);
            self.ascend(games);
            done(NrpaPhase::Adapt);
        }
        ControlFlow::Continue(())
    }
}

impl NestedSearch {
    /// Takes games that were found from the policy of the first waiting candidate.
    fn learn(&mut self, games: Vec<PlayedGame>, settings: &Nrpa, buffers: &mut AdaptBuffers) {
        let mut candidate = self.waiting.pop_front().expect("a candidate waits for these games");
        let before = *self.before.get_or_insert(candidate.game.hash());
        if settings.beam == 1 {
            for game in games {
                if game.score() >= candidate.game.score() {
                    candidate.game = game;
                }
            }
            candidate.policy.adapt(&candidate.game, settings.alpha, buffers);
            self.waiting.push_back(candidate);
        } else {
            for game in games {
                if !self.has_found(&game) {
                    let mut policy = candidate.policy.clone();
                    policy.adapt(&game, settings.alpha, buffers);
                    self.next.push(Candidate { game, policy });
                }
            }
            if !self.has_found(&candidate.game) {
                candidate.policy.adapt(&candidate.game, settings.alpha, buffers);
                self.next.push(candidate);
            }
            if !self.waiting.is_empty() {
                return;
            }
            // New games come before old ones of the same length: the sort is stable.
            self.next.sort_by_key(|candidate| std::cmp::Reverse(candidate.game.score()));
            self.next.truncate(settings.beam);
            self.waiting = std::mem::take(&mut self.next).into();
        }
        self.before = None;
        self.iterations += 1;
        let again = self.waiting[0].game.hash() == before;
        self.repeats = if again { self.repeats + 1 } else { 0 };
    }

    fn has_found(&self, game: &PlayedGame) -> bool {
        self.next.iter().any(|other| other.game.hash() == game.hash())
    }

    /// Whether the search has ended; asked after every game it has learnt.
    fn is_over(&self, settings: &Nrpa) -> bool {
        let stalled = self.repeats > 0 && self.repeats == settings.repeats;
        self.before.is_none() && (self.iterations == settings.iterations || stalled)
    }
}

impl<E: Engine> Run for NrpaRun<E> {
    fn step(&mut self, meter: &mut BudgetMeter<'_>, rng: &mut Rng) -> ControlFlow<()> {
        self.step_by_phases(meter, rng, |_| {})
    }

    fn best(&self) -> &[Move] {
        &self.base.best
    }

    fn state(&self) -> Option<MethodState> {
        Some(MethodState::new(INFO.name, &self.saved()))
    }

    fn restore(&mut self, state: &SearchState) -> Result<(), StateError> {
        self.base.restore(state)?;
        self.restore_searches(&state.method(INFO.name)?)
    }
}
