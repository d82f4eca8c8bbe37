//! Which lines of a game must be erased together with others.
//!
//! A line needs the dots that other lines placed, a free dot needs none; erasing one erases all
//! that need its dot, and so on. Games change seldom compared with how often this is asked, so the
//! answer is cached for every line, as a bit set by index in the game.

use rules::LineBoard;

/// A dot that was placed: by a line, on which it has the offset `new`, or freely; then it only
/// takes its name from the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlacedDot {
    pub(super) line: u32,
    pub(super) new: u8,
    pub(super) is_free: bool,
}

impl PlacedDot {
    /// The new dot of a line.
    pub(super) fn by(line: u32, new: u8) -> Self {
        Self { line, new, is_free: false }
    }
}

/// No line.
const NONE: u32 = u32::MAX;

/// Longer games are traversed for each query: the sets would take memory quadratic in the length.
const MAX_CACHED: usize = 2048;

/// 256 lines at once.
type Bits = [u64; 4];

/// For each line of a game, the lines that depend on it.
#[derive(Debug, Clone, Default)]
pub(super) struct Dependants {
    /// The number of lines of the game.
    lines: usize,
    /// The number of `Bits` of a set.
    stride: usize,
    /// A set for each line, itself included; empty for games that are too long.
    sets: Vec<Bits>,
    /// The indices of the lines that each line needs, one list after the other.
    needs: Vec<u32>,
    /// The end of the list of each line.
    ends: Vec<u32>,
    /// By dot id: the index of the line that placed it.
    makers: Vec<u32>,
    /// The answer to the last query.
    found: Vec<Bits>,
}

impl Dependants {
    /// Sets the game: its dots in a legal order.
    pub(super) fn set_game<L: LineBoard>(&mut self, board: &L, dots: &[PlacedDot]) {
        self.makers.clear();
        self.makers.resize(board.dot_count(), NONE);
        self.needs.clear();
        self.ends.clear();
        let length = board.game().rules.length() as u8;
        for (place, &PlacedDot { line, new, is_free }) in dots.iter().enumerate() {
            for offset in 0..length {
                let dot = board.dot_id(line, offset);
                if offset == new {
                    self.makers[dot] = place as u32;
                } else if self.makers[dot] != NONE && !is_free {
                    self.needs.push(self.makers[dot]);
                }
            }
            self.ends.push(self.needs.len() as u32);
        }
        self.lines = dots.len();
        self.stride = dots.len().div_ceil(256);
        self.sets.clear();
        if self.is_cached() {
            self.build();
        }
    }

    /// Builds the sets, the last line first: what depends on a line is known when its turn comes.
    fn build(&mut self) {
        self.sets.resize(self.lines * self.stride, Bits::default());
        let mut end = self.needs.len();
        for place in (0..self.lines).rev() {
            let start = if place == 0 { 0 } else { self.ends[place - 1] as usize };
            // The lines needed come earlier, so the sets can be split.
            let (earlier, own) = self.sets.split_at_mut(place * self.stride);
            own[place / 256][place % 256 / 64] |= 1 << (place % 64);
            for &needed in &self.needs[start..end] {
                let set = &mut earlier[needed as usize * self.stride..][..self.stride];
                join(set, own);
            }
            end = start;
        }
    }

    /// Whether the sets are there: not for very long games.
    pub(super) fn is_cached(&self) -> bool {
        self.lines <= MAX_CACHED
    }

    /// The index of the line that placed a dot, if one did.
    #[inline(always)]
    pub(super) fn maker(&self, dot: usize) -> Option<usize> {
        let maker = self.makers.get(dot).copied().filter(|&maker| maker != NONE);
        maker.map(|maker| maker as usize)
    }

    /// Whether one line is another or depends on it, by index. The sets must be there.
    #[inline(always)]
    pub(super) fn depends(&self, place: usize, on: usize) -> bool {
        has(&self.sets[on * self.stride..], place)
    }

    /// Whether a line was found last, by index.
    #[inline(always)]
    pub(super) fn is_found(&self, place: usize) -> bool {
        has(&self.found, place)
    }

