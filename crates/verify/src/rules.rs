//! Points, directions, lines, moves, and the rules: line length, touching or disjoint.
//!
//! Plain values, and the one definition that both kinds of rules share: what a line uses up.
//! Whether a move is legal is decided by [`Position`](crate::game::Position).

use std::fmt;

/// The largest absolute value of a coordinate in a file.
pub const LIMIT: i32 = 1 << 20;

/// The rules of a game: how long a line is, and whether lines may touch. Prints as `5T` or `4D`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rules {
    length: u8,
    touching: bool,
}

impl Rules {
    /// Parses `5T`, `4D`, ...: a line length from 2 to 16, then `T` or `D`.
    pub(crate) fn parse(text: &str) -> Option<Rules> {
        let (length, touching) = match text.strip_suffix('T') {
            Some(length) => (length, true),
            None => (text.strip_suffix('D')?, false),
        };
        let length = u8::try_from(parse_number(length, 16)?).ok()?;
        (length >= 2).then_some(Rules { length, touching })
    }

    /// How many dots a line has, 2 to 16.
    #[must_use]
    pub fn length(self) -> u8 {
        self.length
    }

    /// Whether two lines in one direction may share an end dot (`T`) or no dot at all (`D`).
    #[must_use]
    pub fn touching(self) -> bool {
        self.touching
    }

    /// The dots of `line`, first to last.
    pub fn dots(self, line: Line) -> impl Iterator<Item = Point> {
        (0..i32::from(self.length)).map(move |steps| line.first.walk(line.direction, steps))
    }

    /// Whether `dot` is on `line`.
    pub(crate) fn has(self, line: Line, dot: Point) -> bool {
        let steps = match line.direction {
            Direction::South => dot.y - line.first.y,
            _ => dot.x - line.first.x,
        };
        (0..i32::from(self.length)).contains(&steps)
            && line.first.walk(line.direction, steps) == dot
    }

    /// What `line` uses up in its direction, so that no other line may use it again.
    ///
    /// Disjoint rules forbid a shared dot, touching ones a shared segment. A segment is named by
    /// its first dot, so a touching line uses up all its dots but the last.
    pub(crate) fn uses(self, line: Line) -> impl Iterator<Item = Point> {
        self.dots(line).take(usize::from(self.length) - usize::from(self.touching))
    }

    /// The line from one end to the other, or `None` if they are not the ends of a line.
    pub(crate) fn line_between(self, one: Point, other: Point) -> Option<Line> {
        let steps = i32::from(self.length) - 1;
        Direction::ALL.into_iter().find_map(|direction| {
            let (dx, dy) = (other.x - one.x, other.y - one.y);
            let (step_x, step_y) = direction.step();
            let whole = (steps * step_x, steps * step_y);
            if (dx, dy) == whole {
                Some(Line { first: one, direction })
            } else if (-dx, -dy) == whole {
                Some(Line { first: other, direction })
            } else {
                None
            }
        })
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.length, if self.touching { 'T' } else { 'D' })
    }
}

/// A lattice point, x to the right and y down. Prints as `(3,-1)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Point {
    /// The column.
    pub x: i32,
    /// The row, growing downwards.
    pub y: i32,
}

impl Point {
    /// Whether both coordinates are within [`LIMIT`].
    pub(crate) fn within_limit(self) -> bool {
        let range = -LIMIT..=LIMIT;
        range.contains(&self.x) && range.contains(&self.y)
    }

    /// The point `steps` steps away, backwards if negative.
    pub(crate) fn walk(self, direction: Direction, steps: i32) -> Point {
        let (dx, dy) = direction.step();
        Point { x: self.x + steps * dx, y: self.y + steps * dy }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.x, self.y)
    }
}

/// The direction in which a line runs from its first dot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To the right.
    East,
    /// Down.
    South,
    /// To the right and down.
    SouthEast,
    /// To the right and up.
    NorthEast,
}

impl Direction {
    /// All four, in the order of their declaration.
    pub const ALL: [Direction; 4] =
        [Direction::East, Direction::South, Direction::SouthEast, Direction::NorthEast];

    /// One step, in x and y.
    #[must_use]
    pub fn step(self) -> (i32, i32) {
        match self {
            Direction::East => (1, 0),
            Direction::South => (0, 1),
            Direction::SouthEast => (1, 1),
            Direction::NorthEast => (1, -1),
        }
    }

    /// The name in files: `E`, `S`, `SE` or `NE`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Direction::East => "E",
            Direction::South => "S",
            Direction::SouthEast => "SE",
            Direction::NorthEast => "NE",
        }
    }

    /// The direction of this name in files.
    pub(crate) fn parse(name: &str) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| direction.name() == name)
    }
}

/// A line, by its first dot and its direction; its length is that of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Line {
    /// The dot from which the line runs.
    pub first: Point,
    /// The direction in which it runs.
    pub direction: Direction,
}

/// A move: a line, and the one dot on it that is new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// The dot that the move adds.
    pub new: Point,
    /// The line that the move draws.
    pub line: Line,
}

/// Parses an integer from 1 to `most` in its canonical form: digits, no sign, no leading zero.
pub(crate) fn parse_number(text: &str, most: u32) -> Option<u32> {
    let canonical = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    text.parse().ok().filter(|&number| canonical && number <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(name: &str) -> Rules {
        Rules::parse(name).expect("known rules")
    }

    #[test]
    fn every_name_of_rules_parses_back_to_itself() {
        for length in 2..=16 {
            for kind in ['T', 'D'] {
                let name = format!("{length}{kind}");
                assert_eq!(rules(&name).to_string(), name);
            }
        }
    }

    #[test]
    fn other_names_are_not_rules() {
        let names =
            ["", "T", "5", "5t", "05T", "+5T", "1T", "0D", "17D", "5TT", " 5T", "5T ", "٥T"];
        for name in names.into_iter().chain(["99999999999999999999T"]) {
            assert_eq!(Rules::parse(name), None, "{name:?}");
        }
    }

    #[test]
    fn the_ends_of_a_line_may_be_named_in_either_order() {
        for direction in Direction::ALL {
            let line = Line { first: Point { x: -2, y: 7 }, direction };
            let last = rules("5T").dots(line).last().expect("five dots");
            assert_eq!(rules("5T").line_between(line.first, last), Some(line));
            assert_eq!(rules("5T").line_between(last, line.first), Some(line));
            assert_eq!(rules("4T").line_between(line.first, last), None);
        }
    }

    #[test]
    fn points_off_the_four_directions_end_no_line() {
        let origin = Point { x: 0, y: 0 };
        for (x, y) in [(0, 0), (4, 1), (4, 2), (-4, 3), (1, 4), (8, 8), (5, 0)] {
            assert_eq!(rules("5D").line_between(origin, Point { x, y }), None);
        }
    }

    #[test]
    fn a_line_has_its_dots_and_no_others() {
        for direction in Direction::ALL {
            let line = Line { first: Point { x: 1, y: -1 }, direction };
            for (x, y) in (-9..9).flat_map(|x| (-9..9).map(move |y| (x, y))) {
                let dot = Point { x, y };
                assert_eq!(rules("5T").has(line, dot), rules("5T").dots(line).any(|on| on == dot));
            }
        }
    }

    #[test]
    fn a_touching_line_leaves_its_last_dot_free() {
        let line = Line { first: Point { x: 0, y: 0 }, direction: Direction::East };
        assert_eq!(rules("5T").uses(line).count(), 4);
        assert_eq!(rules("5D").uses(line).count(), 5);
        assert!(rules("5T").uses(line).all(|dot| dot.x < 4));
    }
}
