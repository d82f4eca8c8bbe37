//! What an experiment runs: the cells of a table, each repeated, every run with its own seed.

use std::time::Duration;

use geometry::{Game, Move};
use search::MethodSpec;

use hunt::{HuntBudget, HuntSpec};

/// The cells of an experiment and how often each is run.
#[derive(Debug, Clone)]
pub(crate) struct ExperimentDesign {
    /// The name of the experiment; seeds depend on it.
    pub name: &'static str,
    /// The settings that all runs share, as written into the journal: runs made with other
    /// settings are never mixed with these.
    pub settings: Vec<(&'static str, String)>,
    /// The columns that identify a cell.
    pub columns: &'static [&'static str],
    /// The cells.
    pub cells: Vec<Cell>,
    /// How often each is run.
    pub repeats: u32,
    /// The seed that all others derive from.
    pub seed: u64,
    /// Whether each row lists the improvements of its run, not only the final score.
    pub traced: bool,
}

/// One way of searching one game.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    /// The values of the design's columns: unique, and without commas.
    pub values: Vec<String>,
    /// The game.
    pub game: Game,
    /// The moves the search keeps.
    pub from: Vec<Move>,
    /// The method, with its parameters.
    pub method: MethodSpec,
    /// When a run is over.
    pub length: RunLength,
    /// The estimated CPU seconds of a run, for the remaining time.
    pub cost: f64,
}

/// When a run is over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RunLength {
    /// After this number of playouts.
    Playouts(u64),
    /// When the method finishes.
    Method,
    /// After this CPU time.
    Time(Duration),
    /// After this CPU time, or with a game of this many moves.
    Until(Duration, u64),
}

impl RunLength {
    /// The CPU time of a run, if it is limited by time.
    pub(crate) fn time(self) -> Option<Duration> {
        match self {
            Self::Time(time) | Self::Until(time, _) => Some(time),
            Self::Playouts(_) | Self::Method => None,
        }
    }
}

/// One run of a design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RunIndex {
    /// The index of the cell.
    pub cell: usize,
    /// The repeat, from 0.
    pub repeat: u32,
}

impl ExperimentDesign {
    /// Every run, in the order of the table.
    pub(crate) fn runs(&self) -> impl Iterator<Item = RunIndex> + '_ {
        let repeats = self.repeats;
        (0..self.cells.len())
            .flat_map(move |cell| (0..repeats).map(move |repeat| RunIndex { cell, repeat }))
    }

    /// The number of runs.
    #[must_use]
    pub(crate) fn total(&self) -> usize {
        self.cells.len() * self.repeats as usize
    }

    /// The estimated CPU seconds of all runs.
    #[must_use]
    pub(crate) fn cost(&self) -> f64 {
        self.cells.iter().map(|cell| cell.cost).sum::<f64>() * f64::from(self.repeats)
    }

    /// The seed of a run. It depends on the seed of the design, the name of the experiment, the
    /// values of the cell and the repeat only: neither threads nor order nor other cells change
    /// it. It is below 2^53, so every JSON reader keeps it exact.
    #[must_use]
    pub(crate) fn seed_of(&self, run: RunIndex) -> u64 {
        let values = self.cells[run.cell].values.join("/");
        let name = format!("{}/{}/{values}/{}", self.seed, self.name, run.repeat);
        mixed(digest(name.as_bytes())) >> 11
    }

    /// The search of a run.
    pub(crate) fn hunt(&self, run: RunIndex) -> HuntSpec {
        let cell = &self.cells[run.cell];
        HuntSpec {
            game: cell.game.clone(),
            prefix: cell.from.clone(),
            method: cell.method.clone(),
            seed: self.seed_of(run),
            threads: 1,
            budget: HuntBudget {
                playouts: match cell.length {
                    RunLength::Playouts(playouts) => Some(playouts),
                    _ => None,
                },
                time: None,
                target: match cell.length {
                    RunLength::Until(_, score) => {
                        Some(usize::try_from(score).unwrap_or(usize::MAX))
                    }
                    _ => None,
                },
            },
        }
    }
}

/// A fingerprint of some bytes: FNV-1a (Fowler, Noll and Vo).
pub(crate) fn digest(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
fn mixed(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// A small design of random games.
    pub(crate) fn random_games(repeats: u32) -> ExperimentDesign {
        let game = Game::named("4D").expect("known");
        let cell = |playouts: u64| Cell {
            values: vec!["4D".to_owned(), playouts.to_string()],
            game: game.clone(),
            from: Vec::new(),
            method: MethodSpec::named("random", &game, []).expect("a method"),
            length: RunLength::Playouts(playouts),
            cost: 1.0,
        };
        ExperimentDesign {
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
    fn every_run_has_its_own_stable_seed() {
        let design = testing::random_games(100);
        let mut seeds: Vec<u64> = design.runs().map(|run| design.seed_of(run)).collect();
        assert!(seeds.iter().all(|&seed| seed < 1 << 53));
        // Journals contain these seeds: a change here would reject them all.
        assert_eq!(seeds[0], 6_603_790_743_727_323);
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 200);
        let more = ExperimentDesign { repeats: 300, ..design.clone() };
        assert_eq!(
            design.seed_of(RunIndex { cell: 1, repeat: 7 }),
            more.seed_of(RunIndex { cell: 1, repeat: 7 })
        );
    }
}
