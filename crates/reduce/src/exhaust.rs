//! All games from a dot pattern, by the rules alone.
//!
//! This knows nothing of gadgets: dots, the rules of the game, and points that receive a dot from
//! outside at any moment (or not yet). It visits every position, a set of lines and arrivals,
//! exactly once, identified by a key of 128 bits.

use std::collections::{BTreeSet, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use geometry::{Direction, Line, Move, Point, Rules, mix64};

/// How far from the dots a game is followed.
const MARGIN: i32 = 16;

/// The result of all games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExhaustResult {
    /// Positions, the first one included.
    pub positions: u64,
    /// Positions where no move and no arrival is left.
    pub maximal: u64,
    /// The most lines in a position.
    pub longest: usize,
    /// Which of the watched points have dots in the positions without moves left; bit i is point i.
    pub reached: BTreeSet<u32>,
}

/// The games do not stay near the dots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a game reaches {0}, more than {MARGIN} away from the dots")]
pub struct EscapesGrid(pub Point);

/// Plays all games from `dots`, where each point of `arrivals` may receive a dot at any moment.
pub fn exhaust(
    rules: Rules,
    dots: &[Point],
    arrivals: &[Point],
    watched: &[Point],
) -> Result<ExhaustResult, EscapesGrid> {
    let mut arena = Arena::new(rules, dots, arrivals, watched);
    arena.visited.insert(0);
    arena.visit(0, 0)?;
    Ok(ExhaustResult { positions: arena.visited.len() as u64, ..arena.outcome })
}

/// A board that plays and takes back, and the positions seen so far.
struct Arena<'a> {
    rules: Rules,
    low: Point,
    width: usize,
    /// Whether there is a dot.
    dots: Vec<bool>,
    /// Bit d is set where a line of direction d has used up the point, or the segment after it.
    used: Vec<u8>,
    /// The legal moves of the positions on the way here, one list after the other.
    legal: Vec<Move>,
    /// Where the list of this position begins.
    begin: usize,
    arrivals: &'a [Point],
    watched: &'a [Point],
    visited: HashSet<u128, BuildHasherDefault<Low>>,
    outcome: ExhaustResult,
}

impl<'a> Arena<'a> {
    fn new(rules: Rules, dots: &[Point], arrivals: &'a [Point], watched: &'a [Point]) -> Self {
        let all = || dots.iter().chain(arrivals).chain(watched);
        let edge = MARGIN + rules.length() as i32;
        let low = |of: fn(&Point) -> i32| all().map(of).min().unwrap_or(0) - edge;
        let high = |of: fn(&Point) -> i32| all().map(of).max().unwrap_or(0) + edge;
        let (left, top) = (low(|p| p.x), low(|p| p.y));
        let width = (high(|p| p.x) - left + 1) as usize;
        let height = (high(|p| p.y) - top + 1) as usize;
        let mut arena = Self {
            rules,
            low: Point::new(left, top),
            width,
            dots: vec![false; width * height],
            used: vec![0; width * height],
            legal: Vec::new(),
            begin: 0,
            arrivals,
            watched,
            visited: HashSet::default(),
            outcome: ExhaustResult {
                positions: 0,
                maximal: 0,
                longest: 0,
                reached: BTreeSet::new(),
            },
        };
        for &dot in dots {
            let cell = arena.cell(dot);
            arena.dots[cell] = true;
        }
        for &dot in dots {
            arena.consider_around(dot);
        }
        arena.legal.sort_unstable();
        arena.legal.dedup();
        arena
    }

    fn cell(&self, point: Point) -> usize {
        let from = point - self.low;
        from.y as usize * self.width + from.x as usize
    }

    fn has_dot(&self, point: Point) -> bool {
        self.dots[self.cell(point)]
    }

    /// The cells of the marks that a line uses.
    fn marks(&self, line: Line) -> impl Iterator<Item = usize> + use<> {
        let (first, second) = (self.cell(line.point(0)), self.cell(line.point(1)));
        (0..self.rules.marks()).map(move |i| first + i * second - i * first)
    }

    /// Adds the lines through `dot` that can be drawn now to the list.
    fn consider_around(&mut self, dot: Point) {
        for direction in Direction::ALL {
            for offset in 0..self.rules.length() {
                let line = Line::new(dot - direction.step() * offset as i32, direction);
                let missing = |&i: &usize| !self.has_dot(line.point(i));
                let mut missing = (0..self.rules.length()).filter(missing);
                let (Some(hole), None) = (missing.next(), missing.next()) else { continue };
                let bit = 1 << direction as u8;
                if self.marks(line).all(|cell| self.used[cell] & bit == 0) {
                    self.legal.push(Move::new(line, hole as u8));
                }
            }
        }
    }

