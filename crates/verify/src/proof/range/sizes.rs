//! The sizes of the lattice lines of a direction, and the largest sum over them.

use super::Split;
use super::lattice::{Lattice, WEIGHTS};

/// Less than any sum.
const NEVER: i64 = i64::MIN / 4;

/// By direction, the sides of the first and the last lattice line: above and below, left and right,
/// for falling diagonals bottom left and top right, for rising ones top left and bottom right.
pub(super) const ENDS: [(usize, usize); 4] = [(0, 4), (6, 2), (5, 1), (7, 3)];

/// R: the limit of a count between neighbouring lattice lines of these sizes.
fn limit(direction: usize, count: usize, a: i64, b: i64) -> i64 {
    let least = a.min(b);
    if least == 0 {
        return 0;
    }
    if direction < 2 {
        let l = WEIGHTS[count];
        return match a.abs_diff(b) {
            0 => (least + l * (2 * least - 2)).max(l * (2 * least - 1)),
            1 => (least + l * (2 * least - 1)).max(l * 2 * least),
            _ => least + l * 2 * least,
        };
    }
    match count {
        0 | 1 => least,
        _ => 2 * least - i64::from(a == b),
    }
}

/// The sizes that the lattice lines may have.
#[derive(Debug, Clone)]
pub(super) struct SizeLimits {
    /// By direction and lattice line, the least and the largest size.
    sizes: [Vec<(i64, i64)>; 4],
    /// By direction, how many lattice lines may be empty before the first dot and after the last.
    slack: [(usize, usize); 4],
}

impl SizeLimits {
    /// What a board and the slack of its sides allow.
    pub(super) fn new(lattice: &Lattice, slack: [i32; 8]) -> SizeLimits {
        let slack = slack.map(|steps| steps as usize);
        SizeLimits {
            sizes: std::array::from_fn(|direction| {
                let lines = 0..lattice.lines(direction);
                lines.map(|line| (0, lattice.size(direction, line))).collect()
            }),
            slack: ENDS.map(|(first, last)| (slack[first], slack[last])),
        }
    }

    /// The two parts of a split, if both have a size.
    pub(super) fn split(&self, split: &Split) -> Option<[SizeLimits; 2]> {
        let &(least, most) = self.sizes[split.direction].get(split.line)?;
        if !(least..most).contains(&split.most) {
            return None;
        }
        let with = |range: (i64, i64)| {
            let mut limits = self.clone();
            limits.sizes[split.direction][split.line] = range;
            limits
        };
        Some([with((least, split.most)), with((split.most + 1, most))])
    }

    /// D of a direction, with the values of each of its lattice lines by size, C, and t of its
    /// first and its last side; `None` if no sizes are allowed.
    pub(super) fn largest(
        &self,
        direction: usize,
        worth: &[Vec<i64>],
        segments: &[Vec<i64>],
        (before_first, after_last): (&[i64], &[i64]),
    ) -> Option<i64> {
        let (sizes, (first, last)) = (&self.sizes[direction], self.slack[direction]);
        let lines = sizes.len();
        // The largest sum up to a line: with no dot yet; by its size, from 1; if it is empty
        // between dots; and if the last dot lies before it.
        let (mut nothing, mut gap, mut over) = (true, NEVER, NEVER);
        let mut values: Vec<i64> = Vec::new();
        for (line, &(least, most)) in sizes.iter().enumerate() {
            let begins = if nothing && line <= first { -before_first[line] } else { NEVER };
            let before = values.iter().copied().max().unwrap_or(NEVER);
            let steps =
                line.checked_sub(1).map(|pair| steps(direction, segments, pair, &values, most));
            let now = (1..=most).map(|size| {
                let step = steps.as_ref().map_or(NEVER, |steps| steps[size as usize - 1]);
                let best = step.max(gap).max(begins);
                if size < least || best <= NEVER / 2 {
                    return NEVER;
                }
                best + worth[line][size as usize]
            });
            let now = now.collect();
            let may_be_empty = least == 0;
            // If the line before is the last with a dot, the side is so many steps inside.
            let inside = lines - line;
            over = if inside <= last && before > NEVER / 2 {
                over.max(before - after_last[inside])
            } else if inside <= last {
                over
            } else {
                NEVER
            };
            over = if may_be_empty { over } else { NEVER };
            gap = if may_be_empty && direction >= 2 { before } else { NEVER };
            nothing &= may_be_empty;
            values = now;
        }
        let largest = values.into_iter().max().filter(|&largest| largest > NEVER / 2);
        let largest = largest.map_or(NEVER, |largest| largest - after_last[0]).max(over);
        (largest > NEVER / 2).then_some(largest)
    }
}

