//! The long annealings and what the paper reports of them.

use std::time::Duration;

use render::chart::{Axis, Chart, Mark, Panel, Series, SeriesStyle};
use render::{Theme, chart::chart};

use super::{Comparison, ExperimentResults, PaperClaim, PaperReport, RunResult, markdown};
use crate::journal::Improvement;
use crate::paper::published;

/// The two long annealings of section 3.2 whose parameters are known.
pub(crate) fn long(results: ExperimentResults<'_>) -> PaperReport {
    let (mut claims, mut comparisons, mut panels, mut longest) = (vec![], vec![], vec![], vec![]);
    for (number, cell) in results.design.cells.iter().enumerate() {
        let Some(paper) = published::LONG.iter().find(|long| long.game == cell.values[0]) else {
            continue;
        };
        let Some(ours) = results.summary(number) else { continue };
        let whole = cell.values[1] == paper.steps.to_string();
        let seconds = results.seconds(number);
        claims.push(PaperClaim {
            what: format!(
                "{}, t0 {}, t1 {}, α {}, r {}",
                paper.game, paper.t0, paper.t1, paper.cooling, cell.values[1]
            ),
            published: format!(
                "{} moves in roughly {}",
                paper.score,
                markdown::time(paper.seconds)
            ),
            found: format!(
                "{} moves at best, mean {}, {} of {}",
                ours.max,
                markdown::mean(&ours),
                markdown::runs(ours.count),
                markdown::time(seconds)
            ),
            agrees: whole.then_some(ours.max >= paper.score),
        });
        let what = format!("{} {}", paper.game, cell.values[1]);
        let compared = results.compared(number, what, None);
        let their_seconds = Some(paper.seconds);
        comparisons.extend(compared.map(|ours| Comparison { their_seconds, ..ours }));
        let mut series: Vec<Series> = results.of(number).map(stairs).collect();
        let points = vec![Mark::new(paper.seconds, paper.score as f64)];
        series.push(Series {
            name: "published".to_owned(),
            hue: 1,
            look: SeriesStyle::Hollow,
            points,
        });
        panels.push(Panel {
            title: paper.game.to_owned(),
            x: Axis::logarithmic("CPU seconds"),
            y: Axis::linear("moves"),
            series,
        });
        longest.extend(ExperimentResults::longest(results.of(number)));
    }
    let svg = chart(&Chart {
        title: "Long annealings".to_owned(),
        note: "Best game so far of each run; hollow marks: Hyyrö and Poranen 2007, on an Athlon64"
            .to_owned(),
        panels,
        ordered: false,
        theme: Theme::Light,
    });
    let markdown = format!(
        "# Long annealings, run again\n\n\
         Hyyrö and Poranen (2007), section 3.2, report three long runs. The parameters of the \
         third, which found 79 moves in 5D, were lost, so it cannot be repeated. A single run \
         says little: the verdict is whether the published score was reached, and there is none \
         if the run was shortened.\n\n{}\n{}\n{}",
        markdown::what_was_run(results),
        markdown::claims(&claims),
        markdown::again(results, &longest),
    );
    PaperReport { markdown, svg, comparisons, claims }
}

/// The best score of a run over time, from a hundredth of a second on.
fn stairs(row: &RunResult) -> Series {
    let early = row.improvements.iter().take_while(|step| step.at <= FIRST).last();
    let late = row.improvements.iter().filter(|step| step.at > FIRST);
    let mark = |step: &Improvement| Mark::new(step.at.max(FIRST).as_secs_f64(), step.score as f64);
    let mut points: Vec<Mark> = early.into_iter().chain(late).map(mark).collect();
    points.push(Mark::new(row.cpu.max(FIRST).as_secs_f64(), row.score as f64));
    Series { name: "ours".to_owned(), hue: 0, look: SeriesStyle::Stairs, points }
}

const FIRST: Duration = Duration::from_millis(10);
