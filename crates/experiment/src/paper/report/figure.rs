//! Figures 4 and 5 and ours: score against temperature, and the claims of the text.

use render::chart::{Axis, Chart, Mark, Panel, Series, SeriesStyle};
use render::{Theme, chart::chart};

use super::{Comparison, ExperimentResults, PaperClaim, PaperReport, markdown, tally};
use crate::paper::published;
use crate::statistics::{LEVEL, ScoreSummary, is_lower};

/// Figure 4 (4D and 4T) or 5 (5D and 5T), by the games of the design.
pub(crate) fn figure(results: ExperimentResults<'_>) -> PaperReport {
    let curves = curves(results);
    let mut games: Vec<&str> = curves.iter().map(|curve| curve.game).collect();
    games.dedup();
    let number = if results.design.name == "fig4" { 4 } else { 5 };
    let title = format!("Figure {number}: annealing by temperature");
    let claims: Vec<PaperClaim> =
        curves.iter().flat_map(|curve| claims_on(curve, &curves)).collect();
    let found: Vec<(&Curve<'_>, Comparison)> = curves
        .iter()
        .filter_map(|curve| {
            let temperature = published::temperature(curve.game)?;
            let printed = published::table2(curve.game, curve.steps)?;
            let values = [curve.game, &temperature.to_string(), &curve.steps.to_string()];
            let what = values.join(" ");
            let cell = results.cell(&values)?;
            Some((curve, results.comparison(cell, what, Some(printed))?))
        })
        .collect();
    let rows: Vec<(Vec<String>, &Comparison)> = found
        .iter()
        .map(|(curve, comparison)| {
            let temperature = published::temperature(curve.game).unwrap_or_default().to_string();
            (vec![curve.game.to_owned(), temperature, markdown::size(curve.steps)], comparison)
        })
        .collect();
    let table = markdown::comparisons(&["game", "temperature", "r"], &rows);
    let panels = games.iter().map(|game| panel(game, &curves)).collect();
    let svg = chart(&Chart {
        title: title.clone(),
        note: "Mean of single runs of r steps with standard error; hollow marks: Table 2 of Hyyrö \
               and Poranen 2007"
            .to_owned(),
        panels,
        ordered: true,
        theme: Theme::Light,
    });
    let means: Vec<String> = games.iter().map(|game| means(game, &curves)).collect();
    let longest: Vec<_> = games
        .iter()
        .filter_map(|&game| {
            let of_game =
                |row: &&super::RunResult| results.design.cells[row.run.cell].values[0] == *game;
            ExperimentResults::longest(results.rows.iter().filter(of_game))
        })
        .collect();
    let comparisons: Vec<Comparison> =
        found.into_iter().map(|(_, comparison)| comparison).collect();
    let markdown = format!(
        "# {title}, run again\n\n\
         Hyyrö and Poranen (2007), Figure {number}: a run is r steps at one temperature, the \
         score is the longest game seen. The figure has no numbers; the text makes claims about \
         it, and Table 2 prints the means at the best temperatures.\n\n{}\n\
         ## The claims of the text\n\n{}\n\
         Means are compared by Welch's one-sided test at the significance level {LEVEL}. A best \
         temperature *agrees* if it lies in the range of the paper, or if the best mean there is \
         not significantly lower. Too cold *agrees* if the lowest mean below {} is significantly \
         lower than the lowest mean from there on, and *differs* if it is not lower at all. These \
         are the extremes of many means, so the test finds differences a little too often.\n\n\
         ## Table 2's means at its temperatures\n\n{}\n\n{table}\n\
         The paper chose these temperatures from the same runs, so its means tend to be slightly \
         too high.\n\n\
         {}\n## All means\n\n{}\n{}",
        markdown::what_was_run(results),
        markdown::claims(&claims),
        published::TOO_COLD,
        tally(&comparisons),
        markdown::the_test(),
        means.join("\n"),
        markdown::again(results, &longest),
    );
    PaperReport { markdown, svg, comparisons, claims }
}

/// The means of one game and number of steps at all temperatures.
struct Curve<'a> {
    game: &'a str,
    steps: u64,
    points: Vec<(f64, ScoreSummary)>,
}

