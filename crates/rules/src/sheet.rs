//! What every sheet can do.

use std::collections::{HashMap, HashSet};

use geometry::{Game, Line, Move, Point};

/// A sheet of paper on which lines are drawn and erased in any order that keeps the rest legal.
///
/// A board plays and takes back; a sheet also lets go of an early line, with all that depends on it,
/// and keeps the rest. Lines go by number: each line that was ever legal here has one.
pub trait Sheet: Clone {
    /// A set of lines of this sheet.
    type Lines: Lines;

    /// What is played.
    fn game(&self) -> &Game;

    /// All numbers of lines are below this.
    fn line_numbers(&self) -> usize;

    /// The line of a number.
    fn line(&self, number: u32) -> Line;

    /// The number of a line, if it has one.
    fn number(&self, line: Line) -> Option<u32>;

    /// All numbers of dots are below this.
    fn dot_numbers(&self) -> usize;

    /// The number of a dot of a line, the dots of the line counted from 0.
    fn dot_number(&self, number: u32, offset: u8) -> usize;

    /// The number of a line, which is given one if it has none so far; `None` if this sheet has no
    /// room for it.
    fn number_anyway(&mut self, line: Line) -> Option<u32> {
        self.number(line)
    }

    /// How many lines can be drawn now.
    fn legal_count(&self) -> usize;

    /// The number of the n-th line that can be drawn now, in some order.
    ///
    /// # Panics
    /// If there are not as many.
    fn nth_legal(&self, n: usize) -> u32;

    /// Appends the numbers of all lines that can be drawn now.
    fn append_legal(&self, lines: &mut Vec<u32>) {
        lines.extend((0..self.legal_count()).map(|n| self.nth_legal(n)));
    }

    /// Gives the lines that can be drawn now this order, in which [`nth_legal`](Self::nth_legal)
    /// then counts them; `false` if they are other lines, or cannot be in this order here.
    fn arrange_legal(&mut self, order: &[Line]) -> bool {
        let mut legal = (0..self.legal_count()).map(|n| self.line(self.nth_legal(n)));
        order.iter().all(|&line| legal.next() == Some(line)) && legal.next().is_none()
    }

    /// Whether a line can be drawn now.
    fn is_legal(&self, number: u32) -> bool;

    /// Draws a line that can be drawn now and gives back which of its dots is new, counted from 0.
    ///
    /// Tells `watch` of each line that can be drawn from now on, or no longer.
    fn draw_watched(&mut self, number: u32, watch: impl FnMut(u32, bool)) -> u8;

    /// Erases a line and its new dot. Until all lines that use the dot are erased too, what the
    /// sheet says is legal means nothing.
    ///
    /// Tells `watch` of each line that can be drawn from now on, or no longer.
    fn erase_watched(&mut self, number: u32, new: u8, watch: impl FnMut(u32, bool));

    /// Draws a line as [`draw_watched`](Self::draw_watched) does, and tells `each` of the lines of
    /// `wanted` that can be drawn from now on.
    #[inline(always)]
    fn draw_wanting(&mut self, number: u32, wanted: &Self::Lines, mut each: impl FnMut(u32)) -> u8 {
        self.draw_watched(number, |line, is_legal| {
            if is_legal && wanted.contains(line) {
                each(line);
            }
        })
    }

    /// [`draw_watched`](Self::draw_watched) with nobody watching.
    #[inline(always)]
    fn draw(&mut self, number: u32) -> u8 {
        self.draw_watched(number, |_, _| {})
    }

    /// [`erase_watched`](Self::erase_watched) with nobody watching.
    #[inline(always)]
    fn erase(&mut self, number: u32, new: u8) {
        self.erase_watched(number, new, |_, _| {});
    }

    /// Erases lines with their new dots, among them all that use these dots.
    fn erase_all(&mut self, lines: &[(u32, u8)]) {
        for &(number, new) in lines {
            self.erase(number, new);
        }
    }
}

/// A set of lines, by number.
pub trait Lines: Clone + Default + std::fmt::Debug + Send + Sync {
    /// Adds a line.
    fn insert(&mut self, number: u32);

    /// Whether a line is in the set.
    fn contains(&self, number: u32) -> bool;

    /// Takes all lines out.
    fn clear(&mut self);
}

/// A legal order of moves after the moves `from`, which are given in their order.
///
/// # Panics
/// If there is none, which cannot be for the lines of a sheet.
pub fn ordered(game: &Game, from: &[Move], moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut dots: HashSet<Point> = game.start.dots().iter().copied().collect();
    dots.extend(from.iter().map(|mv| mv.dot()));
    let mut left: Vec<Move> = moves.into_iter().collect();
    let mut found = from.to_vec();
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
        assert!(found.len() > before, "the lines of a sheet have an order");
    }
    found
}

/// An order of moves after the moves `from` in which every line finds its dots; `None` if there is
/// none. Whether lines overlap is not looked at.
///
/// For moves from anywhere, in any order: it takes time only in proportion to their number.
pub fn try_ordered(game: &Game, from: &[Move], moves: &[Move]) -> Option<Vec<Move>> {
    let mut dots: HashSet<Point> = game.start.dots().iter().copied().collect();
    dots.extend(from.iter().map(|mv| mv.dot()));
    // By missing dot: the moves that wait for it; by move: how many dots it waits for.
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
    let mut found = from.to_vec();
    while let Some(i) = ready.pop() {
        found.push(moves[i]);
        for next in waiting.remove(&moves[i].dot()).unwrap_or_default() {
            missing[next] -= 1;
            if missing[next] == 0 {
                ready.push(next);
            }
        }
    }
    (found.len() == from.len() + moves.len()).then_some(found)
}
