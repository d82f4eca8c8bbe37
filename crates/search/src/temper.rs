//! Parallel tempering over ruin and recreate, on whole games.
//!
//! A state is a finished game. A proposal erases a few lines with all that depend on them, and
//! completes what remains to a finished game again: lines that were lost on the way are drawn first
//! if they are legal, then random ones. Longer games are always accepted, shorter ones with
//! probability exp(change / temperature). Several replicas run at temperatures on both sides of the
//! freezing point and exchange their games, so that good ones cool and stuck ones thaw. Such a run
//! freezes sooner or later, so many are made, and the best of them are continued for longer.

mod dependants;
mod halving;
mod replica;

use std::ops::ControlFlow;
use std::sync::Arc;

use geometry::Move;
use rules::{Engine, LineBoard};
use serde::{Deserialize, Serialize};

use crate::method::EngineMethod;
use crate::random::unit;
use crate::registry::{MethodBuild, MethodInfo};
use crate::run::SearchBase;
use crate::state::{MethodState, in_range};
use crate::{
    BudgetMeter, DefaultValue, Parameter, ParameterRange, ParameterValues, Rng, Run, RungResult,
    SearchState, StateError,
};
use halving::{Rung, SuccessiveHalving};
use replica::{Replica, ReplicaState};

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "temper",
    summary: "ruins and recreates whole games at several temperatures that exchange them",
    source: "parallel tempering (Swendsen and Wang 1986; Geyer 1991) over ruin and recreate \
             (Schrimpf et al. 2000)",
    playout: "proposals",
    parameters: PARAMETERS,
    build: MethodBuild::FromValues(|values| Arc::new(Temper::from(values))),
};

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "replicas",
        meaning: "games that are changed side by side",
        range: ParameterRange::Integer { min: 1, max: 1000 },
        default: DefaultValue::Always(8.0),
    },
    Parameter {
        name: "coldest",
        meaning: "the lowest temperature",
        range: ParameterRange::Real { min: 0.01, max: 100.0 },
        default: DefaultValue::Touching(0.55, 0.38),
    },
    Parameter {
        name: "hottest",
        meaning: "the highest temperature",
        range: ParameterRange::Real { min: 0.01, max: 100.0 },
        default: DefaultValue::Touching(1.35, 0.75),
    },
    Parameter {
        name: "chosen",
        meaning: "the most lines that are chosen to be erased",
        range: ParameterRange::Integer { min: 1, max: 100 },
        default: DefaultValue::Always(4.0),
    },
    Parameter {
        name: "near",
        meaning: "probability that the chosen lines lie close together",
        range: ParameterRange::Real { min: 0.0, max: 1.0 },
        default: DefaultValue::Touching(0.3, 0.0),
    },
    Parameter {
        name: "loss",
        meaning: "typical number of lines that may be lost with the chosen ones",
        range: ParameterRange::Real { min: 0.0, max: 1e6 },
        default: DefaultValue::Touching(16.0, 12.0),
    },
    Parameter {
        name: "tail",
        meaning: "tail of the limit on lost lines: it is loss / u^tail, u uniform on (0, 1)",
        range: ParameterRange::Real { min: 0.0, max: 10.0 },
        default: DefaultValue::Always(1.0),
    },
    Parameter {
        name: "hold",
        meaning: "probability that the chosen lines are held back until nothing else is legal",
        range: ParameterRange::Real { min: 0.0, max: 1.0 },
        default: DefaultValue::Touching(0.3, 0.5),
    },
    Parameter {
        name: "proposals",
        meaning: "proposals for each game between exchanges",
        range: ParameterRange::Integer { min: 1, max: 1_000_000_000 },
        default: DefaultValue::Always(200.0),
    },
    Parameter {
        name: "round",
        meaning: "proposals of a run on the first rung; 0 for a single run without end",
        range: ParameterRange::Integer { min: 0, max: 1_000_000_000_000_000 },
        default: DefaultValue::Touching(4e6, 6e6),
    },
    Parameter {
        name: "one-in",
        meaning: "of this many runs on a rung, the best one is promoted to the next, this many times longer",
        range: ParameterRange::Integer { min: 2, max: 1000 },
        default: DefaultValue::Always(4.0),
    },
    Parameter {
        name: "patience",
        meaning: "a run is dropped when its last improvement was this many times as long ago as it \
                  took to reach it; 0 for never",
        range: ParameterRange::Real { min: 0.0, max: 1e9 },
        default: DefaultValue::Always(3.0),
    },
];

