//! Score against CPU time, for any methods and games.

use std::collections::BTreeMap;
use std::time::Duration;

use render::chart::{Axis, Chart, Mark, Panel, Series, SeriesStyle};
use render::{Theme, chart::chart};
use search::MethodBuild;

use super::{ExperimentResults, PaperReport, RunResult, markdown};
use crate::design::{Cell, RunLength};
use crate::paper::choice::ScoreTargets;
use crate::statistics::{ScoreSummary, half_width, mean};

/// The confidence level of the bands.
const CONFIDENCE: f64 = 0.95;

/// The best score of a run after some CPU time.
fn score_at(row: &RunResult, time: Duration) -> u64 {
    row.improvements.iter().take_while(|step| step.at <= time).last().map_or(0, |step| step.score)
}

/// Moments from a thousandth of the whole time on, `each` per decade.
fn moments(whole: Duration, each: i32) -> Vec<Duration> {
    let moment = |n: i32| whole.mul_f64(10f64.powf(-f64::from(n) / f64::from(each)));
    (0..=3 * each).rev().map(moment).filter(|time| *time >= Duration::from_millis(10)).collect()
}

/// Score against time.
pub(crate) fn anytime(results: ExperimentResults<'_>, targets: &ScoreTargets) -> PaperReport {
    let (mut comparisons, mut panels, mut tables, mut longest) = (vec![], vec![], vec![], vec![]);
    let mut games: Vec<&str> = Vec::new();
    for cell in &results.design.cells {
        if !games.contains(&cell.values[0].as_str()) {
            games.push(&cell.values[0]);
        }
    }
    for game in games {
        let target = targets.get(game);
        let (mut rows, mut waits, mut series) = (Vec::new(), Vec::new(), Vec::new());
        let cells =
            results.design.cells.iter().enumerate().filter(|(_, cell)| cell.values[0] == game);
        for (hue, (number, cell)) in cells.enumerate() {
            let Some(whole) = cell.length.time() else { continue };
            let method = &cell.values[1];
            let at = |time| ScoreSummary::new(results.of(number).map(|row| score_at(row, time)));
            for time in moments(whole, 4) {
                let Some(summary) = at(time) else { continue };
                rows.push(moment_row(results, number, method, (time, summary), target));
            }
            if let Some(target) = target {
                waits.push(wait_row(results, number, method, target));
            }
            let mark = |time: Duration| {
                let summary = at(time)?;
                let half = summary.half_width(CONFIDENCE).unwrap_or(0.0);
                Some(Mark::with_error(time.as_secs_f64(), summary.mean, half))
            };
            let points = moments(whole, 12).into_iter().filter_map(mark).collect();
            series.push(Series { name: method.clone(), hue, look: SeriesStyle::Band, points });
            comparisons.extend(results.compared(number, format!("{game} {method}"), None));
            if !matches!(cell.method.info().build, MethodBuild::External) {
                longest.extend(ExperimentResults::longest(results.of(number)));
            }
        }
        let ends = end_rows(results, game);
        tables.push(tables_of_game(game, target, &rows, &waits, &ends));
        panels.push(Panel {
            title: game.to_owned(),
            x: Axis::logarithmic("CPU seconds"),
            y: Axis::linear("moves"),
            series,
        });
    }
    let svg = chart(&Chart {
        title: "Score against CPU time".to_owned(),
        note: "Mean of the best scores so far, with the 95 % band of the mean".to_owned(),
        panels,
        ordered: false,
        theme: Theme::Light,
    });
    let stops = |cell: &Cell| matches!(cell.length, RunLength::Until(..));
    let stop = if results.design.cells.iter().any(stops) {
        ", or until it reaches the target, which cuts the means at the target"
    } else {
        ""
    };
    let markdown = format!(
        "# Score against CPU time\n\n\
         Each run is one thread for the same CPU time{stop}; the tables have the best score so \
         far, over {} seeds. The band is the confidence interval of the mean at the level \
         {CONFIDENCE} (Student's t). Scores depend on the speed of the machine, so methods can be \
         compared only within one such experiment. Where two bands do not overlap, the means \
         differ significantly.\n\n{}\n{}\n{}",
        results.design.repeats,
        markdown::what_was_run(results),
        tables.join("\n"),
        markdown::again(results, &longest),
    );
    PaperReport { markdown, svg, comparisons, claims: Vec::new() }
}

/// The tables of a game: the scores over time, the times until the target, the scores at the end.
fn tables_of_game(
    game: &str,
    target: Option<u64>,
    rows: &[Vec<String>],
    waits: &[Vec<String>],
    ends: &[Vec<String>],
) -> String {
    let mut names = vec!["method", "CPU time", "mean", "95 % band", "least", "longest"];
    let share = target.map(|target| format!("share of {target}"));
    names.extend(share.as_deref());
    let mut tables = format!("## {game}\n\n{}", markdown::table(&names, rows));
    if let Some(target) = target {
        let title = format!("CPU seconds until {target}, in the order of the runs");
        let names = ["method", "reached", "median", &title];
        tables.push_str(&format!("\n{}", markdown::table(&names, waits)));
    }
    if ends.len() > 1 {
        let names = ["method", "least", "25 %", "median", "75 %", "longest", "difference"];
        tables.push_str(&format!(
            "\nThe scores at the end, and by how much the runs of a method are longer than those \
             of the first with the same numbers: the mean, with its 95 % interval.\n\n{}",
            markdown::table(&names, ends)
        ));
    }
    tables
}

