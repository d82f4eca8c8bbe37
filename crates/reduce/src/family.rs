//! Which design serves lines of which length: the one place that decides.

use std::ops::RangeInclusive;

use geometry::Rules;

use crate::gadget::tile;
use crate::layout::Spacing;

/// A design: its gadgets, and how a layout is made of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Lines of 4: one tile for each literal and clause, with rows of several kinds.
    Tile,
    /// Lines of 5 and more: the nodes of all wires lie on a lattice.
    Lattice,
}

impl Family {
    /// The line lengths that have a design.
    pub const LENGTHS: RangeInclusive<usize> = 4..=Rules::MAX_LENGTH;

    /// The design for lines of this length.
    pub fn for_length(length: usize) -> Result<Self, LengthError> {
        match length {
            4 => Ok(Self::Tile),
            5..=Rules::MAX_LENGTH => Ok(Self::Lattice),
            _ => Err(LengthError(length)),
        }
    }

    /// The smallest distances that work.
    pub fn spacing(self) -> Spacing {
        match self {
            Self::Tile => Spacing { variable: 2 * tile::DOWN, clause: tile::ACROSS },
            Self::Lattice => Spacing { variable: 10, clause: 8 },
        }
    }
}

/// No gadgets for lines of this length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "there are gadgets for lines of {least} to {most} dots, not of {0}",
    least = Family::LENGTHS.start(),
    most = Family::LENGTHS.end()
)]
pub struct LengthError(pub usize);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_of_the_range_has_a_design_and_no_other() {
        for length in 0..40 {
            let found = Family::for_length(length);
            assert_eq!(found.is_ok(), Family::LENGTHS.contains(&length), "{length}");
        }
        let error = LengthError(3).to_string();
        assert_eq!(error, "there are gadgets for lines of 4 to 16 dots, not of 3");
    }
}
