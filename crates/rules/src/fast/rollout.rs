//! Fast games by a policy.
//!
//! What is traded for the speed: times are absolute, so that nothing is subtracted at every move, and
//! carry their place in their lowest bits, so that the least time tells at once whose it is. Lines
//! that can no longer be drawn stay in the list until their time comes or the list is swept. When
//! lines were legal is found out afterwards, for the few games that somebody asks about. The plain
//! version it is tested against is [`SheetRollout`](crate::SheetRollout).

mod retrace;

use geometry::Move;

use super::Code;
use super::rows::{DOTS, LINES, Rows, SPOTS};
use crate::{Board, Chance, FastBoard, Rollout};

/// The bits of a time that hold its place.
const PLACE: u64 = LINES as u64 - 1;
/// No time.
const NEVER: u64 = u64::MAX;
/// Times are counted anew when a wait is drawn whose mean is below this share of the time passed. With
/// 40 bits for a time, 24 are left for the wait.
const FINE: f64 = 1.0 / (1 << 16) as f64;
/// The list is swept when it is this long, or twice as long as what the last sweep left.
const ROOM: usize = 32;

/// Plays games of lines of `LENGTH` (4 or 5) by a policy.
#[derive(Debug, Clone)]
pub struct FastRollout<const LENGTH: usize, const TOUCHING: bool> {
    board: FastBoard<LENGTH, TOUCHING>,
    start: Rows<LENGTH, TOUCHING>,
    rows: Rows<LENGTH, TOUCHING>,
    /// The queue of a game; between games there is no time in it.
    times: [u64; LINES],
    lines: [u16; LINES],
    /// Every line that was legal at some time, in the order they became so.
    born: [u16; LINES],
    /// How many lines had become legal before each move.
    before: [u16; DOTS],
    /// The lines drawn and their new dots.
    made: [(u16, u16); DOTS],
    count: usize,
    /// By number of a line that begins there: after how many moves there is a dot, and after how
    /// many the mark is used. Between calls as if no move had been made.
    filled: Box<[u16; LINES]>,
    used: Box<[u16; LINES]>,
}

/// Lines and when their time comes, in any order.
///
/// There are fewer than 3000 lines inside the ring, so places never run out.
struct Queue<'a> {
    /// The bits of positive numbers, which have the same order as they; the lowest are the place.
    /// Beyond the length there is [`NEVER`].
    times: &'a mut [u64; LINES],
    lines: &'a mut [u16; LINES],
    length: usize,
    now: f64,
    /// When to sweep.
    limit: usize,
}

impl Queue<'_> {
    /// Puts a line in that waits for `mean` times `number`.
    #[inline(always)]
    fn push(&mut self, line: u16, mean: f64, number: f64) {
        if mean < self.now * FINE {
            count_anew(&mut self.times[..self.length], self.now);
            self.now = 0.0;
        }
        let place = self.length & (LINES - 1);
        self.times[place] = at_place((self.now + mean * number).to_bits(), place);
        self.lines[place] = line;
        self.length += 1;
    }

    /// Takes out the line whose time comes first.
    #[inline(always)]
    fn pop(&mut self) -> Option<u16> {
        if self.length == 0 {
            return None;
        }
        // Four at a time in whole numbers: the processor needs no vectors for that, and what was
        // just written one by one can be read one by one at once.
        let mut least = [NEVER; 4];
        let length = self.length.next_multiple_of(4) & (LINES - 1);
        for times in self.times[..length].chunks_exact(4) {
            for i in 0..4 {
                least[i] = least[i].min(times[i]);
            }
        }
        let least = least[0].min(least[1]).min(least[2].min(least[3]));
        let place = (least & PLACE) as usize;
        let line = self.lines[place];
        self.now = f64::from_bits(least & !PLACE);
        self.length -= 1;
        let last = self.length & (LINES - 1);
        self.times[place] = at_place(self.times[last], place);
        self.lines[place] = self.lines[last];
        self.times[last] = NEVER;
        Some(line)
    }

    /// Keeps only some of the lines, if there are many.
    #[inline(always)]
    fn sweep(&mut self, keep: impl FnMut(u16) -> bool) {
        if self.length >= self.limit {
            self.length = sweep(self.times, self.lines, self.length, keep);
            self.limit = ROOM.max(2 * self.length);
        }
    }
}

/// Keeps only some of the lines and gives back how many. Not a method, so that the numbers of a
/// [`Queue`] stay in registers.
#[inline(never)]
fn sweep(
    times: &mut [u64; LINES],
    lines: &mut [u16; LINES],
    length: usize,
    mut keep: impl FnMut(u16) -> bool,
) -> usize {
    let mut kept = 0;
    for i in 0..length {
        let (time, line) = (times[i & (LINES - 1)], lines[i & (LINES - 1)]);
        times[kept & (LINES - 1)] = at_place(time, kept);
        lines[kept & (LINES - 1)] = line;
        kept += usize::from(keep(line));
    }
    times[kept..length].fill(NEVER);
    kept
}

