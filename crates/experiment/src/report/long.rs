//! The long annealings beside what the paper tells of them.

use std::time::Duration;

use render::chart::{Axis, Chart, Look, Mark, Panel, Series};
use render::{Theme, chart::chart};

use super::{Claim, Comparison, Report, Results, Row, markdown};
use crate::journal::Improvement;
use crate::paper;

/// The two long annealings of section 3.2 whose parameters are known.
pub fn long(results: Results<'_>) -> Report {
    let (mut claims, mut comparisons, mut panels, mut longest) = (vec![], vec![], vec![], vec![]);
    for (number, cell) in results.plan.cells.iter().enumerate() {
        let Some(told) = paper::LONG.iter().find(|long| long.game == cell.values[0]) else {
            continue;
        };
        let Some(ours) = results.summary(number) else { continue };
        let whole = cell.values[1] == told.steps.to_string();
        let seconds = results.seconds(number);
        claims.push(Claim {
            what: format!(
                "{}, t0 {}, t1 {}, α {}, r {}",
                told.game, told.t0, told.t1, told.cooling, cell.values[1]
            ),
            published: format!("{} moves in roughly {}", told.score, markdown::time(told.seconds)),
            found: format!(
                "{} moves at best, mean {}, {} of {}",
                ours.max,
                markdown::mean(&ours),
                markdown::runs(ours.count),
                markdown::time(seconds)
            ),
            agrees: whole.then_some(ours.max >= told.score),
        });
        let what = format!("{} {}", told.game, cell.values[1]);
        comparisons.push(Comparison {
            what,
            ours,
            seconds,
            theirs: None,
            their_seconds: Some(told.seconds),
            verdict: None,
        });
        let mut series: Vec<Series> = results.of(number).map(stairs).collect();
        let points = vec![Mark::new(told.seconds, told.score as f64)];
        series.push(Series { name: "published".to_owned(), hue: 1, look: Look::Hollow, points });
        panels.push(Panel {
            title: told.game.to_owned(),
            x: Axis::logarithmic("seconds of processor time"),
            y: Axis::linear("moves"),
            series,
        });
        longest.extend(Results::longest(results.of(number)));
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
         Hyyrö and Poranen (2007), section 3.2, tell of three long runs. The parameters of the third, which found 79 moves in \
         5D, were lost, so it cannot be run again. A single run says little: the verdict is whether the published score was \
         reached, and there is none if the run was shortened.\n\n{}\n{}\n{}",
        markdown::what_was_run(results),
        markdown::claims(&claims),
        markdown::again(results, &longest),
    );
    Report { markdown, svg, comparisons, claims }
}

/// The best so far of a run, from a hundredth of a second on.
fn stairs(row: &Row) -> Series {
    let early = row.improvements.iter().take_while(|step| step.at <= FIRST).last();
    let late = row.improvements.iter().filter(|step| step.at > FIRST);
    let mark = |step: &Improvement| Mark::new(step.at.max(FIRST).as_secs_f64(), step.score as f64);
    let mut points: Vec<Mark> = early.into_iter().chain(late).map(mark).collect();
    points.push(Mark::new(row.cpu.max(FIRST).as_secs_f64(), row.score as f64));
    Series { name: "ours".to_owned(), hue: 0, look: Look::Stairs, points }
}

const FIRST: Duration = Duration::from_millis(10);
