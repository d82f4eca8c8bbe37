//! Sets of points of a small grid, in a few words, so that a question about one line is answered
//! for all lines of a direction at once.

use std::ops::{BitAnd, BitOr, Not};

/// A set of numbers below 64 N.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Bits<const N: usize>([u64; N]);

impl<const N: usize> Bits<N> {
    pub(crate) const NONE: Self = Self([0; N]);

    pub(crate) fn one(number: usize) -> Self {
        let mut bits = Self::NONE;
        bits.insert(number);
        bits
    }

    pub(crate) fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    pub(crate) fn has(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    pub(crate) fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(64 * word + self.0[word].trailing_zeros() as usize)
    }

    /// The numbers in increasing order.
    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        let words = self.0.into_iter().enumerate();
        words.flat_map(|(index, word)| {
            let rest = |&word: &u64| Some(word & (word - 1)).filter(|&word| word != 0);
            let words = std::iter::successors(Some(word).filter(|&word| word != 0), rest);
            words.map(move |word| 64 * index + word.trailing_zeros() as usize)
        })
    }

    pub(crate) fn without(self, other: Self) -> Self {
        self & !other
    }

    /// Every number minus `by`; those that would be negative are dropped.
    #[inline(always)]
    pub(crate) fn down(self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let word = |index: usize| self.0.get(index).copied().unwrap_or(0);
        Self(std::array::from_fn(|index| {
            let (low, high) = (word(index + words), word(index + words + 1));
            // Two shifts, since one by 64 is none.
            low >> bits | (high << 1) << (63 - bits)
        }))
    }

    /// Every number plus `by`; those that would be too large are dropped.
    #[inline(always)]
    pub(crate) fn up(self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let word = |index: usize| self.0.get(index).copied().unwrap_or(0);
        Self(std::array::from_fn(|index| {
            let (high, low) =
                (word(index.wrapping_sub(words)), word(index.wrapping_sub(words + 1)));
            high << bits | (low >> 1) >> (63 - bits)
        }))
    }

    /// Every number plus 0 to `count` - 1 steps.
    #[inline(always)]
    pub(crate) fn spread_up(self, step: usize, count: usize) -> Self {
        let (mut all, mut done) = (self, 1);
        while done < count {
            let more = done.min(count - done);
            all = all | all.up(step * more);
            done += more;
        }
        all
    }

    /// Every number minus 0 to `count` - 1 steps.
    #[inline(always)]
    pub(crate) fn spread_down(self, step: usize, count: usize) -> Self {
        let (mut all, mut done) = (self, 1);
        while done < count {
            let more = done.min(count - done);
            all = all | all.down(step * more);
            done += more;
        }
        all
    }

    /// The numbers of which, with the next `count` - 1 steps, some are in the set, and at least
    /// two.
    #[inline(always)]
    pub(crate) fn some_and_two(self, step: usize, count: usize) -> (Self, Self) {
        let (mut some, mut two, mut done) = (self, Self::NONE, 1);
        while done < count {
            // Windows of `done`, then of twice that, or of one more.
            let (next_some, next_two, more) =
                if 2 * done <= count { (some, two, done) } else { (self, Self::NONE, 1) };
            let (next_some, next_two) = (next_some.down(step * done), next_two.down(step * done));
            two = two | next_two | (some & next_some);
            some = some | next_some;
            done += more;
        }
        (some, two)
    }
}

impl<const N: usize> BitAnd for Bits<N> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|index| self.0[index] & other.0[index]))
    }
}

impl<const N: usize> BitOr for Bits<N> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|index| self.0[index] | other.0[index]))
    }
}

impl<const N: usize> Not for Bits<N> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(std::array::from_fn(|index| !self.0[index]))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    const SIZE: usize = 192;

    proptest! {
        #[test]
        fn bits_are_sets_of_numbers(
            numbers in prop::collection::btree_set(0..SIZE, 0..60),
            step in 1..40usize,
            count in 1..8usize,
        ) {
            let mut bits = Bits::<3>::NONE;
            numbers.iter().for_each(|&number| bits.insert(number));
            let set = |bits: Bits<3>| bits.iter().collect::<BTreeSet<usize>>();
            let steps = |from: usize| (0..count).map(move |k| from + k * step);
            prop_assert_eq!(set(bits), numbers.clone());
            prop_assert_eq!(bits.len() as usize, numbers.len());
            prop_assert_eq!(bits.first(), numbers.first().copied());
            let up: BTreeSet<usize> =
                numbers.iter().flat_map(|&from| steps(from)).filter(|&to| to < SIZE).collect();
            prop_assert_eq!(set(bits.spread_up(step, count)), up);
            let members = |from: usize| steps(from).filter(|to| numbers.contains(to)).count();
            let with = |least: usize| (0..SIZE).filter(|&from| members(from) >= least).collect();
            let (some, two) = bits.some_and_two(step, count);
            prop_assert_eq!(set(bits.spread_down(step, count)), with(1));
            prop_assert_eq!((set(some), set(two)), (with(1), with(2)));
        }
    }
}
