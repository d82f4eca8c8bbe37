//! A random game to its end.

use rules::Playout;

use crate::chance::below;
use crate::{Meter, Rng};

/// Plays on from a position at random until nothing is legal, or until there are `longest` moves, and
/// gives back how many there are.
///
/// Long games look at the clock on the way and are cut when the time is over.
#[inline]
pub(crate) fn finish<P: Playout>(
    playout: &mut P,
    from: &P::Position,
    longest: usize,
    meter: &mut Meter<'_>,
    rng: &mut Rng,
) -> usize {
    let mut draws = 0u32;
    playout.play(from, longest, |bound| {
        draws = draws.wrapping_add(1);
        if draws.is_multiple_of(1024) && meter.look().is_break() {
            return None;
        }
        Some(below(rng, bound))
    })
}
