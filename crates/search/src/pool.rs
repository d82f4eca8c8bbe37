//! A pool of games that are changed by their priorities (Tishchenko 2026).
//!
//! Every line has a priority, and a playout always draws the legal line with the highest: a game is
//! determined by its priorities. A new game is made from one of the pool by sampling new priorities
//! for a few of its lines. It enters the pool if its set of dots is new there and it is not much
//! shorter than the best: by at most a window that narrows from `window` to 0 over `period`
//! playouts, and then reopens. Games that were chosen seldom are preferred. Now and then the end of
//! the best game not yet treated so is replayed at random.

mod player;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use geometry::Move;
use rand::Rng as _;
use rules::Engine;
use serde::{Deserialize, Serialize};

use crate::DefaultValue::{Always, Touching};
use crate::method::EngineMethod;
use crate::notation::LineList;
use crate::random::{below, unit};
use crate::registry::{MethodBuild, MethodInfo};
use crate::run::SearchBase;
use crate::state::{MethodState, in_range};
use crate::{BudgetMeter, Parameter, ParameterValues, Rng, Run, SearchState, StateError};
use player::{Player, Priority};

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "pool",
    summary: "changes the priorities of lines in a pool of games, near the best and all different",
    source: "priority-vector local search, Tishchenko 2026",
    playout: "games",
    parameters: PARAMETERS,
    build: MethodBuild::FromValues(|values| Arc::new(Pool::from(values))),
};

const PARAMETERS: &[Parameter] = &[
    Parameter::integer("changes", 2..=1000, Always(10.0))
        .meaning("the most lines that get a new priority; at least 2 do"),
    Parameter::integer("window", 0..=10_000, Touching(15.0, 8.0))
        .meaning("how much shorter than the best a game may be, at the start of a period"),
    Parameter::integer("period", 1..=1_000_000_000_000, Always(12_800_000.0))
        .meaning("playouts over which the window narrows to 0, before it reopens"),
    Parameter::integer("contest", 1..=1000, Always(8.0))
        .meaning("tournament size: of this many games, the one chosen least often is changed"),
    Parameter::integer("replay", 0..=1_000_000_000_000, Always(10_000.0))
        .meaning("playouts after which the end of a good game is replayed at random; 0 for never"),
    Parameter::real("end", 0.0..=1.0, Always(0.25))
        .meaning("the largest fraction of a game that counts as its end"),
    Parameter::integer("games", 2..=10_000, Always(2000.0)).meaning("capacity of the pool"),
];

/// The settings of the method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pool {
    /// The most lines that get a new priority; at least 2 do.
    pub changes: usize,
    /// How much shorter than the best a game may be at the start of a period.
    pub window: usize,
    /// The number of playouts over which the window narrows to 0.
    pub period: u64,
    /// The tournament size: of this many games, the one chosen least often is changed.
    pub contest: usize,
    /// The number of playouts after which the end of a good game is replayed; 0 for never.
    pub replay: u64,
    /// The largest fraction of a game that counts as its end.
    pub end: f64,
    /// The capacity of the pool.
    pub games: usize,
}

impl From<&ParameterValues> for Pool {
    fn from(values: &ParameterValues) -> Self {
        Self {
            changes: values.integer("changes") as usize,
            window: values.integer("window") as usize,
            period: values.integer("period"),
            contest: values.integer("contest") as usize,
            replay: values.integer("replay"),
            end: values.real("end"),
            games: values.integer("games") as usize,
        }
    }
}

impl Pool {
    /// How much shorter than the best a game may be, after some playouts.
    fn window_at(&self, playouts: u64) -> usize {
        let left = self.period - playouts % self.period;
        (self.window as u128 * u128::from(left) / u128::from(self.period)) as usize
    }
}

impl EngineMethod for Pool {
    fn start_on<E: Engine>(&self, base: SearchBase<E>, rng: &mut Rng) -> Box<dyn Run> {
        // The first sample, whatever happens later.
        Box::new(PoolRun::new(*self, base, rng.next_u64()))
    }
}

/// A game of the pool.
#[derive(Debug, Clone)]
struct PoolGame {
    /// How often it was chosen.
    chosen: u32,
    /// Whether its end was replayed.
    replayed: bool,
    /// The lines it drew, in order.
    lines: Vec<u32>,
    /// The priorities that differ from the usual ones.
    special: Vec<Priority>,
    /// A hash of its dots.
    dots: u64,
}

impl PoolGame {
    fn score(&self) -> usize {
        self.lines.len()
    }
}

