//! The line board of the bit engine.
//!
//! Per direction and row it stores three words: the dots, the used marks, and the first points of
//! legal lines. Drawing or erasing a line changes the four rows through its new dot, and the last
//! word of each is then recomputed, for all its lines at once. The whole board is 2 KB: to save a
//! state, copy it. The plain version it is tested against is [`crate::PlainLineBoard`].
//!
//! Lines that would leave the ring are never legal here, so a game found is legal, but a game that
//! needs more room is not found.

use geometry::{Direction, Game, Line, Rules};

use super::{INNER, Layout, SIDE, along, line_id, place_in, row};
use crate::line_board::{LineBoard, LineSet};
use crate::{PlainPosition, Position};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(align(16))]
struct Row {
    dots: u32,
    used: u32,
    legal: u32,
    /// The first points of lines inside the ring: constant, stored here for locality.
    inside: u32,
}

/// A line board for lines of `LENGTH` (4 or 5) from the standard cross.
#[derive(Debug)]
pub struct BitLineBoard<const LENGTH: usize, const TOUCHING: bool> {
    rows: [[Row; SIDE]; 4],
    /// Per direction: the rows with a legal line.
    open: [u32; 4],
    layout: Layout,
    game: Game,
}

impl<const LENGTH: usize, const TOUCHING: bool> BitLineBoard<LENGTH, TOUCHING> {
    /// The bits of a line's dots.
    const LINE: u32 = (1 << LENGTH) - 1;
    /// The bits of a line's marks.
    const MARKS: u32 = Self::LINE >> TOUCHING as u32;

    /// The first points of lines inside the ring, per direction and row.
    const INSIDE: [[u32; SIDE]; 4] = {
        let mut inside = [[0; SIDE]; 4];
        let mut d = 0;
        while d < 4 {
            let direction = Direction::ALL[d];
            let step = direction.step();
            let mut r = 0;
            while r < SIDE {
                let mut s = 0;
                while s < SIDE as u32 {
                    let (x, y) = place_in(direction, r as u32, s);
                    let (x, y) = (x as i32, y as i32);
                    let reach = LENGTH as i32 - 1;
                    let (far_x, far_y) = (x + reach * step.x, y + reach * step.y);
                    if is_inner(x) && is_inner(y) && is_inner(far_x) && is_inner(far_y) {
                        inside[d][r] |= 1 << s;
                    }
                    s += 1;
                }
                r += 1;
            }
            d += 1;
        }
        inside
    };

    /// The board with only the cross on it.
    pub fn start() -> Self {
        const { assert!(LENGTH == 4 || LENGTH == 5) };
        let game =
            Game::from_cross(Rules::new(LENGTH, TOUCHING).expect("4 and 5 are line lengths"));
        let layout = Layout::around(&game.start).expect("the cross fits");
        let rows = Self::INSIDE.map(|rows| rows.map(|inside| Row { inside, ..Row::default() }));
        let open = [0; 4];
        let mut board = Self { rows, open, layout, game };
        for &dot in board.game.clone().start.dots() {
            let (x, y) = layout.place(dot).expect("the cross fits");
            board.change(x, y, None, |_, _| {});
        }
        debug_assert_eq!(
            board.legal_count(),
            PlainPosition::start(board.game.clone()).legal().len()
        );
        board
    }

    /// The first points of lines that lack exactly one dot and overlap nothing, for four whole rows
    /// at once. Written lane by lane so that the compiler vectorises it.
    #[inline(always)]
    fn playable(dots: [u32; 4], used: [u32; 4], inside: [u32; 4]) -> [u32; 4] {
        let (mut some, mut two, mut blocked) = ([0; 4], [0; 4], [0; 4]);
        for i in 0..LENGTH {
            for d in 0..4 {
                let lacks = !(dots[d] >> i);
                two[d] |= some[d] & lacks;
                some[d] |= lacks;
            }
        }
        for i in 0..Self::MARKS.count_ones() {
            for d in 0..4 {
                blocked[d] |= used[d] >> i;
            }
        }
        std::array::from_fn(|d| some[d] & !two[d] & !blocked[d] & inside[d])
    }

