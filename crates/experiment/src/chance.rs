//! The success rate per core-hour for a score, from the searches made so far.
//!
//! The runs are those of files of `experiment anytime`. A score is reached at a constant rate, as
//! by runs that start anew again and again: the number of runs that reached it, divided by the time
//! that all runs spent before. The interval says what so few runs can tell.

use std::fmt::Write as _;
use std::path::Path;

use render::chart::{Axis, Chart, Mark, Panel, Series, SeriesStyle};
use render::{Theme, chart::chart};

use crate::OnEvent;
use crate::error::ExperimentError;
use crate::output::{ChanceView, OutputFolder, ResultsView, ViewDetails};
use crate::paper::report::table;
use crate::request::Request;
use crate::scale::{HuntFile, MeasuredSearch};
use crate::statistics::poisson_interval;

const CONFIDENCE: f64 = 0.95;

/// The runs that come with the program, and the scores of interest.
const RUNS: &str = include_str!("../data/5T-30min.csv");
const SCORES: [u64; 5] = [166, 168, 170, 174, 178];

/// The rate at which a score is reached, per core-hour.
fn chance(search: &MeasuredSearch, score: u64) -> ChanceView {
    let rate = search.rate(score);
    let hours = rate.spent_seconds / 3600.0;
    let (low, high) = poisson_interval(rate.reached, CONFIDENCE);
    ChanceView {
        game: search.game.clone(),
        score,
        runs: search.runs.len(),
        reached: rate.reached,
        core_hours: hours,
        per_core_hour: rate.reached as f64 / hours,
        low: low / hours,
        high: high / hours,
    }
}

/// `experiment chance`.
pub(crate) fn run(request: &Request, _: OnEvent<'_>) -> Result<Vec<ResultsView>, ExperimentError> {
    let read = |path: &Path| {
        let failed = |error| ExperimentError::File(path.to_owned(), error);
        std::fs::read_to_string(path).map_err(failed)
    };
    let mut rows = Vec::new();
    for HuntFile { path, score } in request.all("hunt").unwrap_or_default() {
        let search = MeasuredSearch::read(&read(&path)?, &[]);
        let search = search.map_err(|error| ExperimentError::Measurements(path, error))?;
        rows.push(chance(&search, score));
    }
    if rows.is_empty() {
        let search = MeasuredSearch::read(RUNS, &[]).expect("what comes with the program");
        rows.extend(SCORES.map(|score| chance(&search, score)));
    }
    let folder = OutputFolder::new(request.out(), "chance");
    folder.create()?;
    folder.write("csv", &csv(&rows))?;
    folder.write("md", &markdown(&rows))?;
    folder.write("svg", &svg(&rows))?;
    Ok(vec![folder.view(ViewDetails::Chance { rows })])
}

fn csv(rows: &[ChanceView]) -> String {
    let mut text = String::from("game,score,runs,reached,core_hours,per_core_hour,low95,high95\n");
    for row in rows {
        let ChanceView { game, score, runs, reached, core_hours, per_core_hour, low, high } = row;
        let _ = writeln!(
            text,
            "{game},{score},{runs},{reached},{core_hours:.4},{per_core_hour:.6},{low:.6},{high:.6}"
        );
    }
    text
}

fn markdown(rows: &[ChanceView]) -> String {
    let row = |row: &ChanceView| {
        // One success in so many core-hours.
        let hours = |rate: f64| match rate {
            rate if rate > 0.0 => format!("{:.1}", 1.0 / rate),
            _ => "?".to_owned(),
        };
        vec![
            row.game.clone(),
            row.score.to_string(),
            format!("{} of {}", row.reached, row.runs),
            format!("{:.2}", row.core_hours),
            format!("{:.3}", row.per_core_hour),
            format!("{:.3} to {:.3}", row.low, row.high),
            hours(row.per_core_hour),
            format!("{} to {}", hours(row.high), hours(row.low)),
        ]
    };
    let names = [
        "game",
        "score",
        "reached by",
        "core-hours spent",
        "per core-hour",
        "95 % interval",
        "core-hours each",
        "95 % interval",
    ];
    format!(
        "# Success rate per core-hour\n\n\
         Runs of `morpion experiment anytime`. Rate: runs that reached the score, divided by the \
         time that all runs spent before; exact Poisson intervals. A score that none has reached \
         has only an upper bound. A rate is constant only for searches that start anew; that of a \
         high score within one long run rises at first.\n\n{}",
        table(&names, &rows.iter().map(row).collect::<Vec<_>>())
    )
}

fn svg(rows: &[ChanceView]) -> String {
    let mut series: Vec<Series> = Vec::new();
    for row in rows.iter().filter(|row| row.reached > 0) {
        let mark = Mark { x: row.score as f64, y: row.per_core_hour, low: row.low, high: row.high };
        match series.iter_mut().find(|series| series.name == row.game) {
            Some(series) => series.points.push(mark),
            None => series.push(Series {
                name: row.game.clone(),
                hue: series.len(),
                look: SeriesStyle::Line,
                points: vec![mark],
            }),
        }
    }
    chart(&Chart {
        title: "Success rate per core-hour".to_owned(),
        note: "How often a score is reached, with 95 % intervals".to_owned(),
        panels: vec![Panel {
            title: "Successes per core-hour".to_owned(),
            x: Axis::linear("score"),
            y: Axis::logarithmic("per core-hour"),
            series,
        }],
        ordered: false,
        theme: Theme::Light,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chance_counts_the_time_of_failed_runs_and_bounds_what_none_reached() {
        let text = "game,cpu_seconds,improvements\n\
                    5T,3600,10:160 1800:168\n5T,1800,10:161\n5T,1800,10:162\n";
        let search = MeasuredSearch::read(text, &[]).expect("measured");
        let reached = chance(&search, 168);
        assert_eq!((reached.runs, reached.reached), (3, 1));
        assert!((reached.core_hours - 1.5).abs() < 1e-9);
        assert!((reached.per_core_hour - 1.0 / 1.5).abs() < 1e-9);
        assert!((reached.low - 0.0253 / 1.5).abs() < 1e-4);
        let unreached = chance(&search, 169);
        assert_eq!((unreached.reached, unreached.per_core_hour, unreached.low), (0, 0.0, 0.0));
        assert!((unreached.high - 3.689 / 2.0).abs() < 1e-3);
        let rows = [reached, unreached];
        assert!(markdown(&rows).contains("| 5T | 168 | 1 of 3 |"), "{}", markdown(&rows));
        assert!(markdown(&rows).contains("0.5 to ?"), "no run has reached it");
        assert_eq!(csv(&rows).lines().count(), 3);
        assert!(svg(&rows).contains("Success rate per core-hour"));
    }
}
