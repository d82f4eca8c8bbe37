//! Parallel tempering over ruin and recreate, on whole games.
//!
//! A state is a finished game. A proposal erases a few lines with all that depends on them, and
//! completes what is left to a finished game again: lines that were lost on the way come back first
//! if they can, then chance decides. Longer games are always accepted, shorter ones with
//! probability exp(change / temperature). Several replicas run at temperatures on both sides of the
//! freezing point and exchange their games, so that good ones cool and stuck ones thaw.

mod dependants;
mod replica;

use std::ops::ControlFlow;

use geometry::Move;
use rules::{Kit, Sheet};

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
    Parameter {
        name: "patience",
        meaning: "all games are given up when the last improvement lies this many times as long back as \
                  it took to come; 0 for never",
        kind: Kind::Real { min: 0.0, max: 1e9 },
        default: Default::Always(3.0),
    },
    Parameter {
        name: "grace",
        meaning: "but not before so many proposals without improvement",
        kind: Kind::Integer { min: 0, max: 1_000_000_000_000_000 },
        default: Default::Always(1e6),
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
    /// All games are given up, and new ones begun, when the last improvement of the best of them lies
    /// `patience` times as long back as it took to come; never if 0.
    pub patience: f64,
    /// But not before so many proposals without improvement.
    pub grace: u64,
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
            patience: values.real("patience"),
            grace: values.integer("grace"),
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
        while self.run(&sheet, from, &mut best, &mut meter, rng).is_continue() {}
        best
    }
}

impl Temper {
    /// Whether to go on with a proposal that loses so many lines: fewer than `loss` / u^`tail`.
    #[inline(always)]
    fn allows(&self, lost: f64, rng: &mut Rng) -> bool {
        if lost <= self.loss {
            return true;
        }
        let likely = self.loss / lost;
        unit(rng) < if self.tail == 1.0 { likely } else { likely.powf(1.0 / self.tail) }
    }

    fn temperature(&self, replica: usize) -> f64 {
        let part = replica as f64 / (self.replicas.max(2) - 1) as f64;
        self.coldest * (self.hottest / self.coldest).powf(part)
    }

    /// One run from random games, until patience or the budget is at its end.
    fn run<S: Sheet>(
        &self,
        sheet: &S,
        from: &[Move],
        best: &mut Vec<Move>,
        meter: &mut Meter<'_>,
        rng: &mut Rng,
    ) -> ControlFlow<()> {
        let most = crate::longest(sheet.game()).saturating_sub(from.len());
        let mut replicas: Vec<Replica<S>> = Vec::new();
        for _ in 0..self.replicas {
            let replica = Replica::new(sheet, most, meter, rng);
            if from.len() + replica.score() > best.len() {
                *best = replica.moves(from);
                meter.improved(best)?;
            }
            replicas.push(replica);
            meter.look()?;
        }
        let (mut made, mut improved, mut longest) = (0u64, 0u64, 0);
        loop {
            for (i, replica) in replicas.iter_mut().enumerate() {
                let temperature = self.temperature(i);
                for _ in 0..self.proposals {
                    meter.playout()?;
                    made += 1;
                    replica.propose(self, temperature, meter, rng);
                    if replica.score() > longest {
                        (longest, improved) = (replica.score(), made);
                        if from.len() + longest > best.len() {
                            *best = replica.moves(from);
                            meter.improved(best)?;
                        }
                    }
                }
            }
            let wait = self.grace.max((self.patience * improved as f64) as u64);
            if self.patience > 0.0 && made - improved > wait {
                return ControlFlow::Continue(());
            }
            for i in 1..replicas.len() {
                let slope = 1.0 / self.temperature(i - 1) - 1.0 / self.temperature(i);
                let gain = replicas[i].score() as f64 - replicas[i - 1].score() as f64;
                if unit(rng) < (slope * gain).exp() {
                    replicas.swap(i - 1, i);
                }
            }
        }
    }
}
