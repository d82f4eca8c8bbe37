//! Few ranges of hulls that cover a whole family.
//!
//! The largest class that nothing covers yet comes first. From its hull sides are moved outwards,
//! with slack so that it stays in the range, each time the side that gains most classes for what it
//! costs, as long as the relaxation is expected to stay below the target. What to expect is learnt
//! from the programs solved so far: values grow with the board and the slack, and much the same
//! everywhere.

use crate::blocks::HullRange;
use crate::{HullFamily, Octagon};

/// The slack to try, of sides along the axes and of diagonal ones, the widest first. Diagonal slack
/// costs little as long as there is none along the axes.
const SLACKS: [(u32, u32); 14] = [
    (10, 10),
    (8, 8),
    (6, 8),
    (4, 8),
    (4, 5),
    (3, 6),
    (2, 8),
    (2, 5),
    (2, 3),
    (1, 8),
    (1, 5),
    (0, 8),
    (0, 5),
    (0, 2),
];

/// The number of classes that are sampled to compare ranges.
const SAMPLE: usize = 1500;

/// The number of near misses around one hull before its range is the hull alone.
const ATTEMPTS: usize = 5;

/// By how much a near miss exceeds the target, at most.
const NEAR: f64 = 8.0;

/// A range of hulls whose relaxation was solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RangeAttempt {
    /// The range.
    pub hulls: HullRange,
    /// The bound that was certified for it, in moves and fractions.
    pub value: f64,
}

/// The classes of a family that no range covers yet.
#[derive(Debug, Clone)]
pub struct RangeSearch {
    target: u32,
    /// The largest first.
    uncovered: Vec<Octagon>,
    total: usize,
    attempts: Vec<RangeAttempt>,
}

impl RangeSearch {
    /// All classes with more dots than the bound plus those of the start.
    #[must_use]
    pub fn new(family: &HullFamily, target: u32) -> Self {
        let mut uncovered = Vec::new();
        family.for_each_class(|octagon| {
            if octagon.area() > target + family.potential() / 8 {
                uncovered.push(octagon);
            }
        });
        uncovered.sort_by_key(|octagon| std::cmp::Reverse(octagon.area()));
        let total = uncovered.len();
        Self { target, uncovered, total, attempts: Vec::new() }
    }

    /// The number of classes to cover.
    #[must_use]
    pub fn total(&self) -> usize {
        self.total
    }

    /// The number of classes that are not covered yet.
    #[must_use]
    pub fn uncovered(&self) -> usize {
        self.uncovered.len()
    }

    /// Removes the classes that lie in a plain board.
    pub fn cover_board(&mut self, board: &Octagon) {
        self.uncovered.retain(|hull| !board.fits_any_image(hull));
    }

    /// How many classes a range would cover.
    #[must_use]
    pub fn count(&self, hulls: &HullRange) -> usize {
        let images = hulls.images();
        let covers = |hull: &&Octagon| images.iter().any(|image| image.contains(hull));
        self.uncovered.iter().filter(covers).count()
    }

    /// Removes the classes in a range.
    pub fn cover(&mut self, hulls: &HullRange) {
        let images = hulls.images();
        self.uncovered.retain(|hull| !images.iter().any(|image| image.contains(hull)));
    }

    /// Remembers what the relaxation of a range has shown, whether it suffices or not.
    pub fn learn(&mut self, attempt: RangeAttempt) {
        self.attempts.push(attempt);
    }

    /// The largest class that is not covered, and lies in none of the ranges that are being solved.
    #[must_use]
    pub fn largest(&self, taken: &[HullRange]) -> Option<Octagon> {
        let images: Vec<HullRange> = taken.iter().flat_map(HullRange::images).collect();
        let free = |hull: &&Octagon| !images.iter().any(|image| image.contains(hull));
        self.uncovered.iter().find(free).copied()
    }

    /// The range to try for a hull: the one that promises to cover most classes. `None` if even the
    /// relaxation of the hull alone was not enough.
    #[must_use]
    pub fn propose(&self, hull: &Octagon) -> Option<HullRange> {
        let about =
            |attempt: &&RangeAttempt| attempt.value >= self.limit() && attempt.hulls.contains(hull);
        let failed: Vec<&RangeAttempt> = self.attempts.iter().filter(about).collect();
        let alone = HullRange::new(*hull, 0, 0);
        if failed.iter().any(|attempt| attempt.hulls == alone) {
            return None;
        }
        // Attempts for this target, as far as one can tell.
        let misses = failed.iter().filter(|it| it.value < self.limit() + NEAR).count();
        if misses >= ATTEMPTS {
            return Some(alone);
        }
        let forecast = Forecast::new(&self.attempts);
        let widest = SLACKS[0].0.max(SLACKS[0].1);
        let images = HullRange { board: hull.pushed([widest; 8]), slack: [2 * widest; 8] }.images();
        let near: Vec<Octagon> = self
            .uncovered
            .iter()
            .filter(|other| images.iter().any(|image| image.contains(other)))
            .copied()
            .collect();
        let every = near.len().div_ceil(SAMPLE).max(1);
        let sample: Vec<[Octagon; 8]> = near.iter().step_by(every).map(Octagon::images).collect();
        let limit = self.limit() - forecast.error - misses as f64;
        let ranges = SLACKS.iter().filter_map(|&slack| {
            let hulls = grow(hull, slack, &sample, |hulls| {
                hulls.contains(hull)
                    && forecast.value(hulls) < limit
                    && !failed.iter().any(|it| is_harder(hulls, &it.hulls))
            })?;
            Some((covered(&hulls, &sample), hulls))
        });
        let best = ranges.max_by_key(|(covered, hulls)| (*covered, hulls.slack));
        Some(best.map_or(alone, |(_, hulls)| hulls))
    }

