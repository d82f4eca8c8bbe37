//! Lines and moves. How many dots a line has is the [`Rules`]' business, so it is passed in.

use std::fmt;

use crate::{Direction, Point, Rules};

/// A line, named by its first dot and its direction.
///
/// Every line has exactly one name: of its two ends, `start` is the one from which the other is
/// reached by going [`Direction::step`] forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    /// The first dot.
    pub start: Point,
    /// Where the other dots lie, seen from the first.
    pub direction: Direction,
}

impl Line {
    /// The line from `start` on.
    pub const fn new(start: Point, direction: Direction) -> Self {
        Self { start, direction }
    }

    /// The line with these two end dots, in either order; `None` unless they are
    /// exactly one line length apart in one of the four directions.
    pub fn between(one: Point, other: Point, rules: Rules) -> Option<Self> {
        Direction::ALL.into_iter().find_map(|direction| {
            let reach = direction.step() * (rules.length() as i32 - 1);
            if one + reach == other {
                Some(Self::new(one, direction))
            } else if other + reach == one {
                Some(Self::new(other, direction))
            } else {
                None
            }
        })
    }

    /// The dot number `offset`, counted from 0 at the start.
    pub fn point(self, offset: usize) -> Point {
        self.start + self.direction.step() * offset as i32
    }

    /// All dots of the line, from first to last.
    pub fn points(self, rules: Rules) -> impl DoubleEndedIterator<Item = Point> + Clone {
        (0..rules.length()).map(move |offset| self.point(offset))
    }

    /// The last dot.
    pub fn end(self, rules: Rules) -> Point {
        self.point(rules.length() - 1)
    }

    /// The `(point, direction)` marks that the line uses, so that no other line may.
    ///
    /// Touching rules forbid a shared segment, disjoint ones a shared point. A segment is named by
    /// its first point, so both rules become one set; a touching line leaves its last point free.
    ///
    /// ```
    /// use morpion_geometry::{Direction, Line, Point, Rules};
    ///
    /// let line = Line::new(Point::new(0, 0), Direction::East);
    /// let marks = |rules: &str| line.marks(rules.parse().unwrap()).map(|(point, _)| point.x);
    /// assert!(marks("4T").eq([0, 1, 2]));
    /// assert!(marks("4D").eq([0, 1, 2, 3]));
    /// ```
    pub fn marks(
        self,
        rules: Rules,
    ) -> impl DoubleEndedIterator<Item = (Point, Direction)> + Clone {
        (0..rules.marks()).map(move |offset| (self.point(offset), self.direction))
    }

    /// Whether two lines use the same mark, so that a game can have only one of them.
    #[inline]
    pub fn overlaps(self, other: Self, rules: Rules) -> bool {
        let apart = other.start - self.start;
        let step = self.direction.step();
        let count = apart.x * step.x + if step.x == 0 { apart.y } else { 0 };
        self.direction == other.direction
            && count.abs() < rules.marks() as i32
            && step * count == apart
    }

    /// At which offset `point` lies on this line, if it does.
    pub fn offset_of(self, point: Point, rules: Rules) -> Option<usize> {
        (0..rules.length()).find(|&offset| self.point(offset) == point)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.start, self.direction)
    }
}

/// A move: one line, and which of its dots is new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The line that is drawn.
    pub line: Line,
    /// The number of its new dot, counted from 0 at the line's start.
    pub offset: u8,
}

impl Move {
    /// The move that draws `line` and adds its dot number `offset`.
    pub const fn new(line: Line, offset: u8) -> Self {
        Self { line, offset }
    }

    /// The new dot.
    pub fn dot(self) -> Point {
        self.line.point(usize::from(self.offset))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {}", self.dot(), self.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn five() -> Rules {
        Rules::new(5, true).expect("5T")
    }

    #[test]
    fn both_orders_of_the_ends_name_the_same_line() {
        for direction in Direction::ALL {
            let line = Line::new(Point::new(3, -2), direction);
            let end = line.end(five());
            assert_eq!(Line::between(line.start, end, five()), Some(line));
            assert_eq!(Line::between(end, line.start, five()), Some(line));
        }
    }

    #[test]
    fn lines_overlap_if_they_share_a_mark() {
        let places = || (-4..=4).flat_map(|x| (-4..=4).map(move |y| Point::new(x, y)));
        for rules in ["3T", "3D", "4T"].map(|name| name.parse::<Rules>().expect("rules")) {
            for direction in Direction::ALL {
                let one = Line::new(Point::new(0, 0), direction);
                for other in Direction::ALL {
                    for other in places().map(|start| Line::new(start, other)) {
                        let mut marks = one.marks(rules);
                        let shared = marks.any(|mark| other.marks(rules).any(|own| own == mark));
                        assert_eq!(one.overlaps(other, rules), shared, "{rules}: {one}, {other}");
                    }
                }
            }
        }
    }

    #[test]
    fn ends_at_another_distance_make_no_line() {
        let origin = Point::new(0, 0);
        for other in [origin, Point::new(3, 0), Point::new(5, 5), Point::new(4, 2)] {
            assert_eq!(Line::between(origin, other, five()), None);
        }
    }

    #[test]
    fn a_move_knows_its_dot() {
        let line = Line::new(Point::new(0, 4), Direction::NorthEast);
        assert_eq!(Move::new(line, 2).dot(), Point::new(2, 2));
        assert_eq!(line.offset_of(Point::new(2, 2), five()), Some(2));
        assert_eq!(line.offset_of(Point::new(5, -1), five()), None);
    }
}
