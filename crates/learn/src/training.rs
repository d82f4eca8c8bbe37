//! Learning by self-play with ranked reward: Algorithm 1 of Wang et al. (2020).
//!
//! Each iteration plays games by the network (stage 1), ranks them among the recent ones, learns
//! from them (stage 2), and lets the new network play once with a tree search (stage 3). Between
//! iterations a [`TrainingRun`] is data. The same seed gives the same weights on any number of
//! threads: games are played in groups and samples are learnt in portions that do not depend on it,
//! and what portions contribute is added up in their order.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use geometry::{Game, Move};
use rules::{Engine, EngineVisitor, IllegalMove, Position, with_engine};
use search::random::below_wide as below;
use search::{ParameterError, Rng};

use crate::adam::Adam;
use crate::curve::{CurvePoint, mean_and_ci95};
use crate::encoder::{Encoder, EncoderError};
use crate::network::{Losses, Network, Shape, TrainingSample};
use crate::parallel::map_parallel;
use crate::random::{Purpose, generator};
use crate::reward::{Rewards, ranked};
use crate::self_play::{Episode, MoveSelection, SelfPlay, play};
use crate::settings::TrainingSettings;

use sampler::{Sampler, Source};

mod sampler;

/// A training run between two iterations: all that is needed to resume it.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainingRun {
    pub(crate) encoder: Encoder,
    pub(crate) settings: TrainingSettings,
    pub(crate) seed: u64,
    pub(crate) network: Network,
    pub(crate) adam: Adam,
    /// The list B.
    pub(crate) rewards: Rewards,
    /// The buffer D: the games of the last iterations, the oldest first.
    pub(crate) history: VecDeque<Vec<RankedEpisode>>,
    /// The best games so far, the longest first, if they are to be learnt in every iteration.
    pub(crate) elite: Vec<Vec<Move>>,
    /// Games of a teacher to be learnt in every iteration.
    pub(crate) teachers: Vec<Vec<Move>>,
    pub(crate) best: Vec<Move>,
    pub(crate) curve: Vec<CurvePoint>,
}

/// A game of self-play, ranked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RankedEpisode {
    pub(crate) moves: Vec<Move>,
    /// Before each move, the probability of every move on the board.
    pub(crate) policies: Vec<Vec<f32>>,
    /// The ranked reward: 1 or -1.
    pub(crate) ranked: i8,
}

/// What an iteration of a [`TrainingRun`] reports, from whichever thread it happens on. The
/// callback is also how an iteration is cancelled, so events come at least once for every move and
/// batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// Stage 1: self-play.
    SelfPlay {
        /// Games finished.
        done: usize,
        /// Games of the iteration.
        total: usize,
    },
    /// Stage 2: learning.
    Learning {
        /// Samples learnt.
        done: usize,
        /// Samples of the iteration, over all epochs.
        total: usize,
    },
    /// Stage 3: one game by the new network.
    FinalGame,
}

/// Receives the events of an iteration; `Break` cancels it.
pub type OnEvent<'a> = &'a (dyn Fn(Event) -> ControlFlow<()> + Sync);

/// Why there is no training run with such settings.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TrainingRunError {
    /// No such board.
    #[error(transparent)]
    Encoder(#[from] EncoderError),
    /// A network of too many weights.
    #[error(
        "such a network has more than {} weights: choose a smaller board, or fewer channels, \
         blocks or dense units",
        Shape::MAX_WEIGHTS
    )]
    TooLarge,
    /// A teacher's game is not legal.
    #[error("move {number} of the teacher's game {game} is not legal: {fault}")]
    Illegal {
        /// Which game, counted from 1.
        game: usize,
        /// Which move, counted from 1.
        number: usize,
        /// Why.
        fault: IllegalMove,
    },
    /// A teacher's game leaves the board.
    #[error(
        "move {number} of the teacher's game {game} is beyond the edge of the board: choose a \
         larger one"
    )]
    Beyond {
        /// Which game, counted from 1.
        game: usize,
        /// Which move, counted from 1.
        number: usize,
    },
}

/// Why a parameter of a training run cannot be changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterChangeError {
    /// No such parameter, or no such value.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The network would be another one.
    #[error("{0} is part of the network and cannot be changed; start another training run")]
    Fixed(Box<str>),
}

/// Why an iteration was not finished. The training run is as it was before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// The callback asked for it.
    #[error("cancelled")]
    Cancelled,
    /// Learning went out of bounds.
    #[error("in iteration {iteration} {what} is not finite; a smaller learning rate may help")]
    Diverged {
        /// Which iteration, counted from 1.
        iteration: u64,
        /// What went out of bounds.
        what: &'static str,
    },
}

