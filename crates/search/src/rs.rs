//! Random sampling (Hyyrö and Poranen 2007, section 2.1).
//!
//! Both algorithms choose each next move by random endgames and return the longest game met on the
//! way. RS1 plays `samples` endgames after each legal move and makes the move with the best
//! average. RS2 plays `samples` endgames in all and makes the first move of the longest. When a
//! game is over, a new one begins, up to `games` of them: the paper's runs are of one game each.

use std::ops::ControlFlow;
use std::sync::Arc;

use geometry::Move;
use rules::{Engine, Playout, Position};
use serde::{Deserialize, Serialize};

use crate::DefaultValue::Always;
use crate::method::EngineMethod;
use crate::playout::play_random;
use crate::registry::{MethodBuild, MethodInfo};
use crate::run::SearchBase;
use crate::state::{MethodState, in_range, replayed};
use crate::{BudgetMeter, MoveList, Parameter, ParameterValues, Rng, Run, SearchState, StateError};

pub(crate) const RS1: MethodInfo = MethodInfo {
    name: "rs1",
    summary: "makes the move with the best average of random endgames",
    source: "Hyyrö and Poranen 2007, Algorithm 2.1",
    playout: "games",
    parameters: PARAMETERS,
    build: MethodBuild::FromValues(|values| Arc::new(Rs::new(RsVariant::Average, values))),
};

pub(crate) const RS1MAX: MethodInfo = MethodInfo {
    name: "rs1max",
    summary: "rs1 with the longest of the random endgames after a move instead of their average",
    source: "a reading of Hyyrö and Poranen 2007 that fits their Table 1 better",
    playout: "games",
    parameters: PARAMETERS,
    build: MethodBuild::FromValues(|values| Arc::new(Rs::new(RsVariant::LongestAfter, values))),
};

pub(crate) const RS2: MethodInfo = MethodInfo {
    name: "rs2",
    summary: "makes the first move of the longest of some random endgames",
    source: "Hyyrö and Poranen 2007, Algorithm 2.2",
    playout: "games",
    parameters: PARAMETERS,
    build: MethodBuild::FromValues(|values| Arc::new(Rs::new(RsVariant::Longest, values))),
};

const PARAMETERS: &[Parameter] = &[
    Parameter::integer("samples", 1..=1_000_000_000, Always(100.0))
        .meaning("random endgames, for each legal move (rs1, rs1max) or in all (rs2)"),
    Parameter::integer("games", 0..=1_000_000_000, Always(0.0))
        .meaning("games of chosen moves after which the search ends; 0 for never"),
];

/// The settings of all variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rs {
    /// Which of them.
    pub variant: RsVariant,
    /// The number of random endgames.
    pub samples: u64,
    /// The number of games of chosen moves after which the search ends; 0 for never.
    pub games: u64,
}

/// How a move is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RsVariant {
    /// By the average of the endgames after each move.
    Average,
    /// By the longest of the endgames after each move.
    LongestAfter,
    /// By the longest of all endgames.
    Longest,
}

impl Rs {
    fn new(variant: RsVariant, values: &ParameterValues) -> Self {
        Self { variant, samples: values.integer("samples"), games: values.integer("games") }
    }
}

impl EngineMethod for Rs {
    fn start_on<E: Engine>(&self, base: SearchBase<E>, _rng: &mut Rng) -> Box<dyn Run> {
        let start = base.position();
        Box::new(RsRun {
            settings: *self,
            max_moves: base.max_moves(),
            position: start.clone(),
            choice: Choice::default(),
            games: 0,
            after: start.clone(),
            playout: base.engine.playout(),
            start,
            base,
        })
    }
}

/// A game in progress, and the endgames that decide its next move.
struct RsRun<E: Engine> {
    settings: Rs,
    base: SearchBase<E>,
    start: E::Position,
    max_moves: usize,
    position: E::Position,
    choice: Choice,
    /// The number of games played to their end.
    games: u64,
    /// The position from which the endgames begin.
    after: E::Position,
    playout: E::Playout,
}

/// The progress of the choice of the next move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Choice {
    /// The index of the legal move whose endgames are played, if each is sampled separately.
    index: usize,
    /// The number of endgames played, after this move or in all.
    sampled: u64,
    /// The worth of this move so far: the sum of the lengths, or the longest.
    worth: u64,
    /// The best worth so far, or the longest game; and the index of the move.
    best: (u64, usize),
}

/// The saved state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RsState {
    game: MoveList,
    games: u64,
    #[serde(rename = "looking")]
    choice: Choice,
}

impl<E: Engine> RsRun<E> {
    fn is_over(&self) -> bool {
        self.position.legal().is_empty() || self.position.score() >= self.max_moves
    }

    /// Sets up the position from which the endgames begin.
    fn begin_samples(&mut self) {
        self.after.clone_from(&self.position);
        if self.settings.variant != RsVariant::Longest {
            self.after.play_nth(self.choice.index);
        }
    }

