//! What every position can do, and why a move is refused.

use geometry::{Game, Line, Move, Point, mix64};

/// A position reached by legal play, with the moves that are legal next.
///
/// The list of legal moves has a stable order: a move that stays legal keeps its place among the
/// others, and new ones are appended, by direction and then along the line. All engines agree on
/// that order, so the same choices by index give the same game on each.
pub trait Position: Clone {
    /// How this engine encodes a move in its list.
    type Code: Copy + Eq + std::fmt::Debug + Send + Sync;

    /// The game that is played.
    fn game(&self) -> &Game;

    /// The moves that are legal next.
    fn legal(&self) -> &[Self::Code];

    /// The move behind a code.
    fn decode(&self, code: Self::Code) -> Move;

    /// Plays the legal move at `index` and returns how many of those before it are still legal.
    ///
    /// # Panics
    /// If there is no such move.
    fn play_nth(&mut self, index: usize) -> usize;

    /// Takes the last move back.
    fn undo(&mut self) -> Option<Move>;

    /// The moves so far, in order.
    fn moves(&self) -> Vec<Move>;

    /// The number of moves so far.
    fn score(&self) -> usize;

    /// Whether there is a dot at `point`.
    fn has_dot(&self, point: Point) -> bool;

    /// Whether `line` would overlap one already drawn.
    fn overlaps(&self, line: Line) -> bool;

    /// A hash of the set of lines; the order they were played in does not matter.
    fn hash(&self) -> u64;

    /// Whether a legal move is missing from the list because it lies off this engine's grid.
    ///
    /// The moves that are listed are legal nevertheless.
    fn is_truncated(&self) -> bool;

    /// Plays a move if it is legal.
    fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        match self.legal().iter().position(|&code| self.decode(code) == mv) {
            Some(index) => {
                self.play_nth(index);
                Ok(())
            }
            None => Err(self.refusal(mv)),
        }
    }

    /// Plays moves in order, up to the first illegal one.
    fn play_all(&mut self, moves: &[Move]) -> Result<(), IllegalSequence> {
        for (number, &mv) in (1..).zip(moves) {
            self.play(mv).map_err(|reason| IllegalSequence { number, reason })?;
        }
        Ok(())
    }

    /// Why a move that is not in the list of legal moves is refused.
    fn refusal(&self, mv: Move) -> IllegalMove {
        let rules = self.game().rules;
        if usize::from(mv.offset) >= rules.length() {
            return IllegalMove::OffLine(mv.offset);
        }
        let dot = mv.dot();
        if self.has_dot(dot) {
            return IllegalMove::Occupied(dot);
        }
        let mut others = mv.line.points(rules).filter(|&point| point != dot);
        if let Some(missing) = others.find(|&point| !self.has_dot(point)) {
            return IllegalMove::Missing(missing);
        }
        if self.overlaps(mv.line) {
            return IllegalMove::Overlap(mv.line);
        }
        IllegalMove::OffGrid(dot)
    }
}

/// Why a move was refused. The position is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The offset of the new dot is not on the line.
    #[error("the line has no dot number {0}")]
    OffLine(u8),
    /// The dot to add is already there.
    #[error("there is a dot at {0} already")]
    Occupied(Point),
    /// Another dot of the line is missing.
    #[error("there is no dot at {0}")]
    Missing(Point),
    /// The line overlaps one already drawn.
    #[error("the line {0} overlaps one already drawn")]
    Overlap(Line),
    /// Legal, but beyond the edge of the grid.
    #[error("the dot {0} is beyond the edge of the grid")]
    OffGrid(Point),
}

/// The first illegal move of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("move {number}: {reason}")]
pub struct IllegalSequence {
    /// Its number, counted from 1.
    pub number: usize,
    /// Why it was refused.
    pub reason: IllegalMove,
}

/// The contribution of one line to the hash of a position.
pub(crate) fn line_key(line: Line) -> u64 {
    let packed = (line.start.x as u64) << 32 ^ u64::from(line.start.y as u32) << 2;
    mix64(packed ^ line.direction as u64)
}