impl TrainingRun {
    /// The most samples that are worked through together by one thread.
    const PORTION: usize = 16;

    /// A training run before its first iteration.
    pub fn new(
        game: &Game,
        settings: TrainingSettings,
        seed: u64,
        teachers: Vec<Vec<Move>>,
    ) -> Result<Self, TrainingRunError> {
        let encoder = Encoder::new(game, settings.count("board"), settings.is("merge"))?;
        let shape = settings.shape(&encoder);
        shape.weights().filter(|&w| w <= Shape::MAX_WEIGHTS).ok_or(TrainingRunError::TooLarge)?;
        with_engine(game, CheckTeachers { encoder: &encoder, teachers: &teachers })?;
        let network = Network::new(shape, &mut generator(seed, 0, Purpose::Weights, 0));
        Ok(Self {
            adam: Adam::new(network.size()),
            rewards: Rewards::new(settings.count("rewards")),
            history: VecDeque::new(),
            elite: Vec::new(),
            best: Vec::new(),
            curve: Vec::new(),
            encoder,
            settings,
            seed,
            network,
            teachers,
        })
    }

    /// The game.
    pub fn game(&self) -> &Game {
        self.encoder.game()
    }

    /// The parameters.
    pub fn settings(&self) -> &TrainingSettings {
        &self.settings
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The network as it is.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The longest game so far.
    pub fn best(&self) -> &[Move] {
        &self.best
    }

    /// The results of each iteration.
    pub fn curve(&self) -> &[CurvePoint] {
        &self.curve
    }

    /// How many iterations are done.
    pub fn iterations(&self) -> u64 {
        self.curve.len() as u64
    }

    /// Whether all iterations that the settings ask for are done.
    pub fn is_over(&self) -> bool {
        self.iterations() >= self.settings.values().integer("iterations")
    }

    /// Changes a parameter. The shape of the network cannot be changed.
    pub fn change(&mut self, name: &str, value: &str) -> Result<(), ParameterChangeError> {
        let settings = self.settings.with(name, value)?;
        if ["board", "merge", "blocks", "channels", "dense"].contains(&name) {
            return Err(ParameterChangeError::Fixed(name.into()));
        }
        self.rewards = Rewards::from_recent(settings.count("rewards"), self.rewards.recent());
        while self.history.len() > settings.count("history") {
            self.history.pop_front();
        }
        self.elite.truncate(settings.count("elite"));
        self.settings = settings;
        Ok(())
    }

    /// Runs one iteration on up to `threads` threads. A cancelled or failed iteration changes
    /// nothing.
    pub fn iterate(&mut self, threads: usize, on: OnEvent<'_>) -> Result<(), TrainError> {
        let game = self.game().clone();
        let iteration = self.iterations() + 1;
        *self = with_engine(&game, Iteration { training: self, iteration, threads, on })?;
        Ok(())
    }
}

/// Whether the games of teachers can be learnt.
struct CheckTeachers<'a> {
    encoder: &'a Encoder,
    teachers: &'a [Vec<Move>],
}

impl EngineVisitor for CheckTeachers<'_> {
    type Output = Result<(), TrainingRunError>;

    fn visit<E: Engine>(self, engine: &E) -> Self::Output {
        for (game, moves) in (1..).zip(self.teachers) {
            let mut board = engine.position();
            for (number, &mv) in (1..).zip(moves) {
                if !self.encoder.contains(mv) {
                    return Err(TrainingRunError::Beyond { game, number });
                }
                board.play(mv).map_err(|fault| TrainingRunError::Illegal {
                    game,
                    number,
                    fault,
                })?;
            }
        }
        Ok(())
    }
}

/// One iteration.
struct Iteration<'a> {
    training: &'a TrainingRun,
    /// Which, counted from 1.
    iteration: u64,
    threads: usize,
    on: OnEvent<'a>,
}

