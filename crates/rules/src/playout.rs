//! Random games to their end.

use geometry::Move;

use crate::{PlainPosition, Position};

/// Plays games to their end, each move sampled from the legal ones.
///
/// Cheaper than a [`Position`], which keeps its legal moves in order and can take moves back.
pub trait Playout: Clone {
    /// The position that games begin from.
    type Position: Position;

    /// Plays on from a position until nothing is legal, the game has `max_moves` moves or `sample`
    /// returns `None`. Returns the number of moves, those before the position included.
    ///
    /// `sample` returns a number below its argument. If it is uniform, every move is uniform among
    /// the legal ones. It may be called more than once for a move, with any bound that is at least
    /// the number of legal moves.
    fn play(
        &mut self,
        from: &Self::Position,
        max_moves: usize,
        sample: impl FnMut(usize) -> Option<usize>,
    ) -> usize;

    /// The whole last game; `from` is the position that it began from.
    fn moves(&self, from: &Self::Position) -> Vec<Move>;
}

/// Random games on the plain position, and the reference for the bit engine's.
#[derive(Debug, Clone)]
pub struct PlainPlayout(PlainPosition);

impl PlainPlayout {
    pub(crate) fn new(position: PlainPosition) -> Self {
        Self(position)
    }
}

impl Playout for PlainPlayout {
    type Position = PlainPosition;

    fn play(
        &mut self,
        from: &PlainPosition,
        max_moves: usize,
        mut sample: impl FnMut(usize) -> Option<usize>,
    ) -> usize {
        let position = &mut self.0;
        position.clone_from(from);
        while !position.legal().is_empty() && position.score() < max_moves {
            let Some(index) = sample(position.legal().len()) else { break };
            position.play_nth(index);
        }
        position.score()
    }

    fn moves(&self, _from: &PlainPosition) -> Vec<Move> {
        self.0.moves()
    }
}
