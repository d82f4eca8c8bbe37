//! Measured CPU times, from the files of other experiments.

use std::path::PathBuf;
use std::str::FromStr;

/// The CPU times that a simulation samples from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Measurements {
    /// Seconds for the linear program of each board of a sample.
    pub boards: Vec<f64>,
    /// Searches.
    pub searches: Vec<MeasuredSearch>,
}

/// Runs of one search on one game.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MeasuredSearch {
    /// The game.
    pub game: String,
    /// The target scores.
    pub targets: Vec<u64>,
    /// The runs.
    pub runs: Vec<MeasuredRun>,
}

/// A run of a search.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MeasuredRun {
    /// Its length.
    pub seconds: f64,
    /// When it improved, and the new best scores.
    pub improvements: Vec<(f64, u64)>,
}

/// The rate at which a score is reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ScoreRate {
    /// The score.
    pub score: u64,
    /// The number of runs that reached it.
    pub reached: usize,
    /// The CPU seconds that all runs spent before.
    pub spent_seconds: f64,
    /// Successes per CPU second.
    pub per_second: f64,
}

/// Why a file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MeasurementsError {
    /// A column is missing.
    #[error("no column {0}; a file of `morpion experiment {1}` is expected")]
    Column(&'static str, &'static str),
    /// An invalid value.
    #[error("line {line}: no {what}")]
    Value {
        /// The line, from 1.
        line: usize,
        /// What is expected.
        what: &'static str,
    },
    /// No rows.
    #[error("no rows to sample from")]
    Empty,
    /// No run has reached it.
    #[error("no run has reached {0}")]
    Unreached(u64),
}

/// The most moves beyond the best score for an extrapolated rate.
const MOST_BEYOND: u64 = 10;

/// The longest valid time, in seconds: a year.
const LONGEST: f64 = 365.0 * 86_400.0;

impl Measurements {
    /// Reads a file of `morpion experiment boards`, and files of `anytime` with target scores.
    pub(crate) fn read(
        boards: &str,
        hunts: &[(String, Vec<u64>)],
    ) -> Result<Self, MeasurementsError> {
        let searches = hunts
            .iter()
            .map(|(text, targets)| MeasuredSearch::read(text, targets))
            .collect::<Result<_, _>>()?;
        Ok(Self { boards: read_boards(boards)?, searches })
    }

    /// The mean and the standard deviation of a board's time.
    pub(super) fn board_spread(&self) -> (f64, f64) {
        let count = self.boards.len() as f64;
        let mean = self.boards.iter().sum::<f64>() / count;
        let squares: f64 = self.boards.iter().map(|time| (time - mean).powi(2)).sum();
        (mean, (squares / count).sqrt())
    }
}

/// A CSV file of `anytime` and the target score: `FILE.csv:SCORE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HuntFile {
    /// The file.
    pub path: PathBuf,
    /// The target score.
    pub score: u64,
}

/// Why a text is no file with a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("write FILE.csv:SCORE")]
pub struct ParseHuntFileError;

impl FromStr for HuntFile {
    type Err = ParseHuntFileError;

    fn from_str(text: &str) -> Result<Self, ParseHuntFileError> {
        let (path, score) = text.rsplit_once(':').ok_or(ParseHuntFileError)?;
        let score = score.parse().map_err(|_| ParseHuntFileError)?;
        Ok(Self { path: path.into(), score })
    }
}

