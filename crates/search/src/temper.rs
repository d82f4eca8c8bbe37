//! Parallel tempering over ruin and recreate, on whole games.
//!
//! A state is a finished game. A proposal erases a few lines with all that depend on them, and
//! completes what remains to a finished game again: lines that were lost on the way are drawn first
//! if they are legal, then random ones. Longer games are always accepted, shorter ones with
//! probability exp(change / temperature). Several replicas run at temperatures on both sides of the
//! freezing point and exchange their games, so that good ones cool and stuck ones thaw. Such a run
//! freezes sooner or later, so many are made, and the best of them are continued for longer.
//!
//! In touching games there is a second proposal, `remake`: another line makes a dot, and what
//! depends on the dot stays. And half of the time goes to short runs that are launched from the
//! longest games; a game from which enough were launched is closed. In such runs
//! a few dots may be free, that is, have no line that makes them, at a price in lines that rises
//! as it gets colder; a game with free dots does not count.

mod dependants;
mod elite;
mod halving;
mod replica;
mod settings;

use std::ops::ControlFlow;
use std::sync::Arc;

use geometry::{Move, Symmetry};
use rules::{Engine, LineBoard, SymmetricLineBoard};
use serde::{Deserialize, Serialize};

use crate::method::EngineMethod;
use crate::random::unit;
use crate::registry::{MethodBuild, MethodInfo};
use crate::run::SearchBase;
use crate::state::{MethodState, in_range};
use crate::{BudgetMeter, Rng, Run, RungResult, SearchState, StateError};
use elite::{Elite, ElitePool};
use halving::{Rung, SuccessiveHalving};
use replica::{Level, Replica, ReplicaState};
use settings::PARAMETERS;
pub use settings::Temper;

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "temper",
    summary: "ruins and recreates whole games at several temperatures that exchange them",
    source: "parallel tempering (Swendsen and Wang 1986; Geyer 1991) over ruin and recreate \
             (Schrimpf et al. 2000)",
    playout: "proposals",
    parameters: PARAMETERS,
    build: MethodBuild::FromValues(|values| Arc::new(Temper::from(values))),
};

impl EngineMethod for Temper {
    fn start_on<E: Engine>(&self, base: SearchBase<E>, _rng: &mut Rng) -> Box<dyn Run> {
        let board = base.line_board();
        let group = self.group(base.engine.game(), &base.prefix);
        if group.len() == 1 {
            TemperRun::start(self, base, board, 1)
        } else {
            let board = SymmetricLineBoard::new(board, &group);
            TemperRun::start(self, base, board, group.len())
        }
    }
}

impl<E: Engine, L: LineBoard + Send + 'static> TemperRun<E, L> {
    /// A run on a board whose lines come `order` at a time.
    fn start(settings: &Temper, base: SearchBase<E>, board: L, order: usize) -> Box<dyn Run> {
        Box::new(Self {
            settings: *settings,
            ladder: (0..settings.replicas).map(|i| settings.level(i, order)).collect(),
            board,
            max_lines: base.max_lines() / order,
            ensemble: Ensemble::new(),
            halving: SuccessiveHalving::new(settings.one_in),
            published: Vec::new(),
            elites: elite_pool(settings, &base),
            waiting: None,
            launches: 0,
            base,
        })
    }
}

/// No elites yet. First moves break the symmetry of the start.
fn elite_pool<E: Engine>(settings: &Temper, base: &SearchBase<E>) -> ElitePool {
    let symmetries = match base.prefix.is_empty() {
        true => base.engine.game().start.symmetries(),
        false => vec![Symmetry::IDENTITY],
    };
    ElitePool::new(symmetries, settings.launches)
}

struct TemperRun<E: Engine, L: LineBoard> {
    settings: Temper,
    /// The temperature of each replica, and what free dots cost in it.
    ladder: Vec<Level>,
    base: SearchBase<E>,
    /// The board on which every ensemble begins.
    board: L,
    /// The number of lines, each with its images, at which games are cut.
    max_lines: usize,
    ensemble: Ensemble<L>,
    halving: SuccessiveHalving<Ensemble<L>>,
    /// The results published in the exchanges so far.
    published: Vec<Option<RungResult>>,
    /// The longest games.
    elites: ElitePool,
    /// The ensemble that continues after the launches, while there are any.
    waiting: Option<Ensemble<L>>,
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
    // Searches saved before there were launches, or closed games, lack these.
    #[serde(default)]
    elites: Vec<Elite>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    closed: Vec<u64>,
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

impl<E: Engine, L: LineBoard> TemperRun<E, L> {
    fn restored(&self, saved: &EnsembleState, playouts: u64) -> Result<Ensemble<L>, StateError> {
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
            in_range(progress.longest <= self.base.max_lines(), "length of a game")?;
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

    /// Launches a run from one of the elites, if there is one.
    fn launch(&mut self) {
        let Some(moves) = self.elites.choose() else { return self.end_launches() };
        let replica = Replica::from_moves(&self.board, self.max_lines, moves);
        let replica = replica.expect("elites are legal games");
        let longest = replica.lines();
        let progress = Progress { longest, ..Progress::default() };
        let replicas = vec![replica; self.settings.replicas];
        let current = std::mem::replace(&mut self.ensemble, Ensemble { replicas, progress });
        self.waiting.get_or_insert(current);
    }

    /// Ends a launch; the next one begins, if there are any more.
    fn end_launch(&mut self) {
        self.add_elites();
        self.launches -= 1;
        if self.launches > 0 {
            self.launch();
        } else {
            self.end_launches();
        }
    }

    /// The ensemble that waits continues.
    fn end_launches(&mut self) {
        self.launches = 0;
        if let Some(waiting) = self.waiting.take() {
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

impl<E: Engine, L: LineBoard + Send> Run for TemperRun<E, L> {
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
        let free = if self.waiting.is_some() { self.settings.free } else { 0 };
        replica.propose(&self.settings, free, self.ladder[progress.replica], meter, rng);
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
        let save = |rung: &Rung<Ensemble<L>>| RungState {
            scores: rung.scores.clone(),
            paused: rung.paused.iter().map(|(place, run)| (*place, run.saved())).collect(),
        };
        let state = TemperState {
            ensemble: self.ensemble.saved(),
            rungs: self.halving.rungs().iter().map(save).collect(),
            published: self.published.clone(),
            elites: self.elites.open().to_vec(),
            closed: self.elites.closed(),
            waiting: self.waiting.as_ref().map(Ensemble::saved),
            launches: self.launches,
        };
        Some(MethodState::new(INFO.name, &state))
    }

    fn restore(&mut self, state: &SearchState) -> Result<(), StateError> {
        self.base.restore(state)?;
        let TemperState { ensemble, rungs, published, elites, closed, waiting, launches } =
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
        let elites = elite_pool(&self.settings, &self.base).restored(elites, closed);
        self.elites = elites.ok_or(StateError::Range("number of games"))?;
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
