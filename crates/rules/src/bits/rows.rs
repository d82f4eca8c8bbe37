//! Dots and used marks of all rows, for code that only moves forward or undoes by xor.
//!
//! One word holds a row: dots in the lower half, used marks in the upper. Rotating it by the place
//! of a line's first dot aligns both with a mask, so one load decides whether a line is legal. The
//! ring counts as used, so that no line leaves the grid and edges need no special case: a rotation
//! may bring in bits of the other half, but only for lines that contain a point of the ring, and
//! those are blocked.

use geometry::Direction;

use super::{INNER, SIDE, along, line_id, place_in, row};

/// The number of line ids.
pub(super) const LINES: usize = 4 * SIDE * SIDE;
/// The number of dot ids.
pub(super) const DOTS: usize = SIDE * SIDE;

/// By line id: the id of its first dot.
pub(super) static FIRST_DOT: [u16; LINES] = {
    let mut table = [0; LINES];
    let mut line = 0;
    while line < LINES as u32 {
        let direction = Direction::ALL[(line >> 10) as usize];
        let (x, y) = place_in(direction, line >> 5 & 31, line & 31);
        table[line as usize] = (y << 5 | x) as u16;
        line += 1;
    }
    table
};

/// By dot id: the ids of the four lines that begin there, 16 bits each.
pub(super) static SPOTS: [u64; DOTS] = {
    let mut table = [0; DOTS];
    let mut dot = 0;
    while dot < DOTS as u32 {
        let (x, y) = (dot & 31, dot >> 5);
        let mut d = 0;
        while d < 4 {
            let direction = Direction::ALL[d];
            let line = line_id(direction, row(direction, x, y), along(direction, x, y));
            table[dot as usize] |= (line as u64) << (16 * d);
            d += 1;
        }
        dot += 1;
    }
    table
};

/// All rows of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rows<const LENGTH: usize, const TOUCHING: bool> {
    pub(super) words: [u64; 4 * SIDE],
}

/// Some lines through one dot: four lanes of 16 bits, and the lines that the lanes begin with.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineLanes {
    pub(super) mask: u64,
    /// The id of the line of bit 0 of each lane.
    pub(super) first: u64,
}

impl LineLanes {
    /// Removes the first one; an arbitrary id if there is none left.
    #[inline(always)]
    pub(super) fn take(&mut self) -> u16 {
        let bit = self.mask.trailing_zeros();
        self.mask &= self.mask.wrapping_sub(1);
        ((self.first >> (bit & 48)) as u16).wrapping_add(bit as u16 & 15)
    }
}

impl<const LENGTH: usize, const TOUCHING: bool> Rows<LENGTH, TOUCHING> {
    /// The bits of a line's dots.
    pub(super) const LINE: u64 = (1 << LENGTH) - 1;
    /// The bits of a line's marks.
    pub(super) const MARKS: u64 = Self::LINE >> TOUCHING as u32;
    /// The bits that decide whether a line is legal, with its first dot at bit 0.
    pub(super) const DECIDES: u64 = Self::MARKS << 32 | Self::LINE;
    /// A window of dots and one of marks: 9 bits hold every line through the fifth.
    const WINDOW: u64 = 0x1ff << 32 | 0x1ff;
    /// The lines of a window that pass through its middle, in each of four lanes.
    pub(super) const THROUGH: u64 = Self::LINE * 0x0001_0001_0001_0001;
    pub(super) const BACK: u32 = LENGTH as u32 - 1;

    /// The marks of lines that leave the inner points.
    const RING: [u64; 4 * SIDE] = {
        let mut ring = [0; 4 * SIDE];
        let mut line = 0;
        while line < LINES as u32 {
            let direction = Direction::ALL[(line >> 10) as usize];
            let (x, y) = place_in(direction, line >> 5 & 31, line & 31);
            let step = direction.step();
            // A mark of touching rules is a segment, named by its first point.
            let (far_x, far_y) = if TOUCHING {
                (x as i32 + step.x, y as i32 + step.y)
            } else {
                (x as i32, y as i32)
            };
            let inside = is_inner(x as i32) && is_inner(y as i32);
            if !inside || !is_inner(far_x) || !is_inner(far_y) {
                ring[(line >> 5) as usize] |= 1 << (32 + (line & 31));
            }
            line += 1;
        }
        ring
    };

    /// The rows of a position.
    #[inline(always)]
    pub(super) fn new(dots: &[[u32; SIDE]; 4], used: &[[u32; SIDE]; 4]) -> Self {
        let (dots, used) = (dots.as_flattened(), used.as_flattened());
        let word = |r: usize| u64::from(dots[r]) | u64::from(used[r]) << 32 | Self::RING[r];
        Self { words: std::array::from_fn(word) }
    }

    /// The row of a line, rotated so that its first dot is at bit 0.
    #[inline(always)]
    pub(super) fn from(&self, line: u16) -> u64 {
        self.words[usize::from(line >> 5) & 127].rotate_right(u32::from(line & 31))
    }

    /// Whether a line that lacks at most one dot lacks exactly one and overlaps nothing.
    #[inline(always)]
    pub(super) fn is_playable(&self, line: u16) -> bool {
        // A used mark makes this large, a full line makes it LINE.
        self.from(line) & Self::DECIDES < Self::LINE
    }

