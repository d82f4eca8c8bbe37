//! The longest games found, from which short runs are launched.
//!
//! A run that has frozen finds nothing more; but copies of its game at all temperatures often find
//! a longer game in the moments before they melt. Most launches lead nowhere, so they are short,
//! there are many, and games that have seen few of them come first. What a launch does not find
//! soon it hardly finds at all: a game from which enough were made is closed, so that the time goes
//! to shorter games, which may lead past it.

use std::collections::BTreeSet;
use std::hash::Hasher as _;

use geometry::{Move, Point, Symmetry};
use serde::{Deserialize, Serialize};

use crate::MoveList;
use crate::hash::KeyHasher;

/// The most open games.
const MAX_OPEN: usize = 128;

/// How much more rarely a game is chosen for each line that it lacks: as if it had been launched
/// this many times as often.
const HANDICAP: f64 = 1.65;

#[derive(Debug, Clone, Default)]
pub(super) struct ElitePool {
    /// Games that differ only by one of these symmetries are alike.
    symmetries: Vec<Symmetry>,
    /// Games are closed after this many launches; never if 0.
    most_launches: u64,
    open: Vec<Elite>,
    /// The keys of the closed games.
    closed: BTreeSet<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Elite {
    /// Its moves after the prefix, in a legal order.
    pub(super) moves: MoveList,
    /// The number of runs launched from it.
    launches: u64,
    /// That of its new dots: games with the same dots are alike.
    #[serde(skip)]
    key: u64,
}

impl Elite {
    fn len(&self) -> usize {
        self.moves.0.len()
    }
}

impl ElitePool {
    /// No games yet.
    pub(super) fn new(symmetries: Vec<Symmetry>, most_launches: u64) -> Self {
        Self { symmetries, most_launches, ..Self::default() }
    }

    /// The same pool with saved games, open and closed; `None` if there are too many.
    pub(super) fn restored(self, open: Vec<Elite>, closed: Vec<u64>) -> Option<Self> {
        if open.len() > MAX_OPEN {
            return None;
        }
        let with_key = |elite: Elite| Elite { key: self.key(&elite.moves.0), ..elite };
        let open = open.into_iter().map(with_key).collect();
        Some(Self { open, closed: closed.into_iter().collect(), ..self })
    }

    /// The open games.
    pub(super) fn open(&self) -> &[Elite] {
        &self.open
    }

    /// The keys of the closed games, in order.
    pub(super) fn closed(&self) -> Vec<u64> {
        self.closed.iter().copied().collect()
    }

    /// The same for all games with the same new dots, up to symmetry.
    fn key(&self, moves: &[Move]) -> u64 {
        let image = |symmetry: &Symmetry| {
            let mut dots: Vec<Point> = moves.iter().map(|mv| symmetry.point(mv.dot())).collect();
            dots.sort_unstable();
            dots
        };
        let mut hasher = KeyHasher::default();
        for Point { x, y } in self.symmetries.iter().map(image).min().unwrap_or_default() {
            hasher.write_u64(u64::from(x as u32) << 32 | u64::from(y as u32));
        }
        hasher.finish()
    }

    /// Adds a game if its dots are new and it is among the longest.
    pub(super) fn add(&mut self, moves: Vec<Move>) {
        let key = self.key(&moves);
        if self.closed.contains(&key) || self.open.iter().any(|elite| elite.key == key) {
            return;
        }
        self.open.push(Elite { moves: MoveList(moves), launches: 0, key });
        if self.open.len() > MAX_OPEN
            && let Some(shortest) = (0..self.open.len()).min_by_key(|&place| self.open[place].len())
        {
            self.open.remove(shortest);
        }
    }

    /// The game from which the next run is launched; `None` if there is none.
    pub(super) fn choose(&mut self) -> Option<&[Move]> {
        let is_closed =
            |elite: &Elite| 0 < self.most_launches && self.most_launches <= elite.launches;
        self.closed
            .extend(self.open.iter().filter(|elite| is_closed(elite)).map(|elite| elite.key));
        self.open.retain(|elite| !is_closed(elite));
        let longest = self.open.iter().map(Elite::len).max()?;
        let rank = |elite: &Elite| {
            (elite.launches + 1) as f64 * HANDICAP.powi((longest - elite.len()) as i32)
        };
        let chosen = self.open.iter_mut().min_by(|a, b| rank(a).total_cmp(&rank(b)))?;
        chosen.launches += 1;
        Some(&chosen.moves.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::{Direction, Line, Rules};

    /// A pool for the usual cross of lines of five dots.
    fn pool(most_launches: u64) -> ElitePool {
        let cross = geometry::Start::cross(4).expect("in range");
        ElitePool::new(cross.symmetries(), most_launches)
    }

    /// A game of some moves; games of different shifts have different dots.
    fn game(length: usize, shift: i32) -> Vec<Move> {
        let line = |n| Line::new(Point::new(n as i32, shift), Direction::East);
        (0..length).map(|n| Move::new(line(n), 0)).collect()
    }

    fn lengths(pool: &ElitePool) -> Vec<usize> {
        pool.open().iter().map(Elite::len).collect()
    }

    #[test]
    fn games_with_the_same_dots_up_to_symmetry_are_kept_once() {
        let mut pool = pool(0);
        pool.add(game(10, 0));
        let mut reversed = game(10, 0);
        reversed.reverse();
        pool.add(reversed);
        let rules: Rules = "5T".parse().expect("known");
        for symmetry in pool.symmetries.clone() {
            pool.add(game(10, 0).iter().map(|&mv| symmetry.mv(mv, rules)).collect());
        }
        assert_eq!(lengths(&pool), [10]);
        pool.add(game(10, 1));
        assert_eq!(lengths(&pool), [10, 10]);
    }

    #[test]
    fn the_longest_games_are_kept() {
        let mut pool = pool(0);
        pool.add(game(9, 0));
        for shift in 0..2 * MAX_OPEN as i32 {
            pool.add(game(10 + shift as usize % 2, 100 + shift));
        }
        assert_eq!(lengths(&pool), [11; MAX_OPEN]);
    }

    #[test]
    fn long_games_are_chosen_more_often() {
        let mut pool = pool(0);
        pool.add(game(11, 0));
        pool.add(game(10, 0));
        let chosen: Vec<usize> = (0..8).map(|_| pool.choose().expect("two games").len()).collect();
        let of = |length| chosen.iter().filter(|&&chosen| chosen == length).count();
        assert_eq!((of(11), of(10)), (5, 3), "{chosen:?}");
        assert!(ElitePool::default().choose().is_none());
    }

    #[test]
    fn a_game_is_closed_after_its_launches_and_never_comes_back() {
        let mut pool = pool(3);
        pool.add(game(11, 0));
        pool.add(game(10, 0));
        let mut chosen: Vec<usize> = Vec::new();
        while let Some(moves) = pool.choose() {
            chosen.push(moves.len());
        }
        chosen.sort_unstable();
        assert_eq!(chosen, [10, 10, 10, 11, 11, 11]);
        pool.add(game(11, 0));
        let saved = self::pool(3).restored(pool.open().to_vec(), pool.closed()).expect("few");
        let mut again = saved.clone();
        again.add(game(11, 0));
        again.add(game(10, 1));
        assert_eq!((lengths(&pool), lengths(&again)), (vec![], vec![10]));
    }
}
