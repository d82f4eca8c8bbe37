//! The published bounds, in exact numbers, each with its inequality written out.
//!
//! All are of Demaine, Demaine, Langerman, Langerman (2006), section 3, derived again here: where
//! the argument gives another number than the paper prints, the [`Bound`] is that of the argument
//! and says what is printed. k = length - 1 as there; n is the number of dots of the start.

mod boundary;
mod closure;
mod fraction;
mod parity;
mod potential;
mod table;

use std::fmt;

use geometry::Game;

pub use fraction::Fraction;
pub use table::{Published, TABLE};

/// A way to a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// Counting free slots, of which every move leaves fewer.
    Potential,
    /// So few free slots cannot surround so many dots.
    Boundary,
    /// Counting slots by the parity of their dots, for lines of four.
    Parity,
    /// All dots that could ever be placed, if they are finitely many.
    Closure,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Potential, Self::Boundary, Self::Parity, Self::Closure];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Potential => "potential",
            Self::Boundary => "boundary",
            Self::Parity => "parity",
            Self::Closure => "closure",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An upper bound for a game, with the argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// How it was found.
    pub method: Method,
    /// What the last inequality says, before it is rounded down.
    pub value: Fraction,
    /// No game has more moves than this.
    pub bound: u64,
    /// The argument with its numbers, a line for each step; the last one is the inequality.
    pub argument: Vec<String>,
    /// What the paper prints, where that is another number, and why.
    pub printed: Option<Printed>,
    /// A game of so many moves was found on the way; the bound is exact if it is the same.
    pub reached: Option<u64>,
}

/// A number in print that differs from what the argument gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// The bound in print.
    pub bound: i64,
    /// Where the difference comes from.
    pub reason: &'static str,
}

/// The bound for a game by one method.
pub fn bound(game: &Game, method: Method) -> Result<Bound, NoBound> {
    attempt(game, method).map_err(|reason| {
        let others = Method::ALL.into_iter().filter(|&other| other != method);
        let instead = others.filter(|&other| attempt(game, other).is_ok()).collect();
        NoBound { game: game.to_string(), method, reason, instead }
    })
}

/// The least bound for a game by any of the methods.
pub fn best(game: &Game) -> Option<Bound> {
    let bounds = Method::ALL.into_iter().filter_map(|method| attempt(game, method).ok());
    bounds.min_by_key(|bound| bound.bound)
}

fn attempt(game: &Game, method: Method) -> Result<Bound, Reason> {
    match method {
        Method::Potential => potential::bound(game),
        Method::Boundary => boundary::bound(game),
        Method::Parity => parity::bound(game),
        Method::Closure => closure::bound(game),
    }
}

/// A method that says nothing about a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no bound for {game} by {method}: {reason}; {}", self.advice())]
pub struct NoBound {
    /// The game.
    pub game: String,
    /// The method.
    pub method: Method,
    /// Why it does not apply.
    pub reason: Reason,
    /// The methods that do.
    pub instead: Vec<Method>,
}

impl NoBound {
    fn advice(&self) -> String {
        let names: Vec<&str> = self.instead.iter().map(|method| method.name()).collect();
        match names.is_empty() {
            true => "no other formula applies either".to_owned(),
            false => format!("what applies: {}", names.join(", ")),
        }
    }
}

/// Why a method does not apply to a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
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
    /// More dots can be placed than are looked at.
    #[error("more than {limit} dots could be placed one after the other, perhaps without end")]
    ClosureGrows {
        /// How many are looked at.
        limit: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::{Point, Start};

    fn by(name: &str, method: Method) -> u64 {
        bound(&Game::named(name).expect("known"), method).expect("applies").bound
    }

    #[test]
    fn the_known_bounds_come_out() {
        assert_eq!(by("5D", Method::Potential), 141);
        assert_eq!(by("5T", Method::Boundary), 705);
        assert_eq!(by("4D", Method::Parity), 48);
        assert_eq!(by("4T", Method::Parity), 192);
        for length in 6..=16 {
            for kind in ["T", "D"] {
                let game = Game::named(&format!("{length}{kind}")).expect("known");
                let best = best(&game).expect("a bound");
                assert_eq!(
                    (best.bound, best.reached, best.method),
                    (12, Some(12), Method::Closure)
                );
            }
        }
    }

    #[test]
    fn where_no_formula_applies_that_is_told() {
        for name in ["2D", "2T", "3D", "3T"] {
            let game = Game::named(name).expect("known");
            assert_eq!(best(&game), None);
            for method in Method::ALL {
                let no = bound(&game, method).expect_err("no bound").to_string();
                assert!(no.contains(name) && no.contains("no other formula applies"), "{no}");
            }
        }
        let no = bound(&Game::named("5T").expect("known"), Method::Potential).expect_err("none");
        assert_eq!(no.instead, [Method::Boundary]);
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
            let five = bound(&game("5D"), Method::Potential).expect("applies");
            assert_eq!(five.bound, (4 * dots).saturating_sub(3), "G_4(n) <= 4n - 3");
            let touching = bound(&game("5T"), Method::Boundary).expect("applies");
            assert_eq!(touching.bound, (4 * dots * dots + 3) / 7 - dots, "G'_4(n)");
            if let Some(printed) = touching.printed {
                let (n, bound) = (dots as i64, printed.bound);
                assert!(bound < touching.bound as i64 && 7 * bound <= 4 * n * n - 7 * n);
            }
        }
    }

    #[test]
    fn an_argument_ends_with_its_number() {
        for (name, method) in
            [("5D", Method::Potential), ("5T", Method::Boundary), ("4T", Method::Parity)]
        {
            let bound = bound(&Game::named(name).expect("known"), method).expect("applies");
            let last = bound.argument.last().expect("an argument");
            assert!(last.ends_with(&bound.value.to_string()), "{last}");
        }
    }
}
