//! What is still open in a position: the lines that may yet be drawn, and how it falls into parts.
//!
//! All positions that go on from one are had by choosing a line that can be drawn now: either it is drawn,
//! or never. So each position is met once. Lines that can no longer come about, whatever is played, are
//! dropped; and the lines that are left often fall into components that have nothing to do with each other:
//! no dot that is missing is shared, no two lines overlap. How many lines of one can be drawn does not
//! depend on the others. A component that was met before, anywhere on the grid, is not searched again:
//! its lines and which of their dots are missing say all there is to say about it.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::ControlFlow;

use crate::exhaustive::bits::Bits;
use crate::exhaustive::grid::Grid;

/// Which lines are open, and the dots there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Open<const N: usize> {
    pub(crate) dots: Bits<N>,
    /// For each direction: the lines that are not drawn, overlap none that is, and are not given up.
    pub(crate) lines: [Bits<N>; 4],
}

/// One line, by direction and number.
pub(crate) type Place = (usize, usize);

impl<const N: usize> Open<N> {
    /// Nothing can overlap this line any more, which is drawn now.
    pub(crate) fn draw(&mut self, grid: &Grid<N>, direction: usize, number: usize) {
        let overlapping = grid.overlapping(direction, Bits::one(number));
        self.lines[direction] = self.lines[direction].without(overlapping);
    }

    /// Draws a line that lacks one dot.
    pub(crate) fn play(&mut self, grid: &Grid<N>, (direction, number): Place) {
        self.draw(grid, direction, number);
        self.dots = self.dots | grid.dots(direction, Bits::one(number));
    }

    /// Never draws a line.
    pub(crate) fn give_up(&mut self, (direction, number): Place) {
        self.lines[direction] = self.lines[direction].without(Bits::one(number));
    }

    /// The open lines that lack exactly one dot.
    #[inline]
    pub(crate) fn playable(&self, grid: &Grid<N>) -> [Bits<N>; 4] {
        let missing = !self.dots;
        std::array::from_fn(|direction| {
            let (some, two) = missing.some_and_two(grid.steps[direction], grid.length);
            self.lines[direction] & some.without(two)
        })
    }

    /// Drops the lines that can never be drawn: those with two dots or more that no lines could bring,
    /// even if lines might overlap, and those that lack no dot.
    pub(crate) fn prune(&mut self, grid: &Grid<N>) {
        let mut reached = self.dots;
        loop {
            let before = reached;
            for direction in 0..4 {
                let (_, two) = (!reached).some_and_two(grid.steps[direction], grid.length);
                let near = self.lines[direction].without(two);
                reached = reached | (grid.dots(direction, near) & grid.inner);
            }
            if reached == before {
                break;
            }
        }
        for direction in 0..4 {
            let step = grid.steps[direction];
            let (_, two) = (!reached).some_and_two(step, grid.length);
            let (lacking, _) = (!self.dots).some_and_two(step, grid.length);
            self.lines[direction] = self.lines[direction].without(two) & lacking;
        }
    }

    /// Some open line.
    fn first(&self) -> Option<Place> {
        (0..4).find_map(|direction| Some((direction, self.lines[direction].first()?)))
    }

    /// The open lines that have to do with this one, directly or through others.
    fn component(&self, grid: &Grid<N>, (direction, number): Place) -> [Bits<N>; 4] {
        let mut lines = [Bits::NONE; 4];
        lines[direction].insert(number);
        loop {
            let dots = (0..4).map(|direction| grid.dots(direction, lines[direction]));
            let missing = dots.fold(Bits::NONE, |all, dots| all | dots).without(self.dots);
            let grown = std::array::from_fn(|direction| {
                let near = grid.through(direction, missing)
                    | grid.overlapping(direction, lines[direction]);
                lines[direction] | (self.lines[direction] & near)
            });
            if grown == lines {
                return lines;
            }
            lines = grown;
        }
    }

    /// A line that can be drawn now and overlaps no other open line, if there is one.
    ///
    /// A longest game may have it: one without it either misses its dot, and can draw it besides, or has
    /// that dot by another line, which can be exchanged for this one.
    pub(crate) fn free(&self, grid: &Grid<N>) -> Option<Place> {
        let playable = self.playable(grid);
        (0..4).find_map(|direction| {
            let (step, lines) = (grid.steps[direction], self.lines[direction]);
            let others = lines.up(step).spread_up(step, grid.reach - 1)
                | lines.down(step).spread_down(step, grid.reach - 1);
            Some((direction, playable[direction].without(others).first()?))
        })
    }

