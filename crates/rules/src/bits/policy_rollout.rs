//! Rollouts of the bit engine.
//!
//! Traded for speed: times are absolute, so that nothing is subtracted at every move, and carry
//! their place in their lowest bits, so that the minimum also says whose it is. Lines that are no
//! longer legal stay in the queue until their time comes or the queue is swept. When lines were
//! legal is worked out afterwards, for the few games that are asked about. The plain version it is
//! tested against is [`PlainPolicyRollout`](crate::PlainPolicyRollout).

use geometry::{Line, Move};

use super::rows::{DOTS, FIRST_DOT, LINES, Rows, SPOTS};
use super::{Code, Layout};
use crate::{BitPosition, LegalSpan, PolicyRollout, Position};

/// The bits of a time that hold its place.
const PLACE: u64 = LINES as u64 - 1;
/// No time.
const NEVER: u64 = u64::MAX;
/// Times are rebased when a wait is sampled whose mean is below this fraction of the time passed.
/// With 40 bits for a time, 24 are left for the wait.
const FINE: f64 = 1.0 / (1 << 16) as f64;
/// The queue is swept when it is this long, or twice as long as the last sweep left it.
const ROOM: usize = 32;

/// Rollouts with lines of `LENGTH` (4 or 5).
#[derive(Debug, Clone)]
pub struct BitPolicyRollout<const LENGTH: usize, const TOUCHING: bool> {
    position: BitPosition<LENGTH, TOUCHING>,
    start: Rows<LENGTH, TOUCHING>,
    rows: Rows<LENGTH, TOUCHING>,
    /// The queue of a game; empty between games.
    times: [u64; LINES],
    lines: [u16; LINES],
    /// Every line that was legal at some time, in the order in which they became so.
    born: [u16; LINES],
    /// The number of lines that had become legal before each move.
    before: [u16; DOTS],
    /// The lines played and their new dots.
    played: [(u16, u16); DOTS],
    count: usize,
    /// By id of the line that begins there: the number of moves after which there is a dot, and
    /// after which the mark is used. Between calls as if no move had been played.
    filled: Box<[u16; LINES]>,
    used: Box<[u16; LINES]>,
}

/// Lines and their times, in any order.
///
/// There are fewer than 3000 lines inside the ring, so it never overflows.
struct Queue<'a> {
    /// The bits of positive floats, which sort as they do; the lowest bits are the place. Beyond
    /// the length there is [`NEVER`].
    times: &'a mut [u64; LINES],
    lines: &'a mut [u16; LINES],
    length: usize,
    now: f64,
    /// The length at which to sweep.
    limit: usize,
}

