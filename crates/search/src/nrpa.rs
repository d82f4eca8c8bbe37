//! Nested rollout policy adaptation (Rosin 2011), and with a beam (Cazenave and Teytaud 2012).
//!
//! A policy gives every line a weight. A playout draws each move with probability proportional to
//! exp(weight). A search of level n makes `iterations` searches of level n - 1, each from a copy of
//! its policy, and after each moves its policy towards the best game so far. A game as good as the
//! best replaces it: that alone is worth many moves. With a beam, every level keeps several games
//! and policies instead of one.

mod playout;
mod policy;

use std::ops::ControlFlow;

use geometry::Move;
use rules::{Kit, Sheet};

use crate::{
    Budget, Default, Kind, Meter, MethodInfo, Observer, Parameter, Rng, Searcher, Values, draw_all,
    longest,
};
use playout::{Game, Player};
use policy::Policy;

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "nrpa",
    summary: "nested rollout policy adaptation: learns a playout policy while it searches",
    source: "Rosin 2011; with a beam: Cazenave and Teytaud 2012",
    playout: "games",
    parameters: PARAMETERS,
};

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
    pub(crate) fn of(values: &Values) -> Self {
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

impl Searcher for Nrpa {
    fn search<K: Kit>(
        &self,
        kit: &K,
        from: &[Move],
        budget: Budget,
        rng: &mut Rng,
        observer: &mut dyn Observer,
    ) -> Vec<Move> {
        let mut sheet = kit.sheet();
        draw_all(&mut sheet, from);
        let mut search = Search {
            settings: self,
            player: Player::new(&sheet, longest(kit.game())),
            meter: Meter::new(budget, observer),
            rng,
            from,
            best: from.to_vec(),
        };
        while search.nested(self.level, Policy::default()).is_continue() {}
        search.best
    }
}

struct Search<'a, S> {
    settings: &'a Nrpa,
    player: Player<S>,
    meter: Meter<'a>,
    rng: &'a mut Rng,
    from: &'a [Move],
    best: Vec<Move>,
}

/// A game and the policy that has been moved towards it.
struct Kept {
    game: Game,
    policy: Policy,
}

impl<S: Sheet> Search<'_, S> {
    /// The best games of a search of this level, the best first; `Break` when the time is over.
    fn nested(&mut self, level: u64, policy: Policy) -> ControlFlow<(), Vec<Kept>> {
        let mut beam = vec![Kept { game: Game::default(), policy }];
        let mut repeats = 0;
        for _ in 0..self.settings.iterations {
            let before = beam[0].game.hash();
            beam = self.iterate(level, beam)?;
            repeats = if beam[0].game.hash() == before { repeats + 1 } else { 0 };
            if repeats > 0 && repeats == self.settings.repeats {
                break;
            }
        }
        ControlFlow::Continue(beam)
    }

    /// One search of the next lower level from each policy of the beam.
    fn iterate(&mut self, level: u64, beam: Vec<Kept>) -> ControlFlow<(), Vec<Kept>> {
        let alpha = self.settings.alpha;
        if let [_] = beam.as_slice()
            && self.settings.beam == 1
        {
            let mut kept = beam.into_iter().next().expect("one");
            for game in self.lower(level, &kept.policy)? {
                if game.score() >= kept.game.score() {
                    kept.game = game;
                }
            }
            kept.policy.adapt(&kept.game, alpha);
            return ControlFlow::Continue(vec![kept]);
        }
        let mut next: Vec<Kept> = Vec::new();
        for mut kept in beam {
            for game in self.lower(level, &kept.policy)? {
                let known = next.iter().any(|other| other.game.hash() == game.hash());
                if !known {
                    let mut policy = kept.policy.clone();
                    policy.adapt(&game, alpha);
                    next.push(Kept { game, policy });
                }
            }
            let known = next.iter().any(|other| other.game.hash() == kept.game.hash());
            if !known {
                kept.policy.adapt(&kept.game, alpha);
                next.push(kept);
            }
        }
        // New games come before old ones of the same length: the sort keeps their order.
        next.sort_by_key(|kept| std::cmp::Reverse(kept.game.score()));
        next.truncate(self.settings.beam);
        ControlFlow::Continue(next)
    }

    /// The games that a search of the next lower level finds.
    fn lower(&mut self, level: u64, policy: &Policy) -> ControlFlow<(), Vec<Game>> {
        if level > 1 {
            let beam = self.nested(level - 1, policy.clone())?;
            return ControlFlow::Continue(beam.into_iter().map(|kept| kept.game).collect());
        }
        let mut best: Option<Game> = None;
        for _ in 0..self.settings.playouts {
            self.meter.playout()?;
            let score = self.player.play(policy, self.rng);
            if self.from.len() + score > self.best.len() {
                self.best = self.player.moves(self.from);
                self.meter.improved(&self.best)?;
            }
            if best.as_ref().is_none_or(|best| score >= best.score()) {
                best = Some(self.player.game().clone());
            }
        }
        ControlFlow::Continue(best.into_iter().collect())
    }
}
