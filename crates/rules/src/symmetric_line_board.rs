//! A line board on which every line is drawn together with its images.
//!
//! What looks like one line from outside is an orbit: a line and its images under a group of
//! symmetries. An orbit has the id of its first line in the order of lines, its representative;
//! other lines have no id here. All positions are symmetric, so a line is legal when its images
//! are, and no image can need the new dot of another: each would need that of the next, in a
//! circle. What remains to be said of an orbit never changes: whether its lines overlap each other,
//! and which of the dots may be new, namely those that have as many images as the line.

use std::sync::Arc;

use geometry::{Direction, Game, Line, Move, Symmetry};

use crate::line_board::LineBoard;

/// The most symmetries of a group.
const MAX_IMAGES: usize = 8;

/// A line board whose lines are orbits of the lines of another.
#[derive(Debug)]
pub struct SymmetricLineBoard<L: LineBoard> {
    inner: L,
    /// The identity first.
    group: Arc<[Symmetry]>,
    /// By id of a line of the inner board. Shared: on a fixed grid it never changes.
    orbits: Arc<Vec<Orbit>>,
    erased: Vec<(u32, u8)>,
}

/// The orbit of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Orbit {
    line: Line,
    /// The line that names it, and whether its dots are in reverse order.
    representative: LineImage,
    /// Its different lines, this one first.
    images: [LineImage; MAX_IMAGES],
    count: u8,
    /// The offsets at which its new dots may be, as bits.
    makes: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LineImage {
    id: u32,
    is_reversed: bool,
}

impl LineImage {
    #[inline(always)]
    fn offset(self, offset: u8, length: usize) -> u8 {
        if self.is_reversed { length as u8 - 1 - offset } else { offset }
    }
}

impl Orbit {
    #[inline(always)]
    fn images(&self) -> &[LineImage] {
        &self.images[..usize::from(self.count)]
    }
}

impl<L: LineBoard> SymmetricLineBoard<L> {
    /// The orbits of a board's lines under a group of symmetries, the identity first. The position
    /// must be symmetric.
    pub fn new(inner: L, group: &[Symmetry]) -> Self {
        assert!((1..=MAX_IMAGES).contains(&group.len()), "a group of the square's symmetries");
        let (orbits, erased) = (Arc::default(), Vec::new());
        let mut board = Self { inner, group: group.into(), orbits, erased };
        board.add_orbits();
        board
    }

    /// Adds the orbits of lines that have become known, and of their images.
    #[inline(always)]
    fn add_orbits(&mut self) {
        while self.orbits.len() < self.inner.line_count() {
            self.add_orbit();
        }
    }

    fn add_orbit(&mut self) {
        let rules = self.inner.game().rules;
        let id = self.orbits.len() as u32;
        let line = self.inner.line(id);
        let own = LineImage { id, is_reversed: false };
        let mut lines = [line; MAX_IMAGES];
        let mut orbit =
            Orbit { line, representative: own, images: [own; MAX_IMAGES], count: 1, makes: 0 };
        let mut is_drawable = true;
        for symmetry in &*self.group {
            let image = symmetry.line(line, rules);
            if lines[..usize::from(orbit.count)].contains(&image) {
                continue;
            }
            let Some(id) = self.inner.intern(image) else {
                is_drawable = false;
                break;
            };
            let is_reversed = symmetry.point(line.start) != image.start;
            lines[usize::from(orbit.count)] = image;
            orbit.images[usize::from(orbit.count)] = LineImage { id, is_reversed };
            orbit.count += 1;
        }
        let lines = &lines[..usize::from(orbit.count)];
        let first = (0..lines.len()).min_by_key(|&number| lines[number]);
        orbit.representative = orbit.images[first.unwrap_or(0)];
        for (number, &one) in lines.iter().enumerate() {
            is_drawable &= !lines[..number].iter().any(|&other| one.overlaps(other, rules));
        }
        for offset in (0..rules.length()).filter(|_| is_drawable) {
            let dot = line.point(offset);
            let keeps_both = |symmetry: &Symmetry| {
                (symmetry.line(line, rules) == line) == (symmetry.point(dot) == dot)
            };
            orbit.makes |= u32::from(self.group.iter().all(keeps_both)) << offset;
        }
        Arc::make_mut(&mut self.orbits).push(orbit);
    }

