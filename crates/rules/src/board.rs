//! What every board can do, and why a move is refused.

use geometry::{Game, Line, Move, Point};

/// A position reached by legal play, with the moves that are legal next.
///
/// The list of legal moves keeps its order: a move that stays legal keeps its place among the
/// others, and new ones come last, by direction and then along the line. All boards agree on that
/// order, so the same choices by number give the same game on each.
pub trait Board: Clone {
    /// How this board names a move in its list.
    type Code: Copy + Eq + std::fmt::Debug + Send + Sync;

    /// What is played.
    fn game(&self) -> &Game;

    /// The moves that are legal next.
    fn legal(&self) -> &[Self::Code];

    /// The move behind a code.
    fn decode(&self, code: Self::Code) -> Move;

    /// Plays the legal move number `index` and says how many of those before it are still legal.
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

    /// Whether the list of legal moves leaves out one that this board has no room for.
    ///
    /// What the list does hold is legal all the same.
    fn is_clipped(&self) -> bool;

    /// Plays a move, if it is legal.
    fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        match self.legal().iter().position(|&code| self.decode(code) == mv) {
            Some(index) => {
                self.play_nth(index);
                Ok(())
            }
            None => Err(self.fault(mv)),
        }
    }

    /// Why a move that is not in the list of legal moves is refused.
    fn fault(&self, mv: Move) -> IllegalMove {
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
        IllegalMove::NoRoom(dot)
    }
}

/// Why a move was refused. The board is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The new dot's number is not on the line.
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
    /// Legal, but beyond the edge of this board.
    #[error("the dot {0} is beyond the edge of this board")]
    NoRoom(Point),
}

/// The share of one line in the hash of a position.
pub(crate) fn line_key(line: Line) -> u64 {
    let packed = (line.start.x as u64) << 32 ^ u64::from(line.start.y as u32) << 2;
    mix(packed ^ line.direction as u64)
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): spreads every bit over all 64.
fn mix(mut bits: u64) -> u64 {
    bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}
