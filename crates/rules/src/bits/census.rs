//! The number of positions below one, each counted once, without a table and without playing the
//! last moves.
//!
//! The plain version is that of `count/positions.rs`, and the order is the same: a child plays a
//! move of the list and its subtree has none of those before it. Traded for speed: which of the
//! later moves stay legal is decided by comparing ids (lines overlap if their ids are close, and no
//! dot is placed twice), and the lines that a new dot makes legal are found before the move is
//! made. So the final positions of all games, about half of all, are counted but never set up.

use super::position::BitPosition;
use super::rows::{FIRST_DOT, LINES, LineLanes, Rows, SPOTS, pack};
use super::{INNER, SIDE};
use crate::Position;

/// A move: its line, and its new dot in the upper half.
type Entry = u32;

/// The longest game that is counted.
const MAX_MOVES: usize = 255;

/// Counts positions by their number of moves.
pub(crate) struct Census<const LENGTH: usize, const TOUCHING: bool> {
    rows: Rows<LENGTH, TOUCHING>,
    /// The lists of moves from the start to here, end to end.
    lists: Vec<Entry>,
    counts: [u64; MAX_MOVES + 2],
    /// Whether a dot could be placed next to the edge of the grid: then lines may be missed.
    at_edge: bool,
}

impl<const LENGTH: usize, const TOUCHING: bool> Census<LENGTH, TOUCHING> {
    /// Two lines of a row overlap if their ids are less than this apart.
    const REACH: u16 = LENGTH as u16 - TOUCHING as u16;
    /// The most legal moves there can be after this many moves.
    const LONGEST_LIST: usize = 4 * LENGTH * (MAX_MOVES + 8);

    /// A census that has counted nothing yet.
    pub(crate) fn new(position: &BitPosition<LENGTH, TOUCHING>) -> Self {
        Self {
            rows: Rows::new(&position.dots, &position.used),
            lists: vec![0; 64 * Self::LONGEST_LIST],
            counts: [0; MAX_MOVES + 2],
            at_edge: position.is_truncated(),
        }
    }

    /// The number of positions with 0, 1, 2, ... more moves that are reached by the moves of this
    /// list and those that become legal later; `None` if games may leave the grid or are too long.
    pub(crate) fn count(mut self, moves: impl Iterator<Item = (u32, u32)>) -> Option<Vec<u64>> {
        let mut end = 0;
        for (line, dot) in moves {
            self.lists[end] = dot << 16 | line;
            end += 1;
        }
        self.counts[0] = 1;
        self.descend(0, end, 1);
        let last = self.counts.iter().rposition(|&count| count > 0).unwrap_or(0);
        (!self.at_edge && last <= MAX_MOVES).then(|| self.counts[..=last].to_vec())
    }

    /// Counts what is below a position whose moves are those of `lists[begin..end]`; its children
    /// have `depth` moves.
    fn descend(&mut self, begin: usize, end: usize, depth: usize) {
        self.counts[depth] += (end - begin) as u64;
        if depth > MAX_MOVES || end + Self::LONGEST_LIST > self.lists.len() {
            self.at_edge = true;
            return;
        }
        for index in begin..end {
            let entry = self.lists[index];
            let (line, dot) = (entry as u16, (entry >> 16) as u16);
            let mut last = end;
            for other in index + 1..end {
                let other = self.lists[other];
                let far = (other as u16).wrapping_sub(line).wrapping_add(Self::REACH - 1);
                let stays = (other >> 16 != entry >> 16) & (far > 2 * (Self::REACH - 1));
                self.lists[last] = other;
                last += usize::from(stays);
            }
            let mut born = self.born(line, dot);
            if last == end && born.mask == 0 {
                continue;
            }
            self.flip(line, dot);
            while born.mask != 0 {
                let line = born.take();
                let gap = self.rows.from(line).trailing_ones();
                let dot = FIRST_DOT[(usize::from(line) + gap as usize) & (LINES - 1)];
                self.at_edge |= is_edge(dot);
                self.lists[last] = u32::from(dot) << 16 | u32::from(line);
                last += 1;
            }
            self.descend(end, last, depth + 1);
            self.flip(line, dot);
        }
    }

    /// The lines that lack exactly one dot and overlap nothing once this one is drawn.
    #[inline(always)]
    fn born(&self, line: u16, dot: u16) -> LineLanes {
        let spots = SPOTS[usize::from(dot) & (SPOTS.len() - 1)];
        let windows: [u64; 4] = std::array::from_fn(|d| {
            let spot = spots >> (16 * d);
            let (r, at) = ((spot >> 5 & 127) as usize, spot as u32 & 31);
            let turned = self.rows.words[r].rotate_right(at.wrapping_sub(Self::BACK) & 63);
            let own = if u64::from(line >> 5) == spot >> 5 & 127 {
                let start = u32::from(line & 31).wrapping_sub(at).wrapping_add(Self::BACK);
                Rows::<LENGTH, TOUCHING>::MARKS << 32 << start
            } else {
                0
            };
            (turned | 1 << Self::BACK | own) & Self::WINDOW
        });
        let (dots, used) = pack(windows);
        let mask = Rows::<LENGTH, TOUCHING>::lack_one(dots)
            & !Rows::<LENGTH, TOUCHING>::blocked(used)
            & Rows::<LENGTH, TOUCHING>::THROUGH;
        LineLanes { mask, first: spots - u64::from(Self::BACK) * 0x0001_0001_0001_0001 }
    }

    const BACK: u32 = Rows::<LENGTH, TOUCHING>::BACK;
    const WINDOW: u64 = 0x1ff << 32 | 0x1ff;

    /// Draws a line with its new dot, or erases both.
    #[inline(always)]
    fn flip(&mut self, line: u16, dot: u16) {
        let marks = Rows::<LENGTH, TOUCHING>::MARKS << 32 << (line & 31);
        self.rows.words[usize::from(line >> 5) & 127] ^= marks;
        let spots = SPOTS[usize::from(dot) & (SPOTS.len() - 1)];
        for d in 0..4 {
            let spot = spots >> (16 * d);
            self.rows.words[(spot >> 5 & 127) as usize] ^= 1 << (spot & 31);
        }
    }
}

/// Whether a dot is next to the ring.
fn is_edge(dot: u16) -> bool {
    let (x, y) = (i32::from(dot) % SIDE as i32, i32::from(dot) / SIDE as i32);
    let is_last = |c: i32| c <= INNER.start || c >= INNER.end - 1;
    is_last(x) || is_last(y)
}
