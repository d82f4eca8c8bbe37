//! Nested search beside what was published: NMCS (Cazenave 2009) and NRPA (Rosin 2011).

use render::chart::{Axis, Chart, Mark, Panel, Series, SeriesStyle};
use render::{Theme, chart::chart};

use super::{Comparison, ExperimentResults, PaperClaim, PaperReport, markdown, tally};
use crate::design::Cell;
use crate::paper::published::{self, NESTED, NRPA, NrpaResult};
use crate::statistics::{LEVEL, PublishedMean};

/// Cazenave 2009: single games by nested Monte-Carlo search.
pub(crate) fn nmcs(results: ExperimentResults<'_>) -> PaperReport {
    let found = levels(results, published::nested);
    let rows: Vec<Vec<String>> = found.iter().map(|level| row(level, true)).collect();
    let svg = draw("Nested Monte-Carlo search", "NMCS", &found);
    let longest = longest(results);
    let comparisons: Vec<Comparison> = found.into_iter().map(|level| level.found).collect();
    let markdown = format!(
        "# Nested Monte-Carlo search, run again\n\nCazenave (2009). A run plays one game of the \
         highest level: at each step every legal move is followed by a game of the level below, \
         where level 0 is a random game, and the next move of the longest game so far is \
         played.\n\n{}\n{}\n\n{}\n{}\n{}",
        markdown::what_was_run(results),
        tally(&comparisons),
        markdown::table(&[&NAMES[..6], &COMPARED, &NAMES[6..]].concat(), &rows),
        the_test(),
        markdown::again(results, &longest),
    );
    PaperReport { markdown, svg, comparisons, claims: Vec::new() }
}

/// Rosin 2011: single runs of nested rollout policy adaptation.
pub(crate) fn nrpa(results: ExperimentResults<'_>) -> PaperReport {
    let found = levels(results, |_, _| None);
    let rows: Vec<Vec<String>> = found.iter().map(|level| row(level, false)).collect();
    let svg = draw("Nested rollout policy adaptation", "NRPA", &found);
    let longest = longest(results);
    let claims: Vec<PaperClaim> = NRPA.iter().filter_map(|it| claim(it, &found)).collect();
    let comparisons: Vec<Comparison> = found.into_iter().map(|level| level.found).collect();
    let markdown = format!(
        "# Nested rollout policy adaptation, run again\n\nRosin (2011), with his parameters: N = \
         100 iterations of each level, alpha = 1. A run of level L is one call at that level, \
         100^L games. The published values are the longest games of long campaigns; means of \
         single levels were not published.\n\n{}\n{}\n## What was published\n\n{}\nA longest \
         game *agrees* once it is as long as the published one. Until then, runs of lower levels \
         cannot tell.\n\n{}",
        markdown::what_was_run(results),
        markdown::table(&NAMES, &rows),
        markdown::claims(&claims),
        markdown::again(results, &longest),
    );
    PaperReport { markdown, svg, comparisons, claims }
}

/// A published longest game beside ours.
fn claim(published: &NrpaResult, found: &[LevelResult<'_>]) -> Option<PaperClaim> {
    let of_game = found.iter().filter(|level| level.game == published.game);
    let best = of_game.max_by_key(|level| level.found.ours.max)?;
    let ours = best.found.ours;
    Some(PaperClaim {
        what: format!("{}, longest game", published.game),
        published: format!("{}: {}", published.moves, published.how),
        found: format!("{}: level {}, {}", ours.max, best.level, markdown::runs(ours.count)),
        agrees: (ours.max >= published.moves).then_some(true),
    })
}

/// The games of one level.
struct LevelResult<'a> {
    game: &'a str,
    level: u64,
    found: Comparison,
}

