//! The report of a survey: the distribution of values, and what each target would cost.

use std::collections::BTreeMap;

use geometry::Game;
use render::chart::{Axis, Chart, Mark, Panel, Series, SeriesStyle};
use render::{Theme, chart::chart};

use super::{BoardProbe, BoardSample, LAYER, Stratum, SurveyOptions};
use crate::paper::report::table;

/// The report of a survey.
#[derive(Debug, Clone)]
pub struct SurveyReport {
    /// The page.
    pub markdown: String,
    /// The histogram and the costs.
    pub svg: String,
    /// The costs, from the highest bound to the lowest.
    pub costs: Vec<BoundCost>,
}

/// The cost of bounding all hulls of a family, one by one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoundCost {
    /// The bound.
    pub bound: u32,
    /// The number of hulls whose boards have a larger value.
    pub hulls: Estimate,
    /// How many of the sample these are.
    pub sampled: usize,
    /// How many of those reached the bound.
    pub closed: usize,
    /// CPU hours; a lower bound if some did not reach the bound.
    pub hours: Estimate,
}

/// A sum over all boards, estimated from a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The sum.
    pub sum: f64,
    /// Its standard error.
    pub error: f64,
}

/// The width of a bar of the histogram, in moves.
const BAR: f64 = 5.0;

/// The report of a survey.
#[must_use]
pub fn report(
    game: &Game,
    options: &SurveyOptions,
    sample: &BoardSample,
    probes: &[BoardProbe],
) -> SurveyReport {
    let strata = strata(sample, probes);
    let top = 586.max(options.target);
    let mut bounds: Vec<u32> = (options.target..=top).rev().step_by(10).collect();
    if bounds.last() != Some(&options.target) {
        bounds.push(options.target);
    }
    let costs: Vec<BoundCost> = bounds.into_iter().map(|bound| cost(bound, &strata)).collect();
    let svg = chart(&Chart {
        title: format!("Boards of {}", game.rules),
        note: format!("A random sample: {} boards, seed {}", probes.len(), options.seed),
        panels: vec![histogram(&strata), cost_panel(&costs)],
        ordered: false,
        theme: Theme::Light,
    });
    SurveyReport { markdown: markdown(game, options, &strata, &costs), svg, costs }
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

/// Whether the value of a board is too large to prove the bound.
fn is_above(probe: &BoardProbe, bound: u32) -> bool {
    probe.value >= f64::from(bound) + 1.0
}

fn cost(bound: u32, strata: &Strata<'_>) -> BoundCost {
    let above =
        || hulls(strata).flat_map(|group| &group.probes).filter(|probe| is_above(probe, bound));
    let hours = |probe: &BoardProbe| match is_above(probe, bound) {
        true => {
            let spent = probe.trace.reaching(bound).or(probe.trace.last());
            spent.map_or(0.0, |point| point.cpu.as_secs_f64() / 3600.0)
        }
        false => 0.0,
    };
    BoundCost {
        bound,
        hulls: estimate(hulls(strata), |probe| f64::from(u8::from(is_above(probe, bound)))),
        sampled: above().count(),
        closed: above().filter(|probe| probe.trace.reaching(bound).is_some()).count(),
        hours: estimate(hulls(strata), hours),
    }
}

/// The sum of a quantity over all boards of some strata, from the probed ones.
fn estimate<'a>(
    strata: impl Iterator<Item = &'a StratumProbes<'a>>,
    of: impl Fn(&BoardProbe) -> f64,
) -> Estimate {
    let (mut sum, mut variance) = (0.0, 0.0);
    for StratumProbes { size, probes } in strata.filter(|group| !group.probes.is_empty()) {
        let (size, count) = (*size as f64, probes.len() as f64);
        let values: Vec<f64> = probes.iter().map(|probe| of(probe)).collect();
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        sum += size * mean;
        if count > 1.0 {
            let whole = 1.0 - count / size;
            variance += size * size * whole * squares / (count - 1.0) / count;
        }
    }
    Estimate { sum, error: variance.sqrt() }
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

fn cost_panel(costs: &[BoundCost]) -> Panel {
    let mark = |bound: u32, Estimate { sum, error }: Estimate| Mark {
        x: f64::from(bound),
        y: sum,
        low: (sum - error).max(sum / 10.0),
        high: sum + error,
    };
    let points = costs.iter().rev().filter(|cost| cost.hours.sum > 0.0);
    let hours = points.map(|cost| mark(cost.bound, cost.hours)).collect();
    Panel {
        title: "CPU time for all hulls one by one, at least".to_owned(),
        x: Axis::linear("bound"),
        y: Axis::logarithmic("hours"),
        series: vec![Series {
            name: "hours".to_owned(),
            hue: 2,
            look: SeriesStyle::Line,
            points: hours,
        }],
    }
}

fn markdown(
    game: &Game,
    options: &SurveyOptions,
    strata: &Strata<'_>,
    costs: &[BoundCost],
) -> String {
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
    let row = |cost: &BoundCost| {
        let BoundCost { bound, hulls, sampled, closed, hours } = cost;
        let least = if closed < sampled { "at least " } else { "" };
        vec![
            bound.to_string(),
            about(*hulls, 0),
            format!("{closed} of {sampled}"),
            format!("{least}{}", about(*hours, 1)),
        ]
    };
    let rows: Vec<Vec<String>> = costs.iter().map(row).collect();
    let SurveyOptions { programs, target, seed, .. } = options;
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
         dots:\n\n{}\n\
         The cost of a bound if every hull whose board has a larger value is bounded on its own, \
         by cases, with at most {programs} linear programs each. ± is the standard error of the \
         sample. Where some did not reach the bound, the hours are those spent on them: a proof \
         takes more. Boards that cover many hulls at once make a proof cheaper where the value of \
         the hull is not above the bound; they do not help where it is.\n\n{}",
        maximal.probes.len(),
        maximal.size,
        table(&["dots", "classes", "probed", "values"], &layers),
        table(&["bound", "hulls above it", "reached", "CPU hours"], &rows),
        game = game.rules,
    )
}

