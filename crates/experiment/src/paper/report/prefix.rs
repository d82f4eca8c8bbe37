//! Annealing from the first moves of a game: how often it reaches the full length.

use render::chart::{Axis, Chart, Mark, Panel, Series, SeriesStyle};
use render::{Theme, chart::chart};

use super::{ExperimentResults, PaperClaim, PaperReport, markdown, verdict};
use crate::paper::published::{FOUND_AGAIN, LOST, RECORD};

/// Section 3.3, from the first moves of a game of `moves` moves.
pub(crate) fn prefix(results: ExperimentResults<'_>, moves: usize) -> PaperReport {
    let game = results.design.cells.first().map_or("", |cell| cell.values[0].as_str());
    // The paper does not identify its game; any 5T game of its length is compared.
    let comparable = game == "5T" && moves == RECORD;
    let (mut claims, mut comparisons, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    let mut curves = PrefixCurves::default();
    for (number, cell) in results.design.cells.iter().enumerate() {
        let Some(ours) = results.summary(number) else { continue };
        let keep = cell.from.len();
        let reached = results.of(number).filter(|row| row.score >= moves as u64).count();
        let share = reached as f64 / ours.count as f64;
        let (published, agrees) = match keep {
            _ if !comparable => ("", None),
            keep if keep >= FOUND_AGAIN => ("found consistently", Some(reached == ours.count)),
            keep if keep <= LOST => ("not found consistently", Some(reached < ours.count)),
            _ => ("", None),
        };
        let found = format!("{reached} of {}", ours.count);
        if !published.is_empty() {
            claims.push(PaperClaim {
                what: format!("first {keep} moves kept"),
                published: published.to_owned(),
                found: found.clone(),
                agrees,
            });
        }
        rows.push(vec![
            keep.to_string(),
            found,
            format!("{:.0} %", 100.0 * share),
            markdown::mean(&ours),
            ours.min.to_string(),
            ours.max.to_string(),
            markdown::seconds(results.seconds(number)),
            published.to_owned(),
            agrees.map_or("", verdict).to_owned(),
        ]);
        let x = keep as f64;
        curves.shares.push(Mark::new(x, 100.0 * share));
        curves.means.push(Mark::with_error(x, ours.mean, ours.error().unwrap_or(0.0)));
        curves.bests.push(Mark::new(x, ours.max as f64));
        comparisons.extend(results.compared(number, format!("{game} first {keep}"), None));
    }
    let names = [
        "moves kept",
        "full length found",
        "share",
        "mean",
        "least",
        "longest",
        "CPU s",
        "the paper",
        "verdict",
    ];
    let aside = if comparable {
        "The game has the length of the paper's, so its statements can be compared: *consistently* \
         is taken to mean in every run."
    } else {
        "This is not a 5T game of 170 moves, so nothing is compared."
    };
    let longest: Vec<_> = ExperimentResults::longest(results.rows.iter()).into_iter().collect();
    let markdown = format!(
        "# Annealing from the first moves of a game\n\n\
         Hyyrö and Poranen (2007), section 3.3, ran annealing from the first c moves of the 5T \
         record of their time, 170 moves. With c around {FOUND_AGAIN} or higher it found the full \
         length consistently; at c around {LOST} or lower it no longer did. The number of steps \
         and the temperature are not given. Here the game is {game} of {moves} moves. \
         {aside}\n\n{}\n{}\n{}",
        markdown::what_was_run(results),
        markdown::table(&names, &rows),
        markdown::again(results, &longest),
    );
    PaperReport { markdown, svg: curves.chart(game, moves), comparisons, claims }
}

/// What the runs came to, by the number of moves kept.
#[derive(Default)]
struct PrefixCurves {
    /// The share of the runs that found the full length, in per cent.
    shares: Vec<Mark>,
    /// The means, with their errors.
    means: Vec<Mark>,
    /// The longest games.
    bests: Vec<Mark>,
}

impl PrefixCurves {
    fn chart(self, game: &str, moves: usize) -> String {
        let Self { shares, means, bests } = self;
        let mark = |x: Option<&Mark>| x.map(|mark| Mark::new(mark.x, moves as f64));
        let level: Vec<Mark> =
            [mark(means.first()), mark(means.last())].into_iter().flatten().collect();
        let series =
            |name: &str, hue, look, points| Series { name: name.to_owned(), hue, look, points };
        let x = || Axis::linear("moves kept");
        let panel = |title: &str, y, series| Panel { title: title.to_owned(), x: x(), y, series };
        chart(&Chart {
            title: format!("Annealing from the first moves of a {game} game of {moves} moves"),
            note: "Single runs; means with standard error".to_owned(),
            panels: vec![
                panel(
                    "How often the full length was found",
                    Axis::linear("per cent of runs").including(&[0.0, 100.0]),
                    vec![series("share of runs", 0, SeriesStyle::Line, shares)],
                ),
                panel(
                    "How long the games became",
                    Axis::linear("moves"),
                    vec![
                        series("the game itself", 6, SeriesStyle::Stairs, level),
                        series("longest", 1, SeriesStyle::Marks, bests),
                        series("mean", 2, SeriesStyle::Line, means),
                    ],
                ),
            ],
            ordered: false,
            theme: Theme::Light,
        })
    }
}