impl Curve<'_> {
    /// The first of the highest means where `within` allows.
    fn highest(&self, within: impl Fn(f64) -> bool) -> Option<&(f64, ScoreSummary)> {
        let points = self.points.iter().filter(|(temperature, _)| within(*temperature));
        points.rev().max_by(|one, other| one.1.mean.total_cmp(&other.1.mean))
    }

    /// The first of the lowest means where `within` allows.
    fn lowest(&self, within: impl Fn(f64) -> bool) -> Option<&(f64, ScoreSummary)> {
        let points = self.points.iter().filter(|(temperature, _)| within(*temperature));
        points.min_by(|one, other| one.1.mean.total_cmp(&other.1.mean))
    }

    /// The range of the means where it is not too cold.
    fn spread(&self) -> Option<f64> {
        let warm = |temperature: f64| temperature >= published::TOO_COLD;
        Some(self.highest(warm)?.1.mean - self.lowest(warm)?.1.mean)
    }

    fn name(&self) -> String {
        format!("{}, r = {}", self.game, markdown::size(self.steps))
    }
}

fn curves(results: ExperimentResults<'_>) -> Vec<Curve<'_>> {
    let mut curves: Vec<Curve<'_>> = Vec::new();
    for (number, cell) in results.design.cells.iter().enumerate() {
        let [game, temperature, steps] = &cell.values[..] else { continue };
        let (Ok(temperature), Ok(steps)) = (temperature.parse(), steps.parse()) else { continue };
        let Some(summary) = results.summary(number) else { continue };
        match curves.last_mut() {
            Some(curve) if curve.game == game && curve.steps == steps => {
                curve.points.push((temperature, summary));
            }
            _ => curves.push(Curve { game, steps, points: vec![(temperature, summary)] }),
        }
    }
    curves
}

/// The claims of the paper about a curve.
fn claims_on(curve: &Curve<'_>, all: &[Curve<'_>]) -> Vec<PaperClaim> {
    let touching = published::BEST_TEMPERATURES.iter().find(|(game, ..)| *game == curve.game);
    let mut claims: Vec<PaperClaim> = match touching {
        Some(&(_, low, high)) => best_between(curve, low, high).into_iter().collect(),
        None => [too_cold(curve), no_big_differences(curve, all)].into_iter().flatten().collect(),
    };
    claims.extend(best_temperature(curve));
    claims
}

fn best_between(curve: &Curve<'_>, low: f64, high: f64) -> Option<PaperClaim> {
    let best = curve.highest(|_| true)?;
    let inside = curve.highest(|temperature| (low..=high).contains(&temperature))?;
    Some(PaperClaim {
        what: curve.name(),
        published: format!("best between {high:.1} and {low:.1}"),
        found: format!(
            "best {:.2} at {}; there {:.2} at {}",
            best.1.mean, best.0, inside.1.mean, inside.0
        ),
        agrees: if best.0 == inside.0 {
            Some(true)
        } else {
            is_lower(&inside.1, &best.1).map(|is_lower| !is_lower)
        },
    })
}

fn too_cold(curve: &Curve<'_>) -> Option<PaperClaim> {
    let cold = curve.lowest(|temperature| temperature < published::TOO_COLD)?;
    let warm = curve.lowest(|temperature| temperature >= published::TOO_COLD)?;
    let agrees = if cold.1.mean >= warm.1.mean {
        Some(false)
    } else {
        is_lower(&cold.1, &warm.1).filter(|&is_lower| is_lower)
    };
    let doubt = if agrees.is_none() { "; not significant" } else { "" };
    Some(PaperClaim {
        what: curve.name(),
        published: format!("noticeably worse only below {:.1}", published::TOO_COLD),
        found: format!(
            "lowest below {:.2} at {}, from there on {:.2} at {}{doubt}",
            cold.1.mean, cold.0, warm.1.mean, warm.0
        ),
        agrees,
    })
}