/// The results of a design with the columns game and level, beside a published mean.
fn levels<'a>(
    results: ExperimentResults<'a>,
    published: impl Fn(&str, u64) -> Option<f64>,
) -> Vec<LevelResult<'a>> {
    let of_cell = |(number, cell): (usize, &'a Cell)| {
        let game = cell.values[0].as_str();
        let level: u64 = cell.values[1].parse().ok()?;
        let count = results.of(number).count();
        let theirs = published(game, level);
        let theirs = theirs.map(|mean| PublishedMean { mean, count, rounding: 0.05 });
        let found = results.compared(number, format!("{game} level {level}"), theirs)?;
        Some(LevelResult { game, level, found })
    };
    results.design.cells.iter().enumerate().filter_map(of_cell).collect()
}

fn draw(title: &str, name: &str, found: &[LevelResult<'_>]) -> String {
    let panel = |(game, _): (&str, _)| {
        let of_game = || found.iter().filter(move |level| level.game == game);
        let ours = of_game().map(|LevelResult { level, found, .. }| {
            Mark::with_error(*level as f64, found.ours.mean, found.ours.error().unwrap_or(0.0))
        });
        let theirs =
            of_game().filter_map(|it| Some(Mark::new(it.level as f64, it.found.theirs?.mean)));
        let theirs: Vec<Mark> = theirs.collect();
        let mut series = vec![Series {
            name: name.to_owned(),
            hue: 0,
            look: SeriesStyle::Line,
            points: ours.collect(),
        }];
        if !theirs.is_empty() {
            let (name, look) = (format!("{name}, published"), SeriesStyle::Hollow);
            series.push(Series { name, hue: 0, look, points: theirs });
        }
        let (x, y) = (Axis::linear("level"), Axis::linear("moves"));
        Panel { title: game.to_owned(), x, y, series }
    };
    let note = "Mean of single runs with standard error";
    let is_published = found.iter().any(|level| level.found.theirs.is_some());
    chart(&Chart {
        title: title.to_owned(),
        note: match is_published {
            true => format!("{note}; hollow marks: Cazenave 2009"),
            false => note.to_owned(),
        },
        panels: NESTED.map(panel).into(),
        ordered: false,
        theme: Theme::Light,
    })
}

/// The longest run of each game.
fn longest(results: ExperimentResults<'_>) -> Vec<&super::RunResult> {
    let of_game = |(game, _): &(&str, _)| {
        let rows = results.rows.iter().filter(|row| super::table::is_of(results, row, game));
        ExperimentResults::longest(rows)
    };
    NESTED.iter().filter_map(of_game).collect()
}

const NAMES: [&str; 7] = ["game", "level", "ours", "games", "least", "longest", "CPU s"];

/// The columns of a published mean.
const COMPARED: [&str; 4] = ["published", "difference", "p", "verdict"];

fn row(level: &LevelResult<'_>, is_compared: bool) -> Vec<String> {
    let Comparison { ours, theirs, test, .. } = &level.found;
    let or_empty = |text: Option<String>| text.unwrap_or_default();
    let mut row = vec![
        level.game.to_owned(),
        level.level.to_string(),
        markdown::mean(ours),
        ours.count.to_string(),
        ours.min.to_string(),
        ours.max.to_string(),
    ];
    if is_compared {
        row.extend([
            or_empty(theirs.map(|theirs| format!("{:.1}", theirs.mean))),
            or_empty(theirs.map(|theirs| format!("{:+.2}", ours.mean - theirs.mean))),
            or_empty(test.map(|test| markdown::probability(test.p))),
            level.found.verdict().unwrap_or_default().to_owned(),
        ]);
    }
    row.push(markdown::seconds(level.found.seconds));
    row
}

fn the_test() -> String {
    format!(
        "## The test\n\n\
         The number of games behind the published means is unknown. It is assumed to be ours, \
         with the same standard deviation s: then the difference of two means of n games has the \
         standard error s √(2/n). A mean *differs* if the two-sided p-value of Student's t with \
         n − 1 degrees of freedom, for the difference less 0.05 for rounding, is below {LEVEL}; \
         otherwise it *agrees*, or the test *cannot tell*: where n is so small that a difference \
         of s would not be significant. The standard error of our mean follows ±; times are CPU \
         seconds of one thread.\n"
    )
}
