//! Published means of nested Monte-Carlo search and ours.

use render::chart::{Axis, Chart, Mark, Panel, Series, SeriesStyle};
use render::{Theme, chart::chart};

use super::{Comparison, ExperimentResults, PaperReport, markdown, tally};
use crate::paper::published::{self, NESTED};
use crate::statistics::{LEVEL, PublishedMean};

/// Cazenave 2009: single games by nested Monte-Carlo search.
pub fn nmcs(results: ExperimentResults<'_>) -> PaperReport {
    let (mut levels, mut comparisons, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    for (number, cell) in results.design.cells.iter().enumerate() {
        let [game, level] = [0, 1].map(|column| cell.values[column].as_str());
        let level_number: u64 = level.parse().unwrap_or(0);
        let count = results.of(number).count();
        let theirs = published::nested(game, level_number);
        let theirs = theirs.map(|mean| PublishedMean { mean, count, rounding: 0.05 });
        let Some(found) = results.compared(number, format!("{game} level {level}"), theirs) else {
            continue;
        };
        rows.push(row(&[game, level], &found));
        levels.push((game, level_number));
        comparisons.push(found);
    }
    let panel = |(game, _): (&str, _)| {
        let of_game = || levels.iter().zip(&comparisons).filter(move |(key, _)| key.0 == game);
        let ours = of_game().map(|(key, found)| {
            Mark::with_error(key.1 as f64, found.ours.mean, found.ours.error().unwrap_or(0.0))
        });
        let theirs =
            of_game().filter_map(|(key, found)| Some(Mark::new(key.1 as f64, found.theirs?.mean)));
        let series =
            |name: &str, look, points| Series { name: name.to_owned(), hue: 0, look, points };
        Panel {
            title: game.to_owned(),
            x: Axis::linear("level"),
            y: Axis::linear("moves"),
            series: vec![
                series("NMCS", SeriesStyle::Line, ours.collect()),
                series("NMCS, published", SeriesStyle::Hollow, theirs.collect()),
            ],
        }
    };
    let svg = chart(&Chart {
        title: "Nested Monte-Carlo search".to_owned(),
        note: "Mean of single games with standard error; hollow marks: Cazenave 2009".to_owned(),
        panels: NESTED.map(panel).into(),
        ordered: false,
        theme: Theme::Light,
    });
    let longest: Vec<_> = NESTED
        .iter()
        .filter_map(|(game, _)| {
            let of_game = |row: &&_| super::table::is_of(results, row, game);
            ExperimentResults::longest(results.rows.iter().filter(of_game))
        })
        .collect();
    let markdown = format!(
        "# Nested Monte-Carlo search, run again\n\nCazenave (2009). A run plays one game of the \
         highest level: at each step every legal move is followed by a game of the level below, \
         where level 0 is a random game, and the next move of the longest game so far is \
         played.\n\n{}\n{}\n\n{}\n{}\n{}",
        markdown::what_was_run(results),
        tally(&comparisons),
        markdown::table(&NAMES, &rows),
        the_test(),
        markdown::again(results, &longest),
    );
    PaperReport { markdown, svg, comparisons, claims: Vec::new() }
}

const NAMES: [&str; 11] = [
    "game",
    "level",
    "ours",
    "games",
    "least",
    "longest",
    "published",
    "difference",
    "p",
    "verdict",
    "CPU s",
];

fn row(keys: &[&str], found: &Comparison) -> Vec<String> {
    let Comparison { ours, theirs, test, .. } = found;
    let or_empty = |text: Option<String>| text.unwrap_or_default();
    let mut row: Vec<String> = keys.iter().map(|&key| key.to_owned()).collect();
    row.extend([
        markdown::mean(ours),
        ours.count.to_string(),
        ours.min.to_string(),
        ours.max.to_string(),
        or_empty(theirs.map(|theirs| format!("{:.1}", theirs.mean))),
        or_empty(theirs.map(|theirs| format!("{:+.2}", ours.mean - theirs.mean))),
        or_empty(test.map(|test| markdown::probability(test.p))),
        found.verdict().unwrap_or_default().to_owned(),
        markdown::seconds(found.seconds),
    ]);
    row
}

fn the_test() -> String {
    format!(
        "## The test\n\n\
         The number of games behind the published means is unknown. It is assumed to be ours, \
         with the same standard deviation s: then the difference of two means of n games has the \
         standard error s √(2/n). A mean *differs* if the two-sided p-value of Student's t with \
         n − 1 degrees of freedom, for the difference less 0.05 for rounding, is below {LEVEL}; \
         otherwise it *agrees*. The standard error of our mean follows ±; times are CPU seconds \
         of one thread.\n"
    )
}