/// The settings of the method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Temper {
    /// The number of replicas.
    pub replicas: usize,
    /// The lowest temperature.
    pub coldest: f64,
    /// The highest temperature.
    pub hottest: f64,
    /// The most lines that are chosen to be erased.
    pub chosen: usize,
    /// The probability that the chosen lines lie close together.
    pub near: f64,
    /// The typical number of lines that may be lost with the chosen ones.
    pub loss: f64,
    /// The tail of the limit on lost lines: a proposal that loses more than `loss` / u^`tail` lines
    /// is abandoned, u uniform on (0, 1).
    pub tail: f64,
    /// The probability that the chosen lines are held back until nothing else is legal.
    pub hold: f64,
    /// The number of proposals of each replica between exchanges.
    pub proposals: u64,
    /// The number of proposals of a run on the first rung; without end if 0.
    pub round: u64,
    /// Of this many runs on a rung, the best continues until it is this many times as long.
    pub one_in: usize,
    /// A run is dropped when its last improvement was this many times as long ago as it took to
    /// reach it; never if 0.
    pub patience: f64,
}

impl From<&ParameterValues> for Temper {
    fn from(values: &ParameterValues) -> Self {
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
            round: values.integer("round"),
            one_in: values.integer("one-in") as usize,
            patience: values.real("patience"),
        }
    }
}

impl EngineMethod for Temper {
    fn start_on<E: Engine>(&self, base: SearchBase<E>, _rng: &mut Rng) -> Box<dyn Run> {
        Box::new(TemperRun {
            settings: *self,
            temperatures: (0..self.replicas).map(|i| self.temperature(i)).collect(),
            board: base.line_board(),
            max_lines: base.max_lines(),
            ensemble: Ensemble::new(),
            halving: SuccessiveHalving::new(self.one_in),
            published: Vec::new(),
            base,
        })
    }
}

impl Temper {
    /// Whether a proposal that loses this many lines continues: fewer than `loss` / u^`tail`.
    #[inline(always)]
    fn allows(&self, lost: f64, rng: &mut Rng) -> bool {
        if lost <= self.loss {
            return true;
        }
        let ratio = self.loss / lost;
        unit(rng) < if self.tail == 1.0 { ratio } else { ratio.powf(1.0 / self.tail) }
    }

    /// The number of proposals of a run at the end of a rung.
    fn length(&self, rung: usize) -> u64 {
        let times = (self.one_in as u64).saturating_pow(rung as u32);
        self.round.saturating_mul(times)
    }

    fn temperature(&self, replica: usize) -> f64 {
        let part = replica as f64 / (self.replicas.max(2) - 1) as f64;
        self.coldest * (self.hottest / self.coldest).powf(part)
    }
}

struct TemperRun<E: Engine> {
    settings: Temper,
    /// The temperature of each replica.
    temperatures: Vec<f64>,
    base: SearchBase<E>,
    /// The board on which every ensemble begins.
    board: E::LineBoard,
    /// The number of lines at which games are cut.
    max_lines: usize,
    ensemble: Ensemble<E::LineBoard>,
    halving: SuccessiveHalving<Ensemble<E::LineBoard>>,
    /// The results published in the exchanges so far.
    published: Vec<Option<RungResult>>,
}