    #[inline(always)]
    fn orbit(&self, id: u32) -> &Orbit {
        &self.orbits[id as usize]
    }

    fn length(&self) -> usize {
        self.inner.game().rules.length()
    }

    /// Whether a line that is legal on the inner board names an orbit that is.
    #[inline(always)]
    fn is_drawable(&self, id: u32) -> bool {
        let Orbit { representative, makes, .. } = self.orbit(id);
        let length = self.length();
        representative.id == id
            && (makes.count_ones() as usize == length
                || (0..length as u8).any(|new| makes >> new & 1 == 1 && !self.has_dot(id, new)))
    }

    fn legal(&self) -> Vec<u32> {
        let mut legal = Vec::new();
        self.append_legal(&mut legal);
        legal
    }

    /// Reports which lines are legal now and were not before, and the other way round.
    fn report(&self, before: &[u32], mut on_change: impl FnMut(u32, bool)) {
        let now = self.legal();
        before.iter().filter(|id| !now.contains(id)).for_each(|&id| on_change(id, false));
        now.iter().filter(|id| !before.contains(id)).for_each(|&id| on_change(id, true));
    }
}

impl<L: LineBoard> LineBoard for SymmetricLineBoard<L> {
    type LineSet = L::LineSet;

    fn game(&self) -> &Game {
        self.inner.game()
    }

    fn line_count(&self) -> usize {
        self.inner.line_count()
    }

    fn line(&self, id: u32) -> Line {
        self.inner.line(id)
    }

    fn line_id(&self, line: Line) -> Option<u32> {
        self.inner.line_id(line).filter(|&id| self.orbit(id).representative.id == id)
    }

    fn intern(&mut self, line: Line) -> Option<u32> {
        let id = self.inner.intern(line)?;
        self.add_orbits();
        (self.orbit(id).representative.id == id).then_some(id)
    }

    fn is_name(&self, line: Line) -> bool {
        self.group.iter().all(|symmetry| symmetry.line(line, self.game().rules) >= line)
    }

    #[inline(always)]
    fn multiplicity(&self, id: u32) -> usize {
        usize::from(self.orbit(id).count)
    }

    fn append_moves(&self, id: u32, new: u8, moves: &mut Vec<Move>) {
        let mv = Move::new(self.line(id), new);
        for symmetry in &*self.group {
            let image = symmetry.mv(mv, self.game().rules);
            if !moves.contains(&image) {
                moves.push(image);
            }
        }
    }

    fn dot_count(&self) -> usize {
        self.inner.dot_count()
    }

    #[inline(always)]
    fn dot_id(&self, id: u32, offset: u8) -> usize {
        let length = self.length();
        let dot = |image: &LineImage| self.inner.dot_id(image.id, image.offset(offset, length));
        self.orbit(id).images().iter().map(dot).min().expect("a line is its own image")
    }

    fn legal_count(&self) -> usize {
        self.legal().len()
    }

    fn nth_legal(&self, n: usize) -> u32 {
        self.legal()[n]
    }

    /// In the order of lines, which does not depend on how the position came about.
    fn append_legal(&self, lines: &mut Vec<u32>) {
        let known = lines.len();
        self.inner.append_legal(lines);
        let mut kept = known;
        for place in known..lines.len() {
            if self.is_drawable(lines[place]) {
                lines[kept] = lines[place];
                kept += 1;
            }
        }
        lines.truncate(kept);
        lines[known..].sort_unstable_by_key(|&id| self.orbit(id).line);
    }

    #[inline(always)]
    fn is_legal(&self, id: u32) -> bool {
        self.inner.is_legal(id) && self.is_drawable(id)
    }

    fn draw_reporting(&mut self, id: u32, on_change: impl FnMut(u32, bool)) -> u8 {
        let before = self.legal();
        let new = self.draw(id);
        self.report(&before, on_change);
        new
    }

    fn erase_reporting(&mut self, id: u32, new: u8, on_change: impl FnMut(u32, bool)) {
        let before = self.legal();
        self.erase(id, new);
        self.report(&before, on_change);
    }

