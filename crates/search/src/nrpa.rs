//! Nested rollout policy adaptation (Rosin 2011), and with a beam (Cazenave and Teytaud 2012).
//!
//! A policy gives every line a weight. A playout draws each move with probability proportional to
//! exp(weight). A search of level n makes `iterations` searches of level n - 1, each from a copy of
//! its policy, and after each moves its policy towards the best game so far. A game as good as the
//! best replaces it: that alone is worth many moves. With a beam, every level keeps several games
//! and policies instead of one.

mod parts;
mod playout;
mod policy;
mod prior;
mod saved;
mod spans;

use std::collections::VecDeque;
use std::ops::ControlFlow;

use geometry::Move;
use rules::{Engine, PolicyRollout};

use crate::state::Inside;
use crate::stepwise::{Beginning, Stepper, Stepwise};
use crate::{BadState, Default, Kind, Meter, MethodInfo, Parameter, Rng, State, Values, longest};
pub use parts::NrpaPart;
use playout::{Game, Player};
use policy::{Policy, Space};
pub(crate) use prior::Informed;
pub use prior::Prior;
pub(crate) use saved::Saved;

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "nrpa",
    summary: "nested rollout policy adaptation: learns a playout policy while it searches",
    source: "Rosin 2011; with a beam: Cazenave and Teytaud 2012",
    playout: "games",
    parameters: PARAMETERS,
};

/// The same with a policy to begin with.
pub(crate) const INFORMED: MethodInfo =
    MethodInfo { name: "nrpa-informed", summary: "nrpa with a policy to begin with", ..INFO };

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "level",
        meaning: "how deep searches are nested; each level multiplies the time by `iterations`",
        kind: Kind::Integer { min: 1, max: 9 },
        default: Default::Always(4.0),
    },
    Parameter {
        name: "iterations",
        meaning: "how many searches of the next lower level a search makes",
        kind: Kind::Integer { min: 1, max: 1_000_000 },
        default: Default::Always(100.0),
    },
    Parameter {
        name: "alpha",
        meaning: "how far the policy moves towards the best game",
        kind: Kind::Real { min: 0.0001, max: 100.0 },
        default: Default::Always(1.0),
    },
    Parameter {
        name: "playouts",
        meaning: "how many games are played for each adaptation at level 1",
        kind: Kind::Integer { min: 1, max: 1000 },
        default: Default::Always(4.0),
    },
    Parameter {
        name: "repeats",
        meaning: "a search stops when its best game has come again so often in a row; 0 for never",
        kind: Kind::Integer { min: 0, max: 1_000_000 },
        default: Default::Always(0.0),
    },
    Parameter {
        name: "beam",
        meaning: "how many games and policies every level keeps",
        kind: Kind::Integer { min: 1, max: 1000 },
        default: Default::Always(1.0),
    },
];

/// The settings of the method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nrpa {
    /// How deep searches are nested.
    pub level: u64,
    /// How many searches of the next lower level a search makes.
    pub iterations: u64,
    /// How far the policy moves towards the best game.
    pub alpha: f64,
    /// How many games are played for each adaptation at level 1.
    pub playouts: u64,
    /// A search stops when its best game has come again so often in a row; 0 for never.
    pub repeats: u64,
    /// How many games and policies every level keeps.
    pub beam: usize,
}

impl Nrpa {
    /// The settings that these values of [`Method`](crate::Method) `nrpa` are.
    pub fn of(values: &Values) -> Self {
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

impl Stepper for Nrpa {
    fn begin<'a, E: Engine>(
        &'a self,
        beginning: Beginning<'a, E>,
        _rng: &mut Rng,
    ) -> impl Stepwise + use<'a, E> {
        Search::new(self, None, beginning)
    }
}

struct Search<'a, R> {
    settings: &'a Nrpa,
    prior: Option<&'a Prior>,
    player: Player<R>,
    space: Space,
    from: &'a [Move],
    best: Vec<Move>,
    /// The searches under way, that of the highest level first, each for the first of those that
    /// wait in the one before it.
    nested: Vec<Nested>,
    /// How many games were played for the next adaptation at level 1, and how many moves the best of
    /// them has, which the player has set aside.
    played: u64,
    found: Option<usize>,
}

/// A search of one level under way.
#[derive(Default)]
struct Nested {
    /// How many iterations are done, and how often in a row the best game has come again.
    iterations: u64,
    repeats: u64,
    /// Those from whose policies this iteration has still to search; between iterations the beam,
    /// the best first.
    waiting: VecDeque<Kept>,
    /// Those that this iteration has found; always none without a beam.
    next: Vec<Kept>,
    /// The hash of the best game before this iteration, once that one is not waiting any more.
    before: Option<u64>,
}

/// A game and the policy that has been moved towards it.
#[derive(Default)]
struct Kept {
    game: Game,
    policy: Policy,
}

impl<'a, R: PolicyRollout> Search<'a, R> {
    fn new<E: Engine<PolicyRollout = R>>(
        settings: &'a Nrpa,
        prior: Option<&'a Prior>,
        beginning: Beginning<'a, E>,
    ) -> Self {
        let Beginning { engine, from, best } = beginning;
        Self {
            settings,
            prior,
            player: Player::new(engine.policy_rollout(from), longest(engine.game())),
            space: Space::default(),
            from,
            best,
            nested: Vec::new(),
            played: 0,
            found: None,
        }
    }

