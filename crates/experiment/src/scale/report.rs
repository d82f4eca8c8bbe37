//! The report of simulated clusters.

use std::fmt::Write as _;

use render::chart::{Axis, Chart, Mark, Panel, Series, SeriesStyle};
use render::{Theme, chart::chart};

use super::{ClusterJob, MeasuredSearch, Measurements, ScaleOptions, ScaleRow, SimulatedRun};
use crate::paper::report::{self, table};

/// The report of simulated clusters.
#[derive(Debug, Clone)]
pub(crate) struct ScaleReport {
    /// The page.
    pub markdown: String,
    /// The chart: time against cores.
    pub svg: String,
    /// Every simulated run.
    pub csv: String,
}

/// The report of these rows.
#[must_use]
pub(crate) fn report(
    options: &ScaleOptions,
    measurements: &Measurements,
    rows: &[ScaleRow],
) -> ScaleReport {
    let proofs: Vec<&ScaleRow> =
        rows.iter().filter(|row| matches!(row.job, ClusterJob::Proof { .. })).collect();
    let hunts: Vec<&ScaleRow> =
        rows.iter().filter(|row| matches!(row.job, ClusterJob::Hunt { .. })).collect();
    let markdown = format!(
        "# Scaling to many cores\n\n\
         Simulated from measured times, {} times each with seed {}; every number of a row is the \
         mean. Times on one core and broker rates are those of the machine that measured \
         them.\n\n{}\n{}\n## A proof by boards\n\n{}\n\n{}\n## A hunt\n\n{}\n\n{}\n{}",
        options.repeats,
        options.seed,
        settings(options),
        inputs(measurements),
        proof_words(options, measurements),
        runs_table(&proofs, measurements),
        HUNT_WORDS,
        runs_table(&hunts, measurements),
        rates(options, measurements),
    );
    let panel = |title: &str, rows: &[&ScaleRow]| Panel {
        title: title.to_owned(),
        x: Axis::logarithmic("cores"),
        y: Axis::logarithmic("seconds"),
        series: series(rows, measurements),
    };
    let svg = chart(&Chart {
        title: "Scaling to many cores".to_owned(),
        note: "Time until all results, or the first success, are verified; mean and range of the \
               simulated runs"
            .to_owned(),
        panels: vec![panel("A proof by boards", &proofs), panel("A hunt", &hunts)],
        ordered: false,
        theme: Theme::Light,
    });
    ScaleReport { markdown, svg, csv: csv(rows, measurements) }
}

const HUNT_WORDS: &str = "\
    Independent runs, each as long as those measured, until one reaches the score. A run sampled \
    from the measured ones can be no faster than the fastest of them: beyond some hundred cores \
    only that and the time to assign the first tasks remain. Runs that share their best games are \
    not simulated.";

fn settings(options: &ScaleOptions) -> String {
    let cluster = &options.cluster;
    let rows = [
        ("tasks per second through the broker, both ways", format!("{}", cluster.rate)),
        ("verifiers", cluster.verifiers.to_string()),
        ("verification time of a board", time(options.verify_board)),
        ("verification time of a game", time(options.verify_game)),
        ("mean time to failure of a core", time(cluster.lifetime)),
        ("lease of a task", time(cluster.lease)),
        ("time to replace a failed core", time(cluster.repair)),
        (
            "tasks on slow cores",
            format!("{} %, {} times slower", cluster.slow_share * 100.0, cluster.slow_factor),
        ),
    ];
    let rows: Vec<Vec<String>> =
        rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
    table(&["setting", "value"], &rows)
}

fn inputs(measurements: &Measurements) -> String {
    let (mean, deviation) = measurements.board_spread();
    let mut text = format!(
        "Measured: {} boards, {mean:.2} ± {deviation:.2} s for the linear program of one (mean \
         and standard deviation)",
        measurements.boards.len()
    );
    for search in &measurements.searches {
        let seconds: f64 = search.runs.iter().map(|run| run.seconds).sum();
        let _ = write!(text, "; {} runs of {}, {}", search.runs.len(), search.game, time(seconds));
    }
    text.push_str(".\n");
    text
}

fn proof_words(options: &ScaleOptions, measurements: &Measurements) -> String {
    let (mean, _) = measurements.board_spread();
    let cores = options.cluster.rate * mean;
    let verified = options.cluster.verifiers as f64 / options.verify_board;
    format!(
        "{} boards. {cores:.0} cores saturate the broker if each task is one program; longer \
         tasks, with several boards or a tree of programs per board, allow proportionally more. \
         The verifiers process {verified:.0} boards per second, so they keep up with {:.0} cores, \
         whatever the broker does. The programs of a tree are sampled independently.",
        options.boards,
        verified * mean,
    )
}

fn runs_table(rows: &[&ScaleRow], measurements: &Measurements) -> String {
    let names = [
        "job",
        "cores",
        "time",
        "range",
        "core-hours",
        "useful",
        "re-queued",
        "broker",
        "verifiers",
        "limit",
    ];
    let row = |row: &&ScaleRow| {
        let mean = |value: fn(&SimulatedRun) -> f64| row.mean(value);
        let wall = mean(|run| run.wall);
        let (least, most) = spread(row);
        let hours = wall * row.cores as f64 / 3600.0;
        let useful = mean(|run| run.useful) / (wall * row.cores as f64);
        let (broker, verifiers) = (mean(|run| run.broker), mean(|run| run.verifiers));
        vec![
            row.job.name(measurements),
            grouped(row.cores),
            time(wall),
            format!("{} to {}", time(least), time(most)),
            short(hours),
            percent(useful),
            format!("{:.0}", mean(|run| run.requeued as f64)),
            percent(broker),
            percent(verifiers),
            limit(useful, broker, verifiers).to_owned(),
        ]
    };
    table(&names, &rows.iter().map(row).collect::<Vec<_>>())
}

