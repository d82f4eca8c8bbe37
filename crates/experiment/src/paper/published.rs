//! The published values.
//!
//! All but [`NESTED`] and [`NRPA`] are from H. Hyyrö and T. Poranen, *New Heuristics for Morpion
//! Solitaire*, 25 October 2007. Their G3(A3) is 4D here, G'3(A3) is 4T, G4(A4) is 5D and G'4(A4) is
//! 5T. Times are seconds on an AMD Athlon64 3200+.

use crate::statistics::PublishedMean;

/// The number of runs of each cell.
pub(crate) const REPEATS: u32 = 20;

/// The games, in the order of the tables.
pub(crate) const GAMES: [&str; 4] = ["4D", "4T", "5D", "5T"];

/// A mean score as printed, and the mean seconds beside it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PrintedMean {
    pub(crate) mean: f64,
    pub(crate) seconds: f64,
}

impl PrintedMean {
    pub(crate) fn published(self) -> PublishedMean {
        PublishedMean { mean: self.mean, count: REPEATS as usize, rounding: 0.05 }
    }
}

const fn p(mean: f64, seconds: f64) -> PrintedMean {
    PrintedMean { mean, seconds }
}

/// The sample sizes s of Table 1.
pub(crate) const SAMPLES: [u64; 5] = [1, 10, 100, 1000, 10_000];

/// Table 1: game, method, and a mean for each sample size.
pub(crate) const TABLE_1: [(&str, &str, [PrintedMean; 5]); 8] = [
    ("4D", "rs1", [p(30.6, 0.0), p(31.9, 0.05), p(32.9, 0.63), p(33.3, 6.55), p(33.8, 64.9)]),
    ("4D", "rs2", [p(27.5, 0.0), p(30.5, 0.0), p(31.3, 0.04), p(32.2, 0.46), p(33.6, 4.69)]),
    ("4T", "rs1", [p(51.6, 0.01), p(55.1, 0.15), p(57.4, 1.88), p(59.4, 20.3), p(59.7, 209.0)]),
    ("4T", "rs2", [p(45.6, 0.0), p(51.1, 0.01), p(53.9, 0.13), p(57.0, 1.46), p(59.1, 15.8)]),
    ("5D", "rs1", [p(60.1, 0.02), p(61.5, 0.25), p(63.0, 2.77), p(63.9, 27.6), p(64.4, 275.4)]),
    ("5D", "rs2", [p(56.8, 0.0), p(60.0, 0.01), p(61.8, 0.19), p(62.7, 1.94), p(64.3, 20.2)]),
    ("5T", "rs1", [p(80.9, 0.03), p(85.7, 0.42), p(88.9, 4.85), p(93.7, 52.3), p(96.5, 556.9)]),
    ("5T", "rs2", [p(73.4, 0.0), p(80.4, 0.03), p(86.2, 0.35), p(90.9, 3.6), p(94.0, 37.3)]),
];

/// The numbers of steps r of Table 2 and Figures 4 and 5.
pub(crate) const STEPS: [u64; 4] = [10_000, 100_000, 1_000_000, 10_000_000];

/// Table 2: game, temperature, and a mean for each number of steps.
pub(crate) const TABLE_2: [(&str, f64, [PrintedMean; 4]); 4] = [
    ("4D", 1.8, [p(32.1, 0.01), p(33.7, 0.12), p(34.2, 1.18), p(34.8, 11.8)]),
    ("4T", 3.6, [p(48.9, 0.01), p(54.5, 0.13), p(58.2, 1.33), p(60.6, 13.2)]),
    ("5D", 3.2, [p(59.4, 0.01), p(61.5, 0.14), p(63.2, 1.38), p(65.9, 13.7)]),
    ("5T", 8.0, [p(75.8, 0.02), p(83.3, 0.15), p(87.9, 1.53), p(94.5, 15.4)]),
];

/// Table 3: method, and the best score for each game.
pub(crate) const TABLE_3: [(&str, [u64; 4]); 3] =
    [("rs1", [34, 61, 66, 105]), ("rs2", [34, 61, 66, 100]), ("sa", [35, 62, 79, 143])];

/// Between which temperatures Figures 4 (b) and 5 (b) have their best averages, by the text of
/// section 3.2.
pub(crate) const BEST_TEMPERATURES: [(&str, f64, f64); 2] = [("4T", 3.0, 5.0), ("5T", 6.0, 10.0)];

