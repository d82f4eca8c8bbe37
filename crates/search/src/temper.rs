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
use serde::{Deserialize, Serialize};

use crate::chance::unit;
use crate::state::{Inside, in_range};
use crate::stepwise::{self, Stepwise};
use crate::{
    BadState, Budget, Default, Kind, Meter, MethodInfo, Observer, Parameter, Rng, Searcher, State,
    Values, draw_all, longest,
};
use replica::{Replica, SavedReplica};

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
        let Inside::Temper(saved) = &state.search else { return Err(BadState::Method) };
        let mut search = Search::new(self, kit, from, state.checked(kit, from)?);
        search.restore(saved, state.playouts)?;
        Ok(stepwise::resume(search, state, budget, observer))
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
}

struct Search<'a, S: Sheet> {
    settings: &'a Temper,
    /// Of each replica.
    temperatures: Vec<f64>,
    from: &'a [Move],
    /// The sheet on which every run begins.
    sheet: S,
    /// Games are cut at so many lines.
    most: usize,
    best: Vec<Move>,
    replicas: Vec<Replica<S>>,
    turn: Turn,
}

/// How far a run has come.
#[derive(Debug, Clone, Copy, std::default::Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    /// Whose turn it is, and how many proposals it has made in it.
    replica: usize,
    proposals: u64,
    /// How many proposals were made in this run, up to the last improvement and in all.
    improved: u64,
    made: u64,
    /// The most lines of a game of this run.
    longest: usize,
}

/// What is saved of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Saved {
    replicas: Vec<SavedReplica>,
    turn: Turn,
}

impl<'a, S: Sheet> Search<'a, S> {
    fn new<K: Kit<Sheet = S>>(
        settings: &'a Temper,
        kit: &K,
        from: &'a [Move],
        best: Vec<Move>,
    ) -> Self {
        let mut sheet = kit.sheet();
        draw_all(&mut sheet, from);
        Self {
            settings,
            temperatures: (0..settings.replicas).map(|i| settings.temperature(i)).collect(),
            from,
            sheet,
            most: longest(kit.game()).saturating_sub(from.len()),
            best,
            replicas: Vec::new(),
            turn: Turn::default(),
        }
    }

    fn restore(&mut self, saved: &Saved, playouts: u64) -> Result<(), BadState> {
        let Saved { replicas, turn } = saved;
        in_range(replicas.len() <= self.settings.replicas, "number of replicas")?;
        if replicas.len() < self.settings.replicas {
            in_range(*turn == Turn::default(), "place in the run")?;
        } else {
            in_range(turn.replica < replicas.len(), "number of a replica")?;
            in_range(turn.proposals < self.settings.proposals, "number of proposals")?;
            in_range(turn.improved <= turn.made && turn.made <= playouts, "number of proposals")?;
            in_range(turn.longest <= self.most, "length of a game")?;
        }
        for saved in replicas {
            let replica = Replica::restored(&self.sheet, self.most, saved)?;
            self.replicas.push(replica);
        }
        self.turn = *turn;
        Ok(())
    }

    /// Begins another random game.
    fn begin(&mut self, meter: &mut Meter<'_>, rng: &mut Rng) -> ControlFlow<()> {
        meter.look_between()?;
        let replica = Replica::new(&self.sheet, self.most, meter, rng);
        if self.from.len() + replica.score() > self.best.len() {
            self.best = replica.moves(self.from);
            let _ = meter.improved(&self.best);
        }
        self.replicas.push(replica);
        ControlFlow::Continue(())
    }

    /// After the turns of all: lets neighbours exchange their places, or gives all up.
    fn exchange(&mut self, rng: &mut Rng) {
        let Self { settings, temperatures, replicas, turn, .. } = self;
        let wait = settings.grace.max((settings.patience * turn.improved as f64) as u64);
        if settings.patience > 0.0 && turn.made - turn.improved > wait {
            replicas.clear();
            *turn = Turn::default();
            return;
        }
        for i in 1..replicas.len() {
            let slope = 1.0 / temperatures[i - 1] - 1.0 / temperatures[i];
            let gain = replicas[i].score() as f64 - replicas[i - 1].score() as f64;
            if unit(rng) < (slope * gain).exp() {
                replicas.swap(i - 1, i);
            }
        }
    }
}

impl<S: Sheet> Stepwise for Search<'_, S> {
    #[inline]
    fn step(&mut self, meter: &mut Meter<'_>, rng: &mut Rng) -> ControlFlow<()> {
        if self.replicas.len() < self.settings.replicas {
            return self.begin(meter, rng);
        }
        meter.playout()?;
        let turn = &mut self.turn;
        turn.made += 1;
        turn.proposals += 1;
        let replica = &mut self.replicas[turn.replica];
        replica.propose(self.settings, self.temperatures[turn.replica], meter, rng);
        if replica.score() > turn.longest {
            (turn.longest, turn.improved) = (replica.score(), turn.made);
            if self.from.len() + turn.longest > self.best.len() {
                self.best = replica.moves(self.from);
                let _ = meter.improved(&self.best);
            }
        }
        if turn.proposals == self.settings.proposals {
            turn.proposals = 0;
            turn.replica += 1;
            if turn.replica == self.replicas.len() {
                turn.replica = 0;
                self.exchange(rng);
            }
        }
        ControlFlow::Continue(())
    }

    fn best(&self) -> &[Move] {
        &self.best
    }

    fn inside(&self) -> Inside {
        Inside::Temper(Saved {
            replicas: self.replicas.iter().map(Replica::saved).collect(),
            turn: self.turn,
        })
    }

    fn finish(self, _meter: &mut Meter<'_>) -> Vec<Move> {
        self.best
    }
}
