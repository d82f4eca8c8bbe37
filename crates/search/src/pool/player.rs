//! A playout by priorities: the legal line of the highest priority is drawn, always.

use std::collections::BinaryHeap;

use geometry::{Line, Move, Point};
use rules::LineBoard;

use crate::Meter;

/// The priority of a line where it is not the usual one.
pub(super) type Priority = (u32, u32);

/// Plays games from one position by priorities.
pub(super) struct Player<L: LineBoard> {
    start: L,
    board: L,
    longest: usize,
    /// What the usual priorities come from.
    key: u64,
    /// By number of a line: its priority, the usual one between two games.
    priorities: Vec<u32>,
    waiting: BinaryHeap<Waiting>,
    /// Every line that was legal at some time.
    met: Vec<u32>,
    lines: Vec<(u32, u8)>,
    dots: u64,
}

/// A line that could be drawn when it came here: priority first, so that it decides.
type Waiting = (u32, u32);

impl<L: LineBoard> Player<L> {
    pub(super) fn new(start: &L, longest: usize, key: u64) -> Self {
        Self {
            start: start.clone(),
            board: start.clone(),
            longest,
            key,
            priorities: Vec::new(),
            waiting: BinaryHeap::new(),
            met: Vec::new(),
            lines: Vec::new(),
            dots: 0,
        }
    }

    /// Changes what the usual priorities come from. Before the first game only.
    pub(super) fn change_key(&mut self, key: u64) {
        debug_assert!(self.priorities.is_empty(), "some lines have their priorities");
        self.key = key;
    }

    /// Plays a game and gives back its number of moves. Long games are cut when the time is over.
    pub(super) fn play(&mut self, special: &[Priority], meter: &mut Meter<'_>) -> usize {
        self.board.clone_from(&self.start);
        self.lines.clear();
        self.met.clear();
        self.waiting.clear();
        self.dots = 0;
        add_usual(&self.board, self.key, &mut self.priorities, self.board.line_count());
        for &(line, priority) in special {
            self.priorities[line as usize] = priority;
        }
        self.board.append_legal(&mut self.met);
        for &line in &self.met {
            self.waiting.push((self.priorities[line as usize], line));
        }
        while let Some((_, line)) = self.waiting.pop() {
            if !self.board.is_legal(line) {
                continue;
            }
            self.draw(line);
            let look = self.lines.len().is_multiple_of(256);
            if self.lines.len() >= self.longest || look && meter.look().is_break() {
                break;
            }
        }
        for &(line, _) in special {
            self.priorities[line as usize] = usual(self.key, self.board.line(line));
        }
        self.lines.len()
    }

    #[inline(always)]
    fn draw(&mut self, line: u32) {
        let Self { board, met, waiting, priorities, key, .. } = self;
        let born = met.len();
        let new = board.draw_reporting(line, |line, is_legal| {
            if is_legal {
                met.push(line);
            }
        });
        add_usual(board, *key, priorities, board.line_count());
        for &line in &met[born..] {
            waiting.push((priorities[line as usize], line));
        }
        self.dots ^= hash_of(board.line(line).point(usize::from(new)));
        self.lines.push((line, new));
    }

    /// A game drawn line by line instead of by priorities: a hash of its dots; `None` if the lines
    /// cannot be drawn in this order.
    pub(super) fn replay(&mut self, lines: &[Line]) -> Option<(Vec<u32>, u64)> {
        self.board.clone_from(&self.start);
        let (mut numbers, mut dots) = (Vec::with_capacity(lines.len()), 0);
        for &line in lines {
            let number = self.board.line_id(line).filter(|&number| self.board.is_legal(number))?;
            let new = self.board.draw(number);
            dots ^= hash_of(line.point(usize::from(new)));
            numbers.push(number);
        }
        Some((numbers, dots))
    }

    /// The line of a number.
    pub(super) fn line(&self, number: u32) -> Line {
        self.board.line(number)
    }

    /// The number of a line, which gets one if it has none; `None` if it lies too far out.
    pub(super) fn line_id(&mut self, line: Line) -> Option<u32> {
        self.board.intern(line)
    }

    /// The lines of the last game in the order drawn.
    pub(super) fn lines(&self) -> impl ExactSizeIterator<Item = u32> {
        self.lines.iter().map(|&(line, _)| line)
    }

    /// Whether the last game met a line.
    pub(super) fn has_met(&self, line: u32) -> bool {
        self.met.contains(&line)
    }

    /// A hash of the last game's dots, whatever lines brought them.
    pub(super) fn dots(&self) -> u64 {
        self.dots
    }

    /// The last game, after the moves `from` that it began with.
    pub(super) fn moves(&self, from: &[Move]) -> Vec<Move> {
        let mv = |&(line, new): &(u32, u8)| Move::new(self.board.line(line), new);
        from.iter().copied().chain(self.lines.iter().map(mv)).collect()
    }
}

/// Fills in the usual priorities of all lines below `count`.
#[inline(always)]
fn add_usual<L: LineBoard>(board: &L, key: u64, priorities: &mut Vec<u32>, count: usize) {
    for number in priorities.len()..count {
        priorities.push(usual(key, board.line(number as u32)));
    }
}

/// The priority of a line in every game that does not say otherwise: as good as chance, and the same
/// whenever the line is met.
fn usual(key: u64, line: Line) -> u32 {
    let line = hash_of(line.start).rotate_left(7 * (1 + line.direction as u32));
    (mix(line ^ key) >> 32) as u32
}

/// The share of a dot in the hash of a set of dots.
fn hash_of(dot: Point) -> u64 {
    mix((dot.x as u32 as u64) << 32 | dot.y as u32 as u64)
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): spreads every bit over all 64.
fn mix(mut bits: u64) -> u64 {
    bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}
