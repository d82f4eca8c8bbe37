//! The eight symmetries of the square, about any centre.

use std::fmt;
use std::str::FromStr;

use crate::{Line, Move, Point, Rules, Start};

/// One of the eight symmetries of the square, followed by a shift.
///
/// The shift places the centre: a symmetry of a cross maps the cross onto itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// Exchange x and y first.
    transpose: bool,
    /// Then negate x.
    flip_x: bool,
    /// Then negate y.
    flip_y: bool,
    /// Then move.
    shift: Point,
}

impl Symmetry {
    /// Moves nothing.
    pub const IDENTITY: Self =
        Self { transpose: false, flip_x: false, flip_y: false, shift: Point::new(0, 0) };

    /// The symmetries that map the rectangle with these corners onto itself, the identity first:
    /// eight for a square, four for any other rectangle.
    pub fn of_box(low: Point, high: Point) -> Vec<Self> {
        let mut found = Vec::with_capacity(8);
        for transpose in [false, true] {
            for (flip_x, flip_y) in [(false, false), (true, false), (false, true), (true, true)] {
                let turn = Self { transpose, flip_x, flip_y, shift: Point::new(0, 0) };
                let (a, b) = (turn.point(low), turn.point(high));
                let corner = Point::new(a.x.min(b.x), a.y.min(b.y));
                let symmetry = Self { shift: low - corner, ..turn };
                let far = Point::new(a.x.max(b.x), a.y.max(b.y)) + symmetry.shift;
                if far == high {
                    found.push(symmetry);
                }
            }
        }
        found
    }

    /// Where `point` goes.
    #[must_use]
    pub fn point(self, point: Point) -> Point {
        let (x, y) = if self.transpose { (point.y, point.x) } else { (point.x, point.y) };
        let x = if self.flip_x { -x } else { x };
        let y = if self.flip_y { -y } else { y };
        Point::new(x, y) + self.shift
    }

    /// Where `line` goes.
    #[must_use]
    pub fn line(self, line: Line, rules: Rules) -> Line {
        let (start, end) = (self.point(line.start), self.point(line.end(rules)));
        Line::between(start, end, rules).expect("symmetries keep directions and lengths")
    }

    /// Where `mv` goes: its line and its new dot.
    #[must_use]
    pub fn mv(self, mv: Move, rules: Rules) -> Move {
        let line = self.line(mv.line, rules);
        let offset = line.offset_of(self.point(mv.dot()), rules);
        Move::new(line, offset.expect("the new dot is on its line") as u8)
    }
}

/// A symmetry that all of a game may have: which images of a move belong to it as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameSymmetry {
    /// By 180 degrees.
    HalfTurn,
    /// By 90 degrees.
    QuarterTurn,
    /// Left and right exchanged.
    Mirror,
    /// x and y exchanged.
    DiagonalMirror,
}

impl GameSymmetry {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::HalfTurn, Self::QuarterTurn, Self::Mirror, Self::DiagonalMirror];

    /// Its name, as in `--symmetric=half-turn`.
    pub fn name(self) -> &'static str {
        match self {
            Self::HalfTurn => "half-turn",
            Self::QuarterTurn => "quarter-turn",
            Self::Mirror => "mirror",
            Self::DiagonalMirror => "diagonal-mirror",
        }
    }

    /// Its number, counted from 1, as parameters have it.
    pub fn number(self) -> usize {
        1 + self as usize
    }

    /// The one of this number.
    pub fn numbered(number: usize) -> Option<Self> {
        Self::ALL.get(number.checked_sub(1)?).copied()
    }

    /// The symmetries of a start that make it up, the identity first; `None` if the start is not
    /// that symmetric.
    pub fn group(self, start: &Start) -> Option<Vec<Symmetry>> {
        let mut group = start.symmetries();
        group.retain(|&Symmetry { transpose, flip_x, flip_y, .. }| match self {
            Self::HalfTurn => !transpose && flip_x == flip_y,
            Self::QuarterTurn => transpose == (flip_x != flip_y),
            Self::Mirror => !transpose && !flip_y,
            Self::DiagonalMirror => !flip_x && !flip_y,
        });
        (group.len() == if self == Self::QuarterTurn { 4 } else { 2 }).then_some(group)
    }
}

impl fmt::Display for GameSymmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GameSymmetry {
    type Err = ParseSymmetryError;

    fn from_str(text: &str) -> Result<Self, ParseSymmetryError> {
        Self::ALL.into_iter().find(|symmetry| symmetry.name() == text).ok_or(ParseSymmetryError)
    }
}

/// A text that names no [`GameSymmetry`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no such symmetry; there is half-turn, quarter-turn, mirror, diagonal-mirror")]
pub struct ParseSymmetryError;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Direction;
    use proptest::prelude::*;
    use std::collections::HashSet;

    #[test]
    fn a_symmetry_of_games_needs_a_start_that_has_it() {
        let cross = Start::cross(4).expect("in range");
        let groups = GameSymmetry::ALL.map(|it| it.group(&cross).expect("a cross has all"));
        assert_eq!(groups.each_ref().map(Vec::len), [2, 4, 2, 2]);
        for group in groups {
            assert_eq!(group[0], Symmetry::IDENTITY);
            let images = |point: Point| -> HashSet<Point> {
                group.iter().map(|symmetry| symmetry.point(point)).collect()
            };
            let far = Point::new(3, -8);
            assert!(images(far).into_iter().all(|image| images(image) == images(far)));
        }
        let row = Start::from_dots([0, 1, 2].map(|x| Point::new(x, 7))).expect("three dots");
        let has = GameSymmetry::ALL.map(|it| it.group(&row).is_some());
        assert_eq!(has, [true, false, true, false]);
    }

    #[test]
    fn symmetries_of_games_have_names_and_numbers() {
        for symmetry in GameSymmetry::ALL {
            assert_eq!(symmetry.name().parse(), Ok(symmetry));
            assert_eq!(GameSymmetry::numbered(symmetry.number()), Some(symmetry));
        }
        assert_eq!("turn".parse::<GameSymmetry>(), Err(ParseSymmetryError));
        assert_eq!([0, 5].map(GameSymmetry::numbered), [None, None]);
    }

    #[test]
    fn a_square_has_eight_and_a_rectangle_four() {
        let low = Point::new(2, -1);
        assert_eq!(Symmetry::of_box(low, Point::new(11, 8)).len(), 8);
        assert_eq!(Symmetry::of_box(low, Point::new(11, 9)).len(), 4);
        assert_eq!(Symmetry::of_box(low, low).len(), 8);
        assert_eq!(Symmetry::of_box(low, Point::new(11, 8))[0], Symmetry::IDENTITY);
    }

    proptest! {
        #[test]
        fn a_line_goes_where_its_dots_go(
            x in -50..50, y in -50..50, d in 0usize..4, length in 2usize..=16, s in 0usize..8,
        ) {
            let rules = Rules::new(length, true).expect("in range");
            let symmetry = Symmetry::of_box(Point::new(0, 0), Point::new(9, 9))[s];
            let line = Line::new(Point::new(x, y), Direction::ALL[d]);
            let mut expected: Vec<Point> = line.points(rules).map(|p| symmetry.point(p)).collect();
            let mut found: Vec<Point> = symmetry.line(line, rules).points(rules).collect();
            expected.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(expected, found);
            let mv = Move::new(line, (s % length) as u8);
            let image = symmetry.mv(mv, rules);
            prop_assert_eq!(image.line, symmetry.line(line, rules));
            prop_assert_eq!(image.dot(), symmetry.point(mv.dot()));
        }
    }
}
