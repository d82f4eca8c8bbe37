//! Which lines of a drawing run through a dot.

use crate::grid::{BlockMap, place, sort};
use crate::rules::{Direction, Line, Point, Rules};

/// The lines of a drawing, numbered by their place in the plane.
#[derive(Debug)]
pub(crate) struct Net {
    /// The lines and their indices in the file, sorted by the block in which they begin, then by
    /// direction and first dot.
    lines: Vec<(Line, u32)>,
    /// The blocks in which lines begin.
    blocks: BlockMap<Begins>,
}

/// The lines that begin in one block: for each direction a bit for each first dot, and the number
/// of the first line. The others follow it in the order of their bits.
#[derive(Debug, Default)]
struct Begins {
    bits: [u64; 4],
    number: u32,
}

impl Net {
    /// Numbers the lines, of which no two may be equal.
    pub(crate) fn new(lines: Vec<Line>) -> Net {
        let mut lines: Vec<(Line, u32)> = lines.into_iter().zip(0..).collect();
        sort(&mut lines, |(line, _)| {
            let place = place(line.first);
            place >> 6 << 8 | (line.direction as u64) << 6 | place & 63
        });
        let mut blocks: BlockMap<Begins> = BlockMap::default();
        for (number, (line, _)) in (0..).zip(&lines) {
            let place = place(line.first);
            let begins = blocks.entry(place >> 6).or_insert(Begins { bits: [0; 4], number });
            begins.bits[line.direction as usize] |= 1 << (place & 63);
        }
        Net { lines, blocks }
    }

    /// How many lines there are.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// All lines, in the order of their numbers.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Line> {
        self.lines.iter().map(|&(line, _)| line)
    }

    /// The line of this number.
    pub(crate) fn line(&self, number: usize) -> Line {
        self.lines[number].0
    }

    /// The index in the file of the line of this number.
    pub(crate) fn index(&self, number: usize) -> u32 {
        self.lines[number].1
    }

    /// Gives the number of every line through `dot`.
    pub(crate) fn lines_through(&self, dot: Point, rules: Rules, mut give: impl FnMut(usize)) {
        for direction in Direction::ALL {
            for steps in 0..i32::from(rules.length()) {
                let first = dot.walk(direction, -steps);
                if let Some(number) = self.number(Line { first, direction }) {
                    give(number);
                }
            }
        }
    }

    /// The number of a line, if it is there.
    fn number(&self, line: Line) -> Option<usize> {
        let place = place(line.first);
        let begins = self.blocks.get(&(place >> 6))?;
        let (direction, bit) = (line.direction as usize, 1 << (place & 63));
        let bits = begins.bits[direction];
        if bits & bit == 0 {
            return None;
        }
        let before: u32 = begins.bits[..direction].iter().map(|bits| bits.count_ones()).sum();
        Some((begins.number + before + (bits & (bit - 1)).count_ones()) as usize)
    }
}
