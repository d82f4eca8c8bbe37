//! Random numbers for the tests of the engines.

/// Random bits: SplitMix64.
pub(crate) fn random(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = state;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }
}

/// Uniform numbers below a bound.
pub(crate) fn generator(seed: u64) -> impl FnMut(usize) -> usize {
    let mut random = random(seed);
    move |bound| ((u128::from(random()) * bound as u128) >> 64) as usize
}
