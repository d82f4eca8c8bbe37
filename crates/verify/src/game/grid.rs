//! Sets of lattice points, and sorting by location.
//!
//! A position of a million dots should cost little more than its bits, and points near each other
//! in the plane should be near in memory: a large position spends its time on cache misses.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

use crate::rules::{LIMIT, Point};

/// A set of points: two words of bits for each box of 16 by 8 points that is not empty.
#[derive(Debug, Default)]
pub(crate) struct PointSet {
    boxes: BoxMap<[u64; 2]>,
}

impl PointSet {
    /// Whether the point is in the set.
    pub(crate) fn contains(&self, point: Point) -> bool {
        let (word, bit) = word_and_bit(point);
        self.boxes.get(&box_of(point)).is_some_and(|words| words[word] & bit != 0)
    }

    /// Adds a point; `false` if it was there already.
    pub(crate) fn insert(&mut self, point: Point) -> bool {
        let (word, bit) = word_and_bit(point);
        let word = &mut self.boxes.entry(box_of(point)).or_default()[word];
        let fresh = *word & bit == 0;
        *word |= bit;
        fresh
    }
}

/// The box of 16 by 8 points that a point is in, as a number of 37 bits.
///
/// Near boxes mostly have near numbers: from the lowest bit, the box in its strip of 256 rows
/// (5 bits), the column of boxes (18), the strip (14).
pub(crate) fn box_of(point: Point) -> u64 {
    let (x, y) = (positive(point.x), positive(point.y));
    (y >> 8) << 23 | (x >> 4) << 5 | (y >> 3 & 31)
}

/// Which word of its box has the bit of a point, and the bit.
fn word_and_bit(point: Point) -> (usize, u64) {
    let (x, y) = (point.x & 15, point.y & 7);
    ((x >> 3) as usize, 1 << (y << 3 | x & 7))
}

/// The coordinate, shifted to be positive, in 22 bits.
fn positive(coordinate: i32) -> u64 {
    u64::try_from(coordinate + 2 * LIMIT).expect("a point is at most a line away from the limit")
}

/// Sorts points row by row, each from left to right.
pub(crate) fn sort_by_rows(points: &mut Vec<Point>) {
    sort(points, |point| positive(point.y) << 22 | positive(point.x));
}

/// Sorts by a key of 48 bits in linear time, digit by digit from the lowest.
pub(crate) fn sort<T: Copy>(items: &mut Vec<T>, key: impl Fn(T) -> u64) {
    let mut sorted = items.clone();
    for shift in (0..48).step_by(8) {
        let digit = |item| (key(item) >> shift & 255) as usize;
        let mut ends = [0; 256];
        for &item in &*items {
            ends[digit(item)] += 1;
        }
        if ends.contains(&items.len()) {
            continue; // They all have the same digit here.
        }
        let mut end = 0;
        for count in &mut ends {
            end += *count;
            *count = end;
        }
        for &item in items.iter().rev() {
            let end = &mut ends[digit(item)];
            *end -= 1;
            sorted[*end] = item;
        }
        std::mem::swap(items, &mut sorted);
    }
}

/// A map from boxes of points.
pub(crate) type BoxMap<T> = HashMap<u64, T, Mixing>;

/// Hashes one number by one wide multiplication with secret factors.
///
/// The keys come from untrusted files: with fresh random factors for each map nobody can write a
/// file whose keys all collide. Only the speed depends on them, since no map is ever iterated over.
#[derive(Debug, Clone)]
pub(crate) struct Mixing {
    mask: u64,
    factor: u64,
}

impl Default for Mixing {
    fn default() -> Mixing {
        let random = RandomState::new();
        Mixing { mask: random.hash_one(1), factor: random.hash_one(2) | 1 }
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
    fn a_set_contains_exactly_the_points_inserted() {
        let mut set = PointSet::default();
        let points = |step: usize| {
            let range = || (-40..40).chain([-LIMIT - 16, -LIMIT, LIMIT, LIMIT + 16]);
            range().flat_map(move |x| range().map(move |y| Point { x, y })).step_by(step)
        };
        assert!(points(3).all(|point| !set.contains(point) && set.insert(point)));
        assert!(points(3).all(|point| !set.insert(point)));
        assert!(points(3).all(|point| set.contains(point)));
        assert_eq!(points(1).filter(|&point| set.contains(point)).count(), points(3).count());
    }

    #[test]
    fn sorting_keeps_the_order_of_equals() {
        let mut items: Vec<(u64, u32)> =
            (0..1000).map(|n| (u64::from(n * 7919 % 500), n)).collect();
        let mut expected = items.clone();
        expected.sort();
        sort(&mut items, |(key, _)| key << 32 | key);
        assert_eq!(items, expected);
    }
}
