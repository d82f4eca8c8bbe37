//! A rectangle of points around a position, each with an index.
//!
//! The rectangle has a rim of one more point on each side, so that a line that would leave is
//! detected; nothing is ever placed there.

use geometry::{Direction, Game, Line, Move, Point};

use super::bits::Bits;
use super::open::OpenLines;

/// The points, and the lines on them.
#[derive(Debug, Clone)]
pub(crate) struct Grid<const N: usize> {
    game: Game,
    /// The corner of the rim.
    low: Point,
    width: usize,
    pub(crate) length: usize,
    /// Two lines of a direction overlap if they begin fewer steps than this apart.
    pub(crate) reach: usize,
    /// The difference between the indices of adjacent dots of a line, for each direction. All are
    /// positive: a line to the north-east is identified by its last dot here.
    pub(crate) steps: [usize; 4],
    /// The points where dots may be placed.
    pub(crate) inner: Bits<N>,
    /// The lines with at most one dot on the rim.
    lines: [Bits<N>; 4],
}

impl<const N: usize> Grid<N> {
    /// The points from `low` to `high` and the rim around them; `None` if there are too many.
    pub(crate) fn new(game: &Game, low: Point, high: Point) -> Option<Self> {
        let rim = Point::new(1, 1);
        let (low, high) = (low - rim, high + rim);
        let (width, height) = ((high.x - low.x + 1) as usize, (high.y - low.y + 1) as usize);
        if width.checked_mul(height)? > 64 * N {
            return None;
        }
        let mut grid = Self {
            length: game.rules.length(),
            reach: game.rules.marks(),
            steps: [1, width, width + 1, width - 1],
            inner: Bits::NONE,
            lines: [Bits::NONE; 4],
            game: game.clone(),
            low,
            width,
        };
        let inside = |point: Point| {
            (low.x < point.x && point.x < high.x) && (low.y < point.y && point.y < high.y)
        };
        for y in low.y..=high.y {
            for x in low.x..=high.x {
                let point = Point::new(x, y);
                if inside(point) {
                    grid.inner.insert(grid.index(point));
                }
                for direction in Direction::ALL {
                    let line = Line::new(point, direction);
                    let end = line.end(game.rules);
                    let fits =
                        (low.x..=high.x).contains(&end.x) && (low.y..=high.y).contains(&end.y);
                    let rim = line.points(game.rules).filter(|&point| !inside(point)).count();
                    if fits && rim <= 1 {
                        let first = if direction == Direction::NorthEast { end } else { point };
                        grid.lines[direction as usize].insert(grid.index(first));
                    }
                }
            }
        }
        Some(grid)
    }

    /// The open lines after these moves, which must be legal and inside.
    pub(crate) fn after(&self, moves: &[Move]) -> OpenLines<N> {
        let mut dots = Bits::NONE;
        self.game.start.dots().iter().for_each(|&dot| dots.insert(self.index(dot)));
        let mut open = OpenLines { dots, lines: self.lines };
        for mv in moves {
            let index = self.line_index(mv.line).expect("the grid is around all dots");
            open.draw(self, mv.line.direction as usize, index);
            open.dots.insert(self.index(mv.dot()));
        }
        open
    }

    /// The index of a point.
    fn index(&self, point: Point) -> usize {
        let from = point - self.low;
        from.y as usize * self.width + from.x as usize
    }

    /// The index of a line: that of its first dot here; `None` if it is not on the grid.
    pub(crate) fn line_index(&self, line: Line) -> Option<usize> {
        let first = match line.direction {
            Direction::NorthEast => line.end(self.game.rules),
            _ => line.start,
        };
        let from = first - self.low;
        let inside = from.x >= 0 && (from.x as usize) < self.width && from.y >= 0;
        let index = inside.then(|| self.index(first)).filter(|&index| index < 64 * N)?;
        self.lines[line.direction as usize].has(index).then_some(index)
    }

    /// The dots of some lines of a direction.
    #[inline(always)]
    pub(crate) fn dots(&self, direction: usize, lines: Bits<N>) -> Bits<N> {
        lines.spread_up(self.steps[direction], self.length)
    }

    /// The lines of a direction that contain one of these dots.
    #[inline(always)]
    pub(crate) fn through(&self, direction: usize, dots: Bits<N>) -> Bits<N> {
        dots.spread_down(self.steps[direction], self.length)
    }

    /// These lines of a direction, and those that overlap one of them.
    #[inline(always)]
    pub(crate) fn overlapping(&self, direction: usize, lines: Bits<N>) -> Bits<N> {
        let step = self.steps[direction];
        lines.spread_up(step, self.reach) | lines.spread_down(step, self.reach)
    }
}
