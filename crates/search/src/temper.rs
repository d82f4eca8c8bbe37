//! Parallel tempering over ruin and recreate, on whole games.
//!
//! A state is a finished game. A proposal erases a few lines with all that depends on them, and
//! completes what is left to a finished game again: lines that were lost on the way come back first
//! if they can, then chance decides. Longer games are always accepted, shorter ones with
//! probability exp(change / temperature). Several replicas run at temperatures on both sides of the
//! freezing point and exchange their games, so that good ones cool and stuck ones thaw. Such a run
//! freezes sooner or later, so many are made, and the best of them go on for longer.

mod contest;
mod dependants;
mod replica;

use std::ops::ControlFlow;

use geometry::Move;
use rules::{Engine, LineBoard};
use serde::{Deserialize, Serialize};

use crate::chance::unit;
use crate::state::{Inside, in_range};
use crate::stepwise::{Beginning, Stepper, Stepwise};
use crate::{
    BadState, Default, Ended, Kind, Meter, MethodInfo, Parameter, Rng, State, Values, draw_all,
    longest,
};
use contest::{Contest, Round};
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
        name: "round",
        meaning: "how many proposals a run gets in its first round; 0 for a single run without end",
        kind: Kind::Integer { min: 0, max: 1_000_000_000_000_000 },
        default: Default::Touching(4e6, 6e6),
    },
    Parameter {
        name: "one-in",
        meaning: "of so many runs that have ended a round, the best goes on until it is so many times as long",
        kind: Kind::Integer { min: 2, max: 1000 },
        default: Default::Always(4.0),
    },
    Parameter {
        name: "patience",
        meaning: "but not if its last improvement lies this many times as long back as it took to come; 0 for \
                  however long",
        kind: Kind::Real { min: 0.0, max: 1e9 },
        default: Default::Always(3.0),
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
    /// How many proposals a run gets in its first round; without end if 0.
    pub round: u64,
    /// Of so many runs that have ended a round, the best goes on until it is so many times as long.
    pub one_in: usize,
    /// But not if its last improvement lies `patience` times as long back as it took to come; never
    /// mind if 0.
    pub patience: f64,
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
            round: values.integer("round"),
            one_in: values.integer("one-in") as usize,
            patience: values.real("patience"),
        }
    }
}

impl Stepper for Temper {
    fn begin<'a, E: Engine>(
        &'a self,
        beginning: Beginning<'a, E>,
        _rng: &mut Rng,
    ) -> impl Stepwise + use<'a, E> {
        Search::new(self, beginning)
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

    /// How many proposals a run has made at the end of a round.
    fn length(&self, round: usize) -> u64 {
        let times = (self.one_in as u64).saturating_pow(round as u32);
        self.round.saturating_mul(times)
    }

    fn temperature(&self, replica: usize) -> f64 {
        let part = replica as f64 / (self.replicas.max(2) - 1) as f64;
        self.coldest * (self.hottest / self.coldest).powf(part)
    }
}

struct Search<'a, L: LineBoard> {
    settings: &'a Temper,
    /// Of each replica.
    temperatures: Vec<f64>,
    from: &'a [Move],
    /// The board on which every run begins.
    board: L,
    /// Games are cut at so many lines.
    most: usize,
    best: Vec<Move>,
    run: Run<L>,
    contest: Contest<Run<L>>,
    /// What was told at the meetings so far.
    told: Vec<Option<Ended>>,
}

/// Games at several temperatures, and how far they have come.
#[derive(Debug, Clone)]
struct Run<L: LineBoard> {
    replicas: Vec<Replica<L>>,
    turn: Turn,
}

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
    /// Which round of the contest this is.
    round: usize,
    /// How many meetings there were in this run.
    met: u64,
}

impl Turn {
    /// Whether a meeting is due: between the turns of all, once for every first round's length.
    #[inline(always)]
    fn is_due(&self, settings: &Temper) -> bool {
        let between = self.replica == 0 && self.proposals == 0;
        between && settings.round > 0 && self.made / settings.round > self.met
    }
}

/// What is saved of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Saved {
    run: SavedRun,
    rounds: Vec<SavedRound>,
    told: Vec<Option<Ended>>,
}

