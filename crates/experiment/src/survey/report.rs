//! What a survey says: how values are spread, and what each target would cost.

use std::collections::BTreeMap;

use geometry::Game;
use render::chart::{Axis, Chart, Look, Mark, Panel, Series};
use render::{Theme, chart::chart};

use super::{LAYER, Probe, Sample, Stratum, Wish};
use crate::report::table;

/// What people read.
#[derive(Debug, Clone)]
pub struct Report {
    /// The page.
    pub markdown: String,
    /// The histogram and the costs.
    pub svg: String,
    /// The costs, from the highest bound to the lowest.
    pub costs: Vec<Cost>,
}

/// What the hulls of a family would cost for a bound, each by itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// The bound.
    pub bound: u32,
    /// How many hulls have a larger value as boards.
    pub hulls: Estimate,
    /// How many hulls of the sample these are.
    pub sampled: usize,
    /// How many of those came down to the bound.
    pub closed: usize,
    /// Hours of processor time; at least so many if some did not come down.
    pub hours: Estimate,
}

/// A sum over all boards, as a sample suggests it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The sum.
    pub sum: f64,
    /// Its standard error.
    pub error: f64,
}

/// The width of a bar of the histogram, in moves.
const BAR: f64 = 5.0;

/// Puts a survey into words, numbers and pictures.
pub fn report(game: &Game, wish: &Wish, sample: &Sample, probes: &[Probe]) -> Report {
    let strata = strata(sample, probes);
    let top = 586.max(wish.target);
    let mut bounds: Vec<u32> = (wish.target..=top).rev().step_by(10).collect();
    if bounds.last() != Some(&wish.target) {
        bounds.push(wish.target);
    }
    let costs: Vec<Cost> = bounds.into_iter().map(|bound| cost(bound, &strata)).collect();
    let svg = chart(&Chart {
        title: format!("Boards of {}", game.rules),
        note: format!("A random sample: {} boards, seed {}", probes.len(), wish.seed),
        panels: vec![histogram(&strata), cost_panel(&costs)],
        ordered: false,
        theme: Theme::Light,
    });
    Report { markdown: markdown(game, wish, &strata, &costs), svg, costs }
}

/// The boards of a stratum that were looked at, and how many it has in all.
struct Seen<'a> {
    size: u64,
    probes: Vec<&'a Probe>,
}

type Strata<'a> = BTreeMap<Stratum, Seen<'a>>;

fn strata<'a>(sample: &Sample, probes: &'a [Probe]) -> Strata<'a> {
    let of = |stratum: Stratum| {
        probes.iter().filter(move |probe| probe.stratum == stratum).collect::<Vec<_>>()
    };
    let sizes = sample.sizes.iter();
    sizes.map(|(&stratum, &size)| (stratum, Seen { size, probes: of(stratum) })).collect()
}

fn hulls<'a, 'b>(strata: &'b Strata<'a>) -> impl Iterator<Item = &'b Seen<'a>> {
    strata.iter().filter(|(stratum, _)| **stratum != Stratum::Maximal).map(|(_, seen)| seen)
}

/// Whether the board of a probe has a value that shows less than is wanted.
fn is_beyond(probe: &Probe, bound: u32) -> bool {
    probe.value >= f64::from(bound) + 1.0
}

fn cost(bound: u32, strata: &Strata<'_>) -> Cost {
    let beyond =
        || hulls(strata).flat_map(|seen| &seen.probes).filter(|probe| is_beyond(probe, bound));
    let hours = |probe: &Probe| match is_beyond(probe, bound) {
        true => {
            let spent = probe.descent.to(bound).or(probe.descent.last());
            spent.map_or(0.0, |foothold| foothold.cpu.as_secs_f64() / 3600.0)
        }
        false => 0.0,
    };
    Cost {
        bound,
        hulls: estimate(hulls(strata), |probe| f64::from(u8::from(is_beyond(probe, bound)))),
        sampled: beyond().count(),
        closed: beyond().filter(|probe| probe.descent.to(bound).is_some()).count(),
        hours: estimate(hulls(strata), hours),
    }
}

