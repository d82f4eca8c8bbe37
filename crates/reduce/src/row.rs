//! Points in a row, some with dots and some empty: what every gadget is made of.

use geometry::{Direction, Line, Move, Point};

/// A line that is meant to be drawn, with its holes: the points where the pattern has no dot.
///
/// Once all holes but one have a dot, the line can be drawn and fills the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The line.
    pub line: Line,
    /// Bit i is set if point i of the line is a hole.
    holes: u16,
    /// How many points it has.
    length: u8,
}

/// The dots of some rows, sorted.
pub(crate) fn sorted_dots(rows: &[Row]) -> Vec<Point> {
    let mut dots: Vec<Point> = rows.iter().flat_map(|row| row.dots()).collect();
    dots.sort_unstable();
    dots.dedup();
    dots
}

impl Row {
    /// A row between two end points, `holes` counted from `from`.
    ///
    /// # Panics
    /// If the ends are not in one of the four directions; in a constant that is a compile error.
    pub const fn between(from: (i32, i32), to: (i32, i32), holes: &[usize]) -> Self {
        let (across, down) = ((to.0 - from.0).abs(), (to.1 - from.1).abs());
        let reach = if across > down { across } else { down };
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
            bits |= 1 << if turned { reach as usize - holes[next] } else { holes[next] };
            next += 1;
        }
        let line = Line::new(Point::new(start.0, start.1), direction);
        Self { line, holes: bits, length: reach as u8 + 1 }
    }

    /// One unit of a wire: dots between two holes.
    pub const fn unit(from: (i32, i32), to: (i32, i32)) -> Self {
        let row = Self::between(from, to, &[0]);
        Self { holes: 1 | 1 << (row.length - 1), ..row }
    }

    /// One unit of a wire between two points.
    pub fn joining(one: Point, other: Point) -> Self {
        Self::unit((one.x, one.y), (other.x, other.y))
    }

    /// How many points it has.
    pub fn length(self) -> usize {
        usize::from(self.length)
    }

    /// All points, dots and holes.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.length()).map(move |i| self.line.point(i))
    }

    /// The holes.
    pub fn holes(self) -> impl Iterator<Item = Point> {
        self.points().enumerate().filter(move |(i, _)| self.holes >> i & 1 == 1).map(|(_, p)| p)
    }

    /// The dots.
    pub fn dots(self) -> impl Iterator<Item = Point> {
        self.points().enumerate().filter(move |(i, _)| self.holes >> i & 1 == 0).map(|(_, p)| p)
    }

    /// The move that fills this hole.
    ///
    /// # Panics
    /// If the point is not on the line.
    pub fn filling(self, hole: Point) -> Move {
        let offset = self.points().position(|point| point == hole).expect("a hole of the row");
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
        let (one, other) = (self.line.start, self.line.point(self.length() - 1));
        let holes: Vec<usize> = (0..self.length()).filter(|i| self.holes >> i & 1 == 1).collect();
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
