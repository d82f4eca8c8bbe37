//! The files of an experiment, and what is shown of its results.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;
use store::files::write_atomic;

use crate::error::ExperimentError;
use crate::journal::RunResult;
use crate::paper::report::{Comparison, ExperimentResults, PaperClaim, PaperReport};
use crate::statistics::Agreement;

/// The results of an experiment, with the names of its files.
#[derive(Debug, Clone, Serialize)]
pub struct ResultsView {
    /// The name of the experiment.
    pub experiment: &'static str,
    /// The results themselves.
    #[serde(flatten)]
    pub details: ViewDetails,
    /// Every run.
    pub csv: String,
    /// The page.
    pub markdown: String,
    /// The chart.
    pub svg: String,
}

/// The results of an experiment, by its kind.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum ViewDetails {
    /// Runs beside published values.
    Paper {
        /// The settings that all runs share; empty if there are several designs.
        settings: BTreeMap<&'static str, String>,
        /// The number of runs.
        runs: usize,
        /// Their CPU time.
        cpu_seconds: f64,
        /// Every mean.
        comparisons: Vec<ComparisonView>,
        /// What the text of the paper claims.
        claims: Vec<PaperClaimView>,
    },
    /// A survey of boards.
    Boards {
        /// The number of boards.
        boards: usize,
    },
    /// Simulated clusters.
    Scale {
        /// Every job and number of cores.
        rows: Vec<WallTimeView>,
    },
    /// A search over starts.
    Starts {
        /// How many starts were searched.
        starts: usize,
        /// The most moves of a game from any of them.
        longest: u32,
    },
    /// Success rates per core-hour.
    Chance {
        /// Every file and score.
        rows: Vec<ChanceView>,
    },
}

/// A mean of ours beside a published one.
#[derive(Debug, Clone, Serialize)]
pub struct ComparisonView {
    /// The cell.
    pub what: String,
    /// The number of our runs.
    pub runs: usize,
    /// Our mean score.
    pub mean: f64,
    /// Its standard error.
    pub standard_error: Option<f64>,
    /// Our lowest score.
    pub least: u64,
    /// Our highest score.
    pub longest: u64,
    /// Our mean CPU time.
    pub cpu_seconds: f64,
    /// The published mean.
    pub published: Option<f64>,
    /// The published time.
    pub published_seconds: Option<f64>,
    /// The p-value of the difference.
    pub p: Option<f64>,
    /// `agrees`, `differs` or `cannot tell`.
    pub verdict: Option<&'static str>,
}

/// A claim of the paper beside what was found.
#[derive(Debug, Clone, Serialize)]
pub struct PaperClaimView {
    /// The subject.
    pub what: String,
    /// What the paper says.
    pub published: String,
    /// What was found.
    pub found: String,
    /// `agrees` or `differs`.
    pub verdict: Option<&'static str>,
}

/// The mean time of a simulated job.
#[derive(Debug, Clone, Serialize)]
pub struct WallTimeView {
    /// The job.
    pub job: String,
    /// The number of cores.
    pub cores: u64,
    /// The mean wall-clock time.
    pub wall_seconds: f64,
}

/// How likely a score is.
#[derive(Debug, Clone, Serialize)]
pub struct ChanceView {
    /// The game.
    pub game: String,
    /// The score.
    pub score: u64,
    /// The number of runs.
    pub runs: usize,
    /// How many of them reached the score.
    pub reached: usize,
    /// The core-hours that all runs spent before they reached it.
    pub core_hours: f64,
    /// Successes per core-hour.
    pub per_core_hour: f64,
    /// The lower end of its confidence interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl ResultsView {
    /// The number of runs, of an experiment that has any.
    #[must_use]
    pub fn runs(&self) -> Option<usize> {
        match self.details {
            ViewDetails::Paper { runs, .. } => Some(runs),
            _ => None,
        }
    }
}

/// One line: `table2: 320 runs; 16 of 16 published means agree; out/table2/table2.md`.
impl fmt::Display for ResultsView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.experiment)?;
        match &self.details {
            ViewDetails::Paper { runs, comparisons, claims, .. } => {
                write!(f, "{runs} runs")?;
                let means = comparisons.iter().filter_map(|row| row.verdict);
                agreement(f, "means", means)?;
                agreement(f, "claims", claims.iter().filter_map(|row| row.verdict))?;
            }
            ViewDetails::Boards { boards } => write!(f, "{boards} boards surveyed")?,
            ViewDetails::Scale { rows } => write!(f, "{} clusters simulated", rows.len())?,
            ViewDetails::Starts { starts, longest } => {
                write!(f, "{starts} starts searched; the longest game has {longest} moves")?;
            }
            ViewDetails::Chance { rows } => {
                for (number, row) in rows.iter().enumerate() {
                    let ChanceView { game, score, per_core_hour, low, high, .. } = row;
                    let comma = if number == 0 { "" } else { ", " };
                    write!(f, "{comma}{game} {score}: {per_core_hour:.2} ({low:.2} to {high:.2})")?;
                }
                write!(f, " per core-hour")?;
            }
        }
        write!(f, "; {}", self.markdown)
    }
}