    /// Flips the dot at a place and, if given, the line through it.
    #[inline(always)]
    fn change(&mut self, x: u32, y: u32, line: Option<u32>, mut on_change: impl FnMut(u32, bool)) {
        self.flip(x, y, line);
        let r = Direction::ALL.map(|direction| row(direction, x, y) as usize);
        let legal = self.legal_of(r);
        for direction in Direction::ALL {
            let d = direction as usize;
            let mut changed = self.set_legal(d, r[d], legal[d]);
            while changed != 0 {
                let start = changed.trailing_zeros();
                changed &= changed - 1;
                on_change(line_id(direction, r[d] as u32, start), legal[d] >> start & 1 == 1);
            }
        }
    }

    /// Flips dot and line, and leaves the legal lines as they were.
    #[inline(always)]
    fn flip(&mut self, x: u32, y: u32, line: Option<u32>) {
        for direction in Direction::ALL {
            let r = row(direction, x, y) as usize;
            self.rows[direction as usize][r].dots ^= 1 << along(direction, x, y);
        }
        if let Some(line) = line {
            let row = &mut self.rows[(line >> 10) as usize][(line >> 5 & 31) as usize];
            row.used ^= Self::MARKS << (line & 31);
        }
    }

    /// Flips a line without its new dot.
    #[inline(always)]
    fn flip_line(&mut self, line: u32) {
        let (d, r) = ((line >> 10 & 3) as usize, (line >> 5 & 31) as usize);
        self.rows[d][r].used ^= Self::MARKS << (line & 31);
        let Row { dots, used, inside, .. } = self.rows[d][r];
        let [legal, ..] = Self::playable([dots; 4], [used; 4], [inside; 4]);
        self.set_legal(d, r, legal);
    }

    /// The legal lines of one row of each direction.
    #[inline(always)]
    fn legal_of(&self, r: [usize; 4]) -> [u32; 4] {
        let row: [Row; 4] = std::array::from_fn(|d| self.rows[d][r[d] & 31]);
        let [dots, used, inside] =
            [row.map(|row| row.dots), row.map(|row| row.used), row.map(|row| row.inside)];
        Self::playable(dots, used, inside)
    }

    /// Sets the legal lines of a row and returns those that have changed.
    #[inline(always)]
    fn set_legal(&mut self, d: usize, r: usize, legal: u32) -> u32 {
        let changed = legal ^ self.rows[d][r & 31].legal;
        self.rows[d][r & 31].legal = legal;
        self.open[d] = self.open[d] & !(1 << r) | u32::from(legal != 0) << r;
        changed
    }

    /// The place of the dot at `offset` on a line.
    #[inline(always)]
    fn place_of(id: u32, offset: u32) -> (u32, u32) {
        let direction = Direction::ALL[(id >> 10 & 3) as usize];
        place_in(direction, id >> 5 & 31, (id & 31) + offset)
    }
}

const fn is_inner(coordinate: i32) -> bool {
    INNER.start <= coordinate && coordinate < INNER.end
}

impl<const LENGTH: usize, const TOUCHING: bool> LineBoard for BitLineBoard<LENGTH, TOUCHING> {
    type LineSet = BitLineSet;

    fn game(&self) -> &Game {
        &self.game
    }

    fn line_count(&self) -> usize {
        4 * SIDE * SIDE
    }

    fn line(&self, id: u32) -> Line {
        self.layout.line(id, Self::place_of(id, 0))
    }

    fn line_id(&self, line: Line) -> Option<u32> {
        self.layout.id(line, LENGTH)
    }

    fn dot_count(&self) -> usize {
        SIDE * SIDE
    }

