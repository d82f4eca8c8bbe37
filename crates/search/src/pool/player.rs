//! A playout by priorities: the legal line of the highest priority is drawn, always.

use std::collections::BinaryHeap;

use geometry::{Line, Move, Point, mix64};
use rules::LineBoard;

use crate::BudgetMeter;

/// A line and its priority, where it is not the usual one.
pub(super) type Priority = (u32, u32);

/// Plays games from one position by priorities.
pub(super) struct Player<L: LineBoard> {
    start: L,
    board: L,
    max_lines: usize,
    /// The seed of the usual priorities.
    key: u64,
    /// By line id: its priority, the usual one between two games.
    priorities: Vec<u32>,
    waiting: BinaryHeap<WaitingLine>,
    /// Every line that was legal at some time.
    seen: Vec<u32>,
    lines: Vec<(u32, u8)>,
    dots: u64,
}

/// A line that was legal when it was added: priority first, so that it decides.
type WaitingLine = (u32, u32);

impl<L: LineBoard> Player<L> {
    pub(super) fn new(start: &L, max_lines: usize, key: u64) -> Self {
        Self {
            start: start.clone(),
            board: start.clone(),
            max_lines,
            key,
            priorities: Vec::new(),
            waiting: BinaryHeap::new(),
            seen: Vec::new(),
            lines: Vec::new(),
            dots: 0,
        }
    }

    /// Changes the seed of the usual priorities. Before the first game only.
    pub(super) fn change_key(&mut self, key: u64) {
        debug_assert!(self.priorities.is_empty(), "some lines have their priorities");
        self.key = key;
    }

    /// Plays a game and returns its number of moves. Long games are cut when the time is over.
    pub(super) fn play(&mut self, special: &[Priority], meter: &mut BudgetMeter<'_>) -> usize {
        self.board.clone_from(&self.start);
        self.lines.clear();
        self.seen.clear();
        self.waiting.clear();
        self.dots = 0;
        add_usual(&self.board, self.key, &mut self.priorities, self.board.line_count());
        for &(line, priority) in special {
            self.priorities[line as usize] = priority;
        }
        self.board.append_legal(&mut self.seen);
        for &line in &self.seen {
            self.waiting.push((self.priorities[line as usize], line));
        }
        while let Some((_, line)) = self.waiting.pop() {
            if !self.board.is_legal(line) {
                continue;
            }
            self.draw(line);
            let look = self.lines.len().is_multiple_of(256);
            if self.lines.len() >= self.max_lines || look && meter.look().is_break() {
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
        let Self { board, seen, waiting, priorities, key, .. } = self;
        let first_new = seen.len();
        let new = board.draw_reporting(line, |line, is_legal| {
            if is_legal {
                seen.push(line);
            }
        });
        add_usual(board, *key, priorities, board.line_count());
        for &line in &seen[first_new..] {
            waiting.push((priorities[line as usize], line));
        }
        self.dots ^= hash_of(board.line(line).point(usize::from(new)));
        self.lines.push((line, new));
    }

    /// Draws given lines instead: their ids, and a hash of the dots; `None` if the lines cannot be
    /// drawn in this order.
    pub(super) fn replay(&mut self, lines: &[Line]) -> Option<(Vec<u32>, u64)> {
        self.board.clone_from(&self.start);
        let (mut ids, mut dots) = (Vec::with_capacity(lines.len()), 0);
        for &line in lines {
            let id = self.board.line_id(line).filter(|&id| self.board.is_legal(id))?;
            let new = self.board.draw(id);
            dots ^= hash_of(line.point(usize::from(new)));
            ids.push(id);
        }
        Some((ids, dots))
    }

    /// The line of an id.
    pub(super) fn line(&self, id: u32) -> Line {
        self.board.line(id)
    }

    /// The id of a line, which gets one if it has none; `None` if it lies off the grid.
    pub(super) fn intern(&mut self, line: Line) -> Option<u32> {
        self.board.intern(line)
    }

    /// The lines of the last game in the order drawn.
    pub(super) fn lines(&self) -> impl ExactSizeIterator<Item = u32> {
        self.lines.iter().map(|&(line, _)| line)
    }

    /// Whether a line was legal at some time of the last game.
    pub(super) fn was_legal(&self, line: u32) -> bool {
        self.seen.contains(&line)
    }

    /// A hash of the last game's dots, whichever lines placed them.
    pub(super) fn dots(&self) -> u64 {
        self.dots
    }

    /// The last game, after the moves `prefix` that it began with.
    pub(super) fn moves(&self, prefix: &[Move]) -> Vec<Move> {
        let mv = |&(line, new): &(u32, u8)| Move::new(self.board.line(line), new);
        prefix.iter().copied().chain(self.lines.iter().map(mv)).collect()
    }
}

/// Fills in the usual priorities of all lines below `count`.
#[inline(always)]
fn add_usual<L: LineBoard>(board: &L, key: u64, priorities: &mut Vec<u32>, count: usize) {
    for id in priorities.len()..count {
        priorities.push(usual(key, board.line(id as u32)));
    }
}

/// The priority of a line unless a game has a special one: pseudorandom, and the same in every
/// game.
fn usual(key: u64, line: Line) -> u32 {
    let line = hash_of(line.start).rotate_left(7 * (1 + line.direction as u32));
    (mix64(line ^ key) >> 32) as u32
}

/// The contribution of a dot to the hash of a set of dots.
fn hash_of(dot: Point) -> u64 {
    mix64((dot.x as u32 as u64) << 32 | dot.y as u32 as u64)
}