/// The bottleneck.
fn limit(useful: f64, broker: f64, verifiers: f64) -> &'static str {
    if broker > 0.8 && broker >= verifiers {
        "broker"
    } else if verifiers > 0.8 {
        "verifiers"
    } else if useful > 0.8 {
        "cores"
    } else {
        "the longest tasks"
    }
}

/// How rare scores are.
fn rates(options: &ScaleOptions, measurements: &Measurements) -> String {
    let mut rows = Vec::new();
    for search in &measurements.searches {
        let mut row = |rate: super::ScoreRate, source: String| {
            let hours = 1.0 / rate.per_second / 3600.0;
            rows.push(vec![search.game.clone(), rate.score.to_string(), source, short(hours)]);
        };
        for rate in search.rates() {
            row(rate, format!("{} of {} runs", rate.reached, search.runs.len()));
        }
        if let Some(rate) = options.goal.and_then(|goal| search.extrapolated(goal)) {
            let factor = search.factor().unwrap_or(1.0);
            row(rate, format!("extrapolated, a factor of {factor:.2} per move"));
        }
    }
    format!(
        "\nHow rare scores are. An extrapolated row assumes that every further move is rarer by \
         the same factor as those measured, which is unproven and too optimistic near the limit \
         of a method.\n\n{}",
        table(&["game", "score", "from", "core-hours"], &rows)
    )
}

fn series(rows: &[&ScaleRow], measurements: &Measurements) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    for row in rows {
        let called = row.job.name(measurements);
        let (low, high) = spread(row);
        let wall = row.mean(|run| run.wall);
        let mark = Mark { x: row.cores as f64, y: wall, low, high };
        match series.iter_mut().find(|series| series.name == called) {
            Some(series) => series.points.push(mark),
            None => {
                let hue = series.len();
                series.push(Series {
                    name: called,
                    hue,
                    look: SeriesStyle::Line,
                    points: vec![mark],
                });
            }
        }
    }
    series
}

fn csv(rows: &[ScaleRow], measurements: &Measurements) -> String {
    let mut text = String::from(
        "job,cores,repeat,wall_seconds,useful_seconds,lost_seconds,answered,again,engine,judges\n",
    );
    for row in rows {
        for (repeat, run) in row.runs.iter().enumerate() {
            let SimulatedRun { wall, useful, lost, finished, requeued, broker, verifiers } = run;
            let _ = writeln!(
                text,
                "{},{},{repeat},{wall:.3},{useful:.3},{lost:.3},{finished},{requeued},\
                 {broker:.4},{verifiers:.4}",
                row.job.name(measurements).replace(',', ""),
                row.cores
            );
        }
    }
    text
}

impl ClusterJob {
    /// A short name; it is part of the CSV.
    #[must_use]
    pub(crate) fn name(&self, measurements: &Measurements) -> String {
        match self {
            Self::Proof { programs: 1, bundle: 1 } => "one program each".to_owned(),
            Self::Proof { programs: 1, bundle } => format!("{bundle} boards to a task"),
            Self::Proof { programs, .. } => format!("trees of {} programs", grouped(*programs)),
            Self::Hunt { search, target, extrapolated } => {
                let MeasuredSearch { game, .. } = &measurements.searches[*search];
                let mark = if *extrapolated { " (extrapolated)" } else { "" };
                format!("{game} {target}{mark}")
            }
        }
    }
}

impl ScaleRow {
    /// The mean of a quantity over all simulated runs.
    pub(super) fn mean(&self, value: impl Fn(&SimulatedRun) -> f64) -> f64 {
        self.runs.iter().map(value).sum::<f64>() / self.runs.len().max(1) as f64
    }
}

fn spread(row: &ScaleRow) -> (f64, f64) {
    let walls = || row.runs.iter().map(|run| run.wall);
    (walls().fold(f64::INFINITY, f64::min), walls().fold(0.0, f64::max))
}

/// A time in a suitable unit, up to days.
fn time(seconds: f64) -> String {
    const DAY: f64 = 86_400.0;
    if seconds >= 2.0 * DAY { format!("{:.1} days", seconds / DAY) } else { report::time(seconds) }
}

fn percent(share: f64) -> String {
    match share * 100.0 {
        share if share >= 9.95 => format!("{share:.0} %"),
        share => format!("{share:.1} %"),
    }
}

/// A number with its significant digits.
fn short(value: f64) -> String {
    match value {
        value if value >= 100.0 => grouped(value.round() as u64),
        value if value >= 1.0 => format!("{value:.1}"),
        value => format!("{value:.3}"),
    }
}

/// 1,000,000.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_rounded() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0.0123, 1.25, 1234.5].map(short), ["0.012", "1.2", "1,235"]);
        assert_eq!([0.004, 0.5].map(percent), ["0.4 %", "50 %"]);
    }
}