struct PoolRun<E: Engine> {
    settings: Pool,
    base: SearchBase<E>,
    /// The number of lines at which games are cut.
    max_lines: usize,
    /// The seed of the usual priorities.
    key: u64,
    player: Player<E::LineBoard>,
    games: Vec<PoolGame>,
    /// The sets of dots of the games in the pool.
    dots: HashSet<u64>,
    /// The most lines of a game so far.
    longest: usize,
    /// The number of playouts made.
    made: u64,
}

/// The saved state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PoolState {
    key: u64,
    games: Vec<PoolGameState>,
    longest: usize,
    made: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PoolGameState {
    chosen: u32,
    replayed: bool,
    lines: LineList,
    /// The lines with special priorities, and these.
    special: LineList,
    priorities: Vec<u32>,
}

impl<E: Engine> PoolRun<E> {
    fn new(settings: Pool, base: SearchBase<E>, key: u64) -> Self {
        let max_lines = base.max_lines();
        Self {
            settings,
            max_lines,
            key,
            player: Player::new(&base.line_board(), max_lines, key),
            games: Vec::new(),
            dots: HashSet::new(),
            longest: 0,
            made: 0,
            base,
        }
    }

    fn is_time_to_replay(&self) -> bool {
        self.settings.replay > 0 && self.made.is_multiple_of(self.settings.replay)
    }

    /// Adds the last game to the pool, in place of another one if it is full.
    fn keep(&mut self, mut special: Vec<Priority>, rng: &mut Rng) {
        // Priorities of lines that were never legal have no effect.
        special.retain(|&(line, _)| self.player.was_legal(line));
        if self.games.len() == self.settings.games {
            self.drop(below(rng, self.games.len()));
        }
        let lines = self.player.lines().collect();
        let dots = self.player.dots();
        self.games.push(PoolGame { chosen: 0, replayed: false, lines, special, dots });
    }

    fn drop(&mut self, place: usize) {
        let game = self.games.swap_remove(place);
        self.dots.remove(&game.dots);
    }

    /// The index of the game to change; games that the window no longer admits are dropped.
    fn choose(&mut self, rng: &mut Rng) -> Option<usize> {
        let window = self.settings.window_at(self.made);
        let mut choice: Option<usize> = None;
        let mut left = self.settings.contest;
        while left > 0 && !self.games.is_empty() {
            let place = below(rng, self.games.len());
            if self.games[place].score() + window < self.longest {
                self.drop(place);
                // The choice may have been moved to the free place, or dropped.
                choice = None;
                left = self.settings.contest;
                continue;
            }
            left -= 1;
            let key = |place: usize| {
                let game = &self.games[place];
                (game.chosen, std::cmp::Reverse(game.score()))
            };
            if choice.is_none_or(|choice| key(place) < key(choice)) {
                choice = Some(place);
            }
        }
        if let Some(choice) = choice {
            self.games[choice].chosen = self.games[choice].chosen.saturating_add(1);
        }
        choice
    }

    /// The priorities of a game with new ones for a few of its lines.
    fn changed(&self, parent: usize, rng: &mut Rng) -> Vec<Priority> {
        let PoolGame { lines, special, .. } = &self.games[parent];
        let mut special = special.clone();
        if lines.is_empty() {
            return special;
        }
        for _ in 0..2 + below(rng, self.settings.changes - 1) {
            let line = lines[below(rng, lines.len())];
            set(&mut special, line, rng.next_u32());
        }
        special
    }

    /// The priorities that play the longest game not yet treated so up to its end, then at random.
    fn replayed(&mut self, rng: &mut Rng) -> Vec<Priority> {
        let fresh = self.games.iter_mut().filter(|game| !game.replayed);
        let Some(game) = fresh.max_by_key(|game| game.score()) else { return Vec::new() };
        game.replayed = true;
        let end = (game.lines.len() as f64 * self.settings.end * unit(rng)) as usize;
        let keep = game.lines.len() - end;
        let (first, last) = game.lines.split_at(keep);
        let mut special: Vec<Priority> = Vec::with_capacity(game.lines.len());
        // All above every other priority that matters, and in this order.
        special.extend(first.iter().zip(0..).map(|(&line, n)| (line, u32::MAX - n)));
        special.extend(last.iter().map(|&line| (line, rng.next_u32() / 2)));
        special
    }
}

impl<E: Engine> Run for PoolRun<E> {
    fn step(&mut self, meter: &mut BudgetMeter<'_>, rng: &mut Rng) -> ControlFlow<()> {
        meter.playout()?;
        let special = match self.choose(rng) {
            None => Vec::new(),
            Some(_) if self.is_time_to_replay() => self.replayed(rng),
            Some(parent) => self.changed(parent, rng),
        };
        self.made += 1;
        let score = self.player.play(&special, meter);
        if self.base.is_better(score) {
            let _ = self.base.improve(self.player.moves(&self.base.prefix), meter);
        }
        self.longest = self.longest.max(score);
        let window = self.settings.window_at(self.made);
        if score + window >= self.longest && self.dots.insert(self.player.dots()) {
            self.keep(special, rng);
        }
        ControlFlow::Continue(())
    }

