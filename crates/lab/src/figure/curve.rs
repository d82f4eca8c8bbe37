//! The learning curve as a picture.

use learn::{CurvePoint, TrainingRun};
use render::Theme;
use render::chart::{Axis, Chart, Mark, Panel, Series, SeriesStyle, chart};

/// The picture cannot resolve more points.
const MOST_POINTS: usize = 400;

/// Moves and losses over iterations, as SVG.
#[must_use]
pub fn curve(training: &TrainingRun) -> String {
    let entries = thinned(training.curve());
    let series = |name: &str, hue, look, value: fn(&CurvePoint) -> (f64, f64)| Series {
        name: name.to_owned(),
        hue,
        look,
        points: entries
            .iter()
            .map(|&(x, entry)| {
                let (y, error) = value(entry);
                Mark::with_error(x as f64, y, error)
            })
            .collect(),
    };
    let moves = vec![
        series("mean of self-play, 95 %", 0, SeriesStyle::Band, |e| (e.mean, e.error)),
        series("threshold", 1, SeriesStyle::Stairs, |e| (f64::from(e.threshold), 0.0)),
        series("longest of the iteration", 2, SeriesStyle::Stairs, |e| (f64::from(e.longest), 0.0)),
        series("best so far", 3, SeriesStyle::Stairs, |e| (f64::from(e.best), 0.0)),
    ];
    let losses = vec![
        series("loss of the policy", 4, SeriesStyle::Stairs, |e| (e.policy_loss, 0.0)),
        series("loss of the value", 5, SeriesStyle::Stairs, |e| (e.value_loss, 0.0)),
    ];
    let panel = |title: &str, y: &str, series| Panel {
        title: title.to_owned(),
        x: Axis::linear("iteration"),
        y: Axis::linear(y),
        series,
    };
    let seconds: f64 = training.curve().iter().map(|e| e.play_seconds + e.learn_seconds).sum();
    let games: u64 = training.curve().iter().map(|entry| entry.games).sum();
    chart(&Chart {
        title: format!("{}: learning by self-play with ranked reward", training.game()),
        note: format!(
            "seed {}, {games} games, {} weights, {:.0} min",
            training.seed(),
            training.network().size(),
            seconds / 60.0
        ),
        panels: vec![panel("moves", "moves", moves), panel("losses", "loss", losses)],
        ordered: false,
        theme: Theme::Light,
    })
}

/// Entries with their iterations, thinned at equal steps if there are many; always the last.
fn thinned(curve: &[CurvePoint]) -> Vec<(usize, &CurvePoint)> {
    let stride = curve.len().div_ceil(MOST_POINTS).max(1);
    let all = (1..).zip(curve);
    all.filter(|(number, _)| number % stride == 0 || *number == curve.len()).collect()
}
