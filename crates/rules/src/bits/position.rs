//! The position of the bit engine.
//!
//! Which lines a new dot makes legal is read from a table indexed by the window of its row. Traded
//! for speed: a grid of 32 x 32 points and a few fixed rules. The plain version it is tested
//! against is [`crate::PlainPosition`].
//!
//! **Why it is never wrong.** A move whose dot would lie on the ring is left out of the list, and
//! [`Position::is_truncated`] is true from then on. Nothing assumes that games stay clear of the
//! ring: the cross of 5T and 5D is 10 points away from it, that of 4T and 4D at least 11.

use geometry::{Direction, Game, Line, Move, Point, Rules, Start};

use super::{INNER, Layout, SIDE, along, line_id, row};
use crate::position::{Position, line_key};

/// A legal move of a [`BitPosition`]: its line in the lower 12 bits (direction, row, first dot),
/// its new dot in the next 10 (y, x).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(u32);

impl Code {
    pub(super) fn new(line: u32, dot: u32) -> Self {
        Self(dot << 12 | line)
    }

    /// The id of the line, below 4096.
    pub fn line(self) -> u32 {
        self.0 & 0xfff
    }

    /// The id of the new dot, below 1024.
    pub fn dot(self) -> u32 {
        self.0 >> 12
    }
}

/// A position with lines of `LENGTH` (4 or 5) from the standard cross, or another start that fits.
#[derive(Debug)]
pub struct BitPosition<const LENGTH: usize, const TOUCHING: bool> {
    game: Game,
    layout: Layout,
    /// The dots, per direction and row.
    pub(super) dots: [[u32; SIDE]; 4],
    /// The used marks (segments in T, dots in D), per direction and row.
    pub(super) used: [[u32; SIDE]; 4],
    /// The lists of legal moves after 0, 1, 2, ... moves, end to end: undo drops the last.
    lists: Vec<Code>,
    /// The range of the last list.
    list: std::ops::Range<usize>,
    played: Vec<PlayedMove>,
    hash: u64,
    truncated_at: Option<u32>,
}

#[derive(Debug, Clone, Copy)]
struct PlayedMove {
    code: Code,
    /// The start of the list of legal moves before this move.
    list: usize,
}

impl<const LENGTH: usize, const TOUCHING: bool> BitPosition<LENGTH, TOUCHING> {
    /// The bits of a line's dots.
    const LINE: u32 = (1 << LENGTH) - 1;
    /// The bits of a line's marks.
    const MARKS: u32 = Self::LINE >> TOUCHING as u32;
    /// Two lines of a row overlap if their first dots are less than this apart.
    const REACH: u32 = LENGTH as u32 - TOUCHING as u32;
    /// A window holds every line through one dot.
    const WINDOW: u32 = (1 << (2 * LENGTH - 1)) - 1;
    /// The most moves that one new dot can make legal.
    const MAX_NEW: usize = 4 * LENGTH;

    /// By window: bit s is set if the line from bit s on lacks exactly one dot.
    const LACKS_ONE: [u8; 512] = {
        let mut table = [0; 512];
        let mut window = 0;
        while window <= Self::WINDOW {
            let mut s = 0;
            while s < LENGTH {
                if (window >> s & Self::LINE).count_ones() as usize == LENGTH - 1 {
                    table[window as usize] |= 1 << s;
                }
                s += 1;
            }
            window += 1;
        }
        table
    };

    /// The position before the first move of the standard game.
    pub fn start() -> Self {
        let rules = Rules::new(LENGTH, TOUCHING).expect("4 and 5 are line lengths");
        Self::start_from(Game::from_cross(rules).start).expect("the cross fits")
    }

