//! Parallel tempering over ruin and recreate, on whole games.
//!
//! A state is a finished game. A proposal erases a few lines with all that depend on them, and
//! completes what remains to a finished game again: lines that were lost on the way are drawn first
//! if they are legal, then random ones. Longer games are always accepted, shorter ones with
//! probability exp(change / temperature). Several replicas run at temperatures on both sides of the
//! freezing point and exchange their games, so that good ones cool and stuck ones thaw. Such a run
//! freezes sooner or later, so many are made, and the best of them are continued for longer. Half
//! of the time goes to short runs that are launched from the longest games.

mod dependants;
mod elite;
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
use elite::{Elite, ElitePool};
use halving::{Rung, SuccessiveHalving};
use replica::{Level, Replica, ReplicaState};

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
        name: "remake",
        meaning: "probability of a proposal that lets another line make a dot",
        range: ParameterRange::Real { min: 0.0, max: 1.0 },
        default: DefaultValue::Touching(0.3, 0.0),
    },
    Parameter {
        name: "free",
        meaning: "the most dots that a game on the way may have without a line that makes them",
        range: ParameterRange::Integer { min: 0, max: 1000 },
        default: DefaultValue::Always(0.0),
    },
    Parameter {
        name: "price-hot",
        meaning: "how many lines a free dot costs at the highest temperature",
        range: ParameterRange::Real { min: 0.0, max: 1000.0 },
        default: DefaultValue::Always(8.0),
    },
    Parameter {
        name: "price-cold",
        meaning: "how many lines a free dot costs at the lowest temperature",
        range: ParameterRange::Real { min: 0.0, max: 1000.0 },
        default: DefaultValue::Always(14.0),
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
        meaning: "of this many runs on a rung, the best one is promoted to the next, this many \
            times longer",
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
    Parameter {
        name: "launch",
        meaning: "proposals of a run launched from one of the longest games; 0 for none",
        range: ParameterRange::Integer { min: 0, max: 1_000_000_000_000_000 },
        default: DefaultValue::Touching(1e6, 0.0),
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
    /// The probability of a proposal that lets another line make a dot.
    pub remake: f64,
    /// The most free dots: those without a line that makes them.
    pub free: usize,
    /// How many lines a free dot costs at the highest temperature.
    pub price_hot: f64,
    /// How many lines a free dot costs at the lowest temperature.
    pub price_cold: f64,
    /// The number of proposals of each replica between exchanges.
    pub proposals: u64,
    /// The number of proposals of a run on the first rung; without end if 0.
    pub round: u64,
    /// Of this many runs on a rung, the best continues until it is this many times as long.
    pub one_in: usize,
    /// A run is dropped when its last improvement was this many times as long ago as it took to
    /// reach it; never if 0.
    pub patience: f64,
    /// The number of proposals of a run launched from one of the longest games; none if 0.
    pub launch: u64,
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
            remake: values.real("remake"),
            free: values.integer("free") as usize,
            price_hot: values.real("price-hot"),
            price_cold: values.real("price-cold"),
            proposals: values.integer("proposals"),
            round: values.integer("round"),
            one_in: values.integer("one-in") as usize,
            patience: values.real("patience"),
            launch: values.integer("launch"),
        }
    }
}

