//! Five points in a row, some with dots and some empty: what every gadget is made of.

use geometry::{Direction, Line, Move, Point, Rules};

/// The length of a line in this reduction: the game is 5T and 5D at once.
pub const LENGTH: usize = 5;

/// The touching rules: a game that they forbid is forbidden by both.
pub const TOUCHING: Rules = match Rules::new(LENGTH, true) {
    Ok(rules) => rules,
    Err(_) => unreachable!(),
};

/// The disjoint rules: a game that they allow is allowed by both.
pub const DISJOINT: Rules = match Rules::new(LENGTH, false) {
    Ok(rules) => rules,
    Err(_) => unreachable!(),
};

/// A line that is meant to be drawn, with its holes: the points where the pattern has no dot.
///
/// Once all holes but one have a dot, the line can be drawn and fills the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The line.
    pub line: Line,
    /// Bit i is set if point i of the line is a hole.
    holes: u8,
}

impl Row {
    /// A row between two end points, `holes` counted from `from`.
    ///
    /// # Panics
    /// If the ends are not one line apart; in a constant that is a compile error.
    pub const fn between(from: (i32, i32), to: (i32, i32), holes: &[usize]) -> Self {
        let reach = LENGTH as i32 - 1;
        let (dx, dy) = ((to.0 - from.0) / reach, (to.1 - from.1) / reach);
        assert!(to.0 == from.0 + reach * dx && to.1 == from.1 + reach * dy);
        let (direction, turned) = match (dx, dy) {
            (1, 0) => (Direction::East, false),
            (0, 1) => (Direction::South, false),
            (1, 1) => (Direction::SouthEast, false),
            (1, -1) => (Direction::NorthEast, false),
            (-1, 0) => (Direction::East, true),
            (0, -1) => (Direction::South, true),
            (-1, -1) => (Direction::SouthEast, true),
            (-1, 1) => (Direction::NorthEast, true),
            _ => panic!("a row lies in one of the four directions"),
        };
        let start = if turned { to } else { from };
        let mut bits = 0;
        let mut next = 0;
        while next < holes.len() {
            bits |= 1 << if turned { LENGTH - 1 - holes[next] } else { holes[next] };
            next += 1;
        }
        Self { line: Line::new(Point::new(start.0, start.1), direction), holes: bits }
    }

    /// One unit of a wire: three dots between two holes.
    pub const fn unit(from: (i32, i32), to: (i32, i32)) -> Self {
        Self::between(from, to, &[0, LENGTH - 1])
    }

    /// One unit of a wire between two points.
    pub fn joining(one: Point, other: Point) -> Self {
        Self::unit((one.x, one.y), (other.x, other.y))
    }

    /// The holes.
    pub fn holes(self) -> impl Iterator<Item = Point> {
        (0..LENGTH).filter(move |i| self.holes >> i & 1 == 1).map(move |i| self.line.point(i))
    }

    /// The dots.
    pub fn dots(self) -> impl Iterator<Item = Point> {
        (0..LENGTH).filter(move |i| self.holes >> i & 1 == 0).map(move |i| self.line.point(i))
    }

    /// The move that fills this hole.
    ///
    /// # Panics
    /// If the point is not on the line.
    pub fn filling(self, hole: Point) -> Move {
        let offset = self.line.offset_of(hole, TOUCHING).expect("a hole of the row");
        Move::new(self.line, offset as u8)
    }

    /// The same row further down.
    pub const fn lowered(self, by: i32) -> Self {
        let Point { x, y } = self.line.start;
        Self { line: Line::new(Point::new(x, y + by), self.line.direction), ..self }
    }

    /// The same row elsewhere.
    pub fn moved(self, by: Point) -> Self {
        Self { line: Line::new(self.line.start + by, self.line.direction), ..self }
    }

    /// The same row upside down: y becomes -y.
    pub fn flipped(self) -> Self {
        let (one, other) = (self.line.start, self.line.end(TOUCHING));
        let holes: Vec<usize> = (0..LENGTH).filter(|i| self.holes >> i & 1 == 1).collect();
        Self::between((one.x, -one.y), (other.x, -other.y), &holes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_the_same_from_both_ends() {
        let one = Row::between((1, 9), (5, 13), &[0, 3]);
        let other = Row::between((5, 13), (1, 9), &[4, 1]);
        assert_eq!(one, other);
        assert_eq!(one.holes().collect::<Vec<_>>(), [Point::new(1, 9), Point::new(4, 12)]);
        assert_eq!(one.dots().count(), 3);
        assert_eq!(one.filling(Point::new(4, 12)).dot(), Point::new(4, 12));
    }

    #[test]
    fn upside_down_twice_is_as_before() {
        let row = Row::between((1, 9), (5, 13), &[0, 3]);
        assert_ne!(row.flipped(), row);
        assert_eq!(row.flipped().flipped(), row);
        assert_eq!(row.flipped().holes().last(), Some(Point::new(4, -12)));
    }
}
