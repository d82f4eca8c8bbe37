//! Random sampling (Hyyrö and Poranen 2007, section 2.1).
//!
//! Both variants choose each next move by random endgames and return the longest game met on the
//! way. RS1 plays `samples` endgames after each legal move and makes the move with the best average.
//! RS2 plays `samples` endgames in all and makes the first move of the longest. When a game is
//! over, a new one begins, up to `games` of them: the paper's runs are of one game each.

use std::ops::ControlFlow;

use geometry::Move;
use rules::{Engine, Playout, Position};
use serde::{Deserialize, Serialize};

use crate::playout::finish;
use crate::state::{Inside, in_range, replayed};
use crate::stepwise::{Beginning, Stepper, Stepwise};
use crate::{
    BadState, Default, Kind, Meter, MethodInfo, Moves, Parameter, Rng, State, Values, longest,
    position_after,
};

pub(crate) const RS1: MethodInfo = MethodInfo {
    name: "rs1",
    summary: "makes the move with the best average of random endgames",
    source: "Hyyrö and Poranen 2007, Algorithm 2.1",
    playout: "games",
    parameters: PARAMETERS,
};

pub(crate) const RS1MAX: MethodInfo = MethodInfo {
    name: "rs1max",
    summary: "rs1 with the longest of the random endgames after a move instead of their average",
    source: "a reading of Hyyrö and Poranen 2007 that fits their Table 1 better",
    playout: "games",
    parameters: PARAMETERS,
};

pub(crate) const RS2: MethodInfo = MethodInfo {
    name: "rs2",
    summary: "makes the first move of the longest of some random endgames",
    source: "Hyyrö and Poranen 2007, Algorithm 2.2",
    playout: "games",
    parameters: PARAMETERS,
};

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "samples",
        meaning: "how many random endgames are played, for each legal move (rs1, rs1max) or in all (rs2)",
        kind: Kind::Integer { min: 1, max: 1_000_000_000 },
        default: Default::Always(100.0),
    },
    Parameter {
        name: "games",
        meaning: "after how many games of chosen moves the search ends; 0 for never",
        kind: Kind::Integer { min: 0, max: 1_000_000_000 },
        default: Default::Always(0.0),
    },
];

/// The settings of all variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rs {
    /// Which of them.
    pub variant: Variant,
    /// How many random endgames are played.
    pub samples: u64,
    /// After how many games of chosen moves the search ends; 0 for never.
    pub games: u64,
}

/// How a move is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// By the average of endgames after each move.
    Average,
    /// By the longest of endgames after each move.
    LongestAfter,
    /// By the longest of some endgames.
    Longest,
}

impl Rs {
    pub(crate) fn of(variant: Variant, values: &Values) -> Self {
        Self { variant, samples: values.integer("samples"), games: values.integer("games") }
    }
}

impl Stepper for Rs {
    fn begin<'a, E: Engine>(
        &'a self,
        beginning: Beginning<'a, E>,
        _rng: &mut Rng,
    ) -> impl Stepwise + use<'a, E> {
        Search::new(self, beginning)
    }
}

/// A game in the making, and the endgames that will decide its next move.
struct Search<'a, E: Engine> {
    settings: &'a Rs,
    engine: &'a E,
    from: &'a [Move],
    start: E::Position,
    longest: usize,
    best: Vec<Move>,
    position: E::Position,
    looking: Looking,
    /// How many games were played to their end.
    games: u64,
    /// Where the endgames begin.
    after: E::Position,
    playout: E::Playout,
}

/// How far the look for the next move has come.
#[derive(Debug, Clone, Copy, std::default::Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Looking {
    /// Which of the legal moves is looked at, if each is by itself.
    index: usize,
    /// How many endgames were played, after this move or in all.
    sampled: u64,
    /// What they say for this move: how many moves they had in all, or the longest.
    worth: u64,
    /// The best worth so far, or the longest game; and the move.
    best: (u64, usize),
}

/// What is saved of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Saved {
    game: Moves,
    games: u64,
    looking: Looking,
}

impl<'a, E: Engine> Search<'a, E> {
    fn new(settings: &'a Rs, beginning: Beginning<'a, E>) -> Self {
        let Beginning { engine, from, best } = beginning;
        let start = position_after(engine, from);
        Self {
            settings,
            engine,
            from,
            longest: longest(engine.game()),
            best,
            position: start.clone(),
            looking: Looking::default(),
            games: 0,
            after: start.clone(),
            playout: engine.playout(),
            start,
        }
    }

