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