fn agreement(
    f: &mut fmt::Formatter<'_>,
    what: &str,
    verdicts: impl Iterator<Item = &'static str> + Clone,
) -> fmt::Result {
    let total = verdicts.clone().count();
    if total == 0 {
        return Ok(());
    }
    let count = |word: &str| verdicts.clone().filter(|&verdict| verdict == word).count();
    let differ = count(Agreement::Differs.name());
    write!(f, "; {} of {total} published {what} agree", count(Agreement::Agrees.name()))?;
    if differ > 0 {
        write!(f, ", {differ} differ")?;
    }
    match count(Agreement::CannotTell.name()) {
        0 => Ok(()),
        few => write!(f, ", {few} cannot tell: too few runs"),
    }
}

impl From<&Comparison> for ComparisonView {
    fn from(comparison: &Comparison) -> Self {
        let Comparison { what, ours, seconds, theirs, their_seconds, test } = comparison;
        Self {
            what: what.clone(),
            runs: ours.count,
            mean: ours.mean,
            standard_error: ours.error(),
            least: ours.min,
            longest: ours.max,
            cpu_seconds: rounded(*seconds),
            published: theirs.map(|theirs| theirs.mean),
            published_seconds: *their_seconds,
            p: test.map(|test| test.p),
            verdict: comparison.verdict(),
        }
    }
}

impl From<PaperClaim> for PaperClaimView {
    fn from(claim: PaperClaim) -> Self {
        let verdict = claim.verdict();
        let PaperClaim { what, published, found, .. } = claim;
        Self { what, published, found, verdict }
    }
}

/// To microseconds, as the journal has them.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// The folder of an experiment: `NAME.csv`, `NAME.md` and `NAME.svg`.
#[derive(Debug, Clone)]
pub(crate) struct OutputFolder {
    folder: PathBuf,
    name: &'static str,
}

impl OutputFolder {
    pub(crate) fn new(folder: PathBuf, name: &'static str) -> Self {
        Self { folder, name }
    }

    /// Creates the folder, with those around it.
    pub(crate) fn create(&self) -> Result<(), ExperimentError> {
        Ok(lab::files::create_folder(&self.folder)?)
    }

    pub(crate) fn path(&self, extension: &str) -> PathBuf {
        self.folder.join(format!("{}.{extension}", self.name))
    }

    /// Writes one of the files.
    pub(crate) fn write(&self, extension: &str, text: &str) -> Result<(), ExperimentError> {
        let path = self.path(extension);
        let written = write_atomic(&path, text.as_bytes());
        written.map_err(|error| ExperimentError::File(path, error))
    }

    /// What is shown of the results in these files.
    pub(crate) fn view(&self, details: ViewDetails) -> ResultsView {
        let [csv, markdown, svg] = ["csv", "md", "svg"].map(|it| display(&self.path(it)));
        ResultsView { experiment: self.name, details, csv, markdown, svg }
    }

    /// Writes the page and the chart of a report.
    pub(crate) fn publish(
        &self,
        report: PaperReport,
        results: &[ExperimentResults<'_>],
    ) -> Result<ResultsView, ExperimentError> {
        self.write("md", &report.markdown)?;
        self.write("svg", &report.svg)?;
        let rows = || results.iter().flat_map(|results| results.rows);
        let settings = match results {
            [one] => one.design.settings.iter().cloned().collect(),
            _ => BTreeMap::new(),
        };
        let seconds = |row: &RunResult| row.cpu.as_secs_f64();
        Ok(self.view(ViewDetails::Paper {
            settings,
            runs: rows().count(),
            cpu_seconds: rounded(rows().map(seconds).sum()),
            comparisons: report.comparisons.iter().map(ComparisonView::from).collect(),
            claims: report.claims.into_iter().map(PaperClaimView::from).collect(),
        }))
    }
}

/// A path for people: control characters are escaped.
pub(crate) fn display(path: &Path) -> String {
    let escape =
        |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    path.to_string_lossy().chars().map(escape).collect()
}
