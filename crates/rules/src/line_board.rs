//! What every line board can do.

use std::collections::{HashMap, HashSet};

use geometry::{Game, Line, Move, Point};

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

    /// Draws a legal line, and calls `on_legal` for every line of `wanted` that becomes legal.
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

/// The moves `prefix`, followed by `moves` in a legal order.
///
/// # Panics
/// If there is none, which cannot happen for the lines of a board.
pub fn ordered(game: &Game, prefix: &[Move], moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut dots: HashSet<Point> = game.start.dots().iter().copied().collect();
    dots.extend(prefix.iter().map(|mv| mv.dot()));
    let mut left: Vec<Move> = moves.into_iter().collect();
    let mut found = prefix.to_vec();
    while !left.is_empty() {
        let before = found.len();
        left.retain(|&mv| {
            let mut others = mv.line.points(game.rules).filter(|&dot| dot != mv.dot());
            let ready = others.all(|dot| dots.contains(&dot));
            if ready {
                dots.insert(mv.dot());
                found.push(mv);
            }
            !ready
        });
        assert!(found.len() > before, "the lines of a board have an order");
    }
    found
}

/// The moves `prefix`, followed by `moves` in an order in which every line finds its dots; `None` if
/// there is none. Overlaps are not checked.
///
/// Takes linear time, so it is safe for moves from anywhere.
pub fn try_ordered(game: &Game, prefix: &[Move], moves: &[Move]) -> Option<Vec<Move>> {
    let mut dots: HashSet<Point> = game.start.dots().iter().copied().collect();
    dots.extend(prefix.iter().map(|mv| mv.dot()));
    // By missing dot: the moves that wait for it; by move: the number of dots it waits for.
    let mut waiting: HashMap<Point, Vec<usize>> = HashMap::new();
    let mut missing = vec![0; moves.len()];
    for (i, mv) in moves.iter().enumerate() {
        for dot in mv.line.points(game.rules) {
            if dot != mv.dot() && !dots.contains(&dot) {
                waiting.entry(dot).or_default().push(i);
                missing[i] += 1;
            }
        }
    }
    let mut ready: Vec<usize> = (0..moves.len()).filter(|&i| missing[i] == 0).collect();
    let mut found = prefix.to_vec();
    while let Some(i) = ready.pop() {
        found.push(moves[i]);
        for next in waiting.remove(&moves[i].dot()).unwrap_or_default() {
            missing[next] -= 1;
            if missing[next] == 0 {
                ready.push(next);
            }
        }
    }
    (found.len() == prefix.len() + moves.len()).then_some(found)
}
