//! The verifier's "no": what is wrong, and where.

use std::fmt;

use thiserror::Error;

use crate::fault::Fault;

/// Why a file was refused. Prints as `move 6: there is already a dot at (4,0)`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}{fault}", self.prefix())]
#[non_exhaustive]
pub struct Refusal {
    /// Where the fault lies.
    pub place: Place,
    /// What is wrong there.
    pub fault: Fault,
}

impl Refusal {
    pub(crate) fn new(place: Place, fault: impl Into<Fault>) -> Refusal {
        Refusal { place, fault: fault.into() }
    }

    /// Whether the text could not be read as a game or proof at all. Otherwise it was read, and
    /// what it claims is false.
    #[must_use]
    pub fn is_malformed(&self) -> bool {
        matches!(self.fault, Fault::Format(_))
    }

    /// The same fault in a part of the file, unless it already says where it lies.
    pub(crate) fn at(self, place: Place) -> Refusal {
        match self.place {
            Place::File if !self.is_malformed() => Refusal::new(place, self.fault),
            _ => self,
        }
    }

    /// The number of the faulty move, line or part, counting from 1, if the fault lies in one.
    #[must_use]
    pub fn number(&self) -> Option<u32> {
        self.place.number()
    }

    fn prefix(&self) -> String {
        self.place.number().map_or(String::new(), |_| format!("{}: ", self.place))
    }
}

impl<F: Into<Fault>> From<F> for Refusal {
    fn from(fault: F) -> Refusal {
        Refusal::new(Place::File, fault)
    }
}

/// A place in a file. Prints as `move 6`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// Not in one move or line.
    File,
    /// In the move of this number, counting from 1.
    Move(u32),
    /// In the line of this number of a drawing, counting from 1.
    Line(u32),
    /// In the move of this number before endless play repeats itself, counting from 1.
    Prefix(u32),
    /// In a move of endless play that repeats itself.
    Round {
        /// The repetition of the period, counting from 1.
        round: u32,
        /// The number of the move in its period, counting from 1.
        number: u32,
    },
    /// In the dual of the row of this number: counting from 1 in a list of duals; a leaf of a tree
    /// names its rows, counting from 0.
    Row(u32),
    /// In the cut of this number, counting from 1.
    Cut(u32),
    /// In the board of this number, counting from 1.
    Board(u32),
    /// In the range of this number, counting from 1.
    Range(u32),
}

impl Place {
    /// The number of the move, line or part.
    #[must_use]
    pub fn number(self) -> Option<u32> {
        match self {
            Place::File => None,
            Place::Move(number) | Place::Line(number) | Place::Prefix(number) => Some(number),
            Place::Round { number, .. }
            | Place::Row(number)
            | Place::Cut(number)
            | Place::Board(number)
            | Place::Range(number) => Some(number),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File => write!(f, "the file"),
            Place::Move(number) => write!(f, "move {number}"),
            Place::Line(number) => write!(f, "line {number}"),
            Place::Prefix(number) => write!(f, "prefix move {number}"),
            Place::Round { round, number } => write!(f, "round {round}, move {number}"),
            Place::Row(number) => write!(f, "row {number}"),
            Place::Cut(number) => write!(f, "cut {number}"),
            Place::Board(number) => write!(f, "board {number}"),
            Place::Range(number) => write!(f, "range {number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::{FormatFault, GameFault};
    use crate::rules::Point;

    #[test]
    fn a_refusal_says_where_if_it_can() {
        let fault = GameFault::Occupied { new: Point { x: 4, y: 0 } };
        let refusal = Refusal::new(Place::Move(6), fault);
        assert_eq!(refusal.to_string(), "move 6: there is already a dot at (4,0)");
        assert_eq!(
            Refusal::from(FormatFault::TooLarge).to_string(),
            "the file is larger than 134217728 bytes"
        );
    }
}
