//! A random game to its end.

use rules::Playout;

use crate::random::below;
use crate::{BudgetMeter, Rng};

/// Plays on from a position at random until nothing is legal or there are `max_moves` moves, and
/// returns the number of moves.
///
/// Long games read the clock on the way and are cut when the time is over.
#[inline]
pub(crate) fn play_random<P: Playout>(
    playout: &mut P,
    from: &P::Position,
    max_moves: usize,
    meter: &mut BudgetMeter<'_>,
    rng: &mut Rng,
) -> usize {
    let mut samples = 0u32;
    playout.play(from, max_moves, |bound| {
        samples = samples.wrapping_add(1);
        if samples.is_multiple_of(1024) && meter.look().is_break() {
            return None;
        }
        Some(below(rng, bound))
    })
}
