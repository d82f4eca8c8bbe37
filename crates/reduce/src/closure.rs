//! Everything that can ever be drawn from some dots, and a little more.
//!
//! The closure is the least set of moves with this property: a line can fill one of its points if
//! each other point has a dot of the start or can be filled by a line of the set that does not
//! conflict with it. Conflict means what the touching game means by it, a shared segment, so the
//! closure holds every move of every game in either game: the dots of a move come from lines drawn
//! before it, and lines drawn in one game do not conflict.

use geometry::{COORDINATE_LIMIT, Direction, Line, Point};

/// How far from the dots the closure is followed.
const MARGIN: i32 = 12;
/// The most points of the grid that holds it all: a quarter of this in MiB of memory.
const MAX_CELLS: i64 = 1 << 27;

/// A point that has a dot from the start.
const DOT: u32 = 1 << 31;
/// A point that must stay empty.
const BARRED: u32 = 1 << 30;
/// A point that waits to be looked at.
const WAITING: u32 = 1 << 29;
/// One bit for each line that may fill the point: its direction and which of its points this is.
const LINES: u32 = (1 << (4 * MAX_LENGTH)) - 1;
/// The longest line there are enough bits for.
pub const MAX_LENGTH: usize = 7;

/// All moves that games from some dots can have, and perhaps more.
#[derive(Debug, Clone)]
pub struct Closure {
    /// How many dots a line has.
    length: usize,
    low: Point,
    width: i32,
    cells: Vec<u32>,
    /// The points that can be filled, in the order in which they were found.
    fillable: Vec<u32>,
}

/// Why there is no closure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClosureError {
    /// Lines may run away from the dots.
    #[error("lines could run away from the dots, to {0}")]
    EscapesGrid(Point),
    /// The dots are spread too far.
    #[error("the dots are spread over too large a rectangle")]
    TooWide,
}

impl Closure {
    /// The closure of some dots with lines of this length, where the points `barred` are never
    /// filled.
    ///
    /// # Panics
    /// If lines are longer than [`MAX_LENGTH`].
    pub fn new(
        length: usize,
        dots: &[Point],
        barred: impl IntoIterator<Item = Point>,
    ) -> Result<Self, ClosureError> {
        assert!(length <= MAX_LENGTH, "there are no bits for longer lines");
        let mut closure = Self::empty(length, dots)?;
        for point in barred {
            let cell = closure.cell(point);
            closure.cells[cell] |= BARRED;
        }
        let mut waiting = Vec::with_capacity(dots.len());
        for &dot in dots {
            let cell = closure.cell(dot);
            closure.cells[cell] |= DOT | WAITING;
            waiting.push(cell as u32);
        }
        let along = closure.along();
        while let Some(cell) = waiting.pop() {
            closure.cells[cell as usize] &= !WAITING;
            for (direction, along) in along.into_iter().enumerate() {
                for offset in 0..length {
                    let first = (cell as usize).wrapping_sub(offset.wrapping_mul(along));
                    closure.follow(first, direction, along, &mut waiting)?;
                }
            }
        }
        Ok(closure)
    }

    fn empty(length: usize, dots: &[Point]) -> Result<Self, ClosureError> {
        // Beyond the margin there is room for the lines through its points.
        let edge = MARGIN + length as i32;
        let ends = |of: fn(&Point) -> i32| {
            let ends = (dots.iter().map(of).min(), dots.iter().map(of).max());
            (ends.0.unwrap_or(0) - edge, ends.1.unwrap_or(0) + edge)
        };
        let ((left, right), (top, bottom)) = (ends(|dot| dot.x), ends(|dot| dot.y));
        let (width, height) = (right - left + 1, bottom - top + 1);
        let cells = i64::from(width) * i64::from(height);
        if cells > MAX_CELLS || left.min(top) < -COORDINATE_LIMIT - edge {
            return Err(ClosureError::TooWide);
        }
        let low = Point::new(left, top);
        Ok(Self { length, low, width, cells: vec![0; cells as usize], fillable: Vec::new() })
    }

    /// How far apart the points of a line are in the list of cells; one direction goes backwards.
    fn along(&self) -> [usize; 4] {
        Direction::ALL.map(|direction| {
            let step = direction.step();
            (step.x + step.y * self.width) as isize as usize
        })
    }

    /// Adds what a line can fill.
    fn follow(
        &mut self,
        first: usize,
        direction: usize,
        along: usize,
        waiting: &mut Vec<u32>,
    ) -> Result<(), ClosureError> {
        let cell = |offset: usize| first.wrapping_add(offset.wrapping_mul(along));
        let mut missing = None;
        for offset in 0..self.length {
            let state = self.cells[cell(offset)];
            let other = others(self.length, direction, offset);
            if state & (DOT | other) == 0 && missing.replace(offset).is_some() {
                return Ok(());
            }
        }
        for offset in 0..self.length {
            let bit = 1 << (direction * MAX_LENGTH + offset);
            let state = self.cells[cell(offset)];
            let can = missing.is_none_or(|missing| missing == offset);
            if !can || state & (DOT | BARRED | bit) != 0 {
                continue;
            }
            if state & LINES == 0 {
                self.check_room(cell(offset))?;
                self.fillable.push(cell(offset) as u32);
            }
            if state & WAITING == 0 {
                waiting.push(cell(offset) as u32);
            }
            self.cells[cell(offset)] |= bit | WAITING;
        }
        Ok(())
    }

