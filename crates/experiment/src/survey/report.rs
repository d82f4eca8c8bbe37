//! The report of a survey: the distribution of values.

use std::collections::BTreeMap;

use geometry::Game;
use render::chart::{Axis, Chart, Mark, Panel, Series, SeriesStyle};
use render::{Theme, chart::chart};

use super::{BoardProbe, BoardSample, LAYER, Stratum, SurveyOptions};
use crate::paper::report::table;

/// The report of a survey.
#[derive(Debug, Clone)]
pub(crate) struct SurveyReport {
    /// The page.
    pub markdown: String,
    /// The histogram.
    pub svg: String,
}

/// The width of a bar of the histogram, in moves.
const BAR: f64 = 5.0;

/// The report of a survey.
#[must_use]
pub(crate) fn report(
    game: &Game,
    options: &SurveyOptions,
    sample: &BoardSample,
    probes: &[BoardProbe],
) -> SurveyReport {
    let strata = strata(sample, probes);
    let svg = chart(&Chart {
        title: format!("Boards of {}", game.rules),
        note: format!("A random sample: {} boards, seed {}", probes.len(), options.seed),
        panels: vec![histogram(&strata)],
        ordered: false,
        theme: Theme::Light,
    });
    SurveyReport { markdown: markdown(game, options, &strata), svg }
}

/// The probed boards of a stratum, and the size of the stratum.
struct StratumProbes<'a> {
    size: u64,
    probes: Vec<&'a BoardProbe>,
}

type Strata<'a> = BTreeMap<Stratum, StratumProbes<'a>>;

fn strata<'a>(sample: &BoardSample, probes: &'a [BoardProbe]) -> Strata<'a> {
    let of = |stratum: Stratum| {
        probes.iter().filter(move |probe| probe.stratum == stratum).collect::<Vec<_>>()
    };
    let sizes = sample.sizes.iter();
    sizes.map(|(&stratum, &size)| (stratum, StratumProbes { size, probes: of(stratum) })).collect()
}

fn hulls<'a, 'b>(strata: &'b Strata<'a>) -> impl Iterator<Item = &'b StratumProbes<'a>> {
    strata.iter().filter(|(stratum, _)| **stratum != Stratum::Maximal).map(|(_, group)| group)
}

fn histogram(strata: &Strata<'_>) -> Panel {
    let bars = |group: &[&StratumProbes<'_>]| {
        let total: f64 = group.iter().map(|group| group.size as f64).sum();
        let mut bars: BTreeMap<i64, f64> = BTreeMap::new();
        for StratumProbes { size, probes } in group {
            let weight = *size as f64 / probes.len().max(1) as f64 / total;
            for probe in probes {
                *bars.entry((probe.value / BAR).floor() as i64).or_default() += 100.0 * weight;
            }
        }
        let (first, last) = (bars.keys().next().copied(), bars.keys().last().copied());
        let range = first.zip(last).map_or(0..0, |(first, last)| first - 1..last + 2);
        range
            .map(|bar| Mark::new(bar as f64 * BAR, bars.get(&bar).copied().unwrap_or(0.0)))
            .collect::<Vec<_>>()
    };
    let series = |name: &str, hue, points| {
        let name = name.to_owned();
        Series { name, hue, look: SeriesStyle::Stairs, points }
    };
    let maximal: Vec<&StratumProbes<'_>> = strata.get(&Stratum::Maximal).into_iter().collect();
    let hulls: Vec<&StratumProbes<'_>> = hulls(strata).collect();
    Panel {
        title: "Values of their linear programs".to_owned(),
        x: Axis::linear("moves"),
        y: Axis::linear(format!("% of boards in {BAR} moves")),
        series: vec![
            series("maximal boards", 0, bars(&maximal)),
            series("hulls with enough dots", 1, bars(&hulls)),
        ],
    }
}

fn markdown(game: &Game, options: &SurveyOptions, strata: &Strata<'_>) -> String {
    let empty = StratumProbes { size: 0, probes: Vec::new() };
    let maximal = strata.get(&Stratum::Maximal).unwrap_or(&empty);
    let values = || maximal.probes.iter().map(|probe| probe.value);
    let (least, most) =
        (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    let mut seconds: Vec<f64> =
        maximal.probes.iter().map(|probe| probe.cpu.as_secs_f64()).collect();
    seconds.sort_by(f64::total_cmp);
    let rate = seconds.len() as f64 / seconds.iter().sum::<f64>();
    let median = seconds.get(seconds.len() / 2).copied().unwrap_or(0.0);
    let layer = |(stratum, group): (&Stratum, &StratumProbes<'_>)| match stratum {
        Stratum::Maximal => None,
        Stratum::Hulls(least) => {
            let values = || group.probes.iter().map(|probe| probe.value);
            Some(vec![
                format!("{least} to {}", least + LAYER - 1),
                group.size.to_string(),
                group.probes.len().to_string(),
                format!(
                    "{:.1} to {:.1}",
                    values().fold(f64::INFINITY, f64::min),
                    values().fold(f64::NEG_INFINITY, f64::max)
                ),
            ])
        }
    };
    let layers: Vec<Vec<String>> = strata.iter().filter_map(layer).collect();
    let SurveyOptions { target, seed, .. } = options;
    format!(
        "# Boards of {game}, a random sample\n\n\
         Seed {seed}. Values are those of the linear program `lines`, each with its certificate; \
         times are CPU times of one thread on the machine that made this page. \
         [boards.csv](boards.csv) has every board, [boards.svg](boards.svg) is a chart.\n\n\
         ## Maximal boards\n\n\
         {} of {}, sampled uniformly: values from {least:.2} to {most:.2}; {rate:.2} solved and \
         certified per CPU second, median {median:.2} s.\n\n\
         ## Hulls\n\n\
         Octagons with too few dots for {target} moves are left out. The others, by their \
         dots:\n\n{}",
        maximal.probes.len(),
        maximal.size,
        table(&["dots", "classes", "probed", "values"], &layers),
        game = game.rules,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use bound::Octagon;
    use std::time::Duration;

    #[test]
    fn every_layer_has_its_row() {
        let (low, high) = (Stratum::Hulls(522), Stratum::Hulls(542));
        let sizes = [(Stratum::Maximal, 7), (low, 100), (high, 10)].into();
        let sample = BoardSample { sizes, boards: Vec::new() };
        let board = Octagon::new([10, 8, 10, 12, 10, 8, 10, 12]).expect("an octagon");
        let probe =
            |(stratum, value)| BoardProbe { stratum, board, value, cpu: Duration::from_secs(1) };
        let probes =
            [(Stratum::Maximal, 500.0), (low, 480.0), (low, 500.0), (high, 520.0)].map(probe);
        let options = SurveyOptions { maximal: 1, hulls: 2, target: 485, seed: 1 };
        let game = Game::named("5T").expect("a game");
        let report = report(&game, &options, &sample, &probes);
        let row = "| 522 to 541 | 100 | 2 | 480.0 to 500.0 |";
        assert!(report.markdown.contains(row), "{}", report.markdown);
        roxmltree::Document::parse(&report.svg).expect("well-formed");
    }
}