    /// Visits a position whose key is in the set already, and all after it.
    fn visit(&mut self, key: u128, depth: usize) -> Result<(), EscapesGrid> {
        let (begin, end) = (self.begin, self.legal.len());
        let mut left = begin < end;
        for index in begin..end {
            let mv = self.legal[index];
            let next = key ^ line_key(mv.line);
            if self.visited.insert(next) {
                self.enter(mv.dot())?;
                self.draw(mv);
                self.visit(next, depth + 1)?;
                self.erase(mv);
                self.legal.truncate(end);
                self.begin = begin;
            }
        }
        for (number, &port) in (0..).zip(self.arrivals) {
            if self.has_dot(port) {
                continue;
            }
            left = true;
            let next = key ^ arrival_key(number);
            if self.visited.insert(next) {
                let cell = self.cell(port);
                self.dots[cell] = true;
                self.begin = end;
                for index in begin..end {
                    let mv = self.legal[index];
                    if mv.dot() != port {
                        self.legal.push(mv);
                    }
                }
                self.consider_around(port);
                self.visit(next, depth)?;
                self.dots[cell] = false;
                self.legal.truncate(end);
                self.begin = begin;
            }
        }
        self.outcome.longest = self.outcome.longest.max(depth);
        if !left {
            let ports = self.watched.iter().enumerate();
            let reached = ports.map(|(i, &port)| u32::from(self.has_dot(port)) << i).sum();
            self.outcome.maximal += 1;
            self.outcome.reached.insert(reached);
        }
        Ok(())
    }

    /// Refuses a dot from which a line could leave the board.
    fn enter(&self, dot: Point) -> Result<(), EscapesGrid> {
        let edge = self.rules.length() as i32;
        let (from, height) = (dot - self.low, (self.dots.len() / self.width) as i32);
        let inside = |c: i32, size: i32| c >= edge && c < size - edge;
        let is_inside = inside(from.x, self.width as i32) && inside(from.y, height);
        if is_inside { Ok(()) } else { Err(EscapesGrid(dot)) }
    }

    /// Draws a line and lists the moves that are legal after it.
    fn draw(&mut self, mv: Move) {
        let (begin, end) = (self.begin, self.legal.len());
        let (dot, direction) = (mv.dot(), mv.line.direction);
        let cell = self.cell(dot);
        self.dots[cell] = true;
        let bit = 1 << direction as u8;
        for cell in self.marks(mv.line) {
            self.used[cell] |= bit;
        }
        self.begin = end;
        for other in begin..end {
            let other = self.legal[other];
            let free = |cell| self.used[cell] & bit == 0;
            let clear = other.line.direction != direction || self.marks(other.line).all(free);
            if other.dot() != dot && clear {
                self.legal.push(other);
            }
        }
        self.consider_around(dot);
    }

    fn erase(&mut self, mv: Move) {
        let cell = self.cell(mv.dot());
        self.dots[cell] = false;
        let bit = 1 << mv.line.direction as u8;
        for cell in self.marks(mv.line) {
            self.used[cell] &= !bit;
        }
    }
}

/// The share of a line in the key of a position.
fn line_key(line: Line) -> u128 {
    let place = u64::from(line.start.x as u32) << 32 | u64::from(line.start.y as u32);
    spread(place, 1 + line.direction as u64)
}

/// The share of an arrival.
fn arrival_key(number: u64) -> u128 {
    spread(number, 5)
}

/// 128 bits that depend on all bits of both.
fn spread(place: u64, kind: u64) -> u128 {
    let high = mix64(place ^ mix64(kind));
    let low = mix64(high ^ place.rotate_left(17) ^ mix64(kind + 64));
    u128::from(high) << 64 | u128::from(low)
}

/// Keys are spread well already: half of one is its hash.
#[derive(Default)]
struct Low(u64);

impl Hasher for Low {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only keys are hashed");
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gadget::gadgets;
    use geometry::{Game, Start};
    use rules::{PlainPosition, Position};

    /// All positions by the plain board: sets of lines.
    fn visit(board: &mut PlainPosition, seen: &mut HashSet<Vec<Line>>) {
        let mut lines: Vec<Line> = board.moves().iter().map(|mv| mv.line).collect();
        lines.sort_unstable();
        if seen.insert(lines) {
            for index in 0..board.legal().len() {
                board.play_nth(index);
                visit(board, seen);
                board.undo();
            }
        }
    }

    #[test]
    fn positions_are_those_of_the_plain_board() {
        let names = ["wire", "split", "one-way", "checker", "crossover"];
        for length in [4, 5] {
            let all = gadgets(length).expect("a design");
            for gadget in all.iter().filter(|gadget| names.contains(&gadget.name)) {
                let mut dots = gadget.dots();
                dots.extend(gadget.ports.iter().take(2).map(|port| port.1));
                for touching in [true, false] {
                    let rules = Rules::new(length, touching).expect("a line length");
                    let start = Start::from_dots(dots.iter().copied()).expect("few dots");
                    let mut seen = HashSet::new();
                    visit(&mut PlainPosition::start(Game { rules, start }), &mut seen);
                    let outcome = exhaust(rules, &dots, &[], &[]).expect("finite");
                    let name = gadget.name;
                    assert_eq!(outcome.positions, seen.len() as u64, "{name} in {rules}");
                    assert_eq!(Some(outcome.longest), seen.iter().map(Vec::len).max(), "{name}");
                }
            }
        }
    }

    #[test]
    fn games_that_leave_the_board_are_reported() {
        let block = (0..25).map(|i| Point::new(i % 5, i / 5)).filter(|p| p.x + p.y > 0);
        let block: Vec<Point> = block.collect();
        let rules = "3T".parse().expect("known rules");
        assert!(matches!(exhaust(rules, &block, &[], &[]), Err(EscapesGrid(_))));
    }
}
