//! A playout by priorities: the legal line of the highest priority is drawn, always.

use std::collections::BinaryHeap;

use geometry::Move;
use rand::Rng as _;
use rules::{Sheet, ordered};

use crate::{Meter, Rng};

/// The priority of a line where it is not the usual one.
pub(super) type Priority = (u32, u32);

/// Plays games from one position by priorities.
pub(super) struct Player<S: Sheet> {
    start: S,
    sheet: S,
    longest: usize,
    /// By number of a line: its priority in every game that does not say otherwise.
    usual: Vec<u32>,
    /// The same with what the current game says.
    priorities: Vec<u32>,
    waiting: BinaryHeap<Waiting>,
    /// Every line that was legal at some time.
    met: Vec<u32>,
    lines: Vec<(u32, u8)>,
    dots: u64,
}

/// A line that could be drawn when it came here: priority first, so that it decides.
type Waiting = (u32, u32);

impl<S: Sheet> Player<S> {
    pub(super) fn new(start: &S, longest: usize) -> Self {
        Self {
            start: start.clone(),
            sheet: start.clone(),
            longest,
            usual: Vec::new(),
            priorities: Vec::new(),
            waiting: BinaryHeap::new(),
            met: Vec::new(),
            lines: Vec::new(),
            dots: 0,
        }
    }

    /// Plays a game and gives back its number of moves. Long games are cut when the time is over.
    pub(super) fn play(
        &mut self,
        special: &[Priority],
        meter: &mut Meter<'_>,
        rng: &mut Rng,
    ) -> usize {
        self.sheet.clone_from(&self.start);
        self.lines.clear();
        self.met.clear();
        self.waiting.clear();
        self.dots = 0;
        // Lines that no game has met before get their usual priority now.
        self.grow(rng);
        for &(line, priority) in special {
            self.priorities[line as usize] = priority;
        }
        self.sheet.append_legal(&mut self.met);
        for &line in &self.met {
            self.waiting.push((self.priorities[line as usize], line));
        }
        while let Some((_, line)) = self.waiting.pop() {
            if !self.sheet.is_legal(line) {
                continue;
            }
            self.draw(line, rng);
            let look = self.lines.len().is_multiple_of(256);
            if self.lines.len() >= self.longest || look && meter.look().is_break() {
                break;
            }
        }
        for &(line, _) in special {
            self.priorities[line as usize] = self.usual[line as usize];
        }
        self.lines.len()
    }

    #[inline(always)]
    fn draw(&mut self, line: u32, rng: &mut Rng) {
        let Self { sheet, met, waiting, priorities, usual, .. } = self;
        let new = sheet.draw_watched(line, |line, is_legal| {
            if is_legal {
                if priorities.len() <= line as usize {
                    add_usual(usual, priorities, line as usize + 1, rng);
                }
                met.push(line);
                waiting.push((priorities[line as usize], line));
            }
        });
        let dot = sheet.dot_number(line, new) as u64 + 1;
        self.dots ^= dot.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).wrapping_mul(dot | 1);
        self.lines.push((line, new));
    }

    fn grow(&mut self, rng: &mut Rng) {
        add_usual(&mut self.usual, &mut self.priorities, self.sheet.line_numbers(), rng);
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
        let mv = |&(line, new): &(u32, u8)| Move::new(self.sheet.line(line), new);
        ordered(self.sheet.game(), from, self.lines.iter().map(mv))
    }
}

/// Draws usual priorities for all lines below `count` that have none.
fn add_usual(usual: &mut Vec<u32>, priorities: &mut Vec<u32>, count: usize, rng: &mut Rng) {
    while usual.len() < count {
        usual.push(rng.next_u32());
        priorities.push(usual[usual.len() - 1]);
    }
}
