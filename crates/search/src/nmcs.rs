//! Nested Monte-Carlo search (Cazenave 2009).
//!
//! A game of level n looks, at each step, at every legal move and plays a game of level n - 1 after
//! it; level 0 is a random game. It then makes the next move of the longest game seen so far, which
//! it remembers from step to step. When a game is over, a new one begins.

use std::ops::ControlFlow;

use geometry::Move;
use rules::{Board, Kit};

use crate::playout::finish;
use crate::{
    Budget, Default, Kind, Meter, MethodInfo, Observer, Parameter, Rng, Searcher, Values,
    board_after, longest,
};

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "nmcs",
    summary: "nested Monte-Carlo search: looks at every move by a game of the level below",
    source: "Cazenave 2009",
    playout: "games",
    parameters: &[Parameter {
        name: "level",
        meaning: "how deep searches are nested",
        kind: Kind::Integer { min: 1, max: 9 },
        default: Default::Always(3.0),
    }],
};

/// The settings of the method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nmcs {
    /// How deep searches are nested.
    pub level: usize,
}

impl Nmcs {
    pub(crate) fn of(values: &Values) -> Self {
        Self { level: values.integer("level") as usize }
    }
}

impl Searcher for Nmcs {
    fn search<K: Kit>(
        &self,
        kit: &K,
        from: &[Move],
        budget: Budget,
        rng: &mut Rng,
        observer: &mut dyn Observer,
    ) -> Vec<Move> {
        let start = board_after(kit, from);
        let mut search = Search {
            longest: longest(kit.game()),
            meter: Meter::new(budget, observer),
            rng,
            best: from.to_vec(),
        };
        let mut boards = vec![start.clone(); self.level + 1];
        while search.nested(&mut boards, &start, self.level).is_continue() {}
        search.best
    }
}

struct Search<'a> {
    longest: usize,
    meter: Meter<'a>,
    rng: &'a mut Rng,
    best: Vec<Move>,
}

impl Search<'_> {
    /// A game of this level that goes on from `start`, whole. `boards` has one for each level.
    fn nested<B: Board>(
        &mut self,
        boards: &mut [B],
        start: &B,
        level: usize,
    ) -> ControlFlow<(), Vec<Move>> {
        let (board, below) = boards.split_last_mut().expect("a board for each level");
        board.clone_from(start);
        if level == 0 {
            self.meter.playout()?;
            finish(board, self.longest, &mut self.meter, self.rng);
            let game = board.moves();
            if game.len() > self.best.len() {
                self.best.clone_from(&game);
                self.meter.improved(&game)?;
            }
            return ControlFlow::Continue(game);
        }
        let mut longest = board.moves();
        if board.legal().is_empty() {
            // Counts as a game, so that a search from a finished position ends.
            self.meter.playout()?;
        }
        while !board.legal().is_empty() && board.score() < self.longest {
            for index in 0..board.legal().len() {
                let mut after = board.clone();
                after.play_nth(index);
                let game = self.nested(below, &after, level - 1)?;
                if game.len() > longest.len() {
                    longest = game;
                }
            }
            let next = longest[board.score()];
            board.play(next).expect("the longest game goes on from here");
        }
        ControlFlow::Continue(longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unwatched;
    use rand::SeedableRng;
    use rules::Fast;

    #[test]
    fn level_1_reaches_the_known_mean() {
        // 5D, level 1: 61.0 over many games (Cazenave 2009).
        let kit = Fast::<5, false>::new();
        let total: usize = (0..30)
            .map(|seed| {
                let mut observer = Unwatched;
                let mut search = Search {
                    longest: 1000,
                    meter: Meter::new(Budget::default(), &mut observer),
                    rng: &mut Rng::seed_from_u64(seed),
                    best: Vec::new(),
                };
                let mut boards = vec![kit.board(); 2];
                let ControlFlow::Continue(game) = search.nested(&mut boards, &kit.board(), 1)
                else {
                    panic!("nobody stops it");
                };
                game.len()
            })
            .sum();
        let mean = total as f64 / 30.0;
        assert!((mean - 61.0).abs() < 2.0, "{mean}");
    }
}
