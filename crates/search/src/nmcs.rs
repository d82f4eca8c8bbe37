//! Nested Monte-Carlo search (Cazenave 2009).
//!
//! A game of level n considers, at each step, every legal move and plays a game of level n - 1
//! after it; level 0 is a random game. It then makes the next move of the longest game seen so far,
//! which it remembers from step to step. When a game is over, a new one begins, up to `games` of
//! them: the published means are of one game each.

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

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "nmcs",
    summary: "nested Monte-Carlo search: tries every move by a game of the level below",
    source: "Cazenave 2009",
    playout: "games",
    parameters: &[
        Parameter::integer("level", 1..=9, Always(3.0)).meaning("depth of the nesting"),
        Parameter::integer("games", 0..=1_000_000_000, Always(0.0))
            .meaning("games of the highest level after which the search ends; 0 for never"),
    ],
    build: MethodBuild::FromValues(|values| Arc::new(Nmcs::from(values))),
};

/// The settings of the method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nmcs {
    /// The depth of the nesting.
    pub level: usize,
    /// The number of games of the highest level after which the search ends; 0 for never.
    pub games: u64,
}

impl From<&ParameterValues> for Nmcs {
    fn from(values: &ParameterValues) -> Self {
        Self { level: values.integer("level") as usize, games: values.integer("games") }
    }
}

impl EngineMethod for Nmcs {
    fn start_on<E: Engine>(&self, base: SearchBase<E>, _rng: &mut Rng) -> Box<dyn Run> {
        let start = base.position();
        Box::new(NmcsRun {
            settings: *self,
            after: start.clone(),
            playout: base.engine.playout(),
            start,
            max_moves: base.max_moves(),
            games: Vec::new(),
            finished: 0,
            base,
        })
    }
}

struct NmcsRun<E: Engine> {
    settings: Nmcs,
    base: SearchBase<E>,
    start: E::Position,
    max_moves: usize,
    /// The games in progress, that of the highest level first. Each continues from the one before
    /// it and the move tried there.
    games: Vec<NestedGame<E::Position>>,
    /// The number of games of the highest level that are over.
    finished: u64,
    /// The last of the games in progress and the move tried there: where the random game begins.
    after: E::Position,
    playout: E::Playout,
}

/// A game in progress.
struct NestedGame<P> {
    position: P,
    /// The index of the legal move that is tried.
    index: usize,
    /// The longest game seen so far that continues from here.
    longest: Vec<Move>,
}

/// The saved state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NmcsState {
    games: Vec<NestedGameState>,
    #[serde(rename = "over")]
    finished: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NestedGameState {
    game: MoveList,
    index: usize,
    longest: MoveList,
}

impl<E: Engine> NmcsRun<E> {
    fn is_over(&self, position: &E::Position) -> bool {
        position.legal().is_empty() || position.score() >= self.max_moves
    }

    /// Begins games, each a level below the last, until a random one is to be played.
    fn descend(&mut self) {
        loop {
            match self.games.last() {
                None => self.after.clone_from(&self.start),
                Some(game) => {
                    self.after.clone_from(&game.position);
                    self.after.play_nth(game.index);
                }
            }
            // A game that is over counts as a random one, so that a search from there ends.
            if self.games.len() == self.settings.level || self.is_over(&self.after) {
                return;
            }
            let (position, longest) = (self.after.clone(), self.after.moves());
            self.games.push(NestedGame { position, index: 0, longest });
        }
    }

    /// Passes a game to the lowest level. A game that thereby ends is passed one level higher.
    fn ascend(&mut self, mut found: Vec<Move>) {
        while let Some(game) = self.games.last_mut() {
            if found.len() > game.longest.len() {
                game.longest = found;
            }
            game.index += 1;
            if game.index < game.position.legal().len() {
                return;
            }
            let next = game.longest[game.position.score()];
            game.position.play(next).expect("the longest game continues from here");
            game.index = 0;
            if !game.position.legal().is_empty() && game.position.score() < self.max_moves {
                return;
            }
            found = self.games.pop().expect("it is there").longest;
        }
    }
}

impl<E: Engine> Run for NmcsRun<E> {
    fn step(&mut self, meter: &mut BudgetMeter<'_>, rng: &mut Rng) -> ControlFlow<()> {
        if self.settings.games > 0 && self.finished == self.settings.games {
            return ControlFlow::Break(());
        }
        self.descend();
        meter.playout()?;
        play_random(&mut self.playout, &self.after, self.max_moves, meter, rng);
        let found = self.playout.moves(&self.after);
        if found.len() > self.base.best.len() {
            let _ = self.base.improve(found.clone(), meter);
        }
        self.ascend(found);
        self.finished += u64::from(self.games.is_empty());
        ControlFlow::Continue(())
    }

    fn best(&self) -> &[Move] {
        &self.base.best
    }

    fn state(&self) -> Option<MethodState> {
        let save = |nested: &NestedGame<E::Position>| NestedGameState {
            game: MoveList(nested.position.moves()),
            index: nested.index,
            longest: MoveList(nested.longest.clone()),
        };
        let games = self.games.iter().map(save).collect();
        Some(MethodState::new(INFO.name, &NmcsState { games, finished: self.finished }))
    }

    fn restore(&mut self, state: &SearchState) -> Result<(), StateError> {
        self.base.restore(state)?;
        let saved: NmcsState = state.method(INFO.name)?;
        in_range(saved.finished <= SearchState::MAX_PLAYOUTS, "number of games")?;
        self.finished = saved.finished;
        in_range(saved.games.len() <= self.settings.level, "number of levels")?;
        let engine = &self.base.engine;
        for NestedGameState { game, index, longest } in saved.games {
            let position = match self.games.last() {
                None => replayed(engine, &self.base.prefix, &game.0)?,
                Some(above) => {
                    let mut after = above.position.clone();
                    after.play_nth(above.index);
                    replayed(engine, &after.moves(), &game.0)?
                }
            };
            let is_legal = !self.is_over(&position) && index < position.legal().len();
            in_range(is_legal, "index of a move")?;
            replayed(engine, &game.0, &longest.0)?;
            // From the second move on, some game was longer.
            in_range(index == 0 || longest.0.len() > game.0.len(), "length of a game")?;
            self.games.push(NestedGame { position, index, longest: longest.0 });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::found_at_end;

    #[test]
    fn level_1_reaches_the_known_mean() {
        // 5D, level 1: 61.0 over many games (Cazenave 2009).
        let nmcs = Nmcs { level: 1, games: 1 };
        let total: usize = (0..30).map(|seed| found_at_end(&nmcs, "5D", seed).len()).sum();
        let mean = total as f64 / 30.0;
        assert!((mean - 61.0).abs() < 2.0, "{mean}");
    }
}
