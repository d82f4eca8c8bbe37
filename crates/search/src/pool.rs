//! A pool of games that are changed by their priorities (Tishchenko 2026).
//!
//! Every line has a priority, and a playout always draws the legal line with the highest: a game is
//! what its priorities make of it. A new game comes from one of the pool by drawing new priorities
//! for a few of its lines. It enters the pool if its set of dots is new there and it is not much
//! shorter than the best: by at most a window that narrows from `window` to 0 over `period`
//! playouts, and then opens again. Games that were chosen seldom are preferred. Now and then the
//! end of the best game not yet treated so is played anew at random.

mod player;

use std::collections::HashSet;
use std::ops::ControlFlow;

use geometry::Move;
use rand::Rng as _;
use rules::{Engine, LineBoard};
use serde::{Deserialize, Serialize};

use crate::chance::{below, unit};
use crate::notation::Lines;
use crate::state::{Inside, in_range};
use crate::stepwise::{Beginning, Stepper, Stepwise};
use crate::{
    BadState, Default, Kind, Meter, MethodInfo, Parameter, Rng, State, Values, draw_all, longest,
};
use player::{Player, Priority};

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "pool",
    summary: "changes the priorities of lines in a pool of games, near the best and all different",
    source: "priority-vector local search, Tishchenko 2026",
    playout: "games",
    parameters: PARAMETERS,
};

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "changes",
        meaning: "at most so many lines get a new priority, and at least 2",
        kind: Kind::Integer { min: 2, max: 1000 },
        default: Default::Always(10.0),
    },
    Parameter {
        name: "window",
        meaning: "how much shorter than the best a game in the pool may be, at the beginning of a period",
        kind: Kind::Integer { min: 0, max: 10_000 },
        default: Default::Touching(15.0, 8.0),
    },
    Parameter {
        name: "period",
        meaning: "over how many playouts the window narrows to nothing, to open again",
        kind: Kind::Integer { min: 1, max: 1_000_000_000_000 },
        default: Default::Always(12_800_000.0),
    },
    Parameter {
        name: "contest",
        meaning: "of so many games of the pool, the one chosen least is changed",
        kind: Kind::Integer { min: 1, max: 1000 },
        default: Default::Always(8.0),
    },
    Parameter {
        name: "replay",
        meaning: "after so many playouts the end of a good game is played anew at random; 0 for never",
        kind: Kind::Integer { min: 0, max: 1_000_000_000_000 },
        default: Default::Always(10_000.0),
    },
    Parameter {
        name: "end",
        meaning: "at most this share of the game counts as its end",
        kind: Kind::Real { min: 0.0, max: 1.0 },
        default: Default::Always(0.25),
    },
    Parameter {
        name: "games",
        meaning: "how many games the pool holds at most",
        kind: Kind::Integer { min: 2, max: 10_000 },
        default: Default::Always(2000.0),
    },
];

/// The settings of the method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pool {
    /// At most so many lines get a new priority, and at least 2.
    pub changes: usize,
    /// How much shorter than the best a game may be at the beginning of a period.
    pub window: usize,
    /// Over how many playouts the window narrows to nothing.
    pub period: u64,
    /// Of so many games, the one chosen least is changed.
    pub contest: usize,
    /// After so many playouts the end of a good game is played anew; 0 for never.
    pub replay: u64,
    /// At most this share of a game counts as its end.
    pub end: f64,
    /// How many games the pool holds at most.
    pub games: usize,
}

impl Pool {
    pub(crate) fn of(values: &Values) -> Self {
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

    /// How much shorter than the best a game may be, after so many playouts.
    fn window_at(&self, playouts: u64) -> usize {
        let left = self.period - playouts % self.period;
        (self.window as u128 * u128::from(left) / u128::from(self.period)) as usize
    }
}

impl Stepper for Pool {
    fn begin<'a, E: Engine>(
        &'a self,
        beginning: Beginning<'a, E>,
        rng: &mut Rng,
    ) -> impl Stepwise + use<'a, E> {
        // The first draw, whatever happens later.
        Search::new(self, beginning, rng.next_u64())
    }
}

/// A game of the pool.
#[derive(Debug, Clone)]
struct Member {
    /// How often it was chosen.
    chosen: u32,
    /// Whether its end was played anew.
    replayed: bool,
    /// The lines it drew, in order.
    lines: Vec<u32>,
    /// Where its priorities are not the usual ones.
    special: Vec<Priority>,
    /// A hash of its dots.
    dots: u64,
}

