//! The walk of the bit engine.
//!
//! Drawing and erasing are one operation on bits, so both take the same path without a branch.
//! Legal lines and removable dots are listed when they become so, and leave the list only when a
//! sample hits one that no longer is; the sample is then repeated, which leaves all others equally
//! likely. A flag marks what is listed, so that nothing is listed twice. The plain version it is
//! tested against is [`PlainWalk`](crate::PlainWalk).

use geometry::{Direction, Game, Line, Move, Point, play_order};

use super::rows::{DOTS, FIRST_DOT, LINES, LineLanes, Rows, SPOTS, pack};
use super::{Layout, SIDE, place_in};
use crate::walk::{AnnealingWalk, below};
use crate::{BitPosition, Position};

/// A walk with lines of `LENGTH` (4 or 5) from the standard cross.
#[derive(Debug, Clone)]
pub struct BitWalk<const LENGTH: usize, const TOUCHING: bool> {
    rows: Rows<LENGTH, TOUCHING>,
    /// The lines that are listed, per direction and row, in the lower half.
    listed: [u64; 4 * SIDE],
    /// Line ids from 0 on, and dot ids from [`LINES`] on.
    list: [u16; 2 * LINES],
    lines: usize,
    dots: usize,
    /// By dot id: the number of lines that use it, and whether it is listed.
    users: [u16; DOTS],
    /// By dot id: the line that placed it.
    makers: [u16; DOTS],
    score: usize,
    layout: Layout,
    game: Game,
}

/// A step of a [`BitWalk`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BitStep {
    line: u16,
    /// Its new dot.
    dot: u16,
    erases: bool,
}

/// Flag in the number of users: the dot is listed.
const LISTED: u16 = 0x100;
/// Flag in the number of users: the dot was there at the beginning.
const FIXED: u16 = 0x40;
/// A one in every lane.
const LANES: u64 = 0x0001_0001_0001_0001;
/// By direction: the difference between the ids of adjacent dots.
const STEPS: [u16; 4] = {
    let mut steps = [0; 4];
    let mut d = 0;
    while d < 4 {
        let step = Direction::ALL[d].step();
        steps[d] = (step.y * SIDE as i32 + step.x) as u16;
        d += 1;
    }
    steps
};

impl<const LENGTH: usize, const TOUCHING: bool> BitWalk<LENGTH, TOUCHING> {
    /// A walk that begins after the moves `prefix`, which must be legal.
    pub fn new(prefix: &[Move]) -> Self {
        let mut position = BitPosition::<LENGTH, TOUCHING>::start();
        position.play_all(prefix).expect("the first moves are legal");
        let mut walk = Self {
            rows: Rows::new(&position.dots, &position.used),
            listed: [0; 4 * SIDE],
            list: [0; 2 * LINES],
            lines: 0,
            dots: 0,
            users: [0; DOTS],
            makers: [0; DOTS],
            score: 0,
            layout: Layout::around(&position.game().start).expect("the cross fits"),
            game: position.game().clone(),
        };
        for code in position.legal() {
            walk.list_line(code.line() as u16);
        }
        for (dot, users) in walk.users.iter_mut().enumerate() {
            *users = FIXED * (position.dots[0][dot / SIDE] >> (dot % SIDE) & 1) as u16;
        }
        walk
    }

    fn line_of(&self, line: u16) -> Line {
        let direction = Direction::ALL[usize::from(line >> 10)];
        let place = place_in(direction, u32::from(line) >> 5 & 31, u32::from(line) & 31);
        self.layout.line(line.into(), place)
    }

    #[inline(always)]
    fn list_line(&mut self, line: u16) {
        self.listed[usize::from(line >> 5) & 127] |= 1 << (line & 31);
        self.list[self.lines & (LINES - 1)] = line;
        self.lines += 1;
    }

    /// The bit of a line's missing dot, counted from its first dot, if it is legal; otherwise 0.
    #[inline(always)]
    fn gap(&self, line: u16) -> u64 {
        // The bits of dots are inverted; a used mark or a second gap spoils it.
        let gap = self.rows.from(line) & Rows::<LENGTH, TOUCHING>::DECIDES
            ^ Rows::<LENGTH, TOUCHING>::LINE;
        let below = gap.wrapping_sub(1);
        let one = (below < Rows::<LENGTH, TOUCHING>::LINE) & (gap & below == 0);
        if one { gap } else { 0 }
    }