    /// The position before the first move from these dots, which are centred on the grid; `None` if
    /// they do not fit inside the ring.
    pub fn start_from(start: Start) -> Option<Self> {
        const { assert!(LENGTH == 4 || LENGTH == 5) };
        let rules = Rules::new(LENGTH, TOUCHING).expect("4 and 5 are line lengths");
        let game = Game { rules, start };
        let mut position = Self {
            layout: Layout::around(&game.start)?,
            dots: [[0; SIDE]; 4],
            used: [[0; SIDE]; 4],
            lists: vec![Code(0); 4 * SIDE * SIDE],
            list: 0..0,
            played: Vec::with_capacity(1024),
            hash: 0,
            truncated_at: None,
            game,
        };
        for &dot in position.game.clone().start.dots() {
            let (x, y) = position.layout.place(dot)?;
            position.flip_dot(x, y);
        }
        let plain = crate::PlainPosition::start(position.game.clone());
        for &mv in plain.legal() {
            match position.encode(mv) {
                Some(code) => {
                    position.lists[position.list.end] = code;
                    position.list.end += 1;
                }
                None => position.truncated_at = Some(0),
            }
        }
        Some(position)
    }

    /// The code of a move whose dots all lie inside the ring.
    fn encode(&self, mv: Move) -> Option<Code> {
        let (x, y) = self.layout.place(mv.dot())?;
        Some(Code::new(self.layout.id(mv.line, LENGTH)?, y << 5 | x))
    }

    fn flip_dot(&mut self, x: u32, y: u32) {
        for direction in Direction::ALL {
            let row = row(direction, x, y) as usize;
            self.dots[direction as usize][row] ^= 1 << along(direction, x, y);
        }
    }

    fn flip_line(&mut self, code: Code) {
        let (direction, row) = (code.line() >> 10, code.line() >> 5 & 31);
        self.used[direction as usize][row as usize] ^= Self::MARKS << (code.line() & 31);
    }

    /// Writes the moves that the dot just set at (x, y) has made legal to `new`. Returns their
    /// number, and whether one was left out.
    fn find_new_moves(&self, x: u32, y: u32, new: &mut [Code]) -> (usize, bool) {
        let mut count = 0;
        let mut truncated = false;
        for direction in Direction::ALL {
            let row = row(direction, x, y);
            let first = along(direction, x, y).wrapping_sub(LENGTH as u32 - 1);
            let window = |rows: &[[u32; SIDE]; 4]| {
                rows[direction as usize][row as usize].rotate_right(first & 31) & Self::WINDOW
            };
            let (dots, used) = (window(&self.dots), window(&self.used));
            // Bit s: one of the marks of the line from s on is used.
            let blocked = (0..Self::REACH).fold(0, |blocked, mark| blocked | used >> mark);
            let mut fresh = u32::from(Self::LACKS_ONE[dots as usize]) & !blocked;
            while fresh != 0 {
                let s = fresh.trailing_zeros();
                fresh &= fresh - 1;
                let gap = s + (!(dots >> s)).trailing_zeros();
                let step = direction.step() * (gap as i32 + 1 - LENGTH as i32);
                let (gap_x, gap_y) = (x as i32 + step.x, y as i32 + step.y);
                if INNER.contains(&gap_x) && INNER.contains(&gap_y) {
                    let line = line_id(direction, row, first.wrapping_add(s) & 31);
                    new[count] = Code::new(line, (gap_y << 5 | gap_x) as u32);
                    count += 1;
                } else {
                    truncated = true;
                }
            }
        }
        (count, truncated)
    }
}

impl<const LENGTH: usize, const TOUCHING: bool> Position for BitPosition<LENGTH, TOUCHING> {
    type Code = Code;

    fn game(&self) -> &Game {
        &self.game
    }

    #[inline]
    fn legal(&self) -> &[Code] {
        &self.lists[self.list.clone()]
    }

    #[inline]
    fn decode(&self, code: Code) -> Move {
        let (x, y) = (code.dot() & 31, code.dot() >> 5);
        let line = self.layout.line(code.line(), (x, y));
        let offset = along(line.direction, x, y) - (code.line() & 31);
        Move::new(line, offset as u8)
    }

