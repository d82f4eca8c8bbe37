//! Tables 1 and 2 and our means.

use render::chart::{Axis, Chart, Mark, Panel, Series, SeriesStyle};
use render::{Theme, chart::chart};

use super::{Comparison, ExperimentResults, PaperReport, markdown, tally};
use crate::paper::published;

/// Table 1: random sampling.
pub(crate) fn table1(results: ExperimentResults<'_>) -> PaperReport {
    let key = |values: &[String]| {
        let samples: u64 = values[2].parse().unwrap_or(0);
        let printed = published::table1(&values[0], &values[1], samples);
        Key { game: values[0].clone(), series: values[1].clone(), size: samples, printed }
    };
    let words = Words {
        title: "Table 1: random sampling",
        intro: "Hyyrö and Poranen (2007), Table 1. A run plays one game: RS1 plays the move with \
                the best average of s random endgames after it, RS2 the first move of the longest \
                of s random endgames. The score is the longest game seen, samples included.",
        keys: &["game", "method", "s"],
        across: "samples s",
        note: "Mean of single runs with standard error; hollow marks: Hyyrö and Poranen 2007",
    };
    table(results, &words, key)
}

/// Two readings of RS1, and Table 1.
pub(crate) fn readings(results: ExperimentResults<'_>) -> PaperReport {
    let key = |values: &[String]| {
        let samples: u64 = values[2].parse().unwrap_or(0);
        let printed = published::table1(&values[0], "rs1", samples);
        Key { game: values[0].clone(), series: values[1].clone(), size: samples, printed }
    };
    let words = Words {
        title: "Two readings of RS1",
        intro: "Hyyrö and Poranen (2007), Table 1, RS1 only. By the text and Algorithm 2.1 the \
                move with the best average of s random endgames after it is played: `rs1`. \
                `rs1max` plays the move with the longest of them.",
        keys: &["game", "method", "s"],
        across: "samples s",
        note: "Mean of single runs with standard error; hollow marks: RS1, Hyyrö and Poranen 2007",
    };
    table(results, &words, key)
}

/// Table 2: simulated annealing.
pub(crate) fn table2(results: ExperimentResults<'_>) -> PaperReport {
    let key = |values: &[String]| {
        let steps: u64 = values[2].parse().unwrap_or(0);
        let printed = published::table2(&values[0], steps);
        Key { game: values[0].clone(), series: values[1].clone(), size: steps, printed }
    };
    let words = Words {
        title: "Table 2: simulated annealing",
        intro: "Hyyrö and Poranen (2007), Table 2. A run is r steps at one temperature; the score \
                is the longest game seen. The paper chose the temperatures with the highest means \
                of fifty, from the very runs it prints, so its means tend to be slightly too \
                high; ours are new runs at these temperatures.",
        keys: &["game", "temperature", "r"],
        across: "steps r",
        note: "Mean of single runs with standard error; hollow marks: Hyyrö and Poranen 2007",
    };
    table(results, &words, key)
}

struct Words {
    title: &'static str,
    intro: &'static str,
    keys: &'static [&'static str],
    across: &'static str,
    note: &'static str,
}

/// The cell of a table.
struct Key {
    game: String,
    /// The method, or the temperature.
    series: String,
    size: u64,
    printed: Option<published::PrintedMean>,
}

fn table(
    results: ExperimentResults<'_>,
    words: &Words,
    key: impl Fn(&[String]) -> Key,
) -> PaperReport {
    let mut found: Vec<(Key, Comparison)> = Vec::new();
    for (number, cell) in results.design.cells.iter().enumerate() {
        let key = key(&cell.values);
        let what = format!("{} {} {}", key.game, key.series, markdown::size(key.size));
        if let Some(comparison) = results.comparison(number, what, key.printed) {
            found.push((key, comparison));
        }
    }
    let rows: Vec<(Vec<String>, &Comparison)> = found
        .iter()
        .map(|(key, comparison)| {
            let size = markdown::size(key.size);
            (vec![key.game.clone(), key.series.clone(), size], comparison)
        })
        .collect();
    let table = markdown::comparisons(words.keys, &rows);
    let panels = published::GAMES.map(|game| panel(game, words, &found));
    let svg = chart(&Chart {
        title: words.title.to_owned(),
        note: words.note.to_owned(),
        panels: panels.into_iter().filter(|panel| !panel.series.is_empty()).collect(),
        ordered: false,
        theme: Theme::Light,
    });
    let longest: Vec<_> = published::GAMES
        .iter()
        .filter_map(|game| {
            let of_game = |row: &&_| is_of(results, row, game);
            ExperimentResults::longest(results.rows.iter().filter(of_game))
        })
        .collect();
    let comparisons: Vec<Comparison> =
        found.into_iter().map(|(_, comparison)| comparison).collect();
    let markdown = format!(
        "# {}, run again\n\n{}\n\n{}\n{}\n\n{table}\n{}\n{}",
        words.title,
        words.intro,
        markdown::what_was_run(results),
        tally(&comparisons),
        markdown::the_test(),
        markdown::again(results, &longest),
    );
    PaperReport { markdown, svg, comparisons, claims: Vec::new() }
}

pub(super) fn is_of(results: ExperimentResults<'_>, row: &super::RunResult, game: &str) -> bool {
    results.design.cells[row.run.cell].values[0] == game
}

fn panel(game: &str, words: &Words, found: &[(Key, Comparison)]) -> Panel {
    let of_game = || found.iter().filter(|(key, _)| key.game == game);
    let mut names: Vec<&str> = of_game().map(|(key, _)| key.series.as_str()).collect();
    names.dedup();
    let mut series = Vec::new();
    for (hue, name) in names.iter().enumerate() {
        let cells = || of_game().filter(|(key, _)| key.series == *name);
        // Temperatures differ between games, so the titles have them.
        let label = if words.keys[1] == "method" { name.to_uppercase() } else { "SA".to_owned() };
        let theirs: Vec<Mark> = cells()
            .filter_map(|(key, _)| Some(Mark::new(key.size as f64, key.printed?.mean)))
            .collect();
        let ours = cells().map(|(key, comparison)| {
            let error = comparison.ours.error().unwrap_or(0.0);
            Mark::with_error(key.size as f64, comparison.ours.mean, error)
        });
        let points = ours.collect();
        series.push(Series { name: label.clone(), hue, look: SeriesStyle::Line, points });
        if !theirs.is_empty() {
            let name = format!("{label}, published");
            series.push(Series { name, hue, look: SeriesStyle::Hollow, points: theirs });
        }
    }
    let title = match names.first() {
        Some(temperature) if words.keys[1] == "temperature" => format!("{game}, t = {temperature}"),
        _ => game.to_owned(),
    };
    Panel { title, x: Axis::logarithmic(words.across), y: Axis::linear("moves"), series }
}
