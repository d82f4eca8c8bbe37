//! Sets of lattice points, and sorting by place.
//!
//! A board of a million dots should cost little more than its bits, and walking along a line
//! should touch one or two places in memory. So a set keeps one word of bits for each block of
//! 8 by 8 points that is not empty, and what is near in the plane can be made near in a list.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

use crate::rules::{LIMIT, Point};

/// A point as a number, such that points near each other mostly have near numbers.
///
/// The lowest six bits tell the point within its block of 8 by 8, the next five the block within
/// its strip of 256 rows, then come the column of blocks and the strip: 44 bits.
pub(crate) fn place(point: Point) -> u64 {
    let [x, y] = [point.x, point.y].map(|coordinate| {
        u64::try_from(coordinate + 2 * LIMIT).expect("a dot is near the limit at most")
    });
    let block = (y >> 8) << 22 | (x >> 4) << 4 | (y >> 4 & 15);
    block << 8 | (y >> 3 & 1) << 7 | (x >> 3 & 1) << 6 | (y & 7) << 3 | x & 7
}

/// Sorts by a key of 48 bits, in time linear in the length of the list.
pub(crate) fn sort<T: Copy>(items: &mut Vec<T>, key: impl Fn(T) -> u64) {
    let mut sorted = items.clone();
    for shift in (0..48).step_by(8) {
        let digit = |item| (key(item) >> shift & 255) as usize;
        let mut ends = [0; 256];
        for &item in &*items {
            ends[digit(item)] += 1;
        }
        if ends.contains(&items.len()) {
            continue;
        }
        let mut total = 0;
        for end in &mut ends {
            total += *end;
            *end = total;
        }
        for &item in items.iter().rev() {
            let end = &mut ends[digit(item)];
            *end -= 1;
            sorted[*end] = item;
        }
        std::mem::swap(items, &mut sorted);
    }
}

/// A set of points.
#[derive(Debug, Default)]
pub(crate) struct PointSet {
    blocks: BlockMap<[u64; 2]>,
}

/// A map from blocks of points, [`place`] without its last six bits.
pub(crate) type BlockMap<T> = HashMap<u64, T, Mixing>;

impl PointSet {
    /// Whether the point is in the set.
    pub(crate) fn contains(&self, point: Point) -> bool {
        let place = place(point);
        self.blocks.get(&(place >> 7)).is_some_and(|b| b[(place >> 6 & 1) as usize] >> (place & 63) & 1 != 0)
    }

    /// Adds a point; `false` if it was there already.
    pub(crate) fn insert(&mut self, point: Point) -> bool {
        let place = place(point);
        let bits = &mut self.blocks.entry(place >> 7).or_default()[(place >> 6 & 1) as usize];
        let bit = 1 << (place & 63);
        let fresh = *bits & bit == 0;
        *bits |= bit;
        fresh
    }
}

/// Hashes one number by one wide multiplication with secret factors.
///
/// The keys come from files of strangers: factors drawn anew for each map keep anyone from
/// writing a file whose keys all collide. Nothing but the speed depends on them, since no map is
/// ever walked through.
#[derive(Debug, Clone)]
pub(crate) struct Mixing {
    mask: u64,
    factor: u64,
}

impl Default for Mixing {
    fn default() -> Mixing {
        let chance = RandomState::new();
        Mixing { mask: chance.hash_one(1), factor: chance.hash_one(2) | 1 }
    }
}

impl BuildHasher for Mixing {
    type Hasher = Mixer;

    fn build_hasher(&self) -> Mixer {
        Mixer { mask: self.mask, factor: self.factor, hash: 0 }
    }
}

/// The hasher of [`Mixing`].
#[derive(Debug)]
pub(crate) struct Mixer {
    mask: u64,
    factor: u64,
    hash: u64,
}

impl Hasher for Mixer {
    fn write_u64(&mut self, number: u64) {
        let product = u128::from(number ^ self.mask ^ self.hash) * u128::from(self.factor);
        self.hash = product as u64 ^ (product >> 64) as u64;
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn finish(&self) -> u64 {
        self.hash
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_exactly_what_was_put_in() {
        let mut set = PointSet::default();
        let points = |step: usize| {
            let range = || (-40..40).chain([-LIMIT - 16, -LIMIT, LIMIT, LIMIT + 16]);
            range().flat_map(move |x| range().map(move |y| Point { x, y })).step_by(step)
        };
        assert!(points(3).all(|point| set.insert(point)));
        assert!(points(3).all(|point| !set.insert(point)));
        assert!(points(3).all(|point| set.contains(point)));
        assert_eq!(points(1).filter(|&point| set.contains(point)).count(), points(3).count());
    }

    #[test]
    fn no_two_points_have_one_place() {
        let range = || (-LIMIT - 16..-LIMIT + 32).chain(-40..40).chain(LIMIT - 32..=LIMIT + 16);
        let points = range().flat_map(|x| range().map(move |y| Point { x, y }));
        let mut places: Vec<u64> = points.map(place).collect();
        let count = places.len();
        sort(&mut places, |place| place);
        assert!(places.is_sorted());
        places.dedup();
        assert_eq!(places.len(), count);
        assert!(places.iter().all(|&place| place < 1 << 44));
    }

    #[test]
    fn sorting_keeps_the_order_of_equals() {
        let mut items: Vec<(u64, u32)> = (0..1000).map(|n| (u64::from(n * 7919 % 500), n)).collect();
        let mut expected = items.clone();
        expected.sort();
        sort(&mut items, |(key, _)| key << 32 | key);
        assert_eq!(items, expected);
    }
}
