//! The published bounds in exact numbers, each with its inequality written out.
//!
//! All are from Demaine, Demaine, Langerman, Langerman (2006), section 3, derived again here: where
//! the argument gives another number than the paper, the [`FormulaBound`] is that of the argument
//! and says what is published. k = length - 1 as in the paper; n is the number of dots of the
//! start.

mod boundary;
mod closure;
mod fraction;
mod parity;
mod potential;
mod table;

use std::fmt;

use geometry::Game;

pub use fraction::Fraction;
pub use table::{PublishedRow, TABLE};

/// A published argument for a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoundFormula {
    /// Counting free slots, of which every move leaves fewer.
    Potential,
    /// Few free slots cannot surround many dots.
    Boundary,
    /// Counting slots by the parity of their dots, for lines of four.
    Parity,
    /// All dots that could ever be placed, if they are finitely many.
    Closure,
}

impl BoundFormula {
    /// All formulas.
    pub const ALL: [Self; 4] = [Self::Potential, Self::Boundary, Self::Parity, Self::Closure];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Potential => "potential",
            Self::Boundary => "boundary",
            Self::Parity => "parity",
            Self::Closure => "closure",
        }
    }
}

impl fmt::Display for BoundFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An upper bound for a game, with the argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormulaBound {
    /// The formula.
    pub formula: BoundFormula,
    /// The right-hand side of the last inequality, before rounding down.
    pub value: Fraction,
    /// No game has more moves than this.
    pub bound: u64,
    /// The argument with its numbers, a line for each step; the last one is the inequality.
    pub argument: Vec<String>,
    /// What the paper says, where that is another number, and why.
    pub published: Option<PublishedBound>,
    /// The length of a game found on the way; if it equals the bound, the bound is exact.
    pub reached: Option<u64>,
}

/// A published number that differs from what the argument gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedBound {
    /// The published bound.
    pub bound: i64,
    /// The reason for the difference.
    pub reason: &'static str,
}

/// The bound for a game by one formula.
pub fn bound(game: &Game, formula: BoundFormula) -> Result<FormulaBound, FormulaError> {
    attempt(game, formula).map_err(|reason| {
        let others = BoundFormula::ALL.into_iter().filter(|&other| other != formula);
        let instead = others.filter(|&other| attempt(game, other).is_ok()).collect();
        FormulaError { game: game.to_string(), formula, reason, instead }
    })
}

/// The least bound for a game by any formula.
#[must_use]
pub fn best(game: &Game) -> Option<FormulaBound> {
    let bounds = BoundFormula::ALL.into_iter().filter_map(|formula| attempt(game, formula).ok());
    bounds.min_by_key(|bound| bound.bound)
}

fn attempt(game: &Game, formula: BoundFormula) -> Result<FormulaBound, InapplicableReason> {
    match formula {
        BoundFormula::Potential => potential::bound(game),
        BoundFormula::Boundary => boundary::bound(game),
        BoundFormula::Parity => parity::bound(game),
        BoundFormula::Closure => closure::bound(game),
    }
}

/// A formula does not apply to a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no bound for {game} by {formula}: {reason}; {}", self.advice())]
pub struct FormulaError {
    /// The game.
    pub game: String,
    /// The formula.
    pub formula: BoundFormula,
    /// Why it does not apply.
    pub reason: InapplicableReason,
    /// The formulas that do apply.
    pub instead: Vec<BoundFormula>,
}

impl FormulaError {
    fn advice(&self) -> String {
        let names: Vec<&str> = self.instead.iter().map(|formula| formula.name()).collect();
        match names.is_empty() {
            true => "no other formula applies either".to_owned(),
            false => format!("what applies: {}", names.join(", ")),
        }
    }
}

/// Why a formula does not apply to a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InapplicableReason {
    /// A move leaves as many free slots as before, or more.
    #[error(
        "a move must use up more slots than it adds; that takes lines of at least {least} dots"
    )]
    PotentialStays {
        /// The shortest lines to which the argument applies.
        least: usize,
    },
    /// The slots grow fast enough to surround all dots.
    #[error("the free slots grow with every move and always suffice to surround the dots")]
    BoundaryHolds,
    /// Parity is for lines of four dots.
    #[error("the argument is for lines of 4 dots, not of {length}")]
    ParityLength {
        /// The length of a line.
        length: usize,
    },
    /// Dots in all four classes.
    #[error("the start has dots of all four parities of (x, y); the argument needs one to be free")]
    ParityStart,
    /// More dots can be placed than the limit.
    #[error("more than {limit} dots could be placed one after the other, perhaps without end")]
    ClosureGrows {
        /// The limit.
        limit: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::{Point, Start};

    fn by(name: &str, formula: BoundFormula) -> u64 {
        bound(&Game::named(name).expect("known"), formula).expect("applies").bound
    }

    #[test]
    fn the_known_bounds_are_reproduced() {
        assert_eq!(by("5D", BoundFormula::Potential), 141);
        assert_eq!(by("5T", BoundFormula::Boundary), 705);
        assert_eq!(by("4D", BoundFormula::Parity), 48);
        assert_eq!(by("4T", BoundFormula::Parity), 192);
        for length in 6..=16 {
            for kind in ["T", "D"] {
                let game = Game::named(&format!("{length}{kind}")).expect("known");
                let best = best(&game).expect("a bound");
                assert_eq!(
                    (best.bound, best.reached, best.formula),
                    (12, Some(12), BoundFormula::Closure)
                );
            }
        }
    }

    #[test]
    fn games_without_a_formula_are_reported() {
        for name in ["2D", "2T", "3D", "3T"] {
            let game = Game::named(name).expect("known");
            assert_eq!(best(&game), None);
            for formula in BoundFormula::ALL {
                let no = bound(&game, formula).expect_err("no bound").to_string();
                assert!(no.contains(name) && no.contains("no other formula applies"), "{no}");
            }
        }
        let no =
            bound(&Game::named("5T").expect("known"), BoundFormula::Potential).expect_err("none");
        assert_eq!(no.instead, [BoundFormula::Boundary]);
        assert!(
            no.to_string().ends_with("lines of at least 6 dots; what applies: boundary"),
            "{no}"
        );
    }

    #[test]
    fn bounds_depend_on_the_number_of_dots_only_where_they_say_so() {
        for dots in 0..60u64 {
            let start = Start::from_dots((0..dots as i32).map(|x| Point::new(3 * x, x % 7)));
            let game = |name: &str| Game {
                rules: name.parse().expect("known"),
                start: start.clone().expect("few"),
            };
            let five = bound(&game("5D"), BoundFormula::Potential).expect("applies");
            assert_eq!(five.bound, (4 * dots).saturating_sub(3), "G_4(n) <= 4n - 3");
            let touching = bound(&game("5T"), BoundFormula::Boundary).expect("applies");
            assert_eq!(touching.bound, (4 * dots * dots + 3) / 7 - dots, "G'_4(n)");
            if let Some(published) = touching.published {
                let (n, bound) = (dots as i64, published.bound);
                assert!(bound < touching.bound as i64 && 7 * bound <= 4 * n * n - 7 * n);
            }
        }
    }

    #[test]
    fn an_argument_ends_with_its_number() {
        for (name, formula) in [
            ("5D", BoundFormula::Potential),
            ("5T", BoundFormula::Boundary),
            ("4T", BoundFormula::Parity),
        ] {
            let bound = bound(&Game::named(name).expect("known"), formula).expect("applies");
            let last = bound.argument.last().expect("an argument");
            assert!(last.ends_with(&bound.value.to_string()), "{last}");
        }
    }
}