    /// Begins searches, each a level below the last, until there is one of level 1.
    fn descend(&mut self) {
        while (self.nested.len() as u64) < self.settings.level {
            let policy = match self.nested.last() {
                Some(above) => above.waiting[0].policy.clone(),
                None => match self.prior {
                    Some(prior) => prior.policy(&mut self.player),
                    None => Policy::new(self.player.line_count()),
                },
            };
            let waiting = VecDeque::from([Kept { game: Game::default(), policy }]);
            self.nested.push(Nested { waiting, ..Nested::default() });
        }
    }

    /// Passes the best of some playouts to level 1. A search that comes to its end by this passes
    /// its games one level higher.
    fn ascend(&mut self, mut games: Vec<Game>) {
        while let Some(nested) = self.nested.last_mut() {
            nested.learn(games, self.settings, &mut self.space);
            if !nested.is_over(self.settings) {
                return;
            }
            let over = self.nested.pop().expect("it is there");
            games = over.waiting.into_iter().map(|kept| kept.game).collect();
        }
    }

    /// Plays a game, and adapts after every few. Says which part of that is done whenever another
    /// begins: this is a search's step, and what `bench` measures.
    #[inline(always)]
    fn step_by_parts(
        &mut self,
        meter: &mut Meter<'_>,
        rng: &mut Rng,
        mut done: impl FnMut(NrpaPart),
    ) -> ControlFlow<()> {
        self.descend();
        meter.playout()?;
        let lowest = self.nested.last().expect("there is a level 1");
        let score = self.player.play(&lowest.waiting[0].policy, rng);
        if self.from.len() + score > self.best.len() {
            self.best = self.player.moves(self.from);
            let _ = meter.improved(&self.best);
        }
        if self.found.is_none_or(|found| score >= found) {
            self.found = Some(score);
            self.player.set_aside();
        }
        self.played += 1;
        if self.played == self.settings.playouts {
            done(NrpaPart::Play);
            self.played = 0;
            // A beam has use for every game; one policy only for those that are as good as its own.
            let least = if self.settings.beam == 1 { lowest.waiting[0].game.score() } else { 0 };
            let found = self.found.take().filter(|&score| score >= least);
            let games = found.map(|score| self.player.aside(score)).into_iter().collect();
            done(NrpaPart::Look);
            self.ascend(games);
            done(NrpaPart::Adapt);
        }
        ControlFlow::Continue(())
    }
}

impl Nested {
    /// Takes games that were found from the policy of the first that waits.
    fn learn(&mut self, games: Vec<Game>, settings: &Nrpa, space: &mut Space) {
        let mut kept = self.waiting.pop_front().expect("someone waits for these games");
        let before = *self.before.get_or_insert(kept.game.hash());
        if settings.beam == 1 {
            for game in games {
                if game.score() >= kept.game.score() {
                    kept.game = game;
                }
            }
            kept.policy.adapt(&kept.game, settings.alpha, space);
            self.waiting.push_back(kept);
        } else {
            for game in games {
                if !self.has_found(&game) {
                    let mut policy = kept.policy.clone();
                    policy.adapt(&game, settings.alpha, space);
                    self.next.push(Kept { game, policy });
                }
            }
            if !self.has_found(&kept.game) {
                kept.policy.adapt(&kept.game, settings.alpha, space);
                self.next.push(kept);
            }
            if !self.waiting.is_empty() {
                return;
            }
            // New games come before old ones of the same length: the sort keeps their order.
            self.next.sort_by_key(|kept| std::cmp::Reverse(kept.game.score()));
            self.next.truncate(settings.beam);
            self.waiting = std::mem::take(&mut self.next).into();
        }
        self.before = None;
        self.iterations += 1;
        let again = self.waiting[0].game.hash() == before;
        self.repeats = if again { self.repeats + 1 } else { 0 };
    }

    fn has_found(&self, game: &Game) -> bool {
        self.next.iter().any(|other| other.game.hash() == game.hash())
    }

    /// Whether the search has come to its end; asked after every game it has learnt.
    fn is_over(&self, settings: &Nrpa) -> bool {
        let tired = self.repeats > 0 && self.repeats == settings.repeats;
        self.before.is_none() && (self.iterations == settings.iterations || tired)
    }
}

impl<R: PolicyRollout> Stepwise for Search<'_, R> {
    #[inline]
    fn step(&mut self, meter: &mut Meter<'_>, rng: &mut Rng) -> ControlFlow<()> {
        self.step_by_parts(meter, rng, |_| {})
    }

    fn restore(&mut self, state: &State) -> Result<(), BadState> {
        let Inside::Nrpa(saved) = &state.search else { return Err(BadState::Method) };
        self.take_up(saved)
    }

    fn best(&self) -> &[Move] {
        &self.best
    }

    fn inside(&self) -> Inside {
        Inside::Nrpa(self.saved())
    }

    fn finish(self, _meter: &mut Meter<'_>) -> Vec<Move> {
        self.best
    }
}