    #[inline(always)]
    fn dot_id(&self, id: u32, offset: u8) -> usize {
        let (x, y) = Self::place_of(id, u32::from(offset));
        (y << 5 | x) as usize
    }

    #[inline(always)]
    fn legal_count(&self) -> usize {
        let mut count = 0;
        for (rows, open) in self.rows.iter().zip(self.open) {
            let mut open = open;
            while open != 0 {
                count += rows[open.trailing_zeros() as usize].legal.count_ones();
                open &= open - 1;
            }
        }
        count as usize
    }

    #[inline(always)]
    fn nth_legal(&self, n: usize) -> u32 {
        let mut left = n as u32;
        for direction in Direction::ALL {
            let mut open = self.open[direction as usize];
            while open != 0 {
                let r = open.trailing_zeros();
                open &= open - 1;
                let mut legal = self.rows[direction as usize][r as usize].legal;
                let count = legal.count_ones();
                if left < count {
                    for _ in 0..left {
                        legal &= legal - 1;
                    }
                    return line_id(direction, r, legal.trailing_zeros());
                }
                left -= count;
            }
        }
        panic!("there is no legal line id {n}");
    }

    #[inline(always)]
    fn append_legal(&self, lines: &mut Vec<u32>) {
        for direction in Direction::ALL {
            let mut open = self.open[direction as usize];
            while open != 0 {
                let r = open.trailing_zeros();
                open &= open - 1;
                let mut legal = self.rows[direction as usize][r as usize].legal;
                while legal != 0 {
                    lines.push(line_id(direction, r, legal.trailing_zeros()));
                    legal &= legal - 1;
                }
            }
        }
    }

    #[inline(always)]
    fn is_legal(&self, id: u32) -> bool {
        let row = &self.rows[(id >> 10) as usize][(id >> 5 & 31) as usize];
        row.legal >> (id & 31) & 1 == 1
    }

    #[inline(always)]
    fn draw_reporting(&mut self, id: u32, on_change: impl FnMut(u32, bool)) -> u8 {
        debug_assert!(self.is_legal(id));
        let row = &self.rows[(id >> 10) as usize][(id >> 5 & 31) as usize];
        let new = (!(row.dots >> (id & 31))).trailing_zeros();
        let (x, y) = Self::place_of(id, new);
        self.change(x, y, Some(id), on_change);
        new as u8
    }

    #[inline(always)]
    fn draw_reporting_among(
        &mut self,
        id: u32,
        wanted: &BitLineSet,
        mut on_legal: impl FnMut(u32),
    ) -> u8 {
        debug_assert!(self.is_legal(id));
        let dots = self.rows[(id >> 10 & 3) as usize][(id >> 5 & 31) as usize].dots;
        let new = (!(dots >> (id & 31))).trailing_zeros();
        let (x, y) = Self::place_of(id, new);
        self.flip(x, y, Some(id));
        let r = Direction::ALL.map(|direction| row(direction, x, y) as usize);
        let legal = self.legal_of(r);
        let mut fresh = [0; 4];
        for d in 0..4 {
            fresh[d] = self.set_legal(d, r[d], legal[d]) & legal[d] & wanted.0[d][r[d]];
        }
        if fresh != [0; 4] {
            for direction in Direction::ALL {
                let d = direction as usize;
                while fresh[d] != 0 {
                    on_legal(line_id(direction, r[d] as u32, fresh[d].trailing_zeros()));
                    fresh[d] &= fresh[d] - 1;
                }
            }
        }
        new as u8
    }

    #[inline(always)]
    fn erase_reporting(&mut self, id: u32, new: u8, on_change: impl FnMut(u32, bool)) {
        let (x, y) = Self::place_of(id, u32::from(new));
        self.change(x, y, Some(id), on_change);
    }

