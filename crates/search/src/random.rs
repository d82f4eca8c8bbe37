//! The random generator, and samples from it.
//!
//! The order in which a search samples decides its result, so these functions never change.

use rand::Rng as _;

/// The generator: xoshiro256++ (Blackman and Vigna), seeded by the caller.
pub type Rng = rand_xoshiro::Xoshiro256PlusPlus;

/// A number below `bound`, uniform up to a bias below 2^-32, from 32 random bits.
#[inline(always)]
pub fn below(rng: &mut Rng, bound: usize) -> usize {
    ((u64::from(rng.next_u32()) * bound as u64) >> 32) as usize
}

/// A number below `bound`, uniform up to a bias below 2^-64, from 64 random bits.
#[inline(always)]
pub fn below_wide(rng: &mut Rng, bound: usize) -> usize {
    ((u128::from(rng.next_u64()) * bound as u128) >> 64) as usize
}

/// A number uniform on [0, 1).
#[inline(always)]
pub fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}