    /// Draws a line that lacks one dot. Returns the id of the new dot, and those of the lines
    /// through it that now lack exactly one dot and overlap nothing.
    #[inline(always)]
    pub(super) fn play(&mut self, line: u16) -> (u16, LineLanes) {
        let (r, start) = (usize::from(line >> 5) & 127, u32::from(line & 31));
        let gap = self.words[r].rotate_right(start).trailing_ones();
        self.words[r] |= Self::MARKS << (32 + start);
        let dot = FIRST_DOT[(usize::from(line) + gap as usize) & (LINES - 1)];
        let spots = SPOTS[usize::from(dot) & (DOTS - 1)];
        let windows: [u64; 4] = std::array::from_fn(|d| {
            let spot = spots >> (16 * d);
            let (r, at) = ((spot >> 5 & 127) as usize, spot as u32 & 31);
            self.words[r] |= 1 << at;
            self.words[r].rotate_right(at.wrapping_sub(Self::BACK) & 63) & Self::WINDOW
        });
        let (dots, used) = pack(windows);
        let mask = Self::lack_one(dots) & !Self::blocked(used) & Self::THROUGH;
        let first = spots - u64::from(Self::BACK) * 0x0001_0001_0001_0001;
        (dot, LineLanes { mask, first })
    }

    /// Bit s: the line that begins at bit s lacks exactly one dot. By doubling: whether some and
    /// whether two are missing among one, two, four, five dots.
    #[inline(always)]
    pub(super) fn lack_one(dots: u64) -> u64 {
        let missing = !dots;
        let (some, two) = (missing | missing >> 1, missing & missing >> 1);
        let (some, two) = (some | some >> 2, two | two >> 2 | some & some >> 2);
        if LENGTH == 4 {
            return some & !two;
        }
        let (some, two) = (some | missing >> 4, two | some & missing >> 4);
        some & !two
    }

    /// Bit s: a mark of the line that begins at bit s is used.
    #[inline(always)]
    pub(super) fn blocked(used: u64) -> u64 {
        let pair = used | used >> 1;
        match Self::MARKS.count_ones() {
            3 => pair | used >> 2,
            4 => pair | pair >> 2,
            _ => pair | pair >> 2 | used >> 4,
        }
    }
}

/// The lower halves of four windows in four lanes, and the upper halves.
#[inline(always)]
pub(super) fn pack(windows: [u64; 4]) -> (u64, u64) {
    let (low, high) = (windows[0] | windows[1] << 16, windows[2] | windows[3] << 16);
    (low & 0xffff_ffff | high << 32, low >> 32 | high & 0xffff_ffff << 32)
}

const fn is_inner(coordinate: i32) -> bool {
    INNER.start <= coordinate && coordinate < INNER.end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::testing::generator;
    use crate::{BitPosition, Position};

    /// Plays random games and compares the rows with the position after every move.
    fn compare<const LENGTH: usize, const TOUCHING: bool>() {
        let mut sample = generator(1);
        for _ in 0..100 {
            let mut position = BitPosition::<LENGTH, TOUCHING>::start();
            let mut rows = Rows::<LENGTH, TOUCHING>::new(&position.dots, &position.used);
            let legal = |position: &BitPosition<LENGTH, TOUCHING>| -> Vec<u16> {
                position.legal().iter().map(|code| code.line() as u16).collect()
            };
            let mut candidates = legal(&position);
            while !position.legal().is_empty() {
                let index = sample(position.legal().len());
                let code = position.legal()[index];
                position.play_nth(index);
                let (dot, mut born) = rows.play(code.line() as u16);
                assert_eq!(u32::from(dot), code.dot());
                while born.mask != 0 {
                    candidates.push(born.take());
                }
                assert_eq!(rows, Rows::new(&position.dots, &position.used));
                // The candidates still playable are the legal moves, in their order.
                let playable = candidates.iter().copied().filter(|&line| rows.is_playable(line));
                assert_eq!(playable.collect::<Vec<_>>(), legal(&position));
            }
        }
    }

    #[test]
    fn rows_are_those_of_the_board() {
        compare::<5, true>();
        compare::<5, false>();
        compare::<4, true>();
        compare::<4, false>();
    }

    #[test]
    fn no_line_leaves_the_inner_points() {
        fn check<const LENGTH: usize, const TOUCHING: bool>() {
            let rows = Rows::<LENGTH, TOUCHING>::new(&Default::default(), &Default::default());
            for line in 0..LINES as u32 {
                let direction = Direction::ALL[(line >> 10) as usize];
                let (x, y) = place_in(direction, line >> 5 & 31, line & 31);
                let (step, reach) = (direction.step(), LENGTH as i32 - 1);
                let (x, y) = (x as i32, y as i32);
                let ends = [x, y, x + reach * step.x, y + reach * step.y];
                assert_eq!(rows.is_playable(line as u16), ends.into_iter().all(is_inner), "{line}");
            }
        }
        check::<5, true>();
        check::<5, false>();
        check::<4, true>();
        check::<4, false>();
    }
}