    fn limit(&self) -> f64 {
        f64::from(self.target) + 1.0
    }
}

/// Whether a range has a larger board and no less slack than another, so that its value is hardly
/// less.
fn is_harder(hulls: &HullRange, other: &HullRange) -> bool {
    hulls.board.fits(&other.board) && hulls.slack.iter().zip(other.slack).all(|(a, b)| *a >= b)
}

/// The number of sampled classes in a range.
fn covered(hulls: &HullRange, sample: &[[Octagon; 8]]) -> usize {
    sample.iter().filter(|images| images.iter().any(|image| hulls.contains(image))).count()
}

/// The range with all sides of a hull moved outwards by these steps.
fn enlarged(hull: &Octagon, steps: [u32; 8], (axis, diagonal): (u32, u32)) -> HullRange {
    HullRange::new(hull.pushed(steps), axis, diagonal)
}

/// Moves sides outwards while the range is allowed; `None` if not even the hull is.
fn grow(
    hull: &Octagon,
    slack: (u32, u32),
    sample: &[[Octagon; 8]],
    is_allowed: impl Fn(&HullRange) -> bool,
) -> Option<HullRange> {
    let mut steps = [0; 8];
    let mut best = enlarged(hull, steps, slack);
    if !is_allowed(&best) {
        return None;
    }
    let mut count = covered(&best, sample);
    loop {
        let mut next: Option<(usize, [u32; 8], HullRange)> = None;
        for side in (0..8).filter(|&side| steps[side] < best.slack[side]) {
            let mut steps = steps;
            steps[side] += 1;
            let hulls = enlarged(hull, steps, slack);
            if !is_allowed(&hulls) {
                continue;
            }
            let count = covered(&hulls, sample);
            if next.as_ref().is_none_or(|next| next.0 < count) {
                next = Some((count, steps, hulls));
            }
        }
        match next {
            Some((more, further, hulls)) if more >= count => {
                (count, steps, best) = (more, further, hulls);
            }
            _ => return Some(best),
        }
    }
}

/// What the value of a range will be, from the values known so far.
struct Forecast {
    factors: [f64; FEATURES],
    known: Vec<([f64; FEATURES], f64)>,
    /// How far it is off, roughly.
    error: f64,
}

const FEATURES: usize = 12;

/// What values depend on: the dots and lattice lines of a hull a quarter of the slack inside the
/// board, how many dots it lacks to the most regular one with as many lattice lines, and the slack
/// along the axes and of the diagonals.
fn features(hulls: &HullRange) -> [f64; FEATURES] {
    let inset = hulls.slack.map(|steps| f64::from(steps) / 4.0);
    let sides: [f64; 8] = std::array::from_fn(|side| {
        let along = if side % 2 == 0 { 2.0 } else { 1.0 };
        let neighbours = inset[(side + 7) % 8] + inset[(side + 1) % 8];
        f64::from(hulls.board.sides()[side]) + along * inset[side] - neighbours
    });
    let [top, right_top, right, right_bottom, _, left_bottom, _, left_top] = sides;
    let (width, height) = (left_top + top + right_top, right_top + right + right_bottom);
    let cuts = [right_top, right_bottom, left_bottom, left_top];
    let corners: f64 = cuts.iter().map(|cut| cut * (cut + 1.0) / 2.0).sum();
    let dots = (width + 1.0) * (height + 1.0) - corners;
    let lines = 3.0 * (width + height) + 4.0 - cuts.iter().sum::<f64>();
    let mean =
        |first: usize| f64::from(hulls.slack.iter().skip(first).step_by(2).sum::<u32>()) / 4.0;
    let (axis, diagonal) = (mean(0), mean(1));
    let rise = |slack: f64| slack / (slack + 2.0);
    let lack = (0.0357 * lines * lines - dots) / 50.0;
    let lines = (lines - 138.0) / 10.0;
    [
        1.0,
        (dots - 650.0) / 50.0,
        lines,
        lines * lines,
        lines * lack,
        lack * lack,
        rise(axis),
        rise(diagonal),
        rise(axis) * rise(diagonal),
        axis / 10.0,
        lack * rise(axis),
        lines * rise(axis),
    ]
}

