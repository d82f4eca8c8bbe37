//! Nested Monte-Carlo search (Cazenave 2009).
//!
//! A game of level n looks, at each step, at every legal move and plays a game of level n - 1 after
//! it; level 0 is a random game. It then makes the next move of the longest game seen so far, which
//! it remembers from step to step. When a game is over, a new one begins.

use std::ops::ControlFlow;

use geometry::Move;
use rules::{Board, Kit, Playout};

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
            playout: kit.playout(),
            longest: longest(kit.game()),
            meter: Meter::new(budget, observer),
            rng,
            best: from.to_vec(),
        };
        let mut boards = vec![start.clone(); self.level];
        while search.nested(&mut boards, &start, self.level).is_continue() {}
        search.best
    }
}

struct Search<'a, P> {
    playout: P,
    longest: usize,
    meter: Meter<'a>,
    rng: &'a mut Rng,
    best: Vec<Move>,
}

impl<P: Playout> Search<'_, P> {
    /// A game of this level that goes on from `start`, whole. `boards` has one for each level.
    fn nested(
        &mut self,
        boards: &mut [P::Board],
        start: &P::Board,
        level: usize,
    ) -> ControlFlow<(), Vec<Move>> {
        let (board, below) = boards.split_last_mut().expect("a board for each level");
        board.clone_from(start);
        let mut longest = board.moves();
        if board.legal().is_empty() {
            // Counts as a game, so that a search from a finished position ends.
            self.meter.playout()?;
        }
        while !board.legal().is_empty() && board.score() < self.longest {
            for index in 0..board.legal().len() {
                board.play_nth(index);
                if level == 1 {
                    if self.endgame(board)? > longest.len() {
                        longest = self.playout.moves(board);
                    }
                } else {
                    let game = self.nested(below, board, level - 1)?;
                    if game.len() > longest.len() {
                        longest = game;
                    }
                }
                board.undo();
            }
            let next = longest[board.score()];
            board.play(next).expect("the longest game goes on from here");
        }
        ControlFlow::Continue(longest)
    }

    /// The length of a random game that goes on from here: level 0.
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

    #[test]
    fn level_1_reaches_the_known_mean() {
        // 5D, level 1: 61.0 over many games (Cazenave 2009).
        let kit = Fast::<5, false>::new();
        let total: usize = (0..30)
            .map(|seed| {
                let mut observer = Unwatched;
                let mut search = Search {
                    playout: kit.playout(),
                    longest: 1000,
                    meter: Meter::new(Budget::default(), &mut observer),
                    rng: &mut Rng::seed_from_u64(seed),
                    best: Vec::new(),
                };
                let mut boards = vec![kit.board()];
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
