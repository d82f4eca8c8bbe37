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
use rules::{Kit, Sheet};

use crate::chance::{below, unit};
use crate::{
    Budget, Default, Kind, Meter, MethodInfo, Observer, Parameter, Rng, Searcher, Values, draw_all,
    longest,
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
        kind: Kind::Integer { min: 2, max: 1_000_000 },
        default: Default::Always(50_000.0),
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

impl Searcher for Pool {
    fn search<K: Kit>(
        &self,
        kit: &K,
        from: &[Move],
        budget: Budget,
        rng: &mut Rng,
        observer: &mut dyn Observer,
    ) -> Vec<Move> {
        let mut sheet = kit.sheet();
        draw_all(&mut sheet, from);
        let most = longest(kit.game()).saturating_sub(from.len());
        let mut search = Search {
            settings: self,
            player: Player::new(&sheet, most),
            meter: Meter::new(budget, observer),
            rng,
            from,
            best: from.to_vec(),
            games: Vec::new(),
            seen: HashSet::new(),
            longest: 0,
            made: 0,
        };
        while search.step().is_continue() {}
        search.best
    }
}

/// A game of the pool.
#[derive(Debug, Clone)]
struct Member {
    score: usize,
    /// How often it was chosen.
    chosen: u32,
    /// Whether its end was played anew.
    replayed: bool,
    /// The lines it drew, in order.
    lines: Vec<u32>,
    /// Where its priorities are not the usual ones.
    special: Vec<Priority>,
}

struct Search<'a, S: Sheet> {
    settings: &'a Pool,
    player: Player<S>,
    meter: Meter<'a>,
    rng: &'a mut Rng,
    from: &'a [Move],
    best: Vec<Move>,
    games: Vec<Member>,
    /// The sets of dots that have been in the pool in this period.
    seen: HashSet<u64>,
    /// The longest of the pool.
    longest: usize,
    /// How many playouts have been made.
    made: u64,
}

impl<S: Sheet> Search<'_, S> {
    /// One playout.
    fn step(&mut self) -> ControlFlow<()> {
        self.meter.playout()?;
        if self.made.is_multiple_of(self.settings.period) {
            self.seen.clear();
        }
        let special = match self.choose() {
            None => Vec::new(),
            Some(_) if self.is_time_to_replay() => self.replayed(),
            Some(parent) => self.changed(parent),
        };
        self.made += 1;
        let score = self.player.play(&special, &mut self.meter, self.rng);
        if self.from.len() + score > self.best.len() {
            self.best = self.player.moves(self.from);
            self.meter.improved(&self.best)?;
        }
        self.longest = self.longest.max(score);
        let window = self.settings.window_at(self.made);
        if score + window >= self.longest && self.seen.insert(self.player.dots()) {
            self.keep(score, special);
        }
        ControlFlow::Continue(())
    }

    fn is_time_to_replay(&self) -> bool {
        self.settings.replay > 0 && self.made.is_multiple_of(self.settings.replay)
    }

    /// Puts the last game into the pool.
    fn keep(&mut self, score: usize, mut special: Vec<Priority>) {
        // Priorities of lines that the game never met would only be carried along.
        special.retain(|&(line, _)| self.player.has_met(line));
        let lines = self.player.lines().collect();
        let member = Member { score, chosen: 0, replayed: false, lines, special };
        if self.games.len() < self.settings.games {
            self.games.push(member);
        } else {
            let place = below(self.rng, self.games.len());
            self.games[place] = member;
        }
    }

    /// The place of the game to change; games that the window has left behind go.
    fn choose(&mut self) -> Option<usize> {
        let window = self.settings.window_at(self.made);
        let mut choice: Option<usize> = None;
        let mut left = self.settings.contest;
        while left > 0 && !self.games.is_empty() {
            let place = below(self.rng, self.games.len());
            if self.games[place].score + window < self.longest {
                self.games.swap_remove(place);
                // The choice may have been moved to the free place, or away.
                choice = None;
                left = self.settings.contest;
                continue;
            }
            left -= 1;
            let key =
                |place: usize| (self.games[place].chosen, usize::MAX - self.games[place].score);
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
    fn changed(&mut self, parent: usize) -> Vec<Priority> {
        let Member { lines, special, .. } = &self.games[parent];
        let mut special = special.clone();
        if lines.is_empty() {
            return special;
        }
        for _ in 0..2 + below(self.rng, self.settings.changes - 1) {
            let line = lines[below(self.rng, lines.len())];
            set(&mut special, line, self.rng.next_u32());
        }
        special
    }

    /// The priorities that play the longest game not yet treated so up to its end, and then chance.
    fn replayed(&mut self) -> Vec<Priority> {
        let fresh = self.games.iter_mut().filter(|game| !game.replayed);
        let Some(game) = fresh.max_by_key(|game| game.score) else { return Vec::new() };
        game.replayed = true;
        let end = (game.lines.len() as f64 * self.settings.end * unit(self.rng)) as usize;
        let keep = game.lines.len() - end;
        let (first, last) = game.lines.split_at(keep);
        let mut special: Vec<Priority> = Vec::with_capacity(game.lines.len());
        // All above every other priority that counts, and in this order.
        special.extend(first.iter().zip(0..).map(|(&line, n)| (line, u32::MAX - n)));
        special.extend(last.iter().map(|&line| (line, self.rng.next_u32() / 2)));
        special
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
    use crate::Unwatched;
    use rand::SeedableRng;
    use rules::Fast;

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
        let kit = Fast::<5, true>::new();
        let found = |playouts| {
            let budget = Budget { playouts: Some(playouts), deadline: None };
            let mut rng = Rng::seed_from_u64(1);
            SETTINGS.search(&kit, &[], budget, &mut rng, &mut Unwatched).len()
        };
        assert!(found(1) < 75);
        assert!(found(20_000) > 95);
    }

    #[test]
    fn without_an_end_the_same_game_is_played_again() {
        let kit = Fast::<5, false>::new();
        let (mut rng, mut observer) = (Rng::seed_from_u64(4), Unwatched);
        let mut search = Search {
            settings: &Pool { end: 0.0, ..SETTINGS },
            player: Player::new(&kit.sheet(), 1000),
            meter: Meter::new(Budget::default(), &mut observer),
            rng: &mut rng,
            from: &[],
            best: Vec::new(),
            games: Vec::new(),
            seen: HashSet::new(),
            longest: 0,
            made: 0,
        };
        for _ in 0..50 {
            assert!(search.step().is_continue());
        }
        for _ in 0..search.games.len() {
            let longest = search.games.iter().filter(|game| !game.replayed).max_by_key(|g| g.score);
            let (lines, score) = longest.map(|game| (game.lines.clone(), game.score)).expect("one");
            let special = search.replayed();
            assert_eq!(search.player.play(&special, &mut search.meter, search.rng), score);
            assert!(search.player.lines().eq(lines));
        }
    }
}
