//! Ranked-reward self-play (Wang, Preuss, Emmerich and Plaat 2020): learning curves with the
//! paper's parameters and with ours, beside its longest game.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use geometry::Game;
use lab::training_folder::TrainingFolder;
use learn::{CurvePoint, PRESETS, TrainError, TrainingRun, TrainingSettings};
use render::chart::{Axis, Chart, Mark, Panel, Series, SeriesStyle};
use render::{Theme, chart::chart};

use crate::error::ExperimentError;
use crate::output::{OutputFolder, PaperClaimView, ResultsView, ViewDetails};
use crate::paper::report::{PaperClaim, table, time};
use crate::request::Request;
use crate::{Event, OnEvent};

/// The longest 5D game of the paper, "after about a week" on 20 cores and 8 GPUs.
const PUBLISHED: u32 = 67;

/// Iterations of each training run, and those with `quick`.
const ITERATIONS: [u64; 2] = [20, 2];

/// A small network and few games, for a preview.
const QUICK: [(&str, &str); 5] = [
    ("episodes", "8"),
    ("epochs", "1"),
    ("channels", "4"),
    ("board", "18"),
    ("final-simulations", "4"),
];

/// A training run: the name of its preset and of its parameters.
#[derive(Clone, Copy)]
struct Curve {
    preset: &'static str,
    parameters: &'static str,
}

const CURVES: [Curve; 2] = [
    Curve { preset: "paper", parameters: "the paper's parameters" },
    Curve { preset: "small", parameters: "ours" },
];

/// Trains, or resumes, both networks, and writes the report.
pub(crate) fn run(request: &Request, on: OnEvent<'_>) -> Result<Vec<ResultsView>, ExperimentError> {
    let folder = OutputFolder::new(request.out(), "r2");
    folder.create()?;
    let iterations = ITERATIONS[usize::from(request.is_quick())];
    let iterations = request.get("iterations").unwrap_or(iterations);
    let mut trained = Vec::new();
    for (number, curve) in CURVES.into_iter().enumerate() {
        trained.push((curve, train(request, curve, (number as u64, iterations), on)?));
    }
    folder.write("csv", &csv(&trained))?;
    let claims: Vec<PaperClaim> = trained.iter().map(claim).collect();
    folder.write("md", &markdown(request, &trained, &claims))?;
    folder.write("svg", &draw(&trained))?;
    let settings = [("seed", request.seed().to_string()), ("iterations", iterations.to_string())];
    Ok(vec![folder.view(ViewDetails::Paper {
        settings: BTreeMap::from(settings),
        runs: trained.len(),
        cpu_seconds: trained.iter().map(|(_, training)| seconds(training)).sum(),
        comparisons: Vec::new(),
        claims: claims.into_iter().map(PaperClaimView::from).collect(),
    })])
}

/// Makes the iterations that are missing; each is stored at once.
fn train(
    request: &Request,
    curve: Curve,
    (before, iterations): (u64, u64),
    on: OnEvent<'_>,
) -> Result<TrainingRun, ExperimentError> {
    let path = request.out().join(curve.preset);
    let fresh = start(request, curve, iterations);
    let (folder, mut training) = match path.join("training.state").exists() {
        true => {
            let folder = TrainingFolder::existing(&path)?;
            let mut training = folder.read()?;
            let count = iterations.to_string();
            training.change("iterations", &count).map_err(|_| other_settings(&path))?;
            (folder, training)
        }
        false => {
            let folder = TrainingFolder::create(&path)?;
            folder.save(&fresh)?;
            (folder, fresh.clone())
        }
    };
    if (training.seed(), training.settings()) != (fresh.seed(), fresh.settings()) {
        return Err(other_settings(&path));
    }
    while training.iterations() < iterations {
        let (done, total) = (before * iterations + training.iterations(), 2 * iterations);
        let (done, total) = (done as usize, total as usize);
        let (experiment, unit) = ("r2", "iterations");
        let report = |_: learn::Event| {
            on(Event::Progress { experiment, unit, done, total, remaining: None })
        };
        training.iterate(request.threads() as usize, &report).map_err(|error| match error {
            TrainError::Cancelled => {
                ExperimentError::Interrupted { experiment, unit, done, total, file: path.clone() }
            }
            error => ExperimentError::Training(error),
        })?;
        folder.save(&training)?;
    }
    Ok(training)
}