/// Games at several temperatures, and their progress.
#[derive(Debug, Clone)]
struct Ensemble<L: LineBoard> {
    replicas: Vec<Replica<L>>,
    progress: Progress,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Progress {
    /// The replica whose turn it is, and the number of proposals it has made in it.
    replica: usize,
    proposals: u64,
    /// The number of proposals of this ensemble, up to the last improvement and in all.
    improved: u64,
    made: u64,
    /// The most lines of a game of this ensemble.
    longest: usize,
    #[serde(rename = "round")]
    rung: usize,
    /// The number of exchanges with other threads.
    #[serde(rename = "met")]
    exchanges: u64,
}

impl Progress {
    /// Whether an exchange is due: between the turns of all, once per length of the first rung.
    #[inline(always)]
    fn is_exchange_due(&self, settings: &Temper) -> bool {
        let between = self.replica == 0 && self.proposals == 0;
        between && settings.round > 0 && self.made / settings.round > self.exchanges
    }
}

/// The saved state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TemperState {
    #[serde(rename = "run")]
    ensemble: EnsembleState,
    #[serde(rename = "rounds")]
    rungs: Vec<RungState>,
    #[serde(rename = "told")]
    published: Vec<Option<RungResult>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EnsembleState {
    replicas: Vec<ReplicaState>,
    #[serde(rename = "turn")]
    progress: Progress,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RungState {
    scores: Vec<u32>,
    #[serde(rename = "resting")]
    paused: Vec<(usize, EnsembleState)>,
}

impl<E: Engine> TemperRun<E> {
    fn restored(
        &self,
        saved: &EnsembleState,
        playouts: u64,
    ) -> Result<Ensemble<E::LineBoard>, StateError> {
        let EnsembleState { replicas, progress } = saved;
        in_range(replicas.len() <= self.settings.replicas, "number of replicas")?;
        if replicas.len() < self.settings.replicas {
            in_range(*progress == Progress::default(), "place in the run")?;
        } else {
            in_range(progress.replica < replicas.len(), "number of a replica")?;
            in_range(progress.proposals < self.settings.proposals, "number of proposals")?;
            let made = progress.made;
            in_range(progress.improved <= made && made <= playouts, "number of proposals")?;
            in_range(progress.exchanges <= made, "number of exchanges")?;
            in_range(progress.longest <= self.max_lines, "length of a game")?;
            in_range(progress.rung < halving::MAX_RUNGS, "number of rungs")?;
        }
        let replica = |saved| Replica::restored(&self.board, self.max_lines, saved);
        let replicas = replicas.iter().map(replica).collect::<Result<_, _>>()?;
        Ok(Ensemble { replicas, progress: *progress })
    }

    /// Adds another random game.
    fn add_replica(&mut self, meter: &mut BudgetMeter<'_>, rng: &mut Rng) -> ControlFlow<()> {
        meter.look_between()?;
        let replica = Replica::new(&self.board, self.max_lines, meter, rng);
        if self.base.is_better(replica.score()) {
            let _ = self.base.improve(replica.moves(&self.base.prefix), meter);
        }
        self.ensemble.replicas.push(replica);
        ControlFlow::Continue(())
    }

    /// After the turns of all: lets neighbours exchange their games.
    fn swap_replicas(&mut self, rng: &mut Rng) {
        let Self { temperatures, ensemble: Ensemble { replicas, .. }, .. } = self;
        for i in 1..replicas.len() {
            let slope = 1.0 / temperatures[i - 1] - 1.0 / temperatures[i];
            let gain = replicas[i].score() as f64 - replicas[i - 1].score() as f64;
            if unit(rng) < (slope * gain).exp() {
                replicas.swap(i - 1, i);
            }
        }
    }

    /// Exchanges results with other threads; at the end of a rung another run may continue.
    fn exchange(&mut self, meter: &mut BudgetMeter<'_>) -> ControlFlow<()> {
        let Self { settings, ensemble, halving, published, .. } = self;
        let Progress { made, improved, rung, longest, .. } = ensemble.progress;
        let patience = settings.patience * improved as f64;
        let is_stale = settings.patience > 0.0 && (made - improved) as f64 > patience;
        let is_over = is_stale || made >= settings.length(rung);
        let result = is_over.then_some(RungResult { rung, score: longest as u32 });
        let received = meter.exchange(result)?;
        published.push(result);
        ensemble.progress.exchanges += 1;
        for RungResult { rung, score } in received {
            halving.add_score(rung, score);
        }
        if let Some(RungResult { rung, score }) = result {
            let finished = std::mem::replace(ensemble, Ensemble::new());
            if is_stale {
                halving.add_score(rung, score);
            } else {
                halving.pause(rung, score, finished);
            }
            if let Some((rung, next)) = halving.promote() {
                *ensemble = next;
                ensemble.progress.rung = rung;
            }
        }
        ControlFlow::Continue(())
    }
}

impl<L: LineBoard> Ensemble<L> {
    fn new() -> Self {
        Self { replicas: Vec::new(), progress: Progress::default() }
    }

    fn saved(&self) -> EnsembleState {
        let replicas = self.replicas.iter().map(Replica::saved).collect();
        EnsembleState { replicas, progress: self.progress }
    }
}

impl<E: Engine> Run for TemperRun<E> {
    fn step(&mut self, meter: &mut BudgetMeter<'_>, rng: &mut Rng) -> ControlFlow<()> {
        if self.ensemble.replicas.len() < self.settings.replicas {
            return self.add_replica(meter, rng);
        }
        if self.ensemble.progress.is_exchange_due(&self.settings) {
            return self.exchange(meter);
        }
        meter.playout()?;
        let Ensemble { replicas, progress } = &mut self.ensemble;
        progress.made += 1;
        progress.proposals += 1;
        let replica = &mut replicas[progress.replica];
        replica.propose(&self.settings, self.temperatures[progress.replica], meter, rng);
        if replica.score() > progress.longest {
            (progress.longest, progress.improved) = (replica.score(), progress.made);
            if self.base.is_better(progress.longest) {
                let _ = self.base.improve(replica.moves(&self.base.prefix), meter);
            }
        }
        if progress.proposals == self.settings.proposals {
            progress.proposals = 0;
            progress.replica += 1;
            if progress.replica == replicas.len() {
                progress.replica = 0;
                self.swap_replicas(rng);
            }
        }
        ControlFlow::Continue(())
    }

    fn best(&self) -> &[Move] {
        &self.base.best
    }

    fn state(&self) -> Option<MethodState> {
        let save = |rung: &Rung<Ensemble<E::LineBoard>>| RungState {
            scores: rung.scores.clone(),
            paused: rung.paused.iter().map(|(place, run)| (*place, run.saved())).collect(),
        };
        let state = TemperState {
            ensemble: self.ensemble.saved(),
            rungs: self.halving.rungs().iter().map(save).collect(),
            published: self.published.clone(),
        };
        Some(MethodState::new(INFO.name, &state))
    }

    fn restore(&mut self, state: &SearchState) -> Result<(), StateError> {
        self.base.restore(state)?;
        let TemperState { ensemble, rungs, published } = state.method(INFO.name)?;
        let playouts = state.playouts();
        in_range(published.len() as u64 <= playouts, "number of exchanges")?;
        let is_known = |result: &RungResult| result.rung < halving::MAX_RUNGS;
        in_range(published.iter().flatten().all(is_known), "number of rungs")?;
        self.ensemble = self.restored(&ensemble, playouts)?;
        let restored = |rung: RungState| {
            let paused = rung.paused.iter().map(|(place, run)| {
                let Progress { replica, proposals, .. } = run.progress;
                in_range(replica == 0 && proposals == 0, "place in the run")?;
                in_range(run.replicas.len() == self.settings.replicas, "number of replicas")?;
                Ok((*place, self.restored(run, playouts)?))
            });
            let paused = paused.collect::<Result<_, StateError>>()?;
            Ok(Rung { scores: rung.scores, paused })
        };
        let rungs = rungs.into_iter().map(restored).collect::<Result<_, StateError>>()?;
        let halving = SuccessiveHalving::restored(self.settings.one_in, rungs);
        self.halving = halving.ok_or(StateError::Range("number of runs"))?;
        self.published = published;
        Ok(())
    }

    fn published(&self) -> &[Option<RungResult>] {
        &self.published
    }
}
