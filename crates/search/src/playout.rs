//! A random game to its end.

use rules::Board;

use crate::chance::below;
use crate::{Meter, Rng};

/// Plays on at random until nothing is legal, or until the board has `longest` moves.
///
/// Long games look at the clock on the way and are cut when the time is over.
#[inline]
pub(crate) fn finish<B: Board>(
    board: &mut B,
    longest: usize,
    meter: &mut Meter<'_>,
    rng: &mut Rng,
) {
    while !board.legal().is_empty() && board.score() < longest {
        board.play_nth(below(rng, board.legal().len()));
        if board.score().is_multiple_of(1024) && meter.look().is_break() {
            break;
        }
    }
}