fn other_settings(folder: &Path) -> ExperimentError {
    ExperimentError::OtherSettings(folder.to_owned())
}

/// A training run before its first iteration.
fn start(request: &Request, curve: Curve, iterations: u64) -> TrainingRun {
    let game = Game::named("5D").expect("a known game");
    let preset = PRESETS.iter().find(|preset| preset.name == curve.preset).expect("a preset");
    let count = iterations.to_string();
    let simulations: Option<String> = request.get("final-simulations");
    let mut given: Vec<(&str, &str)> = vec![("iterations", &count)];
    if request.is_quick() {
        given.extend(QUICK);
    } else if curve.preset == "paper" {
        given.push(("final-simulations", simulations.as_deref().unwrap_or("100")));
    }
    let settings = TrainingSettings::preset(preset, &game, given).expect("values within ranges");
    let training = TrainingRun::new(&game, settings, request.seed(), Vec::new());
    training.expect("a network of this size")
}

/// The time of all iterations.
fn seconds(training: &TrainingRun) -> f64 {
    training.curve().iter().map(|point| point.play_seconds + point.learn_seconds).sum()
}

fn csv(trained: &[(Curve, TrainingRun)]) -> String {
    let mut text = "parameters,iteration,games,mean,half_width,longest,best,play_seconds,\
                    learn_seconds\n"
        .to_owned();
    for (curve, training) in trained {
        for (number, point) in (1..).zip(training.curve()) {
            let CurvePoint { games, mean, error, longest, best, .. } = point;
            let _ = writeln!(
                text,
                "{},{number},{games},{mean:.3},{error:.3},{longest},{best},{:.3},{:.3}",
                curve.preset, point.play_seconds, point.learn_seconds
            );
        }
    }
    text
}

fn claim((curve, training): &(Curve, TrainingRun)) -> PaperClaim {
    let best = training.best().len() as u32;
    let iterations = training.iterations();
    PaperClaim {
        what: format!("5D, longest game, {}", curve.parameters),
        published: format!("{PUBLISHED}: 100 iterations, a week on 20 cores and 8 GPUs"),
        found: format!("{best}: {iterations} iterations, {}", time(seconds(training))),
        agrees: (best >= PUBLISHED).then_some(true),
    }
}

fn markdown(request: &Request, trained: &[(Curve, TrainingRun)], claims: &[PaperClaim]) -> String {
    let row = |(curve, training): &(Curve, TrainingRun)| {
        let curve_point = |point: Option<&CurvePoint>| {
            point.map_or_else(String::new, |it| format!("{:.1} ± {:.1}", it.mean, it.error))
        };
        vec![
            curve.parameters.to_owned(),
            training.network().size().to_string(),
            training.iterations().to_string(),
            curve_point(training.curve().first()),
            curve_point(training.curve().last()),
            training.best().len().to_string(),
            time(seconds(training)),
        ]
    };
    let rows: Vec<Vec<String>> = trained.iter().map(row).collect();
    let names = ["parameters", "weights", "iterations", "first", "last", "longest", "time"];
    let claim = |claim: &PaperClaim| {
        let verdict = claim.verdict().unwrap_or("cannot tell").to_owned();
        vec![claim.what.clone(), claim.published.clone(), claim.found.clone(), verdict]
    };
    let claims: Vec<Vec<String>> = claims.iter().map(claim).collect();
    format!(
        "# Ranked-reward self-play, run again\n\nWang, Preuss, Emmerich and Plaat (2020), 5D. The \
         paper trains for a week and gives its longest game, no learning curve. Here are the \
         curves of its parameters (Table I) and of ours (`--preset small`), the mean length of \
         the games of an iteration with its 95 % confidence interval. Stage 3, one game by a \
         tree search, does not change what is learnt: its simulations (20,000 in the paper) are \
         `--final-simulations`. Seed {}. [r2.csv](r2.csv) has every iteration, [r2.svg](r2.svg) \
         shows them; the folders `paper` and `small` hold the networks and resume.\n\n{}\n## What \
         was published\n\n{}\nA longest game *agrees* once it is as long as the published one. \
         Until then, fewer iterations cannot tell.\n",
        request.seed(),
        table(&names, &rows),
        table(&["what", "the paper", "here", "verdict"], &claims),
    )
}

