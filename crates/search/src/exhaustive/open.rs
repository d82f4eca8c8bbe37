//! The open lines of a position, which may still be drawn, and their components.
//!
//! All positions below one are reached by branching on a legal line: either it is drawn now, or
//! never. So each position is visited once. Lines that can no longer become legal, whatever is
//! played, are pruned; and the remaining lines often split into independent components: they share
//! no missing dot, and no two lines overlap. The index of lines that can be drawn in one does not
//! depend on the others. A component that was seen before, anywhere on the grid, is not searched
//! again: its lines and their missing dots determine the answer.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::ExhaustiveOptions;
use super::bits::Bits;
use super::grid::Grid;
use crate::hash::KeyHasher;

/// The open lines and the dots of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OpenLines<const N: usize> {
    pub(crate) dots: Bits<N>,
    /// For each direction: the lines that are not drawn, overlap no drawn one, and are not
    /// excluded.
    pub(crate) lines: [Bits<N>; 4],
}

/// A line, by direction and index.
pub(crate) type LineIndex = (usize, usize);

impl<const N: usize> OpenLines<N> {
    /// Draws a line without its dots: no open line may overlap it.
    pub(crate) fn draw(&mut self, grid: &Grid<N>, direction: usize, index: usize) {
        let overlapping = grid.overlapping(direction, Bits::one(index));
        self.lines[direction] = self.lines[direction].without(overlapping);
    }

    /// Draws a line that lacks one dot.
    pub(crate) fn play(&mut self, grid: &Grid<N>, (direction, index): LineIndex) {
        self.draw(grid, direction, index);
        self.dots = self.dots | grid.dots(direction, Bits::one(index));
    }

    /// Excludes a line.
    pub(crate) fn exclude(&mut self, (direction, index): LineIndex) {
        self.lines[direction] = self.lines[direction].without(Bits::one(index));
    }

    /// The open lines that lack exactly one dot.
    #[inline]
    pub(crate) fn legal(&self, grid: &Grid<N>) -> [Bits<N>; 4] {
        let missing = !self.dots;
        std::array::from_fn(|direction| {
            let (some, two) = missing.some_and_two(grid.steps[direction], grid.length);
            self.lines[direction] & some.without(two)
        })
    }

    /// Drops the lines that can never be drawn: those that lack two or more dots that no lines
    /// could place, even if lines might overlap, and those that lack no dot.
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

    /// Any open line.
    fn first(&self) -> Option<LineIndex> {
        (0..4).find_map(|direction| Some((direction, self.lines[direction].first()?)))
    }

    /// The open lines connected with this one, directly or through others.
    fn component(&self, grid: &Grid<N>, (direction, index): LineIndex) -> [Bits<N>; 4] {
        let mut lines = [Bits::NONE; 4];
        lines[direction].insert(index);
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

    /// A legal line that overlaps no other open line, if there is one.
    ///
    /// Some longest game contains it: one without it either lacks its dot, and can draw it in
    /// addition, or has that dot by another line, which can be exchanged for this one.
    pub(crate) fn free(&self, grid: &Grid<N>) -> Option<LineIndex> {
        let legal = self.legal(grid);
        (0..4).find_map(|direction| {
            let (step, lines) = (grid.steps[direction], self.lines[direction]);
            let others = lines.up(step).spread_up(step, grid.reach - 1)
                | lines.down(step).spread_down(step, grid.reach - 1);
            Some((direction, legal[direction].without(others).first()?))
        })
    }

    /// The legal line to branch on: the first on the grid, so that decisions sweep over it.
    pub(crate) fn next(&self, grid: &Grid<N>) -> Option<LineIndex> {
        let legal = self.legal(grid);
        let first = |direction: usize| Some((direction, legal[direction].first()?));
        (0..4).filter_map(first).min_by_key(|&(_, index)| index)
    }

    /// Whether a legal line would leave the grid.
    pub(crate) fn leaves(&self, grid: &Grid<N>) -> bool {
        let legal = self.legal(grid);
        let outside = |direction: usize| {
            grid.dots(direction, legal[direction]).without(grid.inner | self.dots)
        };
        (0..4).any(|direction| !outside(direction).is_empty())
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// A legal line leaves the grid.
    OffGrid,
    /// The caller interrupted it.
    Interrupted,
}

/// Finds the most lines that can be drawn, and remembers the results of components.
pub(crate) struct LongestSearch<'a, const N: usize> {
    grid: &'a Grid<N>,
    known: HashMap<Key, u32, BuildHasherDefault<KeyHasher>>,
    settings: ExhaustiveOptions<'a>,
    /// The index of branchings so far.
    branchings: u64,
}

/// The most lines of a component that is remembered.
const LARGEST: usize = 32;

/// A component up to translation: for each line 16 bits, its distance from the first, its direction
/// and its missing dots; four lines to a word.
type Key = [u64; LARGEST / 4];

impl<'a, const N: usize> LongestSearch<'a, N> {
    pub(crate) fn new(grid: &'a Grid<N>, settings: ExhaustiveOptions<'a>) -> Self {
        Self { grid, known: HashMap::default(), settings, branchings: 0 }
    }

    /// The most lines that can be drawn from here.
    pub(crate) fn longest(&mut self, mut open: OpenLines<N>) -> Result<u32, Stop> {
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
            drawn += self.longest_in_component(OpenLines { dots: open.dots, lines })?;
        }
        Ok(drawn)
    }

    /// The same for one component, all of whose lines may become legal.
    fn longest_in_component(&mut self, open: OpenLines<N>) -> Result<u32, Stop> {
        let count: u32 = open.lines.iter().map(Bits::len).sum();
        let key = (count as usize <= LARGEST).then(|| self.key(&open)).flatten();
        if let Some(&known) = key.as_ref().and_then(|key| self.known.get(key)) {
            return Ok(known);
        }
        self.branchings += 1;
        if self.branchings.is_multiple_of(1024) && (self.settings.on)().is_break() {
            return Err(Stop::Interrupted);
        }
        let place = open.next(self.grid).expect("a component has a legal line");
        let mut drawn = open.clone();
        drawn.play(self.grid, place);
        let mut excluded = open;
        excluded.exclude(place);
        let longest = (self.longest(drawn)? + 1).max(self.longest(excluded)?);
        if let Some(key) = key {
            if self.known.len() >= self.settings.memory {
                self.known.clear();
            }
            self.known.insert(key, longest);
        }
        Ok(longest)
    }

    /// The key of a component; `None` if its lines are too far apart or too long.
    fn key(&self, open: &OpenLines<N>) -> Option<Key> {
        let grid = self.grid;
        let first = (0..4).filter_map(|direction| open.lines[direction].first()).min()?;
        let mut key = [0; LARGEST / 4];
        let mut place = 0;
        for direction in 0..4 {
            for index in open.lines[direction].iter() {
                let dots = (0..grid.length).map(|k| index + k * grid.steps[direction]);
                let missing = dots.enumerate().filter(|&(_, dot)| !open.dots.has(dot));
                let missing = missing.fold(0, |mask, (k, _)| mask | 1u64 << k);
                let far = index - first;
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