impl EngineVisitor for Iteration<'_> {
    /// The training run after it.
    type Output = Result<TrainingRun, TrainError>;

    fn visit<E: Engine>(self, engine: &E) -> Self::Output {
        let began = Instant::now();
        let games = self.play(engine)?;
        let playing = began.elapsed();
        let mut training = self.training.clone();
        let (rank, alpha) = (self.ranked(&games), training.settings.values().real("ratio"));
        training.rewards = rank.0;
        let scores: Vec<f64> = games.iter().map(|game| game.moves.len() as f64).collect();
        let (mean, error) = mean_and_ci95(&scores);
        let mut entry = CurvePoint {
            games: games.len() as u64,
            mean,
            error,
            longest: games.iter().map(|game| game.moves.len() as u32).max().unwrap_or(0),
            threshold: training.rewards.threshold(alpha).unwrap_or(0),
            cut: games.iter().filter(|game| game.is_truncated).count() as u64,
            positions: games.iter().map(|game| game.positions).sum(),
            play_seconds: playing.as_secs_f64(),
            ..CurvePoint::default()
        };
        let longest = games.iter().map(|game| &game.best).rev().max_by_key(|best| best.len());
        training.keep_best(longest.map_or(&[], |best| best));
        training.keep_elite(&games);
        let episodes = games.into_iter().zip(rank.1);
        let episodes = episodes.map(|(Episode { moves, policies, .. }, ranked)| RankedEpisode {
            moves,
            policies,
            ranked,
        });
        training.history.push_back(episodes.collect());
        while training.history.len() > training.settings.count("history") {
            training.history.pop_front();
        }

        let began = Instant::now();
        let (losses, samples) = self.learn(engine, &mut training)?;
        entry.samples = samples;
        let mean = |sum: f64| if samples == 0 { 0.0 } else { sum / samples as f64 };
        (entry.policy_loss, entry.value_loss) = (mean(losses.policy), mean(losses.value));
        entry.learn_seconds = began.elapsed().as_secs_f64();

        let last = self.play_once(engine, &training)?;
        training.keep_best(&last.best);
        entry.last = last.best.len() as u32;
        entry.best = training.best.len() as u32;
        training.curve.push(entry);
        Ok(training)
    }
}