    /// Removes a line from the list, and returns it if it is legal.
    #[inline(always)]
    fn take_line(&mut self, place: usize) -> Option<BitStep> {
        let line = self.list[place & (LINES - 1)];
        self.listed[usize::from(line >> 5) & 127] &= !(1 << (line & 31));
        self.lines -= 1;
        self.list[place & (LINES - 1)] = self.list[self.lines & (LINES - 1)];
        let gap = self.gap(line);
        let dot = FIRST_DOT[(usize::from(line) + gap.trailing_zeros() as usize) & (LINES - 1)];
        (gap != 0).then_some(BitStep { line, dot, erases: false })
    }

    /// One of the legal lines.
    #[inline(always)]
    fn choose_line(&mut self, random: &mut impl FnMut() -> u64) -> Option<BitStep> {
        while self.lines > 0 {
            let step = self.take_line(below(random(), self.lines));
            if step.is_some() {
                return step;
            }
        }
        None
    }
}

impl<const LENGTH: usize, const TOUCHING: bool> AnnealingWalk for BitWalk<LENGTH, TOUCHING> {
    type Step = BitStep;

    #[inline(always)]
    fn score(&self) -> usize {
        self.score
    }

    fn is_stuck(&self) -> bool {
        let lines = &self.list[..self.lines];
        let dots = &self.list[LINES..LINES + self.dots];
        lines.iter().all(|&line| self.gap(line) == 0)
            && dots.iter().all(|&dot| self.users[usize::from(dot)] != LISTED | 1)
    }

    fn moves(&self, prefix: &[Move]) -> Vec<Move> {
        let made = |dot: &usize| (1..FIXED).contains(&(self.users[*dot] & (LISTED - 1)));
        let moves = (0..DOTS).filter(made).map(|dot| {
            let line = self.makers[dot];
            let place = (dot as u32 & 31, dot as u32 >> 5);
            let offset = (SPOTS[dot] >> (16 * (line >> 10))) as u16 - line;
            Move::new(self.layout.line(line.into(), place), offset as u8)
        });
        play_order(&self.game, prefix, moves).expect("drawn lines have an order")
    }

    #[inline(always)]
    fn choose(
        &mut self,
        forward: bool,
        backward: u64,
        mut random: impl FnMut() -> u64,
    ) -> Option<BitStep> {
        loop {
            let lines = if forward { self.lines } else { 0 };
            let all = lines + self.dots;
            if all == 0 {
                return None;
            }
            let bits = random();
            let choice = below(bits, all);
            if choice < lines {
                if let Some(step) = self.take_line(choice) {
                    return Some(step);
                }
                continue;
            }
            let place = LINES + ((choice - lines) & (LINES - 1));
            let dot = self.list[place];
            let removable = self.users[usize::from(dot) & (DOTS - 1)] == LISTED | 1;
            let turned = removable & forward & (bits & 0xffff_ffff >= backward);
            if turned && let Some(step) = self.choose_line(&mut random) {
                return Some(step);
            }
            self.dots -= 1;
            self.list[place] = self.list[LINES + (self.dots & (LINES - 1))];
            self.users[usize::from(dot) & (DOTS - 1)] &= LISTED - 1;
            if removable {
                let line = self.makers[usize::from(dot) & (DOTS - 1)];
                return Some(BitStep { line, dot, erases: true });
            }
        }
    }

    #[inline(always)]
    fn erases(step: BitStep) -> bool {
        step.erases
    }