    fn take_up(&mut self, saved: &Saved) -> Result<(), BadState> {
        let Saved { game, games, looking } = saved;
        self.position = replayed(self.engine, self.from, &game.0)?;
        (self.games, self.looking) = (*games, *looking);
        in_range(*games <= State::MOST_PLAYOUTS, "number of games")?;
        if self.is_over() {
            // Nothing was legal from the beginning.
            return in_range(
                *looking == Looking::default() && game.0 == self.from,
                "place in the game",
            );
        }
        let (legal, samples) = (self.position.legal().len(), self.settings.samples);
        in_range(looking.index < legal, "move looked at")?;
        in_range(looking.best.1 < legal, "best move")?;
        in_range(looking.sampled < samples, "number of endgames")?;
        let most = samples.saturating_mul((self.from.len() + self.longest) as u64);
        in_range(looking.worth <= most && looking.best.0 <= most, "number of moves")?;
        if looking.sampled > 0 {
            self.begin_samples();
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.position.legal().is_empty() || self.position.score() >= self.longest
    }

    /// Puts the endgames where they begin.
    fn begin_samples(&mut self) {
        self.after.clone_from(&self.position);
        if self.settings.variant != Variant::Longest {
            self.after.play_nth(self.looking.index);
        }
    }

    /// Move by move: `score` is the length of another endgame after the move looked at.
    fn by_move(&mut self, score: usize) {
        let looking = &mut self.looking;
        looking.worth = match self.settings.variant {
            Variant::LongestAfter => looking.worth.max(score as u64),
            _ => looking.worth + score as u64,
        };
        looking.sampled += 1;
        if looking.sampled < self.settings.samples {
            return;
        }
        if looking.worth > looking.best.0 {
            looking.best = (looking.worth, looking.index);
        }
        (looking.sampled, looking.worth) = (0, 0);
        looking.index += 1;
        if looking.index == self.position.legal().len() {
            self.make_best_move();
        }
    }

    /// By the longest: `score` is the length of another endgame from here.
    fn by_longest(&mut self, score: usize) {
        if score as u64 > self.looking.best.0 {
            let first = self.playout.moves(&self.after).get(self.position.score()).copied();
            let is_first =
                |&code: &<E::Position as Position>::Code| Some(self.position.decode(code)) == first;
            let index = self.position.legal().iter().position(is_first);
            let index = index.expect("an endgame begins with a legal move");
            self.looking.best = (score as u64, index);
        }
        self.looking.sampled += 1;
        if self.looking.sampled == self.settings.samples {
            self.make_best_move();
        }
    }

    fn make_best_move(&mut self) {
        self.position.play_nth(self.looking.best.1);
        self.looking = Looking::default();
    }
}

impl<E: Engine> Stepwise for Search<'_, E> {
    fn step(&mut self, meter: &mut Meter<'_>, rng: &mut Rng) -> ControlFlow<()> {
        if self.settings.games > 0 && self.games == self.settings.games {
            return ControlFlow::Break(());
        }
        meter.playout()?;
        if self.is_over() {
            // Where nothing is legal, a playout is a game of no moves.
            self.games += 1;
            return ControlFlow::Continue(());
        }
        if self.looking.sampled == 0 {
            self.begin_samples();
        }
        let score = finish(&mut self.playout, &self.after, self.longest, meter, rng);
        if score > self.best.len() {
            self.best = self.playout.moves(&self.after);
            let _ = meter.improved(&self.best);
        }
        match self.settings.variant {
            Variant::Longest => self.by_longest(score),
            _ => self.by_move(score),
        }
        if self.is_over() {
            self.games += 1;
            self.position.clone_from(&self.start);
            self.looking = Looking::default();
        }
        ControlFlow::Continue(())
    }

    fn restore(&mut self, state: &State) -> Result<(), BadState> {
        let Inside::Rs(saved) = &state.search else { return Err(BadState::Method) };
        self.take_up(saved)
    }

    fn best(&self) -> &[Move] {
        &self.best
    }

    fn inside(&self) -> Inside {
        let game = Moves(self.position.moves());
        Inside::Rs(Saved { game, games: self.games, looking: self.looking })
    }

    fn finish(self, _meter: &mut Meter<'_>) -> Vec<Move> {
        self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Searcher, Unwatched};
    use rand::SeedableRng;
    use rules::BitEngine;

    /// Runs of one game each, as the paper counts them.
    fn mean(variant: Variant, samples: u64, runs: u64) -> f64 {
        let engine = BitEngine::<4, false>::new();
        let rs = Rs { variant, samples, games: 1 };
        let length = |seed| {
            let mut rng = Rng::seed_from_u64(seed);
            rs.search(&engine, &[], Budget::default(), &mut rng, &mut Unwatched).len()
        };
        (0..runs).map(length).sum::<usize>() as f64 / runs as f64
    }

    #[test]
    fn averages_are_those_of_table_1() {
        // 4D: 31.9 and 30.5 with 10 samples, over 20 runs of a standard deviation of about 1.
        let (rs1, rs2) = (mean(Variant::Average, 10, 40), mean(Variant::Longest, 10, 200));
        assert!((rs1 - 31.9).abs() < 0.8, "{rs1}");
        assert!((rs2 - 30.5).abs() < 0.8, "{rs2}");
    }

    #[test]
    fn with_one_sample_the_longest_is_the_average() {
        let lengths = [Variant::Average, Variant::LongestAfter].map(|variant| mean(variant, 1, 20));
        assert_eq!(lengths[0], lengths[1]);
        let lengths = [Variant::Average, Variant::LongestAfter].map(|variant| mean(variant, 5, 20));
        assert_ne!(lengths[0], lengths[1]);
    }
}