    #[inline(always)]
    fn draw_reporting_among(
        &mut self,
        id: u32,
        wanted: &L::LineSet,
        mut on_legal: impl FnMut(u32),
    ) -> u8 {
        let orbit = *self.orbit(id);
        let mut offset = 0;
        for image in orbit.images().iter().rev() {
            offset = self.inner.draw_reporting_among(image.id, wanted, &mut on_legal);
        }
        self.add_orbits();
        offset
    }

    fn draw(&mut self, id: u32) -> u8 {
        let orbit = *self.orbit(id);
        let mut offset = 0;
        for image in orbit.images().iter().rev() {
            offset = self.inner.draw(image.id);
        }
        self.add_orbits();
        offset
    }

    fn erase(&mut self, id: u32, new: u8) {
        self.erase_all(&[(id, new)]);
    }

    fn erase_all(&mut self, lines: &[(u32, u8)]) {
        let length = self.length();
        let mut erased = std::mem::take(&mut self.erased);
        erased.clear();
        for &(id, new) in lines {
            let image = |image: &LineImage| (image.id, image.offset(new, length));
            erased.extend(self.orbit(id).images().iter().map(image));
        }
        self.inner.erase_all(&erased);
        self.erased = erased;
        self.add_orbits();
    }

    fn line_through(
        &mut self,
        line: u32,
        new: u8,
        direction: Direction,
        offset: u8,
    ) -> Option<(u32, u8)> {
        let (id, offset) = self.inner.line_through(line, new, direction, offset)?;
        self.add_orbits();
        let Orbit { representative, makes, .. } = *self.orbit(id);
        let offset_there = representative.offset(offset, self.length());
        (makes >> offset & 1 == 1).then_some((representative.id, offset_there))
    }

    fn shifted(&self, line: u32, by: i32) -> Option<u32> {
        self.inner.shifted(line, by).map(|id| self.orbit(id).representative.id)
    }

    #[inline(always)]
    fn has_dot(&self, line: u32, offset: u8) -> bool {
        self.inner.has_dot(line, offset)
    }

    #[inline(always)]
    fn has_all_dots(&self, line: u32) -> bool {
        self.inner.has_all_dots(line)
    }

    #[inline(always)]
    fn is_unblocked(&self, line: u32) -> bool {
        self.inner.is_unblocked(line)
    }

    fn draw_without_dot(&mut self, line: u32) {
        let orbit = *self.orbit(line);
        orbit.images().iter().for_each(|image| self.inner.draw_without_dot(image.id));
        self.add_orbits();
    }

    fn erase_keeping_dot(&mut self, line: u32) {
        let orbit = *self.orbit(line);
        orbit.images().iter().for_each(|image| self.inner.erase_keeping_dot(image.id));
        self.add_orbits();
    }

    fn place_free_dot(&mut self, line: u32, offset: u8) {
        let (orbit, length) = (*self.orbit(line), self.length());
        for image in orbit.images() {
            let offset = image.offset(offset, length);
            if !self.inner.has_dot(image.id, offset) {
                self.inner.place_free_dot(image.id, offset);
            }
        }
        self.add_orbits();
    }

    fn remove_free_dot(&mut self, line: u32, offset: u8) {
        let (orbit, length) = (*self.orbit(line), self.length());
        for image in orbit.images() {
            let offset = image.offset(offset, length);
            if self.inner.has_dot(image.id, offset) {
                self.inner.remove_free_dot(image.id, offset);
            }
        }
        self.add_orbits();
    }
}

impl<L: LineBoard> Clone for SymmetricLineBoard<L> {
    fn clone(&self) -> Self {
        Self {
            inner: self.inner.clone(),
            group: Arc::clone(&self.group),
            orbits: Arc::clone(&self.orbits),
            erased: Vec::new(),
        }
    }

    /// Copies the lines; both boards are of one game and have one group.
    ///
    /// Orbits name their lines, so they are kept exactly when the inner board keeps its lines.
    fn clone_from(&mut self, source: &Self) {
        self.inner.clone_from(&source.inner);
        if !Arc::ptr_eq(&self.orbits, &source.orbits) && !self.orbits.starts_with(&source.orbits) {
            self.orbits = Arc::clone(&source.orbits);
        }
    }
}