    fn best(&self) -> &[Move] {
        &self.base.best
    }

    fn state(&self) -> Option<MethodState> {
        let lines = |ids: &mut dyn Iterator<Item = u32>| -> LineList {
            LineList(ids.map(|id| self.player.line(id)).collect())
        };
        let save = |game: &PoolGame| PoolGameState {
            chosen: game.chosen,
            replayed: game.replayed,
            lines: lines(&mut game.lines.iter().copied()),
            special: lines(&mut game.special.iter().map(|&(line, _)| line)),
            priorities: game.special.iter().map(|&(_, priority)| priority).collect(),
        };
        let games = self.games.iter().map(save).collect();
        let state = PoolState { key: self.key, games, longest: self.longest, made: self.made };
        Some(MethodState::new(INFO.name, &state))
    }

    fn restore(&mut self, state: &SearchState) -> Result<(), StateError> {
        self.base.restore(state)?;
        let PoolState { key, games, longest, made } = state.method(INFO.name)?;
        self.key = key;
        self.player.change_key(key);
        in_range(games.len() <= self.settings.games, "number of games")?;
        in_range(longest <= self.max_lines, "length of a game")?;
        in_range(made <= SearchState::MAX_PLAYOUTS, "number of playouts")?;
        (self.longest, self.made) = (longest, made);
        for PoolGameState { chosen, replayed, lines, special, priorities } in games {
            in_range(lines.0.len() <= longest, "length of a game")?;
            in_range(special.0.len() == priorities.len(), "number of priorities")?;
            let (lines, dots) = self.player.replay(&lines.0).ok_or(StateError::Undrawable)?;
            let ids = special.0.iter().map(|&line| self.player.intern(line));
            let ids: Option<Vec<u32>> = ids.collect();
            let special = ids.ok_or(StateError::Lines)?.into_iter().zip(priorities);
            let special: Vec<Priority> = special.collect();
            let different: HashSet<u32> = special.iter().map(|&(line, _)| line).collect();
            in_range(different.len() == special.len(), "number of priorities")?;
            in_range(self.dots.insert(dots), "number of games with the same dots")?;
            self.games.push(PoolGame { chosen, replayed, lines, special, dots });
        }
        Ok(())
    }
}

fn set(special: &mut Vec<Priority>, line: u32, priority: u32) {
    match special.iter_mut().find(|(other, _)| *other == line) {
        Some((_, old)) => *old = priority,
        None => special.push((line, priority)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::found;
    use crate::{Budget, Event};
    use rand::SeedableRng;
    use rules::BitEngine;

    const SETTINGS: Pool = Pool {
        changes: 10,
        window: 15,
        period: 1000,
        contest: 8,
        replay: 100,
        end: 0.25,
        games: 50,
    };

    #[test]
    fn the_window_is_a_sawtooth() {
        let pool = Pool { window: 10, period: 100, ..SETTINGS };
        let windows: Vec<usize> = [0, 1, 10, 50, 99, 100, 150].map(|n| pool.window_at(n)).into();
        assert_eq!(windows, [10, 9, 9, 5, 0, 10, 5]);
    }

    #[test]
    fn a_pool_learns() {
        assert!(found(&SETTINGS, "5T", 1, 1).len() < 75);
        assert!(found(&SETTINGS, "5T", 20_000, 1).len() > 95);
    }

    #[test]
    fn without_an_end_the_same_game_is_replayed() {
        let mut rng = Rng::seed_from_u64(4);
        let settings = Pool { end: 0.0, ..SETTINGS };
        let base = SearchBase::new(&BitEngine::<5, false>::new(), &[]);
        let mut run = PoolRun::new(settings, base, 1);
        let mut on = |_: Event<'_>| ControlFlow::Continue(());
        let mut meter = BudgetMeter::new(Budget::default(), &mut on);
        for _ in 0..50 {
            assert!(run.step(&mut meter, &mut rng).is_continue());
        }
        for _ in 0..run.games.len() {
            let fresh = run.games.iter().filter(|game| !game.replayed);
            let lines = fresh.max_by_key(|game| game.score()).expect("one").lines.clone();
            let special = run.replayed(&mut rng);
            assert_eq!(run.player.play(&special, &mut meter), lines.len());
            assert!(run.player.lines().eq(lines));
        }
    }
}