impl MeasuredSearch {
    /// Reads a file of `morpion experiment anytime`, in which some run reached each target.
    pub(crate) fn read(text: &str, targets: &[u64]) -> Result<Self, MeasurementsError> {
        let column = |name| MeasurementsError::Column(name, "anytime");
        let (mut game, mut runs) = (String::new(), Vec::new());
        for (line, cells) in rows(text, &["game", "cpu_seconds", "improvements"]).map_err(column)? {
            if game.is_empty() {
                game = cells[0].to_owned();
            }
            // Only the first game of a file counts.
            if cells[0] != game {
                continue;
            }
            let bad = |what| MeasurementsError::Value { line, what };
            let seconds = time(cells[1]).ok_or(bad("time"))?;
            let improvement = |text: &str| {
                let (at, score) = text.split_once(':')?;
                Some((time(at)?, score.parse().ok()?))
            };
            let improvements = cells[2]
                .split(' ')
                .filter(|text| !text.is_empty())
                .map(improvement)
                .collect::<Option<_>>()
                .ok_or(bad("improvements"))?;
            runs.push(MeasuredRun { seconds, improvements });
        }
        if runs.is_empty() {
            return Err(MeasurementsError::Empty);
        }
        let search = Self { game, targets: targets.to_vec(), runs };
        match targets.iter().find(|&&target| search.rate(target).reached == 0) {
            Some(&target) => Err(MeasurementsError::Unreached(target)),
            None => Ok(search),
        }
    }

    /// The number of runs that reach a score, divided by the time that all runs spent before.
    #[must_use]
    pub(crate) fn rate(&self, score: u64) -> ScoreRate {
        let times = self.runs.iter().map(|run| run.reached(score));
        let reached = times.clone().flatten().count();
        let spent: f64 = times.zip(&self.runs).map(|(time, run)| time.unwrap_or(run.seconds)).sum();
        let spent_seconds = spent.max(1e-9);
        ScoreRate { score, reached, spent_seconds, per_second: reached as f64 / spent_seconds }
    }

    /// The best score of all runs.
    #[must_use]
    pub(crate) fn best(&self) -> u64 {
        self.runs
            .iter()
            .filter_map(|run| run.improvements.last())
            .map(|last| last.1)
            .max()
            .unwrap_or(0)
    }

    /// The rates of the best scores in increasing order, from one that all runs reach.
    #[must_use]
    pub(crate) fn rates(&self) -> Vec<ScoreRate> {
        let mut rates = Vec::new();
        for score in (1..=self.best()).rev() {
            let rate = self.rate(score);
            rates.push(rate);
            if rate.reached == self.runs.len() || rates.len() == 12 {
                break;
            }
        }
        rates.reverse();
        rates
    }

    /// The mean factor by which each further move is rarer, over the best scores.
    #[must_use]
    pub(crate) fn factor(&self) -> Option<f64> {
        let rates = self.rates();
        let (first, last) = (rates.first()?, rates.last()?);
        let steps = last.score - first.score;
        (steps > 0).then(|| (first.per_second / last.per_second).powf(1.0 / steps as f64))
    }

    /// The extrapolated rate of a score beyond the best, if each move stays rarer by the same
    /// factor; none far beyond.
    #[must_use]
    pub(crate) fn extrapolated(&self, score: u64) -> Option<ScoreRate> {
        let last = self.rate(self.best());
        let steps = score.checked_sub(self.best())?;
        let steps = (1..=MOST_BEYOND).contains(&steps).then_some(steps as i32)?;
        let per_second = last.per_second / self.factor()?.powi(steps);
        Some(ScoreRate { score, reached: 0, per_second, ..last })
    }

    /// The shortest time in which a run reached the best score.
    pub(super) fn floor(&self) -> f64 {
        let best = self.best();
        self.runs.iter().filter_map(|run| run.reached(best)).fold(f64::INFINITY, f64::min)
    }
}

impl MeasuredRun {
    /// The time at which it reached a score.
    pub(super) fn reached(&self, score: u64) -> Option<f64> {
        self.improvements.iter().find(|step| step.1 >= score).map(|step| step.0)
    }
}

fn read_boards(text: &str) -> Result<Vec<f64>, MeasurementsError> {
    let column = |name| MeasurementsError::Column(name, "boards");
    let mut boards = Vec::new();
    for (line, cells) in rows(text, &["of", "cpu_seconds"]).map_err(column)? {
        if cells[0] == "maximal" {
            let what = "time";
            boards.push(time(cells[1]).ok_or(MeasurementsError::Value { line, what })?);
        }
    }
    if boards.is_empty() { Err(MeasurementsError::Empty) } else { Ok(boards) }
}

