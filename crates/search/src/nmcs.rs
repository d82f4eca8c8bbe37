//! Nested Monte-Carlo search (Cazenave 2009).
//!
//! A game of level n looks, at each step, at every legal move and plays a game of level n - 1 after
//! it; level 0 is a random game. It then makes the next move of the longest game seen so far, which
//! it remembers from step to step. When a game is over, a new one begins, up to `games` of them: the
//! published means are of one game each.

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

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "nmcs",
    summary: "nested Monte-Carlo search: looks at every move by a game of the level below",
    source: "Cazenave 2009",
    playout: "games",
    parameters: &[
        Parameter {
            name: "level",
            meaning: "how deep searches are nested",
            kind: Kind::Integer { min: 1, max: 9 },
            default: Default::Always(3.0),
        },
        Parameter {
            name: "games",
            meaning: "after how many games of the highest level the search ends; 0 for never",
            kind: Kind::Integer { min: 0, max: 1_000_000_000 },
            default: Default::Always(0.0),
        },
    ],
};

/// The settings of the method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nmcs {
    /// How deep searches are nested.
    pub level: usize,
    /// After how many games of the highest level the search ends; 0 for never.
    pub games: u64,
}

impl Nmcs {
    pub(crate) fn of(values: &Values) -> Self {
        Self { level: values.integer("level") as usize, games: values.integer("games") }
    }
}

impl Stepper for Nmcs {
    fn begin<'a, E: Engine>(
        &'a self,
        beginning: Beginning<'a, E>,
        _rng: &mut Rng,
    ) -> impl Stepwise + use<'a, E> {
        Search::new(self, beginning)
    }
}

struct Search<'a, E: Engine> {
    settings: &'a Nmcs,
    engine: &'a E,
    from: &'a [Move],
    start: E::Position,
    longest: usize,
    best: Vec<Move>,
    /// The games in the making, the one of the highest level first. Each goes on from the one before
    /// it and the move looked at there.
    games: Vec<Nested<E::Position>>,
    /// How many games of the highest level are over.
    over: u64,
    /// After the last of them and the move looked at there: where the random game begins.
    after: E::Position,
    playout: E::Playout,
}

/// A game in the making.
struct Nested<P> {
    position: P,
    /// Which of the legal moves is looked at.
    index: usize,
    /// The longest game seen so far that goes on from here.
    longest: Vec<Move>,
}

/// What is saved of the games in the making.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Saved {
    games: Vec<SavedGame>,
    over: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedGame {
    game: Moves,
    index: usize,
    longest: Moves,
}

impl<'a, E: Engine> Search<'a, E> {
    fn new(settings: &'a Nmcs, beginning: Beginning<'a, E>) -> Self {
        let Beginning { engine, from, best } = beginning;
        let start = position_after(engine, from);
        Self {
            settings,
            engine,
            from,
            after: start.clone(),
            playout: engine.playout(),
            start,
            longest: longest(engine.game()),
            best,
            games: Vec::new(),
            over: 0,
        }
    }

    fn take_up(&mut self, saved: &Saved) -> Result<(), BadState> {
        in_range(saved.over <= State::MOST_PLAYOUTS, "number of games")?;
        self.over = saved.over;
        in_range(saved.games.len() <= self.settings.level, "number of levels")?;
        for SavedGame { game, index, longest } in &saved.games {
            let position = match self.games.last() {
                None => replayed(self.engine, self.from, &game.0)?,
                Some(above) => {
                    let mut after = above.position.clone();
                    after.play_nth(above.index);
                    replayed(self.engine, &after.moves(), &game.0)?
                }
            };
            in_range(
                !self.is_over(&position) && *index < position.legal().len(),
                "move looked at",
            )?;
            replayed(self.engine, &game.0, &longest.0)?;
            // From the second move on, some game was longer.
            in_range(*index == 0 || longest.0.len() > game.0.len(), "length of a game")?;
            self.games.push(Nested { position, index: *index, longest: longest.0.clone() });
        }
        Ok(())
    }

    fn is_over(&self, position: &E::Position) -> bool {
        position.legal().is_empty() || position.score() >= self.longest
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
            self.games.push(Nested { position, index: 0, longest });
        }
    }

    /// Takes note of a game that goes on from the last of those in the making. A game that comes to
    /// its end by this is noted one level higher.
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
            game.position.play(next).expect("the longest game goes on from here");
            game.index = 0;
            if !game.position.legal().is_empty() && game.position.score() < self.longest {
                return;
            }
            found = self.games.pop().expect("it is there").longest;
        }
    }
}

impl<E: Engine> Stepwise for Search<'_, E> {
    fn step(&mut self, meter: &mut Meter<'_>, rng: &mut Rng) -> ControlFlow<()> {
        if self.settings.games > 0 && self.over == self.settings.games {
            return ControlFlow::Break(());
        }
        self.descend();
        meter.playout()?;
        finish(&mut self.playout, &self.after, self.longest, meter, rng);
        let found = self.playout.moves(&self.after);
        if found.len() > self.best.len() {
            self.best.clone_from(&found);
            let _ = meter.improved(&found);
        }
        self.ascend(found);
        self.over += u64::from(self.games.is_empty());
        ControlFlow::Continue(())
    }

    fn restore(&mut self, state: &State) -> Result<(), BadState> {
        let Inside::Nmcs(saved) = &state.search else { return Err(BadState::Method) };
        self.take_up(saved)
    }

    fn best(&self) -> &[Move] {
        &self.best
    }

    fn inside(&self) -> Inside {
        let save = |nested: &Nested<E::Position>| SavedGame {
            game: Moves(nested.position.moves()),
            index: nested.index,
            longest: Moves(nested.longest.clone()),
        };
        Inside::Nmcs(Saved { games: self.games.iter().map(save).collect(), over: self.over })
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

    #[test]
    fn level_1_reaches_the_known_mean() {
        // 5D, level 1: 61.0 over many games (Cazenave 2009).
        let engine = BitEngine::<5, false>::new();
        let nmcs = Nmcs { level: 1, games: 1 };
        let length = |seed| {
            let mut rng = Rng::seed_from_u64(seed);
            nmcs.search(&engine, &[], Budget::default(), &mut rng, &mut Unwatched).len()
        };
        let total: usize = (0..30).map(length).sum();
        let mean = total as f64 / 30.0;
        assert!((mean - 61.0).abs() < 2.0, "{mean}");
    }
}
