//! The longest games found, from which short runs are launched.
//!
//! A run that has frozen finds nothing more; but copies of its game at all temperatures often find
//! a longer game in the moments before they melt. Most launches lead nowhere, so they are short,
//! there are many, and games that have seen few of them come first.

use geometry::{Move, Point};
use serde::{Deserialize, Serialize};

use crate::MoveList;

/// Shorter games than the longest by more than this are dropped.
const WINDOW: usize = 6;

/// The most games.
const MAX_ELITES: usize = 64;

/// How much more rarely a game is chosen for each line that it lacks: as if it had been launched
/// this many times as often.
const HANDICAP: f64 = 1.65;

#[derive(Debug, Clone, Default)]
pub(super) struct ElitePool(Vec<Elite>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Elite {
    /// Its moves after the prefix, in a legal order.
    pub(super) moves: MoveList,
    /// The number of runs launched from it.
    launches: u64,
}

impl Elite {
    fn len(&self) -> usize {
        self.moves.0.len()
    }

    /// Its new dots, sorted: games with the same dots are alike.
    fn dots(&self) -> Vec<Point> {
        let mut dots: Vec<Point> = self.moves.0.iter().map(|mv| mv.dot()).collect();
        dots.sort_unstable();
        dots
    }
}

impl ElitePool {
    /// The saved games; `None` if there are too many.
    pub(super) fn restored(elites: Vec<Elite>) -> Option<Self> {
        (elites.len() <= MAX_ELITES).then_some(Self(elites))
    }

    pub(super) fn elites(&self) -> &[Elite] {
        &self.0
    }

    /// The length of the longest game.
    fn longest(&self) -> usize {
        self.0.iter().map(Elite::len).max().unwrap_or(0)
    }

    /// Adds a game if it is long enough and its dots are new.
    pub(super) fn add(&mut self, moves: Vec<Move>) {
        let elite = Elite { moves: MoveList(moves), launches: 0 };
        let dots = elite.dots();
        let is_known = |other: &Elite| other.len() == elite.len() && other.dots() == dots;
        if self.0.iter().any(is_known) {
            return;
        }
        self.0.push(elite);
        let least = self.longest().saturating_sub(WINDOW);
        self.0.retain(|elite| elite.len() >= least);
        if self.0.len() > MAX_ELITES
            && let Some(shortest) = (0..self.0.len()).min_by_key(|&place| self.0[place].len())
        {
            self.0.remove(shortest);
        }
    }

    /// The game from which the next run is launched; `None` if there is none.
    pub(super) fn choose(&mut self) -> Option<&[Move]> {
        let longest = self.longest();
        let key = |elite: &Elite| {
            (elite.launches + 1) as f64 * HANDICAP.powi((longest - elite.len()) as i32)
        };
        let chosen = self.0.iter_mut().min_by(|a, b| key(a).total_cmp(&key(b)))?;
        chosen.launches += 1;
        Some(&chosen.moves.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::{Direction, Line};

    /// A game of some moves; games of different shifts have different dots.
    fn game(length: usize, shift: i32) -> Vec<Move> {
        let line = |n| Line::new(Point::new(n as i32, shift), Direction::East);
        (0..length).map(|n| Move::new(line(n), 0)).collect()
    }

    #[test]
    fn games_with_the_same_dots_are_kept_once() {
        let mut pool = ElitePool::default();
        pool.add(game(10, 0));
        let mut reversed = game(10, 0);
        reversed.reverse();
        pool.add(reversed);
        assert_eq!(pool.elites().len(), 1);
        pool.add(game(10, 1));
        assert_eq!(pool.elites().len(), 2);
    }

    #[test]
    fn games_outside_the_window_are_dropped() {
        let mut pool = ElitePool::default();
        pool.add(game(10, 0));
        pool.add(game(10 + WINDOW, 0));
        pool.add(game(9, 0));
        assert_eq!(pool.elites().len(), 2);
        pool.add(game(11 + WINDOW, 0));
        assert_eq!(pool.elites().len(), 2);
        for shift in 1..100 {
            pool.add(game(11 + WINDOW, shift));
        }
        assert_eq!(pool.elites().len(), MAX_ELITES);
        assert!(pool.elites().iter().all(|elite| elite.len() == 11 + WINDOW));
    }

    #[test]
    fn long_games_are_chosen_more_often() {
        let mut pool = ElitePool::default();
        pool.add(game(11, 0));
        pool.add(game(10, 0));
        let chosen: Vec<usize> = (0..8).map(|_| pool.choose().expect("two games").len()).collect();
        let of = |length| chosen.iter().filter(|&&chosen| chosen == length).count();
        assert_eq!((of(11), of(10)), (5, 3), "{chosen:?}");
        assert!(ElitePool::default().choose().is_none());
    }
}