    /// Finds the lines that depend on those at some indices, themselves included; returns their
    /// number.
    pub(super) fn find(&mut self, places: &[usize]) -> usize {
        self.found.clear();
        self.found.resize(self.stride, Bits::default());
        if !self.is_cached() {
            self.traverse(places);
        } else {
            for &place in places {
                join(&mut self.found, &self.sets[place * self.stride..]);
            }
        }
        let words = self.found.as_flattened();
        words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// [`find`](Self::find) without the sets.
    fn traverse(&mut self, places: &[usize]) {
        for &place in places {
            self.found[place / 256][place % 256 / 64] |= 1 << (place % 64);
        }
        let mut start = 0;
        for place in 0..self.lines {
            let end = self.ends[place] as usize;
            let lost = |&needed: &u32| self.is_found(needed as usize);
            if self.needs[start..end].iter().any(lost) {
                self.found[place / 256][place % 256 / 64] |= 1 << (place % 64);
            }
            start = end;
        }
    }

    /// Calls `visit` with the indices of the lines found last, in order.
    #[inline(always)]
    pub(super) fn for_each_found(&self, mut visit: impl FnMut(usize)) {
        for (number, &word) in self.found.as_flattened().iter().enumerate() {
            let mut left = word;
            while left != 0 {
                visit(64 * number + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }
}

#[inline(always)]
fn has(set: &[Bits], place: usize) -> bool {
    set[place / 256][place % 256 / 64] >> (place % 64) & 1 == 1
}

#[inline(always)]
fn join(set: &mut [Bits], other: &[Bits]) {
    for (set, other) in set.iter_mut().zip(other) {
        for (word, other) in set.iter_mut().zip(other) {
            *word |= other;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::random::below;
    use rand::SeedableRng;
    use rules::{BitLineBoard, PlainLineBoard};

    /// The lines that need the dot of a line, those that need theirs, and so on.
    fn plainly<L: LineBoard>(board: &L, lines: &[PlacedDot], places: &[usize]) -> Vec<usize> {
        let rules = board.game().rules;
        let mut gone = vec![false; lines.len()];
        let mut next = places.to_vec();
        while let Some(place) = next.pop() {
            if std::mem::replace(&mut gone[place], true) {
                continue;
            }
            let PlacedDot { line, new, .. } = lines[place];
            let dot = board.line(line).point(usize::from(new));
            let uses = |&other: &usize| {
                let PlacedDot { line, is_free, .. } = lines[other];
                !is_free && other != place && board.line(line).offset_of(dot, rules).is_some()
            };
            next.extend((0..lines.len()).filter(uses));
        }
        (0..lines.len()).filter(|&place| gone[place]).collect()
    }

    fn found(dependants: &Dependants) -> Vec<usize> {
        let mut found = Vec::new();
        dependants.for_each_found(|place| found.push(place));
        found
    }

    fn check<L: LineBoard>(board: &L) {
        let mut rng = Rng::seed_from_u64(3);
        let mut dependants = Dependants::default();
        for _ in 0..20 {
            let mut board = board.clone();
            let mut lines = Vec::new();
            while board.legal_count() > 0 && lines.len() < 300 {
                let number = board.nth_legal(below(&mut rng, board.legal_count()));
                lines.push(PlacedDot::by(number, board.draw(number)));
            }
            if lines.len() < 200 {
                lines[10].is_free = true;
            }
            dependants.set_game(&board, &lines);
            for count in 1..4 {
                let places: Vec<usize> = (0..count).map(|_| below(&mut rng, lines.len())).collect();
                let expected = plainly(&board, &lines, &places);
                assert_eq!(dependants.find(&places), expected.len());
                assert_eq!(found(&dependants), expected);
                for place in 0..lines.len() {
                    let depends = places.iter().any(|&on| dependants.depends(place, on));
                    assert_eq!(depends, expected.contains(&place));
                    assert_eq!(dependants.is_found(place), depends);
                }
                dependants.found.fill(Bits::default());
                dependants.traverse(&places);
                assert_eq!(found(&dependants), expected);
            }
        }
    }

    #[test]
    fn all_that_depends_is_found() {
        check(&BitLineBoard::<5, true>::start());
        check(&BitLineBoard::<4, false>::start());
        // Endless games, so more than one word of bits.
        check(&PlainLineBoard::start(geometry::Game::named("3T").expect("known")));
    }
}