/// Under which temperature the averages of the disjoint games "became noticeably worse".
pub(crate) const TOO_COLD: f64 = 1.0;

/// A long annealing of section 3.2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Long {
    pub(crate) game: &'static str,
    pub(crate) t0: f64,
    pub(crate) t1: f64,
    pub(crate) cooling: f64,
    pub(crate) steps: u64,
    pub(crate) score: u64,
    /// "Roughly 2 hours and 5 minutes", "roughly two days".
    pub(crate) seconds: f64,
}

impl Long {
    /// How many steps the whole run has.
    pub(crate) fn total(&self) -> u64 {
        // As many temperatures as the search itself uses.
        let (mut temperatures, mut temperature) = (0, self.t0);
        while temperatures == 0 || temperature >= self.t1 {
            temperature *= self.cooling;
            temperatures += 1;
        }
        temperatures * self.steps
    }
}

/// The long annealings whose parameters are known; those of the score of 79 were lost.
pub(crate) const LONG: [Long; 2] = [
    Long {
        game: "5D",
        t0: 2.0,
        t1: 1.8,
        cooling: 0.99999,
        steps: 1_000_000,
        score: 74,
        seconds: 7500.0,
    },
    Long {
        game: "5T",
        t0: 10.0,
        t1: 9.0,
        cooling: 0.9999,
        steps: 80_000_000,
        score: 143,
        seconds: 172_800.0,
    },
];

/// Section 3.3: the record game of 170 moves was found again "consistently" with this many of its
/// first moves kept,
pub(crate) const FOUND_AGAIN: usize = 90;
/// and no longer with this many,
pub(crate) const LOST: usize = 85;
/// of the record game, which had this many.
pub(crate) const RECORD: usize = 170;

/// Mean scores of single games by nested Monte-Carlo search of levels 1, 2 and 3: T. Cazenave,
/// *Nested Monte-Carlo Search*, 2009. The number of games is unknown.
pub(crate) const NESTED: [(&str, [f64; 3]); 2] =
    [("5D", [61.0, 66.6, 72.5]), ("5T", [84.5, 99.9, 127.0])];

/// The mean published for a level of nested Monte-Carlo search, if there is one.
pub(crate) fn nested(game: &str, level: u64) -> Option<f64> {
    let (_, means) = NESTED.iter().find(|row| row.0 == game)?;
    means.get(usize::try_from(level).ok()?.checked_sub(1)?).copied()
}

/// The longest game found by nested rollout policy adaptation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct NrpaResult {
    pub(crate) game: &'static str,
    pub(crate) moves: u64,
    /// By whom, and at which cost.
    pub(crate) how: &'static str,
}

/// C. Rosin, *Nested Rollout Policy Adaptation for Monte Carlo Tree Search*, 2011, and those after
/// him.
pub(crate) const NRPA: [NrpaResult; 4] = [
    NrpaResult { game: "5D", moves: 82, how: "Rosin 2011, 28 runs of a week each, both games" },
    NrpaResult { game: "5T", moves: 177, how: "Rosin 2011, twice in the same runs" },
    NrpaResult {
        game: "5T", moves: 178, how: "Nagórko 2019, level 6 on 768 cores, 10 of 10 runs"
    },
    NrpaResult { game: "5T", moves: 178, how: "Buzer and Cazenave 2021, level 5, 2 % of the runs" },
];

/// The mean that Table 1 prints for a cell, if it has one.
pub(crate) fn table1(game: &str, method: &str, samples: u64) -> Option<PrintedMean> {
    let (_, _, row) = TABLE_1.iter().find(|row| (row.0, row.1) == (game, method))?;
    Some(row[SAMPLES.iter().position(|&size| size == samples)?])
}

/// The mean that Table 2 prints for a number of steps, if it has one.
pub(crate) fn table2(game: &str, steps: u64) -> Option<PrintedMean> {
    let (_, _, row) = TABLE_2.iter().find(|row| row.0 == game)?;
    Some(row[STEPS.iter().position(|&size| size == steps)?])
}

/// The temperature of Table 2.
pub(crate) fn temperature(game: &str) -> Option<f64> {
    TABLE_2.iter().find(|row| row.0 == game).map(|row| row.1)
}