impl Iteration<'_> {
    fn generator(&self, what: Purpose, number: usize) -> Rng {
        generator(self.training.seed, self.iteration, what, number as u64)
    }

    /// Stage 1: the games of an iteration.
    fn play<E: Engine>(&self, engine: &E) -> Result<Vec<Episode>, TrainError> {
        let TrainingRun { encoder, settings, network, rewards, .. } = self.training;
        let threshold = rewards.threshold(settings.values().real("ratio"));
        let selection = MoveSelection::for_self_play(settings, threshold);
        let self_play = SelfPlay { group: settings.count("group"), threads: self.threads };
        let episodes = settings.count("episodes");
        let rngs: Vec<Rng> =
            (0..episodes).map(|episode| self.generator(Purpose::Game, episode)).collect();
        let done = AtomicUsize::new(0);
        let report = || {
            let done = done.load(Ordering::Relaxed);
            (self.on)(Event::SelfPlay { done, total: episodes }).is_break()
        };
        let finished = |count| {
            done.fetch_add(count, Ordering::Relaxed);
        };
        let players = (encoder, network, &selection);
        let games = self_play.play(&engine.position(), players, &rngs, &report, &finished);
        games.map_err(|_| TrainError::Cancelled)
    }

    /// The list B after the games, and the ranked reward of each: every game is stored first and
    /// then compared with the threshold.
    fn ranked(&self, games: &[Episode]) -> (Rewards, Vec<i8>) {
        let mut rng = self.generator(Purpose::Rank, 0);
        let alpha = self.training.settings.values().real("ratio");
        let mut rewards = self.training.rewards.clone();
        let rank = |game: &Episode| {
            let reward = game.moves.len() as u32;
            rewards.store(reward);
            let threshold = rewards.threshold(alpha).expect("one is stored");
            ranked(reward, threshold, &mut rng)
        };
        let ranks = games.iter().map(rank).collect();
        (rewards, ranks)
    }

    /// Stage 2: learns from the games of the last iterations. Gives back the losses, and how many
    /// positions were learnt.
    fn learn<E: Engine>(
        &self,
        engine: &E,
        training: &mut TrainingRun,
    ) -> Result<(Losses, u64), TrainError> {
        let TrainingRun { encoder, settings, network, adam, history, elite, teachers, .. } =
            training;
        let loss_weights = settings.loss_weights();
        let imitate = settings.is("imitate");
        let mut sources: Vec<Source<'_>> = Vec::new();
        sources.extend(history.iter().flatten().map(Source::Episode));
        sources.extend(elite.iter().map(|moves| Source::Shown(moves)));
        for _ in 0..settings.count("teach") {
            sources.extend(teachers.iter().map(|moves| Source::Shown(moves)));
        }
        sources.retain(|source| source.weight(imitate) != 0.0 || loss_weights.value != 0.0);
        let turns = if settings.is("symmetries") { encoder.symmetry_actions() } else { Vec::new() };
        let whole = settings.is("whole");
        let sampler = Sampler { board: engine.position(), encoder, turns, imitate, whole };
        let mut order: Vec<(u32, u32)> = (0..)
            .zip(&sources)
            .flat_map(|(number, source)| (0..source.len() as u32).map(move |step| (number, step)))
            .collect();
        let (rate, decay) = (settings.real("rate"), settings.real("decay"));
        let batch = settings.count("batch");
        let all = order.len() * settings.count("epochs");
        let (mut losses, mut learnt, mut batches) = (Losses::default(), 0, 0);
        for epoch in 0..settings.count("epochs") {
            shuffle(&mut order, &mut self.generator(Purpose::Order, epoch));
            for some in order.chunks(batch) {
                if (self.on)(Event::Learning { done: learnt, total: all }).is_break() {
                    return Err(TrainError::Cancelled);
                }
                let portions: Vec<_> = some.chunks(TrainingRun::PORTION).collect();
                let studied = map_parallel(self.threads, portions.len(), |number| {
                    let mut rng = self.generator(Purpose::Samples, batches << 16 | number);
                    let sample =
                        |&(source, step): &(u32, u32)| (&sources[source as usize], step as usize);
                    let samples: Vec<TrainingSample> = portions[number]
                        .iter()
                        .map(sample)
                        .map(|(source, step)| sampler.sample(source, step, &mut rng))
                        .collect();
                    let mut sums = vec![0.0; network.size()];
                    let losses =
                        network.accumulate_gradient(&samples, loss_weights, &mut rng, &mut sums);
                    (losses, sums)
                });
                let share = 1.0 / some.len() as f32;
                let mut gradient = vec![0.0; network.size()];
                for (loss, sums) in studied {
                    losses.add(loss);
                    for (sum, part) in gradient.iter_mut().zip(sums) {
                        *sum += share * part;
                    }
                }
                if !(losses.policy + losses.value).is_finite() {
                    return Err(self.diverged("the loss"));
                }
                adam.step(&mut network.weights, &gradient, rate, decay);
                batches += 1;
                learnt += some.len();
            }
        }
        if !network.weights.iter().all(|weight| weight.is_finite()) {
            return Err(self.diverged("a weight"));
        }
        Ok((losses, learnt as u64))
    }

    fn diverged(&self, what: &'static str) -> TrainError {
        TrainError::Diverged { iteration: self.iteration, what }
    }

    /// Stage 3: the new network plays once, with a tree search.
    fn play_once<E: Engine>(
        &self,
        engine: &E,
        training: &TrainingRun,
    ) -> Result<Episode, TrainError> {
        let TrainingRun { encoder, settings, network, rewards, .. } = training;
        let simulations = settings.count("final-simulations");
        if simulations == 0 {
            return Ok(Episode::default());
        }
        let threshold = rewards.threshold(settings.values().real("ratio"));
        let selection = MoveSelection {
            simulations,
            steps: 0,
            noise: 0.0,
            ..MoveSelection::for_self_play(settings, threshold)
        };
        let mut rngs = [self.generator(Purpose::Final, 0)];
        let stop = || (self.on)(Event::FinalGame).is_break();
        let games = play(&engine.position(), encoder, network, &selection, &mut rngs, &stop);
        games
            .map_err(|_| TrainError::Cancelled)
            .map(|games| games.into_iter().next().unwrap_or_default())
    }
}

impl TrainingRun {
    fn keep_best(&mut self, game: &[Move]) {
        if game.len() > self.best.len() {
            self.best = game.to_vec();
        }
    }

    /// Takes the best of some games among the best so far. Games with the same lines count once.
    fn keep_elite(&mut self, games: &[Episode]) {
        let most = self.settings.count("elite");
        if most == 0 {
            return;
        }
        let lines = |moves: &[Move]| {
            let mut lines: Vec<_> = moves.iter().map(|mv| mv.line).collect();
            lines.sort_unstable();
            lines
        };
        self.elite.extend(games.iter().map(|game| game.moves.clone()));
        self.elite.sort_by_key(|moves| (std::cmp::Reverse(moves.len()), lines(moves)));
        self.elite.dedup_by_key(|moves| lines(moves));
        self.elite.truncate(most);
    }
}

/// Shuffles uniformly (Fisher and Yates).
fn shuffle<T>(things: &mut [T], rng: &mut Rng) {
    for last in (1..things.len()).rev() {
        things.swap(last, below(rng, last + 1));
    }
}

#[cfg(test)]
mod tests;