/// For each size from 1 to `most` of the lattice line after line `pair`, the largest of `values` of
/// a size there, plus C R of the two.
///
/// R depends on the smaller size, and on the difference only if that is at most 1. So for larger
/// differences the best size is the best of all smaller, or of all larger ones.
fn steps(
    direction: usize,
    segments: &[Vec<i64>],
    pair: usize,
    values: &[i64],
    most: i64,
) -> Vec<i64> {
    let between = |a: i64, b: i64| -> i64 {
        let counts = segments.iter().enumerate();
        counts.map(|(count, pairs)| pairs[pair] * limit(direction, count, a, b)).sum()
    };
    let value = |size: i64| values.get(size as usize - 1).copied().unwrap_or(NEVER);
    let largest = values.len() as i64;
    // The best of the sizes from each size on.
    let mut from = vec![NEVER; values.len() + 1];
    for (size, value) in values.iter().enumerate().rev() {
        from[size] = from[size + 1].max(*value);
    }
    let mut smaller = NEVER;
    let step = |size: i64| {
        let far = size - 2;
        if far >= 1 && far <= largest {
            smaller = smaller.max(value(far) + between(far, size));
        }
        let larger = from.get(size as usize + 1).copied().unwrap_or(NEVER);
        let near = (1.max(size - 1)..=(size + 1).min(largest))
            .map(|other| value(other) + between(other, size))
            .max();
        smaller.max(larger + between(size + 2, size)).max(near.unwrap_or(NEVER))
    };
    (1..=most).map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::super::lattice::counts;
    use super::*;
    use crate::proof::board::Board;

    /// How many points two sets share.
    fn common(one: u32, other: u32) -> i64 {
        i64::from((one & other).count_ones())
    }

    #[test]
    fn no_two_rows_have_more_segments_between_them_and_some_have_as_many() {
        let mut reached = [[[false; 9]; 9]; 4];
        for one in 0..1u32 << 8 {
            for other in 0..1u32 << 8 {
                let straight = common(one, other);
                let diagonal = common(one << 1, other) + common(one, other << 1);
                let (a, b) = (one.count_ones(), other.count_ones());
                for (count, l) in WEIGHTS.into_iter().enumerate() {
                    let most = limit(0, count, a.into(), b.into());
                    assert!(straight + l * diagonal <= most, "{one:b} {other:b}");
                    reached[count][a as usize][b as usize] |= straight + l * diagonal == most;
                }
            }
        }
        // Beyond, eight points are too few to show that the limit is sharp.
        assert!(reached.iter().all(|it| it[..4].iter().all(|it| it[..4].iter().all(|it| *it))));
    }

    #[test]
    fn no_two_diagonals_have_more_segments_between_them_and_some_have_as_many() {
        let mut reached = [[[false; 9]; 9]; 3];
        for one in 0..1u32 << 8 {
            for other in 0..1u32 << 8 {
                // A point has the one opposite to the right, and the one before that below.
                let (right, down) = (common(one, other), common(one >> 1, other));
                let (a, b) = (one.count_ones(), other.count_ones());
                for (count, segments) in [right, down, right + down].into_iter().enumerate() {
                    let most = limit(2, count, a.into(), b.into());
                    assert!(segments <= most, "{one:b} {other:b}");
                    reached[count][a as usize][b as usize] |= segments == most;
                }
            }
        }
        assert!(reached.iter().all(|it| it[..7].iter().all(|it| it[..7].iter().all(|it| *it))));
    }

    /// The largest sum, by trying all sizes.
    fn plainly(
        limits: &SizeLimits,
        direction: usize,
        worth: &[Vec<i64>],
        segments: &[Vec<i64>],
        ends: (&[i64], &[i64]),
    ) -> Option<i64> {
        let sizes = &limits.sizes[direction];
        let (first, last) = limits.slack[direction];
        let mut best = None;
        let mut chosen = vec![0i64; sizes.len()];
        'sizes: loop {
            let dotted: Vec<usize> = (0..sizes.len()).filter(|&it| chosen[it] > 0).collect();
            let is_allowed = chosen.iter().zip(sizes).all(|(size, (least, _))| size >= least)
                && dotted.first().is_some_and(|&line| line <= first)
                && dotted.last().is_some_and(|&line| line + 1 + last >= sizes.len())
                && dotted
                    .windows(2)
                    .all(|pair| pair[1] - pair[0] == 1 || pair[1] - pair[0] == 2 && direction >= 2);
            if is_allowed {
                let mut sum = -ends.0[dotted[0]];
                sum -= ends.1[sizes.len() - 1 - dotted[dotted.len() - 1]];
                for (line, &size) in chosen.iter().enumerate() {
                    sum += worth[line][size as usize];
                    if let Some(&next) = chosen.get(line + 1) {
                        for (count, pairs) in segments.iter().enumerate() {
                            sum += pairs[line] * limit(direction, count, size, next);
                        }
                    }
                }
                best = best.max(Some(sum));
            }
            for (size, (_, most)) in chosen.iter_mut().zip(sizes) {
                if *size < *most {
                    *size += 1;
                    continue 'sizes;
                }
                *size = 0;
            }
            return best;
        }
    }

    #[test]
    fn the_largest_sum_is_that_of_all_sizes() {
        let mut state = 11u64;
        let mut random = |most: i64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888);
            (state >> 33) as i64 % most
        };
        let mut impossible = 0;
        for round in 0..120 {
            let sides =
                [[2, 1, 2, 0, 3, 1, 1, 1], [4, 0, 2, 0, 4, 0, 2, 0], [0, 3, 0, 2, 1, 2, 1, 2]];
            let dots = Board::Octagon(sides[round % 3]).dots(&[], 100);
            let lattice = Lattice::new(&dots);
            let slack = std::array::from_fn(|_| random(3) as i32);
            let mut limits = SizeLimits::new(&lattice, slack);
            for direction in 0..4 {
                let lines = lattice.lines(direction);
                for _ in 0..random(3) {
                    let line = random(lines as i64) as usize;
                    let split = Split { direction, line, most: random(4) };
                    if let Some(parts) = limits.split(&split) {
                        let [less, more] = parts;
                        limits = if random(2) == 0 { less } else { more };
                    }
                }
                let worth: Vec<Vec<i64>> = (0..lines)
                    .map(|line| {
                        let most = lattice.size(direction, line);
                        let value = |size| if size == 0 { 0 } else { random(31) - 15 };
                        (0..=most).map(value).collect()
                    })
                    .collect();
                let segments: Vec<Vec<i64>> = (0..counts(direction))
                    .map(|_| (1..lines).map(|_| random(4)).collect())
                    .collect();
                let mut prices = || (0..3).map(|_| random(15) - 7).collect::<Vec<i64>>();
                let ends = (prices(), prices());
                let ends = (&ends.0[..], &ends.1[..]);
                let expected = plainly(&limits, direction, &worth, &segments, ends);
                let found = limits.largest(direction, &worth, &segments, ends);
                assert_eq!(found, expected, "{limits:?} {worth:?} {segments:?}");
                impossible += usize::from(expected.is_none());
            }
        }
        assert!((1..100).contains(&impossible), "{impossible}");
    }

    #[test]
    fn a_split_leaves_both_parts_a_size() {
        let dots = Board::Octagon([2, 1, 2, 0, 3, 1, 1, 1]).dots(&[], 100);
        let limits = SizeLimits::new(&Lattice::new(&dots), [0; 8]);
        let split = |most| limits.split(&Split { direction: 0, line: 0, most });
        assert!(split(-1).is_none() && split(3).is_none() && split(9).is_none());
        let [less, more] = split(1).expect("two parts");
        assert_eq!((less.sizes[0][0], more.sizes[0][0]), ((0, 1), (2, 3)));
        let beyond = Split { direction: 3, line: 99, most: 1 };
        assert!(limits.split(&beyond).is_none());
    }
}