impl EngineMethod for Temper {
    fn start_on<E: Engine>(&self, base: SearchBase<E>, _rng: &mut Rng) -> Box<dyn Run> {
        Box::new(TemperRun {
            settings: *self,
            ladder: (0..self.replicas).map(|i| self.level(i)).collect(),
            board: base.line_board(),
            max_lines: base.max_lines(),
            ensemble: Ensemble::new(),
            halving: SuccessiveHalving::new(self.one_in),
            published: Vec::new(),
            elites: ElitePool::default(),
            waiting: None,
            launches: 0,
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

    fn level(&self, replica: usize) -> Level {
        let part = replica as f64 / (self.replicas.max(2) - 1) as f64;
        Level {
            temperature: self.coldest * (self.hottest / self.coldest).powf(part),
            price: self.price_cold + (self.price_hot - self.price_cold) * part,
        }
    }
}

struct TemperRun<E: Engine> {
    settings: Temper,
    /// The temperature of each replica, and what free dots cost in it.
    ladder: Vec<Level>,
    base: SearchBase<E>,
    /// The board on which every ensemble begins.
    board: E::LineBoard,
    /// The number of lines at which games are cut.
    max_lines: usize,
    ensemble: Ensemble<E::LineBoard>,
    halving: SuccessiveHalving<Ensemble<E::LineBoard>>,
    /// The results published in the exchanges so far.
    published: Vec<Option<RungResult>>,
    /// The longest games.
    elites: ElitePool,
    /// The ensemble that continues after the launches, while there are any.
    waiting: Option<Ensemble<E::LineBoard>>,
    /// The number of launches to come, the current one included.
    launches: u64,
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
        self.is_between() && settings.round > 0 && self.made / settings.round > self.exchanges
    }

    /// Whether all replicas have had their turns.
    #[inline(always)]
    fn is_between(&self) -> bool {
        self.replica == 0 && self.proposals == 0
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
    // Searches saved before there were launches lack these.
    #[serde(default)]
    elites: Vec<Elite>,
    #[serde(default)]
    waiting: Option<EnsembleState>,
    #[serde(default)]
    launches: u64,
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
        if self.base.is_better(replica.lines()) {
            let _ = self.base.improve(replica.moves(&self.base.prefix), meter);
        }
        self.ensemble.replicas.push(replica);
        ControlFlow::Continue(())
    }

    /// After the turns of all: lets neighbours exchange their games.
    fn swap_replicas(&mut self, rng: &mut Rng) {
        let Self { ladder, ensemble: Ensemble { replicas, .. }, .. } = self;
        for i in 1..replicas.len() {
            let (cold, hot) = (ladder[i - 1], ladder[i]);
            let lines = replicas[i].lines() as f64 - replicas[i - 1].lines() as f64;
            let free = replicas[i].free() as f64 - replicas[i - 1].free() as f64;
            let slope = 1.0 / cold.temperature - 1.0 / hot.temperature;
            let cost = cold.price / cold.temperature - hot.price / hot.temperature;
            if unit(rng) < (slope * lines - cost * free).exp() {
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

    /// Adds the longest game of the ensemble to the elites, and the longest of all.
    fn add_elites(&mut self) {
        let games = self.ensemble.replicas.iter().filter(|replica| replica.free() == 0);
        if let Some(longest) = games.max_by_key(|replica| replica.lines()) {
            self.elites.add(longest.moves(&self.base.prefix).split_off(self.base.prefix.len()));
        }
        self.elites.add(self.base.best[self.base.prefix.len()..].to_vec());
    }

    /// Launches a run from one of the elites.
    fn launch(&mut self) {
        let Some(moves) = self.elites.choose() else { return };
        let replica = Replica::from_moves(&self.board, self.max_lines, moves);
        let replica = replica.expect("elites are legal games");
        let longest = replica.lines();
        let progress = Progress { longest, ..Progress::default() };
        let replicas = vec![replica; self.settings.replicas];
        let current = std::mem::replace(&mut self.ensemble, Ensemble { replicas, progress });
        self.waiting.get_or_insert(current);
    }

    /// Ends a launch; the next one begins, or the ensemble that waits continues.
    fn end_launch(&mut self) {
        self.add_elites();
        self.launches -= 1;
        if self.launches > 0 {
            self.launch();
        } else if let Some(waiting) = self.waiting.take() {
            self.ensemble = waiting;
        }
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
        let progress = &self.ensemble.progress;
        if self.waiting.is_some() {
            if progress.is_between() && progress.made >= self.settings.launch {
                self.end_launch();
                return ControlFlow::Continue(());
            }
        } else if progress.is_exchange_due(&self.settings) {
            let launches = self.settings.round.checked_div(self.settings.launch);
            if launches.is_some() {
                self.add_elites();
            }
            self.exchange(meter)?;
            if let Some(launches) = launches {
                self.launches = launches.max(1);
                self.launch();
            }
            return ControlFlow::Continue(());
        }
        meter.playout()?;
        let Ensemble { replicas, progress } = &mut self.ensemble;
        progress.made += 1;
        progress.proposals += 1;
        let replica = &mut replicas[progress.replica];
        replica.propose(&self.settings, self.ladder[progress.replica], meter, rng);
        if replica.lines() > progress.longest && replica.free() == 0 {
            (progress.longest, progress.improved) = (replica.lines(), progress.made);
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
            elites: self.elites.elites().to_vec(),
            waiting: self.waiting.as_ref().map(Ensemble::saved),
            launches: self.launches,
        };
        Some(MethodState::new(INFO.name, &state))
    }

    fn restore(&mut self, state: &SearchState) -> Result<(), StateError> {
        self.base.restore(state)?;
        let TemperState { ensemble, rungs, published, elites, waiting, launches } =
            state.method(INFO.name)?;
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
        for elite in &elites {
            Replica::from_moves(&self.board, self.max_lines, &elite.moves.0)?;
        }
        self.elites = ElitePool::restored(elites).ok_or(StateError::Range("number of games"))?;
        self.waiting = match waiting {
            Some(waiting) => Some(self.restored(&waiting, playouts)?),
            None => None,
        };
        in_range(self.waiting.is_some() == (launches > 0), "number of launches")?;
        self.launches = launches;
        Ok(())
    }

    fn published(&self) -> &[Option<RungResult>] {
        &self.published
    }
}
