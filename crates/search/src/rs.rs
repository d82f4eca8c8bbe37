//! Random sampling (Hyyrö and Poranen 2007, section 2.1).
//!
//! Both variants choose each next move by random endgames and return the longest game met on the
//! way. RS1 plays `samples` endgames after each legal move and makes the move with the best average.
//! RS2 plays `samples` endgames in all and makes the first move of the longest. When a game is
//! over, a new one begins.

use std::ops::ControlFlow;

use geometry::Move;
use rules::{Board, Kit, Playout};

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

const PARAMETERS: &[Parameter] = &[Parameter {
    name: "samples",
    meaning: "how many random endgames are played, for each legal move (rs1) or in all (rs2)",
    kind: Kind::Integer { min: 1, max: 1_000_000_000 },
    default: Default::Always(100.0),
}];

/// The settings of both variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rs {
    /// Which of the two.
    pub variant: Variant,
    /// How many random endgames are played.
    pub samples: u64,
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
        Self { variant, samples: values.integer("samples") }
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
            playout: kit.playout(),
            longest: longest(kit.game()),
            meter: Meter::new(budget, observer),
            rng,
            best: from.to_vec(),
        };
        while self.one_game(start.clone(), &mut sampler).is_continue() {}
        sampler.best
    }
}

impl Rs {
    fn one_game<P: Playout>(
        &self,
        mut board: P::Board,
        sampler: &mut Sampler<'_, P>,
    ) -> ControlFlow<()> {
        // At least one look at the budget, also where nothing is legal.
        sampler.endgame(&board)?;
        while !board.legal().is_empty() && board.score() < sampler.longest {
            let index = match self.variant {
                Variant::Average => self.by_average(&board, sampler)?,
                Variant::Longest => self.by_longest(&board, sampler)?,
            };
            board.play_nth(index);
        }
        ControlFlow::Continue(())
    }

    fn by_average<P: Playout>(
        &self,
        board: &P::Board,
        sampler: &mut Sampler<'_, P>,
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

    fn by_longest<P: Playout>(
        &self,
        board: &P::Board,
        sampler: &mut Sampler<'_, P>,
    ) -> ControlFlow<(), usize> {
        let mut best = (0, None);
        for _ in 0..self.samples {
            let score = sampler.endgame(board)?;
            if score > best.0 {
                best = (score, sampler.playout.moves(board).get(board.score()).copied());
            }
        }
        let first = |code| Some(board.decode(code)) == best.1;
        let index = board.legal().iter().position(|&code| first(code));
        ControlFlow::Continue(index.expect("an endgame begins with a legal move"))
    }
}

/// Plays random endgames and remembers the longest game.
struct Sampler<'a, P> {
    playout: P,
    longest: usize,
    meter: Meter<'a>,
    rng: &'a mut Rng,
    best: Vec<Move>,
}

impl<P: Playout> Sampler<'_, P> {
    /// The length of a random game that goes on from here.
    fn endgame(&mut self, board: &P::Board) -> ControlFlow<(), usize> {
        self.meter.playout()?;
        let score = finish(&mut self.playout, board, self.longest, &mut self.meter, self.rng);
        if score > self.best.len() {
            self.best = self.playout.moves(board);
            self.meter.improved(&self.best)?;
        }
        ControlFlow::Continue(score)
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
        let rs = Rs { variant, samples };
        let total: usize = (0..runs)
            .map(|seed| {
                let mut observer = Unwatched;
                let mut sampler = Sampler {
                    playout: kit.playout(),
                    longest: 1000,
                    meter: Meter::new(Budget::default(), &mut observer),
                    rng: &mut Rng::seed_from_u64(seed),
                    best: Vec::new(),
                };
                assert!(rs.one_game(kit.board(), &mut sampler).is_continue());
                sampler.best.len()
            })
            .sum();
        total as f64 / runs as f64
    }

    #[test]
    fn averages_are_those_of_table_1() {
        // 4D: 31.9 and 30.5 with 10 samples, over 20 runs of a standard deviation of about 1.
        let (rs1, rs2) = (mean(Variant::Average, 10, 40), mean(Variant::Longest, 10, 200));
        assert!((rs1 - 31.9).abs() < 0.8, "{rs1}");
        assert!((rs2 - 30.5).abs() < 0.8, "{rs2}");
    }
}
