//! Sums over spans of steps, all of positive numbers and none by subtraction.
//!
//! exp(weight) differs by so many orders of magnitude from line to line that a difference of prefix
//! sums would lose the small ones. A span is the end of one half of a block and the beginning of
//! the other half, for one block size (a power of two): the one at which its first and last step
//! differ in their highest bit. So for every size the sums from each step towards the middle of its
//! block are enough, and a span takes two of them, however long it is. This is a disjoint sparse
//! table.

#[derive(Debug, Clone, Default)]
pub(super) struct Spans {
    steps: usize,
    /// The number of steps, rounded up to a power of two.
    width: usize,
    /// A row for each block size, the first for spans of a single step; and one more place.
    rows: Vec<f64>,
}

impl Spans {
    /// Sets all of `steps` steps to 0.
    pub(super) fn clear(&mut self, steps: usize) {
        self.steps = steps;
        self.width = steps.next_power_of_two();
        let rows = self.width.trailing_zeros() as usize + 1;
        self.rows.clear();
        self.rows.resize(rows * self.width + 1, 0.0);
    }

    /// The places of the two parts of a span; the last place is that of an empty part.
    #[inline(always)]
    fn parts(&self, from: usize, to: usize) -> (usize, usize) {
        let last = to - 1;
        let row = (usize::BITS - (from ^ last).leading_zeros()) as usize * self.width;
        (row + from, if from == last { self.rows.len() - 1 } else { row + last })
    }

    /// Adds to every step of `from..to`, which is not empty, before [`map`](Self::map).
    #[inline(always)]
    pub(super) fn add(&mut self, from: usize, to: usize, number: f64) {
        let (first, second) = self.parts(from, to);
        self.rows[first] += number;
        self.rows[second] += number;
    }

    /// Maps the number of each step, and prepares for [`sum`](Self::sum).
    pub(super) fn map(&mut self, change: impl Fn(f64) -> f64) {
        let nothing = self.rows.len() - 1;
        self.rows[nothing] = 0.0;
        let (steps, rows) = self.rows[..nothing].split_at_mut(self.width);
        // Blocks beyond the last step are empty.
        let blocks = |half: usize| self.steps.div_ceil(2 * half);
        // The loops of the small sizes have a known length, so the compiler unrolls them.
        for (row, level) in rows.chunks_exact(self.width).zip(0..) {
            match level {
                0 => spread(steps, row, 1, blocks(1)),
                1 => spread(steps, row, 2, blocks(2)),
                2 => spread(steps, row, 4, blocks(4)),
                _ => spread(steps, row, 1 << level, blocks(1 << level)),
            }
        }
        for step in &mut steps[..self.steps] {
            *step = change(*step);
        }
        for (row, level) in rows.chunks_exact_mut(self.width).zip(0..) {
            match level {
                0 => gather(steps, row, 1, blocks(1)),
                1 => gather(steps, row, 2, blocks(2)),
                2 => gather(steps, row, 4, blocks(4)),
                _ => gather(steps, row, 1 << level, blocks(1 << level)),
            }
        }
    }

    /// The sum over the steps `from..to`, which is not empty, after [`map`](Self::map).
    #[inline(always)]
    pub(super) fn sum(&self, from: usize, to: usize) -> f64 {
        let (first, second) = self.parts(from, to);
        self.rows[first] + self.rows[second]
    }
}

/// Adds to each step what begins or ends in its block: what begins at a step covers all up to the
/// middle, what ends all from there.
#[inline(always)]
fn spread(steps: &mut [f64], row: &[f64], half: usize, blocks: usize) {
    let pairs = steps.chunks_exact_mut(2 * half).zip(row.chunks_exact(2 * half));
    for (steps, block) in pairs.take(blocks) {
        let (mut begun, mut ended) = (0.0, 0.0);
        for i in 0..half {
            begun += block[i];
            steps[i] += begun;
            ended += block[2 * half - 1 - i];
            steps[2 * half - 1 - i] += ended;
        }
    }
}

/// Sums from each step to the middle of its block.
#[inline(always)]
fn gather(steps: &[f64], row: &mut [f64], half: usize, blocks: usize) {
    let pairs = steps.chunks_exact(2 * half).zip(row.chunks_exact_mut(2 * half));
    for (steps, block) in pairs.take(blocks) {
        let (mut before, mut after) = (0.0, 0.0);
        for i in 0..half {
            before += steps[half - 1 - i];
            block[half - 1 - i] = before;
            after += steps[half + i];
            block[half + i] = after;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::random::{below, unit};
    use rand::SeedableRng;

    #[test]
    fn sums_are_those_taken_step_by_step() {
        let mut rng = Rng::seed_from_u64(1);
        let mut spans = Spans::default();
        for steps in 1..200 {
            let sampled: Vec<(usize, usize, f64)> = (0..300)
                .map(|_| {
                    let from = below(&mut rng, steps);
                    let to = from + 1 + below(&mut rng, steps - from);
                    (from, to, (60.0 * unit(&mut rng) - 30.0).exp())
                })
                .collect();
            spans.clear(steps);
            let mut plain = vec![0.0; steps];
            for &(from, to, number) in &sampled {
                spans.add(from, to, number);
                plain[from..to].iter_mut().for_each(|step| *step += number);
            }
            spans.map(|step| 1.0 / step);
            plain.iter_mut().for_each(|step| *step = 1.0 / *step);
            for &(from, to, _) in &sampled {
                let (found, known) = (spans.sum(from, to), plain[from..to].iter().sum::<f64>());
                assert!((found / known - 1.0).abs() < 1e-12, "{found} {known}");
            }
        }
    }
}
