//! What every line board can do.

use geometry::{Direction, Game, Line, Move};

/// A board on which lines are drawn and erased in any order that keeps the remaining ones legal.
///
/// A [`Position`](crate::Position) takes back its last move only; a line board also erases an early
/// line, together with all that depend on it, and keeps the others. Every line that was ever legal
/// on it has an id.
pub trait LineBoard: Clone {
    /// A set of lines of this board.
    type LineSet: LineSet;

    /// The game that is played.
    fn game(&self) -> &Game;

    /// All line ids are below this.
    fn line_count(&self) -> usize;

    /// The line of an id.
    fn line(&self, id: u32) -> Line;

    /// The id of a line, if it has one.
    fn line_id(&self, line: Line) -> Option<u32>;

    /// The id of a line, which is given one if it has none; `None` if it lies off the grid.
    fn intern(&mut self, line: Line) -> Option<u32> {
        self.line_id(line)
    }

    /// Whether a line stands for itself: not if it is drawn with others, under their id.
    fn is_name(&self, _line: Line) -> bool {
        true
    }

    /// The number of lines that are drawn together under this id.
    #[inline(always)]
    fn multiplicity(&self, _id: u32) -> usize {
        1
    }

    /// Appends the moves that draw what has this id, of which the line of that id gets its new dot
    /// at the offset `new`.
    #[inline(always)]
    fn append_moves(&self, id: u32, new: u8, moves: &mut Vec<Move>) {
        moves.push(Move::new(self.line(id), new));
    }

    /// All dot ids are below this.
    fn dot_count(&self) -> usize;

    /// The id of the dot at `offset` on a line.
    fn dot_id(&self, line: u32, offset: u8) -> usize;

    /// The number of legal lines.
    fn legal_count(&self) -> usize;

    /// The id of the n-th legal line, in an unspecified order.
    ///
    /// # Panics
    /// If there are not as many.
    fn nth_legal(&self, n: usize) -> u32;

    /// Appends the ids of all legal lines.
    fn append_legal(&self, lines: &mut Vec<u32>) {
        lines.extend((0..self.legal_count()).map(|n| self.nth_legal(n)));
    }

    /// Puts the legal lines into this order, which [`nth_legal`](Self::nth_legal) then follows;
    /// `false` if these are not the legal lines, or cannot have this order here.
    fn arrange_legal(&mut self, order: &[Line]) -> bool {
        let mut legal = (0..self.legal_count()).map(|n| self.line(self.nth_legal(n)));
        order.iter().all(|&line| legal.next() == Some(line)) && legal.next().is_none()
    }

    /// Whether a line is legal.
    fn is_legal(&self, id: u32) -> bool;

    /// Draws a legal line and returns the offset of its new dot.
    ///
    /// Calls `on_change` for every line that becomes legal (`true`) or illegal (`false`).
    fn draw_reporting(&mut self, id: u32, on_change: impl FnMut(u32, bool)) -> u8;

    /// Erases a line and its new dot. Until all lines that use the dot are erased too, the legal
    /// lines are meaningless.
    ///
    /// Calls `on_change` for every line that becomes legal (`true`) or illegal (`false`).
    fn erase_reporting(&mut self, id: u32, new: u8, on_change: impl FnMut(u32, bool));

    /// Draws a legal line, and calls `on_legal` for every line of `wanted` that becomes legal, and
    /// perhaps for some that do not.
    #[inline(always)]
    fn draw_reporting_among(
        &mut self,
        id: u32,
        wanted: &Self::LineSet,
        mut on_legal: impl FnMut(u32),
    ) -> u8 {
        self.draw_reporting(id, |line, is_legal| {
            if is_legal && wanted.contains(line) {
                on_legal(line);
            }
        })
    }

    /// Draws a legal line and returns the offset of its new dot.
    #[inline(always)]
    fn draw(&mut self, id: u32) -> u8 {
        self.draw_reporting(id, |_, _| {})
    }

    /// Erases a line as [`erase_reporting`](Self::erase_reporting) does.
    #[inline(always)]
    fn erase(&mut self, id: u32, new: u8) {
        self.erase_reporting(id, new, |_, _| {});
    }

    /// Erases lines, given with the offsets of their new dots, among them all that use these dots.
    fn erase_all(&mut self, lines: &[(u32, u8)]) {
        for &(id, new) in lines {
            self.erase(id, new);
        }
    }

    /// The id of the line of this direction whose dot at `offset` is the one that `line` has at
    /// `new`, and the offset of that dot under this id; `None` if it lies off the grid or can never
    /// place that dot.
    fn line_through(
        &mut self,
        line: u32,
        new: u8,
        direction: Direction,
        offset: u8,
    ) -> Option<(u32, u8)> {
        let dot = self.line(line).point(usize::from(new));
        let line = Line::new(dot - direction.step() * i32::from(offset), direction);
        self.intern(line).map(|id| (id, offset))
    }

    /// The id of a line that is shifted along its row, if it has one.
    fn shifted(&self, line: u32, by: i32) -> Option<u32> {
        let Line { start, direction } = self.line(line);
        self.line_id(Line::new(start + direction.step() * by, direction))
    }

    /// Whether the dot at `offset` on a line is there.
    fn has_dot(&self, line: u32, offset: u8) -> bool;

    /// Whether all dots of a line are there.
    fn has_all_dots(&self, line: u32) -> bool {
        (0..self.game().rules.length() as u8).all(|offset| self.has_dot(line, offset))
    }

    /// Whether a line overlaps none that is drawn.
    fn is_unblocked(&self, line: u32) -> bool;

    /// Draws a line whose dots are all there and that overlaps none, without a new dot.
    fn draw_without_dot(&mut self, line: u32);

    /// Erases a line and leaves its new dot where it is: a free dot.
    fn erase_keeping_dot(&mut self, line: u32);

    /// Places the dot at `offset` on a line, without a line.
    fn place_free_dot(&mut self, line: u32, offset: u8);

    /// Removes a free dot, which no line uses.
    fn remove_free_dot(&mut self, line: u32, offset: u8);

    /// Draws the lines of some moves, given in a legal order.
    ///
    /// # Panics
    /// If one is not legal when its turn comes.
    fn draw_all(&mut self, moves: &[Move]) {
        for mv in moves {
            let id = self.line_id(mv.line).filter(|&id| self.is_legal(id));
            self.draw(id.expect("the caller's moves are legal"));
        }
    }
}

/// A set of lines, by id.
pub trait LineSet: Clone + Default + std::fmt::Debug + Send + Sync + 'static {
    /// Adds a line.
    fn insert(&mut self, id: u32);

    /// Whether a line is in the set.
    fn contains(&self, id: u32) -> bool;

    /// Removes all lines.
    fn clear(&mut self);
}