    #[inline(always)]
    fn line_through(
        &mut self,
        line: u32,
        new: u8,
        direction: Direction,
        offset: u8,
    ) -> Option<(u32, u8)> {
        let (x, y) = Self::place_of(line, u32::from(new));
        let (r, start) = (row(direction, x, y), along(direction, x, y));
        let start = start.checked_sub(u32::from(offset))?;
        let is_inside = self.rows[direction as usize][r as usize].inside >> start & 1 == 1;
        is_inside.then(|| (line_id(direction, r, start), offset))
    }

    #[inline(always)]
    fn shifted(&self, line: u32, by: i32) -> Option<u32> {
        let start = (line & 31).checked_add_signed(by)?;
        let row = &self.rows[(line >> 10 & 3) as usize][(line >> 5 & 31) as usize];
        (start < SIDE as u32 && row.inside >> start & 1 == 1).then_some(line & !31 | start)
    }

    #[inline(always)]
    fn has_dot(&self, line: u32, offset: u8) -> bool {
        let row = &self.rows[(line >> 10 & 3) as usize][(line >> 5 & 31) as usize];
        row.dots >> (line & 31) >> offset & 1 == 1
    }

    #[inline(always)]
    fn has_all_dots(&self, line: u32) -> bool {
        let row = &self.rows[(line >> 10 & 3) as usize][(line >> 5 & 31) as usize];
        !(row.dots >> (line & 31)) & Self::LINE == 0
    }

    #[inline(always)]
    fn is_unblocked(&self, line: u32) -> bool {
        let row = &self.rows[(line >> 10 & 3) as usize][(line >> 5 & 31) as usize];
        row.used >> (line & 31) & Self::MARKS == 0
    }

    fn draw_without_dot(&mut self, line: u32) {
        self.flip_line(line);
    }

    fn erase_keeping_dot(&mut self, line: u32) {
        self.flip_line(line);
    }

    fn place_free_dot(&mut self, line: u32, offset: u8) {
        let (x, y) = Self::place_of(line, u32::from(offset));
        self.change(x, y, None, |_, _| {});
    }

    fn remove_free_dot(&mut self, line: u32, offset: u8) {
        self.place_free_dot(line, offset);
    }

    fn erase_all(&mut self, lines: &[(u32, u8)]) {
        let mut touched = [0u32; 4];
        for &(id, new) in lines {
            let (x, y) = Self::place_of(id, u32::from(new));
            self.flip(x, y, Some(id));
            for direction in Direction::ALL {
                touched[direction as usize] |= 1 << row(direction, x, y);
            }
        }
        // One row of each direction at a time; doing a row twice does no harm.
        while touched != [0; 4] {
            let r = touched.map(|rows| rows.trailing_zeros() as usize & 31);
            touched = touched.map(|rows| rows & rows.wrapping_sub(1));
            let legal = self.legal_of(r);
            for d in 0..4 {
                self.set_legal(d, r[d], legal[d]);
            }
        }
    }
}

/// A set of lines as bits, per direction and row of their first points.
#[derive(Debug, Clone, Default)]
pub struct BitLineSet([[u32; SIDE]; 4]);

impl LineSet for BitLineSet {
    #[inline(always)]
    fn insert(&mut self, id: u32) {
        self.0[(id >> 10 & 3) as usize][(id >> 5 & 31) as usize] |= 1 << (id & 31);
    }

    #[inline(always)]
    fn contains(&self, id: u32) -> bool {
        let row = self.0[(id >> 10 & 3) as usize][(id >> 5 & 31) as usize];
        row >> (id & 31) & 1 == 1
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.0 = [[0; SIDE]; 4];
    }
}

impl<const LENGTH: usize, const TOUCHING: bool> Clone for BitLineBoard<LENGTH, TOUCHING> {
    fn clone(&self) -> Self {
        Self { game: self.game.clone(), ..*self }
    }

    /// Copies the lines; both boards are of one game.
    #[inline(always)]
    fn clone_from(&mut self, source: &Self) {
        self.rows = source.rows;
        self.open = source.open;
    }
}