fn time(text: &str) -> Option<f64> {
    text.parse().ok().filter(|time| (0.0..=LONGEST).contains(time))
}

/// Some columns of a CSV file, with line numbers; `Err` is the name of a missing column.
fn rows<'a>(
    text: &'a str,
    wanted: &[&'static str],
) -> Result<Vec<(usize, Vec<&'a str>)>, &'static str> {
    let mut lines =
        (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#') && !line.is_empty());
    let head: Vec<&str> =
        lines.next().map(|(_, line)| line.split(',').collect()).unwrap_or_default();
    let place = |name: &&'static str| head.iter().position(|column| column == name).ok_or(*name);
    let places: Vec<usize> = wanted.iter().map(place).collect::<Result<_, _>>()?;
    let row = |(number, line): (usize, &'a str)| {
        let cells: Vec<&str> = line.split(',').collect();
        let cell = |&place: &usize| cells.get(place).copied().unwrap_or_default();
        (number, places.iter().map(cell).collect())
    };
    Ok(lines.map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "game,method,cpu_seconds,improvements\n";

    fn search(rows: &str, targets: &[u64]) -> Result<MeasuredSearch, MeasurementsError> {
        MeasuredSearch::read(&format!("# a comment\n{HEAD}{rows}"), targets)
    }

    #[test]
    fn a_rate_counts_the_time_of_failed_runs_too() {
        let rows = "5D,auto,10,1:70 4:80\n5D,auto,6,2:75\n";
        let search = search(rows, &[80]).expect("measured");
        let rate = search.rate(80);
        assert_eq!((rate.reached, rate.per_second), (1, 0.1));
        assert_eq!(search.rate(70).per_second, 2.0 / 3.0);
        assert_eq!((search.best(), search.floor()), (80, 4.0));
        let scores: Vec<u64> = search.rates().iter().map(|rate| rate.score).collect();
        assert_eq!(scores, [75, 76, 77, 78, 79, 80]);
        let factor = search.factor().expect("a slope");
        assert!((factor.powi(5) - 10.0 / 3.0).abs() < 1e-9, "from 2 in 6 s to 1 in 10 s: {factor}");
        let beyond = search.extrapolated(81).expect("a rate");
        assert!((beyond.per_second - 0.1 / factor).abs() < 1e-12);
        assert_eq!(search.extrapolated(80), None);
        assert_eq!(search.extrapolated(91), None, "too far to say anything");
    }

    #[test]
    fn an_invalid_file_is_rejected_with_its_line() {
        assert_eq!(search("", &[]), Err(MeasurementsError::Empty));
        assert_eq!(search("5D,auto,10,1:70\n", &[71]), Err(MeasurementsError::Unreached(71)));
        let bad = |line, what| Err(MeasurementsError::Value { line, what });
        assert_eq!(search("5D,auto,-1,1:70\n", &[]), bad(3, "time"));
        assert_eq!(search("5D,auto,1,1:70\n5D,auto,1,x\n", &[]), bad(4, "improvements"));
        assert_eq!(search("5D,auto,NaN,\n", &[]), bad(3, "time"));
        assert_eq!(
            MeasuredSearch::read("a,b\n", &[]),
            Err(MeasurementsError::Column("game", "anytime"))
        );
        assert_eq!(read_boards("of,x\n"), Err(MeasurementsError::Column("cpu_seconds", "boards")));
        assert_eq!(read_boards("of,cpu_seconds\nhulls 522,1\n"), Err(MeasurementsError::Empty));
        assert_eq!(read_boards("of,cpu_seconds\nmaximal,1.5\nhulls 2,9\n"), Ok(vec![1.5]));
    }
}