fn draw(trained: &[(Curve, TrainingRun)]) -> String {
    let line = |(hue, (curve, training)): (usize, &(Curve, TrainingRun))| Series {
        name: curve.parameters.to_owned(),
        hue,
        look: SeriesStyle::Band,
        points: (1..)
            .zip(training.curve())
            .map(|(number, point)| Mark::with_error(f64::from(number), point.mean, point.error))
            .collect(),
    };
    let mut series: Vec<Series> = trained.iter().enumerate().map(line).collect();
    let last = trained.iter().map(|(_, training)| training.iterations()).max().unwrap_or(1);
    series.push(Series {
        name: "longest game, published".to_owned(),
        hue: series.len(),
        look: SeriesStyle::Hollow,
        points: vec![Mark::new(last as f64, f64::from(PUBLISHED))],
    });
    chart(&Chart {
        title: "Ranked-reward self-play, 5D".to_owned(),
        note: "Mean of the games of an iteration, 95 % band; hollow: Wang et al. 2020".to_owned(),
        panels: vec![Panel {
            title: "5D".to_owned(),
            x: Axis::linear("iteration"),
            y: Axis::linear("moves"),
            series,
        }],
        ordered: false,
        theme: Theme::Light,
    })
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::registry::find;

    fn request(out: &Path) -> Request {
        let mut request = Request::new(find("r2").expect("an experiment"), 1);
        for (name, value) in [("quick", ""), ("iterations", "2"), ("seed", "3")] {
            request.set(name, value).expect("a value");
        }
        request.set("out", out.to_str().expect("UTF-8")).expect("a folder");
        request
    }

    /// The columns that do not depend on the clock.
    fn scores(out: &Path) -> Vec<String> {
        let text = std::fs::read_to_string(out.join("r2.csv")).expect("a file");
        let timeless = |line: &str| line.splitn(8, ',').take(7).collect::<Vec<_>>().join(",");
        text.lines().map(timeless).collect()
    }

    #[test]
    fn an_interrupted_experiment_resumes_and_few_iterations_cannot_tell() {
        let [one, other] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let views = run(&request(one.path()), &|_| ControlFlow::Continue(())).expect("trained");
        let ViewDetails::Paper { claims, runs: 2, .. } = &views[0].details else {
            panic!("{views:?}")
        };
        assert!(claims.iter().all(|claim| claim.verdict.is_none()), "{claims:?}");
        let page = std::fs::read_to_string(one.path().join("r2.md")).expect("a page");
        assert!(page.contains("cannot tell"), "{page}");
        assert_eq!(scores(one.path()).len(), 1 + 2 * 2);
        let events = AtomicUsize::new(0);
        let stopped = run(&request(other.path()), &|Event::Progress { done, .. }| {
            let _ = events.fetch_add(1, Ordering::Relaxed);
            if done < 1 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert!(matches!(stopped, Err(ExperimentError::Interrupted { done: 1, total: 4, .. })));
        run(&request(other.path()), &|_| ControlFlow::Continue(())).expect("resumed");
        assert_eq!(scores(one.path()), scores(other.path()));
        let mut changed = request(other.path());
        changed.set("seed", "4").expect("a value");
        let refused = run(&changed, &|_| ControlFlow::Continue(()));
        assert!(matches!(refused, Err(ExperimentError::OtherSettings(_))), "{refused:?}");
    }
}