impl Forecast {
    /// A linear fit, which starts from a few values of large hulls, and what is left of the nearest
    /// attempts.
    ///
    /// Hulls alone are left out: their values depend on details that slack evens out.
    fn new(attempts: &[RangeAttempt]) -> Self {
        // The fit is held near these factors where nothing else is known.
        const PRIOR: [f64; FEATURES] =
            [440.0, 25.0, 0.0, 0.0, 0.0, 0.0, 30.0, 10.0, 20.0, 0.0, 0.0, 0.0];
        const HOLD: f64 = 0.1;
        let values = attempts
            .iter()
            .filter(|it| it.value.is_finite() && it.hulls.slack.iter().any(|&it| it > 0));
        let known: Vec<([f64; FEATURES], f64)> =
            values.map(|it| (features(&it.hulls), it.value)).collect();
        let mut matrix = [[0.0; FEATURES + 1]; FEATURES];
        for (i, row) in matrix.iter_mut().enumerate() {
            row[i] = HOLD;
        }
        for (x, value) in &known {
            let rest = value - dot(x, &PRIOR);
            for i in 0..FEATURES {
                for j in 0..FEATURES {
                    matrix[i][j] += x[i] * x[j];
                }
                matrix[i][FEATURES] += x[i] * rest;
            }
        }
        let shift = eliminate(matrix);
        let factors = std::array::from_fn(|i| PRIOR[i] + shift[i]);
        let mut forecast = Self { factors, known, error: 4.0 };
        let recent = forecast.known.len().saturating_sub(40);
        let errors: Vec<f64> = forecast.known[recent..]
            .iter()
            .map(|(x, value)| (value - dot(x, &forecast.factors)).abs())
            .collect();
        if errors.len() >= 8 {
            forecast.error = 0.5 * errors.iter().sum::<f64>() / errors.len() as f64;
        }
        forecast
    }

    fn value(&self, hulls: &HullRange) -> f64 {
        let x = features(hulls);
        let mut nearest: Vec<(f64, f64)> = self
            .known
            .iter()
            .map(|(other, value)| {
                let distance: f64 = x.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum();
                (distance, value - dot(other, &self.factors))
            })
            .collect();
        nearest.sort_by(|a, b| a.0.total_cmp(&b.0));
        nearest.truncate(4);
        let weights: f64 = nearest.iter().map(|(distance, _)| 1.0 / (distance + 0.02)).sum();
        let rest: f64 = nearest.iter().map(|(distance, rest)| rest / (distance + 0.02)).sum();
        let correction = if nearest.is_empty() { 0.0 } else { rest / (weights + 5.0) };
        dot(&x, &self.factors) + correction
    }
}

fn dot(a: &[f64; FEATURES], b: &[f64; FEATURES]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Solves a positive definite system.
fn eliminate(mut matrix: [[f64; FEATURES + 1]; FEATURES]) -> [f64; FEATURES] {
    for pivot in 0..FEATURES {
        let row = matrix[pivot];
        for (i, other) in matrix.iter_mut().enumerate() {
            let factor = other[pivot] / row[pivot];
            if i != pivot {
                other.iter_mut().zip(row).for_each(|(value, by)| *value -= factor * by);
            }
        }
    }
    std::array::from_fn(|i| matrix[i][FEATURES] / matrix[i][i])
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Game;

    /// A stand-in for the solver: values that grow with the board and the slack, with diagonal
    /// slack mostly if there is slack along the axes.
    fn value(hulls: &HullRange) -> f64 {
        let rise = |steps: u32| f64::from(steps) / f64::from(steps + 2);
        let (axis, diagonal) = (rise(hulls.slack[0]), rise(hulls.slack[1]));
        let slack = 10.0 * axis + 5.0 * diagonal + 10.0 * axis * diagonal;
        0.9 * f64::from(hulls.board.area()) + slack
    }

    /// The number of ranges that are bounded for 5T, and how many attempts that takes.
    fn search(target: u32, value: impl Fn(&HullRange) -> f64) -> (usize, usize) {
        let game = Game::named("5T").expect("a game");
        let mut search = RangeSearch::new(&HullFamily::new(&game).expect("hulls"), target);
        assert!(search.total() > 1000);
        let (mut ranges, mut attempts) = (0, 0);
        while let Some(hull) = search.largest(&[]) {
            let Some(hulls) = search.propose(&hull) else { return (ranges, attempts) };
            assert!(hulls.contains(&hull), "{hulls}");
            let value = value(&hulls);
            search.learn(RangeAttempt { hulls, value });
            attempts += 1;
            if value < f64::from(target + 1) {
                ranges += 1;
                let (count, before) = (search.count(&hulls), search.uncovered());
                search.cover(&hulls);
                assert_eq!(search.uncovered(), before - count);
            }
        }
        assert_eq!(search.uncovered(), 0);
        (ranges, attempts)
    }

    #[test]
    fn few_ranges_cover_all_classes_and_few_attempts_fail() {
        let (ranges, attempts) = search(685, value);
        assert!(ranges < 300 && attempts < 2 * ranges, "{ranges} of {attempts}");
    }

    #[test]
    fn a_hull_that_is_not_bounded_alone_is_left_to_the_caller() {
        let (ranges, attempts) = search(685, |_| 700.0);
        assert_eq!(ranges, 0);
        assert!(attempts <= 40, "{attempts}");
    }
}