    /// Whether all lines through a cell are on the grid.
    fn check_room(&self, cell: usize) -> Result<(), ClosureError> {
        let (edge, height) = (self.length as i32, self.cells.len() as i32 / self.width);
        let from = self.point(cell as u32) - self.low;
        let inside = |c: i32, size: i32| (edge..size - edge).contains(&c);
        if inside(from.x, self.width) && inside(from.y, height) {
            return Ok(());
        }
        Err(ClosureError::EscapesGrid(self.point(cell as u32)))
    }

    fn cell(&self, point: Point) -> usize {
        let from = point - self.low;
        (from.y * self.width + from.x) as usize
    }

    fn point(&self, cell: u32) -> Point {
        self.low + Point::new(cell as i32 % self.width, cell as i32 / self.width)
    }

    /// The points that can be filled.
    pub fn fillable(&self) -> impl ExactSizeIterator<Item = Point> + '_ {
        self.fillable.iter().map(|&cell| self.point(cell))
    }

    /// The lines that can fill a point of the grid.
    pub fn lines_filling(&self, point: Point) -> impl Iterator<Item = Line> + use<> {
        let state = self.cells[self.cell(point)];
        (0..4 * MAX_LENGTH).filter(move |bit| state >> bit & 1 == 1).map(move |bit| {
            let direction = Direction::ALL[bit / MAX_LENGTH];
            Line::new(point - direction.step() * (bit % MAX_LENGTH) as i32, direction)
        })
    }

    /// How many dots a line has.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Whether a point of the grid has a dot from the start.
    pub fn is_dot(&self, point: Point) -> bool {
        self.cells[self.cell(point)] & DOT != 0
    }

    /// The place of a point in a list with one entry for each point of the grid.
    pub(crate) fn place(&self, point: Point) -> usize {
        self.cell(point)
    }

    /// How many points the grid has.
    pub(crate) fn places(&self) -> usize {
        self.cells.len()
    }
}

/// The lines that may have filled point `offset` of a line in `direction` before it is drawn: those
/// of other directions, and those of its own that only touch it.
fn others(length: usize, direction: usize, offset: usize) -> u32 {
    let own = ((1 << MAX_LENGTH) - 1) << (direction * MAX_LENGTH);
    let touching = match offset {
        0 => 1 << (length - 1),
        _ if offset == length - 1 => 1,
        _ => 0,
    };
    LINES & !own | touching << (direction * MAX_LENGTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(list: &[(i32, i32)]) -> Vec<Point> {
        list.iter().map(|&(x, y)| Point::new(x, y)).collect()
    }

    fn fillable(closure: &Closure) -> Vec<Point> {
        let mut found: Vec<Point> = closure.fillable().collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn four_dots_fill_both_ends_and_no_more() {
        let dots = points(&[(1, 0), (2, 0), (3, 0), (4, 0)]);
        let closure = Closure::new(5, &dots, []).expect("finite");
        assert_eq!(fillable(&closure), points(&[(0, 0), (5, 0)]));
        let line = Line::new(Point::new(0, 0), Direction::East);
        assert!(closure.lines_filling(Point::new(0, 0)).eq([line]));
        let barred = Closure::new(5, &dots, points(&[(0, 0)])).expect("finite");
        assert_eq!(fillable(&barred), points(&[(5, 0)]));
    }

    #[test]
    fn touching_lines_help_each_other_and_overlapping_ones_do_not() {
        let dots = points(&[(1, 0), (2, 0), (3, 0), (4, 0), (6, 0), (7, 0), (8, 0)]);
        let closure = Closure::new(5, &dots, []).expect("finite");
        // 5 by the line 1 to 5, then 9 by 5 to 9; 0 by 0 to 4.
        assert_eq!(fillable(&closure), points(&[(0, 0), (5, 0), (9, 0)]));
        let next: Vec<Line> = closure.lines_filling(Point::new(9, 0)).collect();
        assert_eq!(next, [Line::new(Point::new(5, 0), Direction::East)]);
    }

    #[test]
    fn a_solid_square_runs_away() {
        let square: Vec<Point> =
            (0..6).flat_map(|x| (0..6).map(move |y| Point::new(x, y))).collect();
        assert!(matches!(Closure::new(5, &square, []), Err(ClosureError::EscapesGrid(_))));
        let far = points(&[(-1_000_000, -1_000_000), (1_000_000, 1_000_000)]);
        assert_eq!(Closure::new(5, &far, []).map(|_| ()), Err(ClosureError::TooWide));
    }
}