/// Subtracts the time passed from all times.
#[cold]
#[inline(never)]
fn count_anew(times: &mut [u64], now: f64) {
    for (place, time) in times.iter_mut().enumerate() {
        *time = at_place((f64::from_bits(*time & !PLACE) - now).to_bits(), place);
    }
}

#[inline(always)]
fn at_place(time: u64, place: usize) -> u64 {
    time & !PLACE | place as u64
}

impl<const LENGTH: usize, const TOUCHING: bool> FastRollout<LENGTH, TOUCHING> {
    /// Plays games that begin after the moves `from`, which must be legal.
    pub fn new(from: &[Move]) -> Self {
        let mut board = FastBoard::<LENGTH, TOUCHING>::start();
        for &mv in from {
            board.play(mv).expect("the first moves are legal");
        }
        let rows = Rows::of(&board.dots, &board.used);
        let dot_at = |spot: usize| rows.words[spot >> 5] >> (spot & 31) & 1 == 1;
        let filled = std::array::from_fn(|spot| if dot_at(spot) { 0 } else { u16::MAX });
        Self {
            board,
            start: rows.clone(),
            rows,
            times: [NEVER; LINES],
            lines: [0; LINES],
            born: [0; LINES],
            before: [0; DOTS],
            made: [(0, 0); DOTS],
            count: 0,
            filled: Box::new(filled),
            used: Box::new([u16::MAX; LINES]),
        }
    }
}

impl<const LENGTH: usize, const TOUCHING: bool> Rollout for FastRollout<LENGTH, TOUCHING> {
    fn line_numbers(&self) -> usize {
        LINES
    }

    #[inline]
    fn play(
        &mut self,
        waits: &[f32],
        longest: usize,
        mut exponential: impl FnMut() -> f64,
    ) -> usize {
        let waits: &[f32; LINES] = waits.first_chunk().expect("there is a wait for every line");
        let Self { rows, born, made, before, times, lines, .. } = self;
        rows.words = self.start.words;
        let mut queue = Queue { times, lines, length: 0, now: 0.0, limit: ROOM };
        let mut all = 0;
        for code in self.board.legal() {
            let line = code.line() as u16;
            born[all] = line;
            all += 1;
            queue.push(line, waits[usize::from(line)].into(), exponential());
        }
        let mut count = 0;
        'game: while count < longest {
            before[count & (DOTS - 1)] = all as u16;
            let line = loop {
                let Some(line) = queue.pop() else { break 'game };
                if rows.is_playable(line) {
                    break line;
                }
            };
            let (dot, mut fresh) = rows.play(line);
            made[count & (DOTS - 1)] = (line, dot);
            count += 1;
            queue.sweep(|line| rows.is_playable(line));
            while fresh.mask != 0 {
                let line = fresh.take();
                born[all & (LINES - 1)] = line;
                all += 1;
                let mean = waits[usize::from(line) & (LINES - 1)];
                queue.push(line, mean.into(), exponential());
            }
        }
        before[count & (DOTS - 1)] = all as u16;
        let left = queue.length;
        times[..left].fill(NEVER);
        self.count = count;
        count
    }

    fn moves(&self) -> Vec<Move> {
        let code = |&(line, dot): &(u16, u16)| Code::new(line.into(), dot.into());
        self.made[..self.count].iter().map(|made| self.board.decode(code(made))).collect()
    }

    /// A line that became legal ceases to be when its last dot comes or one of its marks is used.
    fn chances(&mut self, chances: &mut Vec<Chance>) {
        chances.clear();
        let Self { filled, used, made, born, before, count, .. } = self;
        let made = &made[..*count];
        let marks = LENGTH - usize::from(TOUCHING);
        for (&(line, dot), next) in made.iter().zip(1..) {
            for d in 0..4 {
                filled[(SPOTS[usize::from(dot) & (DOTS - 1)] >> (16 * d)) as usize & (LINES - 1)] =
                    next;
            }
            for mark in 0..marks {
                used[(usize::from(line) + mark) & (LINES - 1)] = next;
            }
        }
        let mut all = 0;
        for (&before, from) in before[..=*count].iter().zip(0..) {
            for &line in &born[all..usize::from(before)] {
                let at = usize::from(line);
                let full = (0..LENGTH).map(|i| filled[(at + i) & (LINES - 1)]).max();
                let blocked = (0..marks).map(|i| used[(at + i) & (LINES - 1)]).min();
                // What is still legal at the end was so to the end.
                let to = full.min(blocked).map_or(0, |to| to.min(*count as u16));
                if from < to {
                    let made = made[usize::from(to) - 1].0 == line;
                    chances.push(Chance { line: line.into(), from, to, made });
                }
            }
            all = usize::from(before);
        }
        for &(line, dot) in made {
            for d in 0..4 {
                filled[(SPOTS[usize::from(dot) & (DOTS - 1)] >> (16 * d)) as usize & (LINES - 1)] =
                    u16::MAX;
            }
            for mark in 0..marks {
                used[(usize::from(line) + mark) & (LINES - 1)] = u16::MAX;
            }
        }
    }
}
