//! Random sampling (Hyyrö and Poranen 2007, section 2.1).
//!
//! Both variants choose each next move by random endgames and return the longest game met on the
//! way. RS1 plays `samples` endgames after each legal move and makes the move with the best average.
//! RS2 plays `samples` endgames in all and makes the first move of the longest. When a game is
//! over, a new one begins, up to `games` of them: the paper's runs are of one game each.

use std::ops::ControlFlow;

use geometry::Move;
use rules::{Board, Kit};

use crate::playout::finish;
use crate::{
    Budget, Default, Kind, Meter, MethodInfo, Observer, Parameter, Rng, Searcher, Values,
    board_after, longest,
};

pub(crate) const RS1: MethodInfo = MethodInfo {
    name: "rs1",
    summary: "makes the move with the best average of random endgames",
    source: "Hyyrö and Poranen 2007, Algorithm 2.1",
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
        meaning: "how many random endgames are played, for each legal move (rs1) or in all (rs2)",
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

/// The settings of both variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rs {
    /// Which of the two.
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
    /// By the longest of some endgames.
    Longest,
}

impl Rs {
    pub(crate) fn of(variant: Variant, values: &Values) -> Self {
        Self { variant, samples: values.integer("samples"), games: values.integer("games") }
    }
}

impl Searcher for Rs {
    fn search<K: Kit>(
        &self,
        kit: &K,
        from: &[Move],
        budget: Budget,
        rng: &mut Rng,
        observer: &mut dyn Observer,
    ) -> Vec<Move> {
        let start = board_after(kit, from);
        let mut sampler = Sampler {
            sample: start.clone(),
            longest: longest(kit.game()),
            meter: Meter::new(budget, observer),
            rng,
            best: from.to_vec(),
        };
        let mut games = 0;
        while self.one_game(start.clone(), &mut sampler).is_continue() {
            games += 1;
            if games == self.games {
                break;
            }
        }
        sampler.best
    }
}

impl Rs {
    fn one_game<B: Board>(&self, mut board: B, sampler: &mut Sampler<'_, B>) -> ControlFlow<()> {
        // At least one look at the budget, also where nothing is legal.
        if board.legal().is_empty() {
            sampler.endgame(&board)?;
        }
        while !board.legal().is_empty() && board.score() < sampler.longest {
            let index = match self.variant {
                Variant::Average => self.by_average(&board, sampler)?,
                Variant::Longest => self.by_longest(&board, sampler)?,
            };
            board.play_nth(index);
        }
        ControlFlow::Continue(())
    }

    fn by_average<B: Board>(
        &self,
        board: &B,
        sampler: &mut Sampler<'_, B>,
    ) -> ControlFlow<(), usize> {
        let mut best = (0, 0);
        for index in 0..board.legal().len() {
            let mut after = board.clone();
            after.play_nth(index);
            let mut total = 0;
            for _ in 0..self.samples {
                total += sampler.endgame(&after)?;
            }
            if total > best.0 {
                best = (total, index);
            }
        }
        ControlFlow::Continue(best.1)
    }

    fn by_longest<B: Board>(
        &self,
        board: &B,
        sampler: &mut Sampler<'_, B>,
    ) -> ControlFlow<(), usize> {
        let mut best = (0, None);
        for _ in 0..self.samples {
            let score = sampler.endgame(board)?;
            if score > best.0 {
                best = (score, sampler.sample.moves().get(board.score()).copied());
            }
        }
        let first = |code| Some(board.decode(code)) == best.1;
        let index = board.legal().iter().position(|&code| first(code));
        ControlFlow::Continue(index.expect("an endgame begins with a legal move"))
    }
}

/// Plays random endgames and remembers the longest game.
struct Sampler<'a, B> {
    sample: B,
    longest: usize,
    meter: Meter<'a>,
    rng: &'a mut Rng,
    best: Vec<Move>,
}

impl<B: Board> Sampler<'_, B> {
    /// The length of a random game that goes on from here.
    fn endgame(&mut self, board: &B) -> ControlFlow<(), usize> {
        self.meter.playout()?;
        self.sample.clone_from(board);
        finish(&mut self.sample, self.longest, &mut self.meter, self.rng);
        if self.sample.score() > self.best.len() {
            self.best = self.sample.moves();
            self.meter.improved(&self.best)?;
        }
        ControlFlow::Continue(self.sample.score())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unwatched;
    use rand::SeedableRng;
    use rules::Fast;

    /// Runs of one game each, as the paper counts them.
    fn mean(variant: Variant, samples: u64, runs: u64) -> f64 {
        let kit = Fast::<4, false>::new();
        let rs = Rs { variant, samples, games: 1 };
        let length = |seed| {
            let mut rng = Rng::seed_from_u64(seed);
            rs.search(&kit, &[], Budget::default(), &mut rng, &mut Unwatched).len()
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
}