fn moment_row(
    results: ExperimentResults<'_>,
    cell: usize,
    method: &str,
    (time, summary): (Duration, ScoreSummary),
    target: Option<u64>,
) -> Vec<String> {
    let band = summary.half_width(CONFIDENCE).map_or_else(String::new, |half| {
        format!("{:.1} to {:.1}", summary.mean - half, summary.mean + half)
    });
    let mut row = vec![
        method.to_owned(),
        format!("{} s", markdown::seconds(time.as_secs_f64())),
        markdown::mean(&summary),
        band,
        summary.min.to_string(),
        summary.max.to_string(),
    ];
    if let Some(target) = target {
        let reached = results.of(cell).filter(|row| score_at(row, time) >= target).count();
        row.push(format!("{reached} of {}", summary.count));
    }
    row
}

/// The quantiles of the last scores of each method, and the paired differences to the first.
fn end_rows(results: ExperimentResults<'_>, game: &str) -> Vec<Vec<String>> {
    let cells = results.design.cells.iter().enumerate();
    let mut first: Option<BTreeMap<u32, u64>> = None;
    let mut rows = Vec::new();
    for (number, cell) in cells.filter(|(_, cell)| cell.values[0] == game) {
        let ends: BTreeMap<u32, u64> =
            results.of(number).map(|row| (row.run.repeat, row.score)).collect();
        let mut sorted: Vec<u64> = ends.values().copied().collect();
        sorted.sort_unstable();
        if sorted.is_empty() {
            continue;
        }
        let mut row = vec![cell.values[1].clone()];
        row.extend([0, 1, 2, 3, 4].map(|quarter| quantile(&sorted, quarter).to_string()));
        row.push(first.as_ref().map_or_else(String::new, |first| difference(&ends, first)));
        rows.push(row);
        first.get_or_insert(ends);
    }
    rows
}

/// The score below or at which so many quarters of the runs are.
fn quantile(sorted: &[u64], quarters: usize) -> u64 {
    sorted[(quarters * (sorted.len() - 1)).div_ceil(4)]
}

/// The mean difference of the runs that both have, with its confidence interval.
fn difference(ours: &BTreeMap<u32, u64>, others: &BTreeMap<u32, u64>) -> String {
    let both = ours.iter().filter_map(|(run, &own)| Some((own, *others.get(run)?)));
    let differences: Vec<f64> = both.map(|(own, other)| own as f64 - other as f64).collect();
    let Some(mean) = mean(&differences) else { return String::new() };
    match half_width(&differences, CONFIDENCE) {
        Some(half) => format!("{mean:+.2} ({:+.2} to {:+.2})", mean - half, mean + half),
        None => format!("{mean:+.2}"),
    }
}

/// The time that each run took to reach a score.
fn wait_row(results: ExperimentResults<'_>, cell: usize, method: &str, target: u64) -> Vec<String> {
    let wait = |row: &RunResult| {
        let step = row.improvements.iter().find(|step| step.score >= target);
        step.map(|step| step.at.as_secs_f64())
    };
    let waits: Vec<Option<f64>> = results.of(cell).map(wait).collect();
    let times: Vec<String> =
        waits.iter().map(|wait| wait.map_or_else(|| "-".to_owned(), markdown::seconds)).collect();
    let mut sorted: Vec<f64> = waits.iter().map(|wait| wait.unwrap_or(f64::INFINITY)).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let middle = sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(f64::INFINITY);
    let median = if middle.is_finite() { markdown::seconds(middle) } else { "-".to_owned() };
    let reached = waits.iter().flatten().count();
    vec![method.to_owned(), format!("{reached} of {}", waits.len()), median, times.join(", ")]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::RunIndex;
    use crate::journal::Improvement;

    #[test]
    fn the_score_at_a_moment_is_the_last_before_it() {
        let at = |millis, score| Improvement { at: Duration::from_millis(millis), score };
        let row = RunResult {
            run: RunIndex { cell: 0, repeat: 0 },
            seed: 0,
            score: 60,
            playouts: 1,
            cpu: Duration::from_secs(1),
            improvements: vec![at(10, 50), at(20, 55), at(300, 60)],
        };
        let score = |millis| score_at(&row, Duration::from_millis(millis));
        assert_eq!([5, 10, 19, 20, 299, 300, 9999].map(score), [0, 50, 50, 55, 55, 60, 60]);
    }

    #[test]
    fn differences_are_those_of_runs_with_the_same_number() {
        let runs = |scores: &[(u32, u64)]| scores.iter().copied().collect::<BTreeMap<_, _>>();
        let first = runs(&[(0, 150), (1, 160), (2, 155)]);
        // 2, 3, 4 longer: the mean is 3, its standard error 1 / sqrt(3), t is 4.303.
        let better = runs(&[(0, 152), (1, 163), (2, 159), (3, 900)]);
        assert_eq!(difference(&better, &first), "+3.00 (+0.52 to +5.48)");
        assert_eq!(difference(&first, &better), "-3.00 (-5.48 to -0.52)");
        assert_eq!(difference(&runs(&[(1, 161)]), &first), "+1.00");
        assert_eq!(difference(&runs(&[(9, 161)]), &first), "");
    }

    #[test]
    fn quantiles_are_scores() {
        let scores = [150, 152, 155, 160, 169];
        assert_eq!([0, 1, 2, 3, 4].map(|quarters| quantile(&scores, quarters)), scores);
        assert_eq!(quantile(&[7], 3), 7);
    }

    #[test]
    fn moments_have_equal_ratios_and_end_with_the_whole_time() {
        let moments = moments(Duration::from_secs(100), 4);
        assert_eq!(moments.len(), 13);
        assert_eq!(moments.last(), Some(&Duration::from_secs(100)));
        assert!((moments[0].as_secs_f64() - 0.1).abs() < 1e-9);
        assert_eq!(super::moments(Duration::from_secs(1), 4).len(), 9);
    }
}