impl Member {
    fn score(&self) -> usize {
        self.lines.len()
    }
}

struct Search<'a, L: LineBoard> {
    settings: &'a Pool,
    from: &'a [Move],
    /// Games are cut at so many lines.
    most: usize,
    best: Vec<Move>,
    /// What the usual priorities come from.
    key: u64,
    player: Player<L>,
    games: Vec<Member>,
    /// The sets of dots of the games in the pool.
    dots: HashSet<u64>,
    /// The most lines of a game so far.
    longest: usize,
    /// How many playouts have been made.
    made: u64,
}

/// What is saved of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Saved {
    key: u64,
    games: Vec<SavedMember>,
    longest: usize,
    made: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedMember {
    chosen: u32,
    replayed: bool,
    lines: Lines,
    /// The lines with special priorities, and these.
    special: Lines,
    priorities: Vec<u32>,
}

impl<'a, L: LineBoard> Search<'a, L> {
    fn new<E: Engine<LineBoard = L>>(
        settings: &'a Pool,
        beginning: Beginning<'a, E>,
        key: u64,
    ) -> Self {
        let Beginning { engine, from, best } = beginning;
        let mut board = engine.line_board();
        draw_all(&mut board, from);
        let most = longest(engine.game()).saturating_sub(from.len());
        Self {
            settings,
            from,
            most,
            best,
            key,
            player: Player::new(&board, most, key),
            games: Vec::new(),
            dots: HashSet::new(),
            longest: 0,
            made: 0,
        }
    }

    fn take_up(&mut self, saved: &Saved) -> Result<(), BadState> {
        self.key = saved.key;
        self.player.change_key(saved.key);
        let Saved { games, longest, made, .. } = saved;
        in_range(games.len() <= self.settings.games, "number of games")?;
        in_range(*longest <= self.most, "length of a game")?;
        in_range(*made <= State::MOST_PLAYOUTS, "number of playouts")?;
        (self.longest, self.made) = (*longest, *made);
        for SavedMember { chosen, replayed, lines, special, priorities } in games {
            in_range(lines.0.len() <= *longest, "length of a game")?;
            in_range(special.0.len() == priorities.len(), "number of priorities")?;
            let (lines, dots) = self.player.replay(&lines.0).ok_or(BadState::Undrawable)?;
            let numbers = special.0.iter().map(|&line| self.player.line_id(line));
            let numbers: Option<Vec<u32>> = numbers.collect();
            let special = numbers.ok_or(BadState::Lines)?.into_iter().zip(priorities.clone());
            let special: Vec<Priority> = special.collect();
            let different: HashSet<u32> = special.iter().map(|&(line, _)| line).collect();
            in_range(different.len() == special.len(), "number of priorities")?;
            in_range(self.dots.insert(dots), "number of games with the same dots")?;
            let (chosen, replayed) = (*chosen, *replayed);
            self.games.push(Member { chosen, replayed, lines, special, dots });
        }
        Ok(())
    }

    fn is_time_to_replay(&self) -> bool {
        self.settings.replay > 0 && self.made.is_multiple_of(self.settings.replay)
    }

    /// Puts the last game into the pool, for another one if it is full.
    fn keep(&mut self, mut special: Vec<Priority>, rng: &mut Rng) {
        // Priorities of lines that the game never met would only be carried along.
        special.retain(|&(line, _)| self.player.has_met(line));
        if self.games.len() == self.settings.games {
            self.drop(below(rng, self.games.len()));
        }
        let lines = self.player.lines().collect();
        let dots = self.player.dots();
        self.games.push(Member { chosen: 0, replayed: false, lines, special, dots });
    }

    fn drop(&mut self, place: usize) {
        let member = self.games.swap_remove(place);
        self.dots.remove(&member.dots);
    }