impl Saved {
    /// What was told at the meetings so far.
    pub(crate) fn told(&self) -> &[Option<Ended>] {
        &self.told
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedRun {
    replicas: Vec<SavedReplica>,
    turn: Turn,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedRound {
    scores: Vec<u32>,
    resting: Vec<(usize, SavedRun)>,
}

impl<'a, L: LineBoard> Search<'a, L> {
    fn new<E: Engine<LineBoard = L>>(settings: &'a Temper, beginning: Beginning<'a, E>) -> Self {
        let Beginning { engine, from, best } = beginning;
        let mut board = engine.line_board();
        draw_all(&mut board, from);
        Self {
            settings,
            temperatures: (0..settings.replicas).map(|i| settings.temperature(i)).collect(),
            from,
            board,
            most: longest(engine.game()).saturating_sub(from.len()),
            best,
            run: Run::new(),
            contest: Contest::new(settings.one_in),
            told: Vec::new(),
        }
    }

    fn take_up(&mut self, saved: &Saved, playouts: u64) -> Result<(), BadState> {
        let Saved { run, rounds, told } = saved;
        in_range(told.len() as u64 <= playouts, "number of meetings")?;
        let is_known = |ended: &Ended| ended.round < Contest::<Run<L>>::MOST_ROUNDS;
        in_range(told.iter().flatten().all(is_known), "number of rounds")?;
        self.run = self.restored(run, playouts)?;
        let restored = |round: &SavedRound| {
            let resting = round.resting.iter().map(|(place, run)| {
                in_range(run.turn.replica == 0 && run.turn.proposals == 0, "place in the run")?;
                in_range(run.replicas.len() == self.settings.replicas, "number of replicas")?;
                Ok((*place, self.restored(run, playouts)?))
            });
            Ok(Round { scores: round.scores.clone(), resting: resting.collect::<Result<_, _>>()? })
        };
        let rounds = rounds.iter().map(restored).collect::<Result<_, _>>()?;
        let contest = Contest::restored(self.settings.one_in, rounds);
        self.contest = contest.ok_or(BadState::Range("number of runs"))?;
        self.told.clone_from(told);
        Ok(())
    }

    fn restored(&self, saved: &SavedRun, playouts: u64) -> Result<Run<L>, BadState> {
        let SavedRun { replicas, turn } = saved;
        in_range(replicas.len() <= self.settings.replicas, "number of replicas")?;
        if replicas.len() < self.settings.replicas {
            in_range(*turn == Turn::default(), "place in the run")?;
        } else {
            in_range(turn.replica < replicas.len(), "number of a replica")?;
            in_range(turn.proposals < self.settings.proposals, "number of proposals")?;
            in_range(turn.improved <= turn.made && turn.made <= playouts, "number of proposals")?;
            in_range(turn.met <= turn.made, "number of meetings")?;
            in_range(turn.longest <= self.most, "length of a game")?;
            in_range(turn.round < Contest::<Run<L>>::MOST_ROUNDS, "number of rounds")?;
        }
        let replica = |saved| Replica::restored(&self.board, self.most, saved);
        let replicas = replicas.iter().map(replica).collect::<Result<_, _>>()?;
        Ok(Run { replicas, turn: *turn })
    }

    /// Begins another random game.
    fn begin(&mut self, meter: &mut Meter<'_>, rng: &mut Rng) -> ControlFlow<()> {
        meter.look_between()?;
        let replica = Replica::new(&self.board, self.most, meter, rng);
        if self.from.len() + replica.score() > self.best.len() {
            self.best = replica.moves(self.from);
            let _ = meter.improved(&self.best);
        }
        self.run.replicas.push(replica);
        ControlFlow::Continue(())
    }

    /// After the turns of all: lets neighbours exchange their places.
    fn exchange(&mut self, rng: &mut Rng) {
        let Self { temperatures, run: Run { replicas, .. }, .. } = self;
        for i in 1..replicas.len() {
            let slope = 1.0 / temperatures[i - 1] - 1.0 / temperatures[i];
            let gain = replicas[i].score() as f64 - replicas[i - 1].score() as f64;
            if unit(rng) < (slope * gain).exp() {
                replicas.swap(i - 1, i);
            }
        }
    }

    /// After as many proposals as the first round has: meets the others; at the end of a round
    /// another run may go on.
    fn meet(&mut self, meter: &mut Meter<'_>) -> ControlFlow<()> {
        let Self { settings, run, contest, told, .. } = self;
        let Turn { made, improved, round, longest, .. } = run.turn;
        let patience = settings.patience * improved as f64;
        let is_stale = settings.patience > 0.0 && (made - improved) as f64 > patience;
        let is_over = is_stale || made >= settings.length(round);
        let ended = is_over.then_some(Ended { round, score: longest as u32 });
        let heard = meter.meet(ended)?;
        told.push(ended);
        run.turn.met += 1;
        for Ended { round, score } in heard {
            contest.counts(round, score);
        }
        if let Some(Ended { round, score }) = ended {
            let run_over = std::mem::replace(run, Run::new());
            if is_stale {
                contest.counts(round, score);
            } else {
                contest.ended(round, score, run_over);
            }
            if let Some((round, next)) = contest.next() {
                *run = next;
                run.turn.round = round;
            }
        }
        ControlFlow::Continue(())
    }
}

impl<L: LineBoard> Run<L> {
    fn new() -> Self {
        Self { replicas: Vec::new(), turn: Turn::default() }
    }

    fn saved(&self) -> SavedRun {
        SavedRun { replicas: self.replicas.iter().map(Replica::saved).collect(), turn: self.turn }
    }
}

impl<L: LineBoard> Stepwise for Search<'_, L> {
    #[inline]
    fn step(&mut self, meter: &mut Meter<'_>, rng: &mut Rng) -> ControlFlow<()> {
        if self.run.replicas.len() < self.settings.replicas {
            return self.begin(meter, rng);
        }
        if self.run.turn.is_due(self.settings) {
            return self.meet(meter);
        }
        meter.playout()?;
        let Run { replicas, turn } = &mut self.run;
        turn.made += 1;
        turn.proposals += 1;
        let replica = &mut replicas[turn.replica];
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
            if turn.replica == replicas.len() {
                turn.replica = 0;
                self.exchange(rng);
            }
        }
        ControlFlow::Continue(())
    }

    fn restore(&mut self, state: &State) -> Result<(), BadState> {
        let Inside::Temper(saved) = &state.search else { return Err(BadState::Method) };
        self.take_up(saved, state.playouts)
    }

    fn best(&self) -> &[Move] {
        &self.best
    }

    fn inside(&self) -> Inside {
        let saved = |round: &Round<Run<L>>| SavedRound {
            scores: round.scores.clone(),
            resting: round.resting.iter().map(|(place, run)| (*place, run.saved())).collect(),
        };
        Inside::Temper(Saved {
            run: self.run.saved(),
            rounds: self.contest.rounds().iter().map(saved).collect(),
            told: self.told.clone(),
        })
    }

    fn finish(self, _meter: &mut Meter<'_>) -> Vec<Move> {
        self.best
    }
}
