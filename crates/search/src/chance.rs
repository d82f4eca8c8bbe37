//! Where random choices come from.

use rand::Rng as _;

/// The generator: xoshiro256++ (Blackman and Vigna), seeded by the caller.
pub type Rng = rand_xoshiro::Xoshiro256PlusPlus;

/// A number below `bound`, drawn evenly but for a bias below 2^-32.
#[inline(always)]
pub(crate) fn below(rng: &mut Rng, bound: usize) -> usize {
    ((u64::from(rng.next_u32()) * bound as u64) >> 32) as usize
}

/// A number from 0 to 1, 1 excluded.
#[inline(always)]
pub(crate) fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}