    #[inline(always)]
    fn take(&mut self, step: BitStep) {
        let BitStep { line, dot, erases } = step;
        let change = if erases { u16::MAX } else { 1 };
        self.score = self.score.wrapping_add(change as i16 as usize);
        self.makers[usize::from(dot) & (DOTS - 1)] = line;

        // The dots of the line; the new one is listed when it is drawn, any other when this was its
        // only user apart from the line that placed it.
        let direction = usize::from(line >> 10) & 3;
        let mut next = FIRST_DOT[usize::from(line) & (LINES - 1)];
        for _ in 0..LENGTH {
            let users = &mut self.users[usize::from(next) & (DOTS - 1)];
            *users = users.wrapping_add(change);
            let removable = *users == 1;
            *users |= LISTED * u16::from(removable);
            self.list[LINES + (self.dots & (LINES - 1))] = next;
            self.dots += usize::from(removable);
            next = next.wrapping_add(STEPS[direction]);
        }

        // The rows: in three of them the lines through the dot may have changed, in the line's own
        // also those that overlap it.
        let words = &mut self.rows.words;
        let (own, lane) = (usize::from(line >> 5) & 127, 16 * direction);
        words[own] ^= Rows::<LENGTH, TOUCHING>::MARKS << (32 + (line & 31));
        let spots = SPOTS[usize::from(dot) & (DOTS - 1)];
        let offset = (spots >> lane) as u16 - line;
        let back = u64::from(LENGTH as u32 - 1) * LANES + (u64::from(offset) << lane);
        let (mut windows, mut listed) = ([0; 4], [0; 4]);
        for d in 0..4 {
            let spot = spots >> (16 * d);
            let (r, at) = ((spot >> 5 & 127) as usize, spot as u32 & 31);
            let turn = at.wrapping_sub((back >> (16 * d)) as u32 & 15) & 63;
            words[r] ^= 1 << at;
            windows[d] = words[r].rotate_right(turn) & (0x1fff << 32 | 0x1fff);
            listed[d] = self.listed[r].rotate_right(turn) & 0x1ff;
        }
        let (dots, used) = pack(windows);
        let listed = listed[0] | listed[1] << 16 | listed[2] << 32 | listed[3] << 48;
        let wide = ((1 << (2 * LENGTH - 1)) - 1) << lane;
        let mut born = LineLanes {
            mask: Rows::<LENGTH, TOUCHING>::lack_one(dots)
                & !Rows::<LENGTH, TOUCHING>::blocked(used)
                & (Rows::<LENGTH, TOUCHING>::THROUGH | wide)
                & !listed,
            first: spots - back,
        };
        while born.mask != 0 {
            self.list_line(born.take());
        }
    }

    fn lists(&self) -> (Vec<Line>, Vec<Point>) {
        let point = |&dot: &u16| self.layout.point(u32::from(dot) & 31, u32::from(dot) >> 5);
        (
            self.list[..self.lines].iter().map(|&line| self.line_of(line)).collect(),
            self.list[LINES..LINES + self.dots].iter().map(point).collect(),
        )
    }

    fn arranged(mut self, moves: &[Move], lines: &[Line], dots: &[Point]) -> Option<Self> {
        for mv in moves {
            let line = self.layout.id(mv.line, LENGTH)? as u16;
            if usize::from(mv.offset) >= LENGTH || self.gap(line) != 1 << mv.offset {
                return None;
            }
            let dot = FIRST_DOT[usize::from(line) + usize::from(mv.offset)];
            self.take(BitStep { line, dot, erases: false });
        }
        let is_legal = |&line: &u16| self.gap(line) != 0;
        let legal = (0..LINES as u16).filter(is_legal).count();
        let is_removable = |users: &u16| users & (LISTED - 1) == 1;
        let removable = self.users.iter().copied().filter(|users| is_removable(users)).count();
        (self.lines, self.dots, self.listed) = (0, 0, [0; 4 * SIDE]);
        self.users = self.users.map(|users| users & (LISTED - 1));
        // Each at most once, and all legal lines and removable dots among them.
        let (mut found_legal, mut found_removable) = (0, 0);
        for &line in lines {
            let line = self.layout.id(line, LENGTH)? as u16;
            if self.listed[usize::from(line >> 5)] >> (line & 31) & 1 == 1 {
                return None;
            }
            found_legal += usize::from(self.gap(line) != 0);
            self.list_line(line);
        }
        for &dot in dots {
            let (x, y) = self.layout.place(dot)?;
            let users = &mut self.users[(y << 5 | x) as usize];
            if *users & LISTED != 0 {
                return None;
            }
            found_removable += usize::from(*users == 1);
            *users |= LISTED;
            self.list[LINES + self.dots] = (y << 5 | x) as u16;
            self.dots += 1;
        }
        (found_legal == legal && found_removable == removable).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::tests::Inspect;

    impl<const LENGTH: usize, const TOUCHING: bool> Inspect for BitWalk<LENGTH, TOUCHING> {
        fn legal_lines(&self) -> Vec<Line> {
            let lines = self.list[..self.lines].iter();
            let legal = lines.filter(|&&line| self.gap(line) != 0);
            legal.map(|&line| self.line_of(line)).collect()
        }

        fn removable_lines(&self) -> Vec<Line> {
            let dots = self.list[LINES..LINES + self.dots].iter();
            let removable = dots.filter(|&&dot| self.users[usize::from(dot)] == LISTED | 1);
            removable.map(|&dot| self.line_of(self.makers[usize::from(dot)])).collect()
        }

        fn line(&self, step: BitStep) -> Line {
            self.line_of(step.line)
        }
    }
}
