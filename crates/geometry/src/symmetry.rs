//! The eight symmetries of the square, about any centre.

use crate::{Line, Move, Point, Rules};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Direction;
    use proptest::prelude::*;

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