    /// Move by move: `score` is the length of another endgame after the current move.
    fn count_for_move(&mut self, score: usize) {
        let choice = &mut self.choice;
        choice.worth = match self.settings.variant {
            RsVariant::LongestAfter => choice.worth.max(score as u64),
            _ => choice.worth + score as u64,
        };
        choice.sampled += 1;
        if choice.sampled < self.settings.samples {
            return;
        }
        if choice.worth > choice.best.0 {
            choice.best = (choice.worth, choice.index);
        }
        (choice.sampled, choice.worth) = (0, 0);
        choice.index += 1;
        if choice.index == self.position.legal().len() {
            self.make_best_move();
        }
    }

    /// By the longest: `score` is the length of another endgame from here.
    fn count_longest(&mut self, score: usize) {
        if score as u64 > self.choice.best.0 {
            let first = self.playout.moves(&self.after).get(self.position.score()).copied();
            let is_first =
                |&code: &<E::Position as Position>::Code| Some(self.position.decode(code)) == first;
            let index = self.position.legal().iter().position(is_first);
            let index = index.expect("an endgame begins with a legal move");
            self.choice.best = (score as u64, index);
        }
        self.choice.sampled += 1;
        if self.choice.sampled == self.settings.samples {
            self.make_best_move();
        }
    }

    fn make_best_move(&mut self) {
        self.position.play_nth(self.choice.best.1);
        self.choice = Choice::default();
    }
}

impl<E: Engine> Run for RsRun<E> {
    fn step(&mut self, meter: &mut BudgetMeter<'_>, rng: &mut Rng) -> ControlFlow<()> {
        if self.settings.games > 0 && self.games == self.settings.games {
            return ControlFlow::Break(());
        }
        meter.playout()?;
        if self.is_over() {
            // Where nothing is legal, a playout is a game of no moves.
            self.games += 1;
            return ControlFlow::Continue(());
        }
        if self.choice.sampled == 0 {
            self.begin_samples();
        }
        let score = play_random(&mut self.playout, &self.after, self.max_moves, meter, rng);
        if score > self.base.best.len() {
            let _ = self.base.improve(self.playout.moves(&self.after), meter);
        }
        match self.settings.variant {
            RsVariant::Longest => self.count_longest(score),
            _ => self.count_for_move(score),
        }
        if self.is_over() {
            self.games += 1;
            self.position.clone_from(&self.start);
            self.choice = Choice::default();
        }
        ControlFlow::Continue(())
    }

    fn best(&self) -> &[Move] {
        &self.base.best
    }

    fn state(&self) -> Option<MethodState> {
        let game = MoveList(self.position.moves());
        Some(MethodState::new("rs", &RsState { game, games: self.games, choice: self.choice }))
    }

    fn restore(&mut self, state: &SearchState) -> Result<(), StateError> {
        self.base.restore(state)?;
        let RsState { game, games, choice } = state.method("rs")?;
        let prefix = &self.base.prefix;
        self.position = replayed(&self.base.engine, prefix, &game.0)?;
        (self.games, self.choice) = (games, choice);
        in_range(games <= SearchState::MAX_PLAYOUTS, "number of games")?;
        if self.is_over() {
            // Nothing was legal from the beginning.
            let fresh = choice == Choice::default() && game.0 == *prefix;
            return in_range(fresh, "place in the game");
        }
        let (legal, samples) = (self.position.legal().len(), self.settings.samples);
        in_range(choice.index < legal, "index of a move")?;
        in_range(choice.best.1 < legal, "best move")?;
        in_range(choice.sampled < samples, "number of endgames")?;
        let most = samples.saturating_mul((prefix.len() + self.max_moves) as u64);
        in_range(choice.worth <= most && choice.best.0 <= most, "number of moves")?;
        if choice.sampled > 0 {
            self.begin_samples();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::found_at_end;

    /// The mean length over runs of one game each, as the paper counts them.
    fn mean(variant: RsVariant, samples: u64, runs: u64) -> f64 {
        let rs = Rs { variant, samples, games: 1 };
        let total: usize = (0..runs).map(|seed| found_at_end(&rs, "4D", seed).len()).sum();
        total as f64 / runs as f64
    }

    #[test]
    fn averages_are_those_of_table_1() {
        // 4D: 31.9 and 30.5 with 10 samples, over 20 runs of a standard deviation of about 1.
        let (rs1, rs2) = (mean(RsVariant::Average, 10, 40), mean(RsVariant::Longest, 10, 200));
        assert!((rs1 - 31.9).abs() < 0.8, "{rs1}");
        assert!((rs2 - 30.5).abs() < 0.8, "{rs2}");
    }

    #[test]
    fn with_one_sample_the_longest_is_the_average() {
        let means = |samples| {
            [RsVariant::Average, RsVariant::LongestAfter].map(|variant| mean(variant, samples, 20))
        };
        assert_eq!(means(1)[0], means(1)[1]);
        assert_ne!(means(5)[0], means(5)[1]);
    }
}