    #[inline]
    fn play_nth(&mut self, index: usize) -> usize {
        let code = self.legal()[index];
        let (x, y) = (code.dot() & 31, code.dot() >> 5);
        self.flip_dot(x, y);
        self.flip_line(code);
        self.hash ^= line_key(self.decode(code).line);
        self.played.push(PlayedMove { code, list: self.list.start });

        let room = self.list.end + self.list.len() + Self::MAX_NEW;
        if self.lists.len() < room {
            self.lists.resize(2 * room, Code(0));
        }
        let (old, new) = self.lists.split_at_mut(self.list.end);
        let old = &old[self.list.start..];
        let mut kept = 0;
        let mut keep = |moves: &[Code]| {
            for &other in moves {
                new[kept] = other;
                let apart = other.line().abs_diff(code.line()) >= Self::REACH;
                kept += usize::from(apart & (other.dot() != code.dot()));
            }
            kept
        };
        let before = keep(&old[..index]);
        let kept = keep(&old[index + 1..]);
        let mut new_moves = [Code(0); 20];
        let (count, truncated) = self.find_new_moves(x, y, &mut new_moves);
        let start = self.list.end;
        self.lists[start + kept..start + kept + count].copy_from_slice(&new_moves[..count]);
        self.list = start..start + kept + count;
        if truncated {
            self.truncated_at.get_or_insert(self.played.len() as u32);
        }
        before
    }

    #[inline]
    fn undo(&mut self) -> Option<Move> {
        let PlayedMove { code, list } = self.played.pop()?;
        self.flip_dot(code.dot() & 31, code.dot() >> 5);
        self.flip_line(code);
        self.list = list..self.list.start;
        let mv = self.decode(code);
        self.hash ^= line_key(mv.line);
        self.truncated_at = self.truncated_at.filter(|&score| score as usize <= self.played.len());
        Some(mv)
    }

    fn moves(&self) -> Vec<Move> {
        self.played.iter().map(|played| self.decode(played.code)).collect()
    }

    fn score(&self) -> usize {
        self.played.len()
    }

    fn has_dot(&self, point: Point) -> bool {
        let east = &self.dots[Direction::East as usize];
        self.layout.place(point).is_some_and(|(x, y)| east[y as usize] >> x & 1 == 1)
    }

    fn overlaps(&self, line: Line) -> bool {
        let marks = line.points(self.game.rules).take(Self::MARKS.count_ones() as usize);
        let rows = &self.used[line.direction as usize];
        marks.filter_map(|point| self.layout.place(point)).any(|(x, y)| {
            let row = rows[row(line.direction, x, y) as usize];
            row >> along(line.direction, x, y) & 1 == 1
        })
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    fn is_truncated(&self) -> bool {
        self.truncated_at.is_some()
    }
}

impl<const LENGTH: usize, const TOUCHING: bool> Clone for BitPosition<LENGTH, TOUCHING> {
    fn clone(&self) -> Self {
        Self {
            game: self.game.clone(),
            layout: self.layout,
            dots: self.dots,
            used: self.used,
            lists: self.lists.clone(),
            list: self.list.clone(),
            played: {
                let mut played = Vec::with_capacity(self.played.capacity());
                played.extend_from_slice(&self.played);
                played
            },
            hash: self.hash,
            truncated_at: self.truncated_at,
        }
    }

    /// Copies without allocating, and only the lists in use.
    fn clone_from(&mut self, source: &Self) {
        self.game.clone_from(&source.game);
        self.layout = source.layout;
        self.dots = source.dots;
        self.used = source.used;
        if self.lists.len() < source.list.end {
            self.lists.resize(source.lists.len(), Code(0));
        }
        self.lists[..source.list.end].copy_from_slice(&source.lists[..source.list.end]);
        self.list = source.list.clone();
        self.played.clone_from(&source.played);
        self.hash = source.hash;
        self.truncated_at = source.truncated_at;
    }
}
