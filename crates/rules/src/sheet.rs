//! What every sheet can do.

use geometry::{Game, Line, Move};

/// A sheet of paper on which lines are drawn and erased in any order that keeps the rest legal.
///
/// A board plays and takes back; a sheet also lets go of an early line, with all that depends on it,
/// and keeps the rest. Lines go by number: each line that was ever legal here has one.
pub trait Sheet: Clone {
    /// What is played.
    fn game(&self) -> &Game;

    /// All numbers of lines are below this.
    fn line_numbers(&self) -> usize;

    /// The line of a number.
    fn line(&self, number: u32) -> Line;

    /// How many lines can be drawn now.
    fn legal_count(&self) -> usize;

    /// The number of the n-th line that can be drawn now, in an order that depends on the drawing only.
    ///
    /// # Panics
    /// If there are not as many.
    fn nth_legal(&self, n: usize) -> u32;

    /// Whether a line can be drawn now.
    fn is_legal(&self, number: u32) -> bool;

    /// Draws a line that can be drawn now and gives back which of its dots is new, counted from 0.
    fn draw(&mut self, number: u32) -> u8;

    /// Erases a line and its new dot. Until all lines that use the dot are erased too, what the
    /// sheet says is legal means nothing.
    fn erase(&mut self, number: u32, new: u8);

    /// Calls `each` with the numbers of the drawn lines, but for this one, that use its new dot.
    fn users(&self, number: u32, new: u8, each: impl FnMut(u32));

    /// Whether a line is drawn.
    fn is_drawn(&self, number: u32) -> bool;
}

/// A legal order of the lines of a sheet, each given with which of its dots is new.
///
/// # Panics
/// If there is none, which cannot be for the lines of a sheet.
pub fn ordered(game: &Game, lines: impl IntoIterator<Item = (Line, u8)>) -> Vec<Move> {
    let mut left: Vec<Move> = lines.into_iter().map(|(line, new)| Move::new(line, new)).collect();
    let mut dots: std::collections::HashSet<_> = game.start.dots().iter().copied().collect();
    let mut moves = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let before = moves.len();
        left.retain(|&mv| {
            let others = mv.line.points(game.rules).filter(|&dot| dot != mv.dot());
            let ready = others.into_iter().all(|dot| dots.contains(&dot));
            if ready {
                dots.insert(mv.dot());
                moves.push(mv);
            }
            !ready
        });
        assert!(moves.len() > before, "the lines of a sheet have an order");
    }
    moves
}
