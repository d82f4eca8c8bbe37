//! A hash of 64 bits, for keys that must be the same on every machine.

/// Spreads every bit of a number over all 64: one step of SplitMix64 (Steele, Lea and Flood 2014).
#[must_use]
pub const fn mix64(bits: u64) -> u64 {
    let bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_published_generator() {
        assert_eq!(mix64(0), 0xe220_a839_7b1d_cdaf);
    }
}