fn about(Estimate { sum, error }: Estimate, digits: usize) -> String {
    format!("{sum:.digits$} ± {error:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::super::{BoundTrace, TracePoint};
    use super::*;
    use bound::{Board, Octagon};
    use std::time::Duration;

    fn octagon() -> Octagon {
        match "octagon:10,8,10,12,10,8,10,12".parse() {
            Ok(Board::Octagon(octagon)) => octagon,
            _ => panic!("an octagon"),
        }
    }

    fn probe(stratum: Stratum, value: f64, points: &[(i128, usize)]) -> BoardProbe {
        let point = |&(bound, programs): &(i128, usize)| TracePoint {
            bound,
            programs,
            cpu: Duration::from_secs(3600 * programs as u64),
        };
        BoardProbe {
            stratum,
            board: octagon(),
            value,
            cpu: Duration::from_secs(1),
            trace: BoundTrace(points.iter().map(point).collect()),
        }
    }

    #[test]
    fn each_board_represents_its_share_of_the_stratum() {
        let (low, high) = (Stratum::Hulls(522), Stratum::Hulls(542));
        let sizes = [(Stratum::Maximal, 7), (low, 100), (high, 10)].into();
        let sample = BoardSample { sizes, boards: Vec::new() };
        let probes = [
            probe(Stratum::Maximal, 500.0, &[]),
            probe(low, 480.0, &[]),
            probe(low, 500.0, &[(495, 1), (489, 5)]),
            probe(high, 520.0, &[(515, 1), (486, 3), (480, 9)]),
            probe(high, 530.0, &[(515, 1), (485, 2)]),
        ];
        let options = SurveyOptions { maximal: 1, hulls: 2, programs: 9, target: 485, seed: 1 };
        let game = Game::named("5T").expect("a game");
        let report = report(&game, &options, &sample, &probes);
        let cost = report.costs.last().expect("a cost");
        assert_eq!((cost.bound, cost.sampled, cost.closed), (485, 3, 2));
        // Half of 100, and all of 10; 5 hours for each of the half, 9 and 2 for the others.
        assert_eq!((cost.hulls.sum, cost.hours.sum), (60.0, 305.0));
        assert!(report.markdown.contains("| 2 of 3 | at least 305.0 ± "), "{}", report.markdown);
        roxmltree::Document::parse(&report.svg).expect("well-formed");
    }
}
