//! Which lines of a drawing run through a dot.

use crate::grid::{BlockMap, place, sort};
use crate::rules::{Direction, Line, Point, Rules};

/// The lines of a drawing, numbered by their place in the plane.
#[derive(Debug)]
pub(crate) struct Net {
    /// The lines and their indices in the file, sorted by direction and first dot.
    lines: Vec<(Line, u32)>,
    /// For each direction, the blocks in which lines begin.
    blocks: [BlockMap<Begins>; 4],
}

/// The lines of one direction that begin in one block: a bit for each, and the number of the first.
/// The others follow it in the order of their bits.
#[derive(Debug, Default)]
struct Begins {
    bits: u64,
    number: u32,
}

impl Net {
    /// Numbers the lines, of which no two may be equal.
    pub(crate) fn new(lines: &[Line]) -> Net {
        let mut lines: Vec<(Line, u32)> = lines.iter().copied().zip(0..).collect();
        sort(&mut lines, |(line, _)| (line.direction as u64) << 44 | place(line.first));
        let mut blocks: [BlockMap<Begins>; 4] = Default::default();
        for (number, (line, _)) in (0..).zip(&lines) {
            let place = place(line.first);
            let block = blocks[line.direction as usize].entry(place >> 6);
            block.or_insert(Begins { bits: 0, number }).bits |= 1 << (place & 63);
        }
        Net { lines, blocks }
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
        let begins = self.blocks[line.direction as usize].get(&(place >> 6))?;
        let bit = 1 << (place & 63);
        let before = (begins.bits & (bit - 1)).count_ones();
        (begins.bits & bit != 0).then_some((begins.number + before) as usize)
    }
}