    /// The playable line to decide on next: the first on the grid, so that what is decided is swept over.
    pub(crate) fn next(&self, grid: &Grid<N>) -> Option<Place> {
        let playable = self.playable(grid);
        let first = |direction: usize| Some((direction, playable[direction].first()?));
        (0..4).filter_map(first).min_by_key(|&(_, number)| number)
    }

    /// Whether a line that can be drawn now would leave the grid.
    pub(crate) fn leaves(&self, grid: &Grid<N>) -> bool {
        let playable = self.playable(grid);
        let outside = |direction: usize| {
            grid.dots(direction, playable[direction]).without(grid.inner | self.dots)
        };
        (0..4).any(|direction| !outside(direction).is_empty())
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// A line can be drawn that leaves the grid.
    OffGrid,
    /// The caller wanted no more.
    Asked,
}

/// Finds how many lines can be drawn, remembering what it found of components.
pub(crate) struct Longest<'a, const N: usize> {
    grid: &'a Grid<N>,
    known: HashMap<Key, u32, BuildHasherDefault<Mixer>>,
    /// How many components to remember.
    limit: usize,
    /// Is asked now and then whether to go on.
    go_on: &'a dyn Fn() -> ControlFlow<()>,
    /// How many choices were made.
    choices: u64,
}

/// How many lines a component may have to be remembered.
const LARGEST: usize = 32;

/// A component wherever it lies: for each line 16 bits, how far from the first it is, its direction and
/// which of its dots are missing; four lines to a word.
type Key = [u64; LARGEST / 4];

impl<'a, const N: usize> Longest<'a, N> {
    pub(crate) fn new(
        grid: &'a Grid<N>,
        limit: usize,
        go_on: &'a dyn Fn() -> ControlFlow<()>,
    ) -> Self {
        Self { grid, known: HashMap::default(), limit, go_on, choices: 0 }
    }

    /// The most lines that can be drawn from here.
    pub(crate) fn of(&mut self, mut open: Open<N>) -> Result<u32, Stop> {
        let grid = self.grid;
        let mut drawn = 0;
        loop {
            open.prune(grid);
            if open.leaves(grid) {
                return Err(Stop::OffGrid);
            }
            let Some(place) = open.free(grid) else { break };
            open.play(grid, place);
            drawn += 1;
        }
        while let Some(place) = open.first() {
            let lines = open.component(grid, place);
            for (open, lines) in open.lines.iter_mut().zip(lines) {
                *open = open.without(lines);
            }
            drawn += self.of_component(Open { dots: open.dots, lines })?;
        }
        Ok(drawn)
    }

    /// The same for one component, all of whose lines may come about.
    fn of_component(&mut self, open: Open<N>) -> Result<u32, Stop> {
        let count: u32 = open.lines.iter().map(Bits::len).sum();
        let key = (count as usize <= LARGEST).then(|| self.key(&open)).flatten();
        if let Some(&known) = key.as_ref().and_then(|key| self.known.get(key)) {
            return Ok(known);
        }
        self.choices += 1;
        if self.choices.is_multiple_of(1024) && (self.go_on)().is_break() {
            return Err(Stop::Asked);
        }
        let place = open.next(self.grid).expect("lines come about by one that is playable");
        let mut drawn = open.clone();
        drawn.play(self.grid, place);
        let mut given_up = open;
        given_up.give_up(place);
        let longest = (self.of(drawn)? + 1).max(self.of(given_up)?);
        if let Some(key) = key {
            if self.known.len() >= self.limit {
                self.known.clear();
            }
            self.known.insert(key, longest);
        }
        Ok(longest)
    }

    /// The name of a component; `None` if its lines are too far apart or too long.
    fn key(&self, open: &Open<N>) -> Option<Key> {
        let grid = self.grid;
        let first = (0..4).filter_map(|direction| open.lines[direction].first()).min()?;
        let mut key = [0; LARGEST / 4];
        let mut place = 0;
        for direction in 0..4 {
            for number in open.lines[direction].iter() {
                let dots = (0..grid.length).map(|k| number + k * grid.steps[direction]);
                let missing = dots.enumerate().filter(|&(_, dot)| !open.dots.has(dot));
                let missing = missing.fold(0, |mask, (k, _)| mask | 1u64 << k);
                let far = number - first;
                if far >= 1 << 9 || missing >= 1 << 5 {
                    return None;
                }
                let code = (far as u64) << 7 | (direction as u64) << 5 | missing;
                key[place / 4] |= code << (16 * (place % 4));
                place += 1;
            }
        }
        Some(key)
    }
}

/// Mixes the words of a key by multiplication: keys are our own, nobody chooses them to collide.
#[derive(Default)]
pub(crate) struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }

    fn write(&mut self, bytes: &[u8]) {
        for bytes in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}
