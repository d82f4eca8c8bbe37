//! Everything that can ever be drawn from some dots, and a little more.
//!
//! The closure is the least set of moves with this property: a line can fill one of its points if
//! each other point has a dot of the start or can be filled by a line of the set that does not
//! conflict with it. Conflict means what the touching game means by it, a shared segment, so the
//! closure holds every move of every game in either game: the dots of a move come from lines drawn
//! before it, and lines drawn in one game do not conflict.

use geometry::{COORDINATE_LIMIT, Direction, Line, Point, Rules};

/// How far from the dots the closure is followed.
const MARGIN: i32 = 12;
/// The most points of the grid that holds it all: a quarter of this in MiB of memory.
const MAX_CELLS: i64 = 1 << 27;

/// A cell without a dot that nothing was found to fill.
const EMPTY: u32 = 0;
/// A cell that has a dot from the start.
const DOT: u32 = 1;
/// A cell that must stay empty.
const BARRED: u32 = 2;
/// The cell of the fillable point number n holds this plus n.
const FIRST: u32 = 3;

/// Bits for the lines of one direction: one for each point of the longest line.
const SPAN: usize = Rules::MAX_LENGTH;

/// All moves that games from some dots can have, and perhaps more.
///
/// Few points of the grid are fillable, so a cell only has the number of its point and the lines
/// that may fill it are kept apart. A cell is as small for lines of 16 as for lines of 4.
#[derive(Debug, Clone)]
pub struct Closure {
    /// How many dots a line has.
    length: usize,
    low: Point,
    width: i32,
    cells: Vec<u32>,
    /// The cells that can be filled, in the order in which they were found.
    fillable: Vec<u32>,
    /// For each of them the lines that may fill it: bit d * SPAN + i stands for the line of
    /// direction d of which it is point i.
    lines: Vec<u64>,
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
    /// If lines are longer than [`Rules::MAX_LENGTH`].
    pub fn new(
        length: usize,
        dots: &[Point],
        barred: impl IntoIterator<Item = Point>,
    ) -> Result<Self, ClosureError> {
        assert!(length <= SPAN, "there are no bits for longer lines");
        let mut closure = Self::empty(length, dots)?;
        for point in barred {
            let cell = closure.cell(point);
            closure.cells[cell] = BARRED;
        }
        let mut waiting = Waiting { cells: Vec::with_capacity(dots.len()), listed: Vec::new() };
        for &dot in dots {
            let cell = closure.cell(dot);
            closure.cells[cell] = DOT;
            waiting.cells.push(cell as u32);
        }
        let along = closure.along();
        while let Some(cell) = waiting.cells.pop() {
            // A line that lacks no more than one dot of the start has one at its first point or at
            // its second; all other lines are followed from a fillable point.
            let offsets = match number(closure.cells[cell as usize]) {
                Some(number) => {
                    waiting.listed[number] = false;
                    0..length
                }
                None => 0..2,
            };
            for (direction, along) in along.into_iter().enumerate() {
                for offset in offsets.clone() {
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
        Ok(Self {
            length,
            low: Point::new(left, top),
            width,
            cells: vec![EMPTY; cells as usize],
            fillable: Vec::new(),
            lines: Vec::new(),
        })
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
        waiting: &mut Waiting,
    ) -> Result<(), ClosureError> {
        let cell = |offset: usize| first.wrapping_add(offset.wrapping_mul(along));
        let mut missing = None;
        for offset in 0..self.length {
            let has_dot = match self.cells[cell(offset)] {
                DOT => true,
                EMPTY | BARRED => false,
                found => {
                    let lines = self.lines[(found - FIRST) as usize];
                    lines & others(self.length, direction, offset) != 0
                }
            };
            if !has_dot && missing.replace(offset).is_some() {
                return Ok(());
            }
        }
        let fills = missing.map_or(0..self.length, |offset| offset..offset + 1);
        for offset in fills {
            let number = match self.cells[cell(offset)] {
                DOT | BARRED => continue,
                EMPTY => self.number_of(cell(offset), waiting)?,
                found => (found - FIRST) as usize,
            };
            let bit = 1 << (direction * SPAN + offset);
            if self.lines[number] & bit == 0 {
                self.lines[number] |= bit;
                waiting.list(number, cell(offset));
            }
        }
        Ok(())
    }

    /// Numbers a cell that is fillable, as has just been found.
    fn number_of(&mut self, cell: usize, waiting: &mut Waiting) -> Result<usize, ClosureError> {
        self.check_room(cell)?;
        let number = self.fillable.len();
        self.cells[cell] = FIRST + number as u32;
        self.fillable.push(cell as u32);
        self.lines.push(0);
        waiting.listed.push(false);
        Ok(number)
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

    /// The place of a point of the grid in the list of those that can be filled.
    pub fn fillable_number(&self, point: Point) -> Option<usize> {
        number(self.cells[self.cell(point)])
    }

    /// The lines that can fill a point of the grid.
    pub fn lines_filling(&self, point: Point) -> impl Iterator<Item = Line> + use<> {
        let lines = self.fillable_number(point).map_or(0, |number| self.lines[number]);
        (0..4 * SPAN).filter(move |bit| lines >> bit & 1 == 1).map(move |bit| {
            let direction = Direction::ALL[bit / SPAN];
            Line::new(point - direction.step() * (bit % SPAN) as i32, direction)
        })
    }

    /// How many dots a line has.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Whether a point of the grid has a dot from the start.
    pub fn is_dot(&self, point: Point) -> bool {
        self.cells[self.cell(point)] == DOT
    }
}

/// The cells whose lines are still to be followed.
struct Waiting {
    cells: Vec<u32>,
    /// Which of the fillable points are among them.
    listed: Vec<bool>,
}

impl Waiting {
    fn list(&mut self, number: usize, cell: usize) {
        if !std::mem::replace(&mut self.listed[number], true) {
            self.cells.push(cell as u32);
        }
    }
}

/// The number of the fillable point that a cell has.
fn number(state: u32) -> Option<usize> {
    state.checked_sub(FIRST).map(|number| number as usize)
}

/// The lines that may have filled point `offset` of a line in `direction` before it is drawn: those
/// of other directions, and those of its own that only touch it.
fn others(length: usize, direction: usize, offset: usize) -> u64 {
    let own = ((1 << SPAN) - 1) << (direction * SPAN);
    let touching = match offset {
        0 => 1 << (length - 1),
        _ if offset == length - 1 => 1,
        _ => 0,
    };
    !own | touching << (direction * SPAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gadget::gadgets;
    use geometry::Move;
    use std::collections::BTreeSet;

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

    /// Every move of the closure by its definition, in sets of points: the plain version.
    fn plain(length: usize, dots: &[Point], barred: &[Point]) -> BTreeSet<Move> {
        let mut moves: BTreeSet<Move> = BTreeSet::new();
        loop {
            let touched: BTreeSet<Point> =
                dots.iter().copied().chain(moves.iter().map(|mv| mv.dot())).collect();
            // A dot for a line from the start, or from a move whose line shares no segment with it.
            let has_dot = |line: Line, point: Point| {
                let reach = length as i32 - 2;
                let clear = |mv: &Move| {
                    let along = mv.line.start - line.start;
                    let step = line.direction.step();
                    mv.line.direction != line.direction
                        || !(-reach..=reach).any(|shift| step * shift == along)
                };
                dots.contains(&point) || moves.iter().any(|mv| mv.dot() == point && clear(mv))
            };
            let mut more = moves.clone();
            for &through in &touched {
                for direction in Direction::ALL {
                    for back in 0..length as i32 {
                        let line = Line::new(through - direction.step() * back, direction);
                        for offset in 0..length {
                            let point = line.point(offset);
                            let mut others = (0..length).filter(|&i| i != offset);
                            let open = !dots.contains(&point) && !barred.contains(&point);
                            if open && others.all(|i| has_dot(line, line.point(i))) {
                                more.insert(Move::new(line, offset as u8));
                            }
                        }
                    }
                }
            }
            if more.len() == moves.len() {
                return moves;
            }
            moves = more;
        }
    }

    #[test]
    fn the_closure_is_the_plain_one() {
        let mut seen = 0;
        for length in [4, 5, 7, 16] {
            for gadget in gadgets(length).expect("a design") {
                if gadget.rows.len() > 12 {
                    continue;
                }
                let rules = Rules::new(length, true).expect("a line length");
                let driven: Vec<Point> = gadget.ports.iter().map(|port| port.1).collect();
                let dots = [gadget.dots(), driven[..1].to_vec()].concat();
                for barred in [&driven[1..], &[]] {
                    let barred: Vec<Point> = barred.to_vec();
                    let closure = Closure::new(length, &dots, barred.clone()).expect("finite");
                    let found: BTreeSet<Move> = closure
                        .fillable()
                        .flat_map(|point| closure.lines_filling(point).map(move |l| (l, point)))
                        .map(|(line, point)| {
                            Move::new(line, line.offset_of(point, rules).expect("on it") as u8)
                        })
                        .collect();
                    let plain = plain(length, &dots, &barred);
                    assert_eq!(found, plain, "{} {length}", gadget.name);
                    seen += plain.len();
                }
            }
        }
        assert!(seen > 500, "{seen}");
    }
}
