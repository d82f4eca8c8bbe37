//! Exact fractions, as small as these formulas need them.

use std::fmt;

/// A fraction in lowest terms with a positive denominator. Prints as `4931/7` or `141`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: i128,
    denominator: i128,
}

impl Fraction {
    /// `numerator / denominator`.
    ///
    /// # Panics
    /// If the denominator is not positive.
    pub fn new(numerator: i128, denominator: i128) -> Self {
        assert!(denominator > 0, "a denominator is positive");
        let divisor = greatest_common_divisor(numerator.abs(), denominator);
        Self { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// the floor.
    pub fn floor(self) -> i128 {
        self.numerator.div_euclid(self.denominator)
    }

    /// The nearest float, for charts and JSON.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// The floor as a number of moves: 0 if it is negative.
    pub(super) fn moves(self) -> u64 {
        u64::try_from(self.floor().max(0)).expect("a start has few dots")
    }
}

impl From<i128> for Fraction {
    fn from(whole: i128) -> Self {
        Self::new(whole, 1)
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            denominator => write!(f, "{}/{denominator}", self.numerator),
        }
    }
}

fn greatest_common_divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_in_lowest_terms_and_round_down() {
        assert_eq!(Fraction::new(6, 4), Fraction::new(3, 2));
        assert_eq!(Fraction::new(-6, 4).floor(), -2);
        assert_eq!(Fraction::new(-6, 4).moves(), 0);
        assert_eq!(Fraction::new(82_992, 112).to_string(), "741");
        assert_eq!(Fraction::new(0, 5).to_string(), "0");
        assert_eq!(Fraction::new(-1, 2).to_string(), "-1/2");
        assert_eq!(Fraction::new(1, 2).to_f64(), 0.5);
    }
}
