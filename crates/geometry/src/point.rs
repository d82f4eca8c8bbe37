//! Lattice points and the four directions of a line.

use std::fmt;
use std::ops::{Add, Mul, Sub};

/// The largest absolute value of a coordinate that any part of the program accepts.
///
/// Sums and differences of a few such numbers stay far inside `i32`, so geometry never overflows.
pub const COORDINATE_LIMIT: i32 = 1 << 20;

/// A lattice point; x grows right, y grows down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// Column, growing right.
    pub x: i32,
    /// Row, growing down.
    pub y: i32,
}

impl Point {
    /// The point in column `x` and row `y`.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// Whether both coordinates are within [`COORDINATE_LIMIT`].
    pub fn within_limit(self) -> bool {
        let fits = |c: i32| (-COORDINATE_LIMIT..=COORDINATE_LIMIT).contains(&c);
        fits(self.x) && fits(self.y)
    }
}

impl Add for Point {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Point {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<i32> for Point {
    type Output = Self;
    fn mul(self, factor: i32) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.x, self.y)
    }
}

/// The direction of a line, from its first dot on; the four opposites name the same lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// To the right.
    East,
    /// Down.
    South,
    /// Right and down.
    SouthEast,
    /// Right and up.
    NorthEast,
}

impl Direction {
    /// The four directions, in the order used wherever an order is needed.
    pub const ALL: [Self; 4] = [Self::East, Self::South, Self::SouthEast, Self::NorthEast];

    /// The step from one dot of a line to the next.
    pub const fn step(self) -> Point {
        match self {
            Self::East => Point::new(1, 0),
            Self::South => Point::new(0, 1),
            Self::SouthEast => Point::new(1, 1),
            Self::NorthEast => Point::new(1, -1),
        }
    }

    /// The short name used in files: `E`, `S`, `SE` or `NE`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::East => "E",
            Self::South => "S",
            Self::SouthEast => "SE",
            Self::NorthEast => "NE",
        }
    }

    /// The direction with this short name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| direction.name() == name)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_directions_read_back() {
        for direction in Direction::ALL {
            assert_eq!(Direction::named(direction.name()), Some(direction));
        }
        assert_eq!(Direction::named("N"), None);
    }

    #[test]
    fn the_limit_is_inclusive() {
        assert!(Point::new(COORDINATE_LIMIT, -COORDINATE_LIMIT).within_limit());
        assert!(!Point::new(COORDINATE_LIMIT + 1, 0).within_limit());
        assert!(!Point::new(0, i32::MIN).within_limit());
    }
}