impl Queue<'_> {
    /// Adds a line that waits for `mean` times `number`.
    #[inline(always)]
    fn push(&mut self, line: u16, mean: f64, number: f64) {
        if mean < self.now * FINE {
            rebase(&mut self.times[..self.length], self.now);
            self.now = 0.0;
        }
        let place = self.length & (LINES - 1);
        self.times[place] = at_place((self.now + mean * number).to_bits(), place);
        self.lines[place] = line;
        self.length += 1;
    }

    /// Removes the line whose time comes first.
    #[inline(always)]
    fn pop(&mut self) -> Option<u16> {
        if self.length == 0 {
            return None;
        }
        // Four at a time in integers: that needs no vector instructions, so that scalar stores just
        // made are forwarded to these loads.
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

/// Keeps only some of the lines and returns how many. Not a method, so that the fields of a
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
fn rebase(times: &mut [u64], now: f64) {
    for (place, time) in times.iter_mut().enumerate() {
        *time = at_place((f64::from_bits(*time & !PLACE) - now).to_bits(), place);
    }
}

#[inline(always)]
fn at_place(time: u64, place: usize) -> u64 {
    time & !PLACE | place as u64
}

impl<const LENGTH: usize, const TOUCHING: bool> BitPolicyRollout<LENGTH, TOUCHING> {
    /// Rollouts that begin after the moves `prefix`, which must be legal.
    pub fn new(prefix: &[Move]) -> Self {
        let mut position = BitPosition::<LENGTH, TOUCHING>::start();
        position.play_all(prefix).expect("the first moves are legal");
        let rows = Rows::new(&position.dots, &position.used);
        let dot_at = |spot: usize| rows.words[spot >> 5] >> (spot & 31) & 1 == 1;
        let filled = std::array::from_fn(|spot| if dot_at(spot) { 0 } else { u16::MAX });
        Self {
            position,
            start: rows.clone(),
            rows,
            times: [NEVER; LINES],
            lines: [0; LINES],
            born: [0; LINES],
            before: [0; DOTS],
            played: [(0, 0); DOTS],
            count: 0,
            filled: Box::new(filled),
            used: Box::new([u16::MAX; LINES]),
        }
    }

    fn line_id(&self, line: Line) -> Option<u32> {
        let layout = Layout::around(&self.position.game().start).expect("the cross fits");
        layout.id(line, LENGTH)
    }
}

impl<const LENGTH: usize, const TOUCHING: bool> PolicyRollout
    for BitPolicyRollout<LENGTH, TOUCHING>
{
    fn line_count(&self) -> usize {
        LINES
    }

    #[inline]
    fn play(
        &mut self,
        waits: &[f32],
        max_moves: usize,
        mut exponential: impl FnMut() -> f64,
    ) -> usize {
        let waits: &[f32; LINES] = waits.first_chunk().expect("there is a wait for every line");
        let Self { rows, born, played, before, times, lines, .. } = self;
        rows.words = self.start.words;
        let mut queue = Queue { times, lines, length: 0, now: 0.0, limit: ROOM };
        let mut all = 0;
        for code in self.position.legal() {
            let line = code.line() as u16;
            born[all] = line;
            all += 1;
            queue.push(line, waits[usize::from(line)].into(), exponential());
        }
        let mut count = 0;
        'game: while count < max_moves {
            before[count & (DOTS - 1)] = all as u16;
            let line = loop {
                let Some(line) = queue.pop() else { break 'game };
                if rows.is_playable(line) {
                    break line;
                }
            };
            let (dot, mut fresh) = rows.play(line);
            played[count & (DOTS - 1)] = (line, dot);
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
        self.played[..self.count].iter().map(|played| self.position.decode(code(played))).collect()
    }

    /// A legal line becomes illegal when its last dot is placed or one of its marks is used.
    fn legal_spans(&mut self, spans: &mut Vec<LegalSpan>) {
        spans.clear();
        let Self { filled, used, played, born, before, count, .. } = self;
        let played = &played[..*count];
        let marks = LENGTH - usize::from(TOUCHING);
        for (&(line, dot), next) in played.iter().zip(1..) {
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
                // A line still legal at the end was legal up to the end.
                let to = full.min(blocked).map_or(0, |to| to.min(*count as u16));
                if from < to {
                    let played = played[usize::from(to) - 1].0 == line;
                    spans.push(LegalSpan { line: line.into(), from, to, played });
                }
            }
            all = usize::from(before);
        }
        for &(line, dot) in played {
            for d in 0..4 {
                filled[(SPOTS[usize::from(dot) & (DOTS - 1)] >> (16 * d)) as usize & (LINES - 1)] =
                    u16::MAX;
            }
            for mark in 0..marks {
                used[(usize::from(line) + mark) & (LINES - 1)] = u16::MAX;
            }
        }
    }

    fn line(&self, id: u32) -> Line {
        let dot = FIRST_DOT[id as usize];
        self.position.decode(Code::new(id, dot.into())).line
    }

    fn intern_lines(&mut self, lines: &[Line]) -> Option<Vec<u32>> {
        lines.iter().map(|&line| self.line_id(line)).collect()
    }

    fn line_ids(&self) -> impl Iterator<Item = u32> {
        self.played[..self.count].iter().map(|&(line, _)| line.into())
    }

    fn replay(&mut self, lines: &[Line], max_moves: usize) -> Option<usize> {
        self.count = 0;
        if lines.len() > max_moves {
            return None;
        }
        self.rows.words = self.start.words;
        let mut all = 0;
        for code in self.position.legal() {
            self.born[all] = code.line() as u16;
            all += 1;
        }
        for (count, &line) in lines.iter().enumerate() {
            self.before[count & (DOTS - 1)] = all as u16;
            // Unlike lines of the queue, these may lack any number of dots.
            let line = self.line_id(line)? as u16;
            let seen = self.rows.from(line) & Rows::<LENGTH, TOUCHING>::DECIDES;
            if !self.rows.is_playable(line) || seen.count_ones() != LENGTH as u32 - 1 {
                return None;
            }
            let (dot, mut fresh) = self.rows.play(line);
            self.played[count & (DOTS - 1)] = (line, dot);
            while fresh.mask != 0 {
                self.born[all & (LINES - 1)] = fresh.take();
                all += 1;
            }
        }
        self.before[lines.len() & (DOTS - 1)] = all as u16;
        self.count = lines.len();
        Some(self.count)
    }

    fn copy_game_to(&self, other: &mut Self) {
        let count = self.count;
        let all = usize::from(self.before[count]);
        other.count = count;
        other.played[..count].copy_from_slice(&self.played[..count]);
        other.before[..=count].copy_from_slice(&self.before[..=count]);
        other.born[..all].copy_from_slice(&self.born[..all]);
    }
}