/// "No big differences" are differences smaller than those of the touching game beside it.
fn no_big_differences(curve: &Curve<'_>, all: &[Curve<'_>]) -> Option<PaperClaim> {
    let other = all.iter().find(|other| other.game != curve.game && other.steps == curve.steps)?;
    let (ours, others) = (curve.spread()?, other.spread()?);
    Some(PaperClaim {
        what: curve.name(),
        published: "no big differences between temperatures".to_owned(),
        found: format!(
            "from {:.1} on the means lie within {ours:.2}, those of {} within {others:.2}",
            published::TOO_COLD,
            other.game
        ),
        agrees: Some(ours < others),
    })
}

fn best_temperature(curve: &Curve<'_>) -> Option<PaperClaim> {
    let theirs = published::temperature(curve.game)?;
    let best = curve.highest(|_| true)?;
    let there = curve.highest(|temperature| temperature == theirs)?;
    Some(PaperClaim {
        what: curve.name(),
        published: format!("highest average at {theirs}"),
        found: format!("highest {:.2} at {}; {:.2} at {theirs}", best.1.mean, best.0, there.1.mean),
        agrees: if best.0 == theirs {
            Some(true)
        } else {
            is_lower(&there.1, &best.1).map(|is_lower| !is_lower)
        },
    })
}

fn panel(game: &str, curves: &[Curve<'_>]) -> Panel {
    let of_game = || curves.iter().filter(|curve| curve.game == game);
    let mut series = Vec::new();
    for (hue, curve) in of_game().enumerate() {
        let mark = |(temperature, summary): &(f64, ScoreSummary)| {
            Mark::with_error(*temperature, summary.mean, summary.error().unwrap_or(0.0))
        };
        let name = format!("r = {}", raised(curve.steps));
        let points = curve.points.iter().map(mark).collect();
        series.push(Series { name, hue, look: SeriesStyle::Line, points });
    }
    for (hue, curve) in of_game().enumerate() {
        let published = published::temperature(game).zip(published::table2(game, curve.steps));
        if let Some((temperature, printed)) = published {
            let points = vec![Mark::new(temperature, printed.mean)];
            let name = format!("r = {}, published", raised(curve.steps));
            series.push(Series { name, hue, look: SeriesStyle::Hollow, points });
        }
    }
    let x = Axis::linear("temperature").including(&[0.0, 10.0]);
    Panel { title: game.to_owned(), x, y: Axis::linear("moves"), series }
}

/// A power of ten with a superscript exponent, for charts.
fn raised(size: u64) -> String {
    let text = markdown::size(size);
    match text.strip_prefix("10^") {
        Some(power) => {
            let raise = |c: char| match c {
                '1' => '¹',
                '2' => '²',
                '3' => '³',
                digit => char::from_u32(0x2070 + digit.to_digit(10).unwrap_or(0)).unwrap_or(digit),
            };
            format!("10{}", power.chars().map(raise).collect::<String>())
        }
        None => text,
    }
}

/// All means of a game: a row per temperature, a column per number of steps.
fn means(game: &str, curves: &[Curve<'_>]) -> String {
    let curves: Vec<&Curve<'_>> = curves.iter().filter(|curve| curve.game == game).collect();
    let names: Vec<String> =
        curves.iter().map(|curve| format!("r = {}", markdown::size(curve.steps))).collect();
    let names: Vec<&str> =
        std::iter::once("temperature").chain(names.iter().map(String::as_str)).collect();
    let temperatures = curves.first().map_or(&[][..], |curve| &curve.points);
    let rows: Vec<Vec<String>> = temperatures
        .iter()
        .map(|(temperature, _)| {
            let at = |curve: &&Curve<'_>| {
                let point = curve.points.iter().find(|(other, _)| other == temperature);
                point.map_or_else(String::new, |(_, summary)| markdown::mean(summary))
            };
            std::iter::once(temperature.to_string()).chain(curves.iter().map(at)).collect()
        })
        .collect();
    format!("### {game}\n\n{}", markdown::table(&names, &rows))
}
