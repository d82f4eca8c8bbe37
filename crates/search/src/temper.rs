//! Parallel tempering over ruin and recreate, on whole games.
//!
//! A state is a finished game. A proposal erases a few lines with all that depends on them, and
//! completes what is left to a finished game again: lines that were lost on the way come back first
//! if they can, then chance decides. Longer games are always accepted, shorter ones with
//! probability exp(change / temperature). Several replicas run at temperatures on both sides of the
//! freezing point and exchange their games, so that good ones cool and stuck ones thaw.

mod replica;

use geometry::Move;
use rules::Kit;

use crate::chance::unit;
use crate::{
    Budget, Default, Kind, Meter, MethodInfo, Observer, Parameter, Rng, Searcher, Values, draw_all,
};
use replica::Replica;

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "temper",
    summary: "ruins and recreates whole games at several temperatures that exchange them",
    source: "parallel tempering (Swendsen and Wang 1986; Geyer 1991) over ruin and recreate \
             (Schrimpf et al. 2000)",
    playout: "proposals",
    parameters: PARAMETERS,
};

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "replicas",
        meaning: "how many games are changed side by side",
        kind: Kind::Integer { min: 1, max: 1000 },
        default: Default::Always(8.0),
    },
    Parameter {
        name: "coldest",
        meaning: "the lowest temperature",
        kind: Kind::Real { min: 0.01, max: 100.0 },
        default: Default::Touching(0.55, 0.38),
    },
    Parameter {
        name: "hottest",
        meaning: "the highest temperature",
        kind: Kind::Real { min: 0.01, max: 100.0 },
        default: Default::Touching(1.35, 0.75),
    },
    Parameter {
        name: "chosen",
        meaning: "at most so many lines are chosen to be erased",
        kind: Kind::Integer { min: 1, max: 100 },
        default: Default::Always(4.0),
    },
    Parameter {
        name: "near",
        meaning: "how likely the chosen lines lie close together",
        kind: Kind::Real { min: 0.0, max: 1.0 },
        default: Default::Touching(0.3, 0.0),
    },
    Parameter {
        name: "loss",
        meaning: "about how many lines may be lost with the chosen ones",
        kind: Kind::Real { min: 0.0, max: 1e6 },
        default: Default::Touching(16.0, 12.0),
    },
    Parameter {
        name: "tail",
        meaning: "how much more may be lost at times: the limit is loss / u^tail, u even in (0,1)",
        kind: Kind::Real { min: 0.0, max: 10.0 },
        default: Default::Always(1.0),
    },
    Parameter {
        name: "hold",
        meaning: "how likely the chosen lines are held back until nothing else can be drawn",
        kind: Kind::Real { min: 0.0, max: 1.0 },
        default: Default::Touching(0.3, 0.5),
    },
    Parameter {
        name: "proposals",
        meaning: "how many proposals each game gets between exchanges",
        kind: Kind::Integer { min: 1, max: 1_000_000_000 },
        default: Default::Always(200.0),
    },
];

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
    pub chosen: usize,
    /// How likely the chosen lines lie close together.
    pub near: f64,
    /// About how many lines may be lost with the chosen ones.
    pub loss: f64,
    /// How much more may be lost at times: a proposal is given up when more than `loss` / u^`tail`
    /// lines are lost, u evenly drawn from (0,1).
    pub tail: f64,
    /// How likely the chosen lines are held back until nothing else can be drawn.
    pub hold: f64,
    /// How many proposals each replica makes between exchanges.
    pub proposals: u64,
}

impl Temper {
    pub(crate) fn of(values: &Values) -> Self {
        Self {
            replicas: values.integer("replicas") as usize,
            coldest: values.real("coldest"),
            hottest: values.real("hottest"),
            chosen: values.integer("chosen") as usize,
            near: values.real("near"),
            loss: values.real("loss"),
            tail: values.real("tail"),
            hold: values.real("hold"),
            proposals: values.integer("proposals"),
        }
    }
}

impl Searcher for Temper {
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
        let mut meter = Meter::new(budget, observer);
        let mut best = from.to_vec();
        let temperature = |i: usize| {
            let part = i as f64 / (self.replicas.max(2) - 1) as f64;
            self.coldest * (self.hottest / self.coldest).powf(part)
        };
        let mut replicas: Vec<Replica<K::Sheet>> =
            (0..self.replicas).map(|_| Replica::new(&sheet, rng)).collect();
        loop {
            for (i, replica) in replicas.iter_mut().enumerate() {
                let temperature = temperature(i);
                for _ in 0..self.proposals {
                    if meter.playout().is_break() {
                        return best;
                    }
                    replica.propose(self, temperature, rng);
                    if from.len() + replica.score() > best.len() {
                        best = replica.moves(from);
                        if meter.improved(&best).is_break() {
                            return best;
                        }
                    }
                }
            }
            for i in 1..replicas.len() {
                let slope = 1.0 / temperature(i - 1) - 1.0 / temperature(i);
                let gain = replicas[i].score() as f64 - replicas[i - 1].score() as f64;
                if unit(rng) < (slope * gain).exp() {
                    replicas.swap(i - 1, i);
                }
            }
        }
    }
}
