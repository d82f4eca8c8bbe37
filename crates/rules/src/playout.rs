//! Games to their end.

use geometry::Move;

use crate::{Board, PlainBoard};

/// Plays games to their end, each move chosen by number among equals.
///
/// A board keeps a list of legal moves in order and can take moves back; who only wants to know how a
/// game ends can do without.
pub trait Playout: Clone {
    /// The board that games begin on.
    type Board: Board;

    /// Plays on from a board until nothing is legal, the game has `longest` moves or `draw` gives
    /// `None`. Returns the number of moves, those on the board included.
    ///
    /// `draw` gives a number below the one it is given. If it draws evenly, every move is drawn evenly
    /// from the legal ones. It may be asked more than once for a move, with any bound that is at
    /// least the number of legal moves.
    fn play(
        &mut self,
        from: &Self::Board,
        longest: usize,
        draw: impl FnMut(usize) -> Option<usize>,
    ) -> usize;

    /// The last game, whole; `from` is the board that it began on.
    fn moves(&self, from: &Self::Board) -> Vec<Move>;
}

/// Plays games on the plain board. The reference for the fast ones.
#[derive(Debug, Clone)]
pub struct PlainPlayout(PlainBoard);

impl PlainPlayout {
    pub(crate) fn new(board: PlainBoard) -> Self {
        Self(board)
    }
}

impl Playout for PlainPlayout {
    type Board = PlainBoard;

    fn play(
        &mut self,
        from: &PlainBoard,
        longest: usize,
        mut draw: impl FnMut(usize) -> Option<usize>,
    ) -> usize {
        let board = &mut self.0;
        board.clone_from(from);
        while !board.legal().is_empty() && board.score() < longest {
            let Some(index) = draw(board.legal().len()) else { break };
            board.play_nth(index);
        }
        board.score()
    }

    fn moves(&self, _from: &PlainBoard) -> Vec<Move> {
        self.0.moves()
    }
}