    /// The place of the game to change; games that the window has left behind go.
    fn choose(&mut self, rng: &mut Rng) -> Option<usize> {
        let window = self.settings.window_at(self.made);
        let mut choice: Option<usize> = None;
        let mut left = self.settings.contest;
        while left > 0 && !self.games.is_empty() {
            let place = below(rng, self.games.len());
            if self.games[place].score() + window < self.longest {
                self.drop(place);
                // The choice may have been moved to the free place, or away.
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
        let Member { lines, special, .. } = &self.games[parent];
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

    /// The priorities that play the longest game not yet treated so up to its end, and then chance.
    fn replayed(&mut self, rng: &mut Rng) -> Vec<Priority> {
        let fresh = self.games.iter_mut().filter(|game| !game.replayed);
        let Some(game) = fresh.max_by_key(|game| game.score()) else { return Vec::new() };
        game.replayed = true;
        let end = (game.lines.len() as f64 * self.settings.end * unit(rng)) as usize;
        let keep = game.lines.len() - end;
        let (first, last) = game.lines.split_at(keep);
        let mut special: Vec<Priority> = Vec::with_capacity(game.lines.len());
        // All above every other priority that counts, and in this order.
        special.extend(first.iter().zip(0..).map(|(&line, n)| (line, u32::MAX - n)));
        special.extend(last.iter().map(|&line| (line, rng.next_u32() / 2)));
        special
    }
}

impl<L: LineBoard> Stepwise for Search<'_, L> {
    fn step(&mut self, meter: &mut Meter<'_>, rng: &mut Rng) -> ControlFlow<()> {
        meter.playout()?;
        let special = match self.choose(rng) {
            None => Vec::new(),
            Some(_) if self.is_time_to_replay() => self.replayed(rng),
            Some(parent) => self.changed(parent, rng),
        };
        self.made += 1;
        let score = self.player.play(&special, meter);
        if self.from.len() + score > self.best.len() {
            self.best = self.player.moves(self.from);
            let _ = meter.improved(&self.best);
        }
        self.longest = self.longest.max(score);
        let window = self.settings.window_at(self.made);
        if score + window >= self.longest && self.dots.insert(self.player.dots()) {
            self.keep(special, rng);
        }
        ControlFlow::Continue(())
    }

    fn restore(&mut self, state: &State) -> Result<(), BadState> {
        let Inside::Pool(saved) = &state.search else { return Err(BadState::Method) };
        self.take_up(saved)
    }

    fn best(&self) -> &[Move] {
        &self.best
    }

    fn inside(&self) -> Inside {
        let lines = |numbers: &mut dyn Iterator<Item = u32>| -> Lines {
            Lines(numbers.map(|number| self.player.line(number)).collect())
        };
        let save = |member: &Member| SavedMember {
            chosen: member.chosen,
            replayed: member.replayed,
            lines: lines(&mut member.lines.iter().copied()),
            special: lines(&mut member.special.iter().map(|&(line, _)| line)),
            priorities: member.special.iter().map(|&(_, priority)| priority).collect(),
        };
        let games = self.games.iter().map(save).collect();
        Inside::Pool(Saved { key: self.key, games, longest: self.longest, made: self.made })
    }

    fn finish(self, _meter: &mut Meter<'_>) -> Vec<Move> {
        self.best
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
    use crate::{Budget, Searcher, Unwatched};
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
    fn the_window_is_a_saw() {
        let pool = Pool { window: 10, period: 100, ..SETTINGS };
        let windows: Vec<usize> = [0, 1, 10, 50, 99, 100, 150].map(|n| pool.window_at(n)).into();
        assert_eq!(windows, [10, 9, 9, 5, 0, 10, 5]);
    }

    #[test]
    fn a_pool_learns() {
        let engine = BitEngine::<5, true>::new();
        let found = |playouts| {
            let budget = Budget { playouts: Some(playouts), deadline: None };
            let mut rng = Rng::seed_from_u64(1);
            SETTINGS.search(&engine, &[], budget, &mut rng, &mut Unwatched).len()
        };
        assert!(found(1) < 75);
        assert!(found(20_000) > 95);
    }

    #[test]
    fn without_an_end_the_same_game_is_played_again() {
        let engine = BitEngine::<5, false>::new();
        let (mut rng, mut observer) = (Rng::seed_from_u64(4), Unwatched);
        let settings = Pool { end: 0.0, ..SETTINGS };
        let mut search =
            Search::new(&settings, Beginning { engine: &engine, from: &[], best: Vec::new() }, 1);
        let mut meter = Meter::new(Budget::default(), &mut observer);
        for _ in 0..50 {
            assert!(search.step(&mut meter, &mut rng).is_continue());
        }
        for _ in 0..search.games.len() {
            let fresh = search.games.iter().filter(|game| !game.replayed);
            let lines = fresh.max_by_key(|game| game.score()).expect("one").lines.clone();
            let special = search.replayed(&mut rng);
            assert_eq!(search.player.play(&special, &mut meter), lines.len());
            assert!(search.player.lines().eq(lines));
        }
    }
}
