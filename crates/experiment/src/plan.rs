//! What is to be run: cells of a table, each so many times, every run with a seed of its own.

use std::time::Duration;

use geometry::{Game, Move};
use search::Method;

use hunt::Hunt;

/// All runs of an experiment.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The name of the experiment; seeds depend on it.
    pub name: &'static str,
    /// What every run has in common, as written into the file of results: runs made with other
    /// settings are never mixed with these.
    pub settings: Vec<(&'static str, String)>,
    /// The names of what tells one cell from another.
    pub columns: &'static [&'static str],
    /// The cells.
    pub cells: Vec<Cell>,
    /// How often each is run.
    pub repeats: u32,
    /// Where all seeds come from.
    pub seed: u64,
    /// Whether each row tells when the run improved, not only how it ended.
    pub traced: bool,
}

/// One way of searching one game.
#[derive(Debug, Clone)]
pub struct Cell {
    /// The values of the plan's columns: no two cells have the same, and none has a comma.
    pub values: Vec<String>,
    /// Which game.
    pub game: Game,
    /// The moves it begins with.
    pub from: Vec<Move>,
    /// How to search.
    pub method: Method,
    /// How long a run is.
    pub length: Length,
    /// About how many seconds of processor time a run takes, to foretell the end.
    pub cost: f64,
}

/// When a run is over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Length {
    /// After so many playouts.
    Playouts(u64),
    /// When the method ends by itself.
    Method,
    /// After so much processor time.
    Time(Duration),
    /// After so much processor time, or with a game of so many moves.
    Until(Duration, u64),
}

impl Length {
    /// The processor time of a run, if that is its measure.
    pub(super) fn time(self) -> Option<Duration> {
        match self {
            Self::Time(time) | Self::Until(time, _) => Some(time),
            Self::Playouts(_) | Self::Method => None,
        }
    }
}

/// One run of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId {
    /// The number of the cell.
    pub cell: usize,
    /// Which of its repeats, from 0.
    pub repeat: u32,
}

impl Plan {
    /// Every run, in the order of the table.
    pub fn runs(&self) -> impl Iterator<Item = RunId> + '_ {
        let repeats = self.repeats;
        (0..self.cells.len())
            .flat_map(move |cell| (0..repeats).map(move |repeat| RunId { cell, repeat }))
    }

    /// How many runs there are.
    pub fn total(&self) -> usize {
        self.cells.len() * self.repeats as usize
    }

    /// About how much processor time all runs take, in seconds.
    pub fn cost(&self) -> f64 {
        self.cells.iter().map(|cell| cell.cost).sum::<f64>() * f64::from(self.repeats)
    }

    /// The seed of a run. It depends on the seed of the plan, the name of the experiment, the
    /// values of the cell and the repeat, and on nothing else: not on threads, order or what else
    /// is run. It is small enough to be exact in every JSON reader.
    pub fn seed_of(&self, run: RunId) -> u64 {
        let values = self.cells[run.cell].values.join("/");
        let name = format!("{}/{}/{values}/{}", self.seed, self.name, run.repeat);
        mixed(digest(name.as_bytes())) >> 11
    }

    /// The search that a run is.
    pub(super) fn hunt(&self, run: RunId) -> Hunt {
        let cell = &self.cells[run.cell];
        Hunt {
            game: cell.game.clone(),
            from: cell.from.clone(),
            method: cell.method.clone(),
            seed: self.seed_of(run),
            threads: 1,
            playouts: match cell.length {
                Length::Playouts(playouts) => Some(playouts),
                _ => None,
            },
            time: None,
            target: match cell.length {
                Length::Until(_, score) => Some(usize::try_from(score).unwrap_or(usize::MAX)),
                _ => None,
            },
        }
    }
}

/// A short fingerprint of some bytes: FNV-1a (Fowler, Noll and Vo).
pub(super) fn digest(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Spreads every bit over all: the finish of SplitMix64 (Steele, Lea and Flood 2014).
fn mixed(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;

    /// A plan of random games: small, and over in no time.
    pub(crate) fn random_games(repeats: u32) -> Plan {
        let game = Game::named("4D").expect("known");
        let cell = |playouts: u64| Cell {
            values: vec!["4D".to_owned(), playouts.to_string()],
            game: game.clone(),
            from: Vec::new(),
            method: Method::named("random", &game, []).expect("a method"),
            length: Length::Playouts(playouts),
            cost: 1.0,
        };
        Plan {
            name: "test",
            settings: vec![("seed", "1".to_owned()), ("sizes", "1 50".to_owned())],
            columns: &["game", "playouts"],
            cells: vec![cell(1), cell(50)],
            repeats,
            seed: 1,
            traced: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_the_published_ones() {
        assert_eq!(digest(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(digest(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(digest(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn every_run_has_a_seed_of_its_own_that_stays() {
        let plan = testing::random_games(100);
        let mut seeds: Vec<u64> = plan.runs().map(|run| plan.seed_of(run)).collect();
        assert!(seeds.iter().all(|&seed| seed < 1 << 53));
        // Written into files of results: a change here would refuse them all.
        assert_eq!(seeds[0], 6_603_790_743_727_323);
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 200);
        let more = Plan { repeats: 300, ..plan.clone() };
        assert_eq!(
            plan.seed_of(RunId { cell: 1, repeat: 7 }),
            more.seed_of(RunId { cell: 1, repeat: 7 })
        );
    }
}