/// The sum of something over all boards of some strata: each that was looked at stands for many.
fn estimate<'a>(
    strata: impl Iterator<Item = &'a Seen<'a>>,
    of: impl Fn(&Probe) -> f64,
) -> Estimate {
    let (mut sum, mut variance) = (0.0, 0.0);
    for Seen { size, probes } in strata.filter(|seen| !seen.probes.is_empty()) {
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
    let bars = |seen: &[&Seen<'_>]| {
        let total: f64 = seen.iter().map(|seen| seen.size as f64).sum();
        let mut bars: BTreeMap<i64, f64> = BTreeMap::new();
        for Seen { size, probes } in seen {
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
        Series { name, hue, look: Look::Stairs, points }
    };
    let maximal: Vec<&Seen<'_>> = strata.get(&Stratum::Maximal).into_iter().collect();
    let hulls: Vec<&Seen<'_>> = hulls(strata).collect();
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

fn cost_panel(costs: &[Cost]) -> Panel {
    let mark = |bound: u32, Estimate { sum, error }: Estimate| Mark {
        x: f64::from(bound),
        y: sum,
        low: (sum - error).max(sum / 10.0),
        high: sum + error,
    };
    let points = costs.iter().rev().filter(|cost| cost.hours.sum > 0.0);
    let hours = points.map(|cost| mark(cost.bound, cost.hours)).collect();
    Panel {
        title: "Processor time for all hulls one by one, at least".to_owned(),
        x: Axis::linear("bound"),
        y: Axis::logarithmic("hours"),
        series: vec![Series { name: "hours".to_owned(), hue: 2, look: Look::Line, points: hours }],
    }
}

fn markdown(game: &Game, wish: &Wish, strata: &Strata<'_>, costs: &[Cost]) -> String {
    let empty = Seen { size: 0, probes: Vec::new() };
    let maximal = strata.get(&Stratum::Maximal).unwrap_or(&empty);
    let values = || maximal.probes.iter().map(|probe| probe.value);
    let (least, most) =
        (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    let mut seconds: Vec<f64> =
        maximal.probes.iter().map(|probe| probe.cpu.as_secs_f64()).collect();
    seconds.sort_by(f64::total_cmp);
    let rate = seconds.len() as f64 / seconds.iter().sum::<f64>();
    let median = seconds.get(seconds.len() / 2).copied().unwrap_or(0.0);
    let layer = |(stratum, seen): (&Stratum, &Seen<'_>)| match stratum {
        Stratum::Maximal => None,
        Stratum::Hulls(least) => {
            let values = || seen.probes.iter().map(|probe| probe.value);
            Some(vec![
                format!("{least} to {}", least + LAYER - 1),
                seen.size.to_string(),
                seen.probes.len().to_string(),
                format!(
                    "{:.1} to {:.1}",
                    values().fold(f64::INFINITY, f64::min),
                    values().fold(f64::NEG_INFINITY, f64::max)
                ),
            ])
        }
    };
    let layers: Vec<Vec<String>> = strata.iter().filter_map(layer).collect();
    let row = |cost: &Cost| {
        let Cost { bound, hulls, sampled, closed, hours } = cost;
        let least = if closed < sampled { "at least " } else { "" };
        vec![
            bound.to_string(),
            about(*hulls, 0),
            format!("{closed} of {sampled}"),
            format!("{least}{}", about(*hours, 1)),
        ]
    };
    let rows: Vec<Vec<String>> = costs.iter().map(row).collect();
    let Wish { programs, target, seed, .. } = wish;
    format!(
        "# Boards of {game}, a random sample\n\n\
         Seed {seed}. Values are those of the linear program `lines`, each with its certificate; times are processor time of one \
         thread on the machine that made this page. [boards.csv](boards.csv) has every board, [boards.svg](boards.svg) is a \
         picture.\n\n## Maximal boards\n\n\
         {} of {}, drawn evenly: values from {least:.2} to {most:.2}; solved and certified {rate:.2} in a second of processor time, \
         in the middle one in {median:.2} s.\n\n## Hulls\n\n\
         Octagons with too few dots for {target} moves are left out. The others, by their dots:\n\n{}\n\
         What a bound would cost if every hull whose board has a larger value were bounded by itself, by cases, at most \
         {programs} linear programs for each. ± is the standard error of the sample. Where some did not come down to the bound with \
         these, the hours are those that were spent on them: a proof takes more. Boards that hold many hulls at once \
         make a proof cheaper where the value of the hull is not beyond the bound; they do not help where it is.\n\n{}",
        maximal.probes.len(),
        maximal.size,
        table(&["dots", "classes", "looked at", "values"], &layers),
        table(&["bound", "hulls beyond it", "came down", "CPU hours"], &rows),
        game = game.rules,
    )
}

fn about(Estimate { sum, error }: Estimate, digits: usize) -> String {
    format!("{sum:.digits$} ± {error:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::super::{Foothold, Footholds};
    use super::*;
    use bound::{Board, Octagon};
    use std::time::Duration;

    fn octagon() -> Octagon {
        match "octagon:10,8,10,12,10,8,10,12".parse() {
            Ok(Board::Octagon(octagon)) => octagon,
            _ => panic!("an octagon"),
        }
    }

    fn probe(stratum: Stratum, value: f64, footholds: &[(i128, usize)]) -> Probe {
        let foothold = |&(bound, programs): &(i128, usize)| Foothold {
            bound,
            programs,
            cpu: Duration::from_secs(3600 * programs as u64),
        };
        Probe {
            stratum,
            board: octagon(),
            value,
            cpu: Duration::from_secs(1),
            descent: Footholds(footholds.iter().map(foothold).collect()),
        }
    }

    #[test]
    fn each_board_stands_for_its_part_of_the_stratum() {
        let (low, high) = (Stratum::Hulls(522), Stratum::Hulls(542));
        let sizes = [(Stratum::Maximal, 7), (low, 100), (high, 10)].into();
        let sample = Sample { sizes, boards: Vec::new() };
        let probes = [
            probe(Stratum::Maximal, 500.0, &[]),
            probe(low, 480.0, &[]),
            probe(low, 500.0, &[(495, 1), (489, 5)]),
            probe(high, 520.0, &[(515, 1), (486, 3), (480, 9)]),
            probe(high, 530.0, &[(515, 1), (485, 2)]),
        ];
        let wish = Wish { maximal: 1, hulls: 2, programs: 9, target: 485, seed: 1 };
        let game = Game::named("5T").expect("a game");
        let report = report(&game, &wish, &sample, &probes);
        let cost = report.costs.last().expect("a cost");
        assert_eq!((cost.bound, cost.sampled, cost.closed), (485, 3, 2));
        // Half of 100, and all of 10; 5 hours for each of the half, 9 and 2 for the others.
        assert_eq!((cost.hulls.sum, cost.hours.sum), (60.0, 305.0));
        assert!(report.markdown.contains("| 2 of 3 | at least 305.0 ± "), "{}", report.markdown);
        roxmltree::Document::parse(&report.svg).expect("well-formed");
    }
}
