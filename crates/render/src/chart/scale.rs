//! From values to places along an axis, and where its ticks are.

use super::{Axis, Scale};

/// An axis that knows its values and its length in pixels.
#[derive(Debug, Clone)]
pub(super) struct Ruler {
    low: f64,
    high: f64,
    logarithmic: bool,
    pub(super) ticks: Vec<Tick>,
}

/// A mark on an axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    /// What is written there; nothing at small ticks.
    pub(super) label: String,
}

impl Ruler {
    /// The ruler of an axis for these values; about `fit` ticks fit.
    pub(super) fn new(axis: &Axis, values: impl Iterator<Item = f64>, fit: usize) -> Self {
        let logarithmic = axis.scale == Scale::Logarithmic;
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.chain(axis.include.iter().copied()) {
            if let Some(value) = inner(value, logarithmic) {
                (low, high) = (low.min(value), high.max(value));
            }
        }
        if let Scale::Names(names) = &axis.scale {
            let ticks = (0..)
                .zip(names)
                .map(|(place, name)| Tick { value: f64::from(place), label: name.clone() });
            let high = names.len().max(1) as f64 - 0.5;
            return Self { low: -0.5, high, logarithmic, ticks: ticks.collect() };
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if high - low < 1e-9 * high.abs().max(1.0) {
            let half = (high.abs() * 1e-3).max(0.5);
            (low, high) = (low - half, high + half);
        }
        let room = (high - low) * 0.04;
        (low, high) = (low - room, high + room);
        let ticks = if logarithmic { decades(low, high, fit) } else { even(low, high, fit) };
        Self { low, high, logarithmic, ticks }
    }

    /// Where a value lies, from 0 to 1; `None` if it cannot be shown.
    pub(super) fn place(&self, value: f64) -> Option<f64> {
        let inner = inner(value, self.logarithmic)?;
        Some((inner - self.low) / (self.high - self.low))
    }
}

fn inner(value: f64, logarithmic: bool) -> Option<f64> {
    let inner = if logarithmic { value.log10() } else { value };
    // Nothing that is measured is beyond these, and no sum of such values overflows.
    (-1e100..=1e100).contains(&inner).then_some(inner)
}

/// Round numbers at even distances.
fn even(low: f64, high: f64, fit: usize) -> Vec<Tick> {
    let least = (high - low) / fit.max(1) as f64;
    let power = 10f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    // A few more than asked for is better than half as many.
    let step = step.into_iter().find(|&step| step >= least * 0.75).unwrap_or(10.0 * power);
    let decimals = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    let tick = |number: i64| {
        let value = number as f64 * step;
        Tick { value, label: format!("{value:.decimals$}") }
    };
    (first..=last.min(first + 100)).map(tick).collect()
}

/// Powers of ten between two logarithms, with small ticks between them if there is room; where
/// there are few powers, 2 and 5 times them have labels as well.
fn decades(low: f64, high: f64, fit: usize) -> Vec<Tick> {
    let (first, last) = (low.floor() as i32, high.ceil() as i32);
    let powers = (high.floor() - low.ceil() + 1.0).max(1.0);
    let every = (powers / fit.max(1) as f64).ceil() as i32;
    let few = high - low < 2.0;
    let mut ticks = Vec::new();
    for power in first..=last {
        for factor in 1..=9 {
            let value = f64::from(factor) * 10f64.powi(power);
            if value.log10() < low || value.log10() > high {
                continue;
            }
            let label = match factor {
                1 if power.rem_euclid(every) == 0 => power_label(power),
                2 | 5 if few => short(value),
                _ if every > 1 => continue,
                _ => String::new(),
            };
            ticks.push(Tick { value, label });
        }
    }
    ticks
}

/// A power of ten: plainly if it is short.
fn power_label(power: i32) -> String {
    if (-3..=3).contains(&power) {
        return short(10f64.powi(power));
    }
    let raise = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32(0x2070 + digit.to_digit(10).unwrap_or(0)).unwrap_or(digit),
    };
    format!("10{}", power.to_string().chars().map(raise).collect::<String>())
}

/// A number without zeros at its end.
fn short(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, values: &[f64], fit: usize) -> Vec<String> {
        let ticks = Ruler::new(axis, values.iter().copied(), fit).ticks;
        ticks.into_iter().map(|tick| tick.label).filter(|label| !label.is_empty()).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        let axis = Axis::linear("");
        assert_eq!(labels(&axis, &[0.2, 10.0], 6), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(&axis, &[61.3, 62.1], 5), ["61.4", "61.6", "61.8", "62.0"]);
        assert_eq!(labels(&axis, &[-7.0, 120.0], 4), ["0", "50", "100"]);
    }

    #[test]
    fn powers_of_ten_stand_on_logarithmic_axes() {
        let axis = Axis::logarithmic("");
        assert_eq!(labels(&axis, &[1.0, 1e4], 6), ["1", "10", "100", "1000", "10⁴"]);
        assert_eq!(labels(&axis, &[0.02, 0.3], 6), ["0.02", "0.05", "0.1", "0.2"]);
        assert_eq!(labels(&axis, &[1e-9, 1e9], 5), ["10⁻⁸", "10⁻⁴", "1", "10⁴", "10⁸"]);
        let ruler = Ruler::new(&axis, [1.0, 100.0].into_iter(), 5);
        assert!((ruler.place(10.0).expect("a place") - 0.5).abs() < 1e-12);
        assert_eq!(ruler.place(0.0), None);
        assert_eq!(ruler.place(-1.0), None);
    }

    #[test]
    fn names_stand_at_even_places() {
        let axis = Axis::names("", vec!["4D".to_owned(), "4T".to_owned()]);
        let ruler = Ruler::new(&axis, std::iter::empty(), 5);
        assert_eq!(ruler.place(0.0), Some(0.25));
        assert_eq!(ruler.place(1.0), Some(0.75));
        assert_eq!(ruler.ticks.len(), 2);
    }

    #[test]
    fn odd_values_do_no_harm() {
        for values in
            [vec![], vec![f64::NAN], vec![5.0], vec![f64::INFINITY, 1.0], vec![1e300, -1e300]]
        {
            for axis in [Axis::linear(""), Axis::logarithmic("")] {
                let ruler = Ruler::new(&axis, values.iter().copied(), 5);
                assert!(ruler.low < ruler.high, "{values:?}");
                assert!(ruler.ticks.len() < 200, "{values:?}");
            }
        }
    }
}
