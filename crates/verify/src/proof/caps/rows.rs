//! How few dots the first rows of a position can have, by their waste.
//!
//! Row i from the top has the set R_i of places, a_i = |R_i| >= 1 of them. A dot x of R_i and a dot
//! y of R_(i+1) with |x - y| <= 1 are next to each other on a run down, down right or down left.
//! Let p be the number of such pairs; then 3 a_i - p runs end in row i and 3 a_(i+1) - p start in
//! row i + 1. The enumeration below stores of each row its dots, its waste, and how many of the
//! runs through it have 1, 2, 3, 4 or 5 dots so far, mod 5. It visits everything that the following
//! leaves open, and keeps the fewest dots.
//!
//! - **Pairs.** p <= 3 min(a, b) for rows of a and b dots; p <= 3a - 2 if a = b; p <= 3 min(a,
//!   b) - 1 if they differ by 1. For p is the sum of |R_(i+1) ∩ (R_i + d)| over d = -1, 0, 1. If
//!   a = b and p >= 3a - 1, two of the three terms are a, so two of the sets R_i + d are R_(i+1);
//!   but no finite set is its own translate. If b = a + 1 and p = 3a, R_(i+1) contains
//!   R_i + {-1,0,1}, which has at least a + 2 places; likewise upwards if a = b + 1.
//! - **Waste.** A run that ends with r dots mod 5 has waste r; a row of a dots has waste a - 5j for
//!   some j, that is from a mod 5 in steps of 5, at most a. Rows of runs of fewer than 5 dots have
//!   waste a.
//! - **Free ends.** An end without waste, in a row i < 10, is that of a run of 5 dots from row
//!   i - 4. Let R_(i-4) be a single dot, or 5 adjacent dots (5 dots, no waste). Let A be the dots
//!   of R_i on runs (along the row) of 5 dots and more, in k >= 1 runs; all but at most (waste of
//!   row i) dots are in A. The places A + {-1,0,1} are at least |A| + k + 1. Consider one of them,
//!   y, that has no dot in row i + 1. Of each dot of R_i at y - 1, y, y + 1 a run ends. If all of
//!   these ends are free, then R_(i-4) contains y - 5, y, y + 5 as far as R_i contains y - 1, y,
//!   y + 1. It does not contain two of them; so R_i contains just one, and that is the left or
//!   right end of a run of A (within it y would have a neighbour). A left end at l has l + 4 in
//!   R_(i-4); two runs of A start at least 6 places apart, so this holds for at most one of them,
//!   and likewise for right ends, r - 4 in R_(i-4). So if e ends in row i have waste, at least
//!   |A| + k + 1 - e - 2 >= |A| - e of the places have dots; and one more unless k = 1 and both
//!   ends of A are free, which makes |r - l - 8| <= 4, so |A| <= 13, or r - l = 8, so |A| = 9, if
//!   R_(i-4) is a single dot.

use std::collections::BTreeMap;

use crate::fault::ProofFault;
use crate::proof::budget::Budget;
use crate::refusal::Refusal;

/// How many runs have 0, 1, 2, 3 and 4 dots so far, mod 5.
type Ages = [u32; 5];

/// What a row looks like, as far as it matters four rows later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    /// One dot.
    Single,
    /// Five adjacent dots.
    Five,
    /// Anything.
    Other,
}

/// The most caps of the same number of rows that are enumerated.
const MAX_CAPS: usize = 300_000;

/// About how long it takes to look at one cap of one row more.
const STEPS_FOR_CAP: usize = 2;

/// The state of the first rows, but for the number of their dots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cap {
    /// The waste so far.
    waste: usize,
    /// The dots of the last row.
    dots: u32,
    /// The waste of the last row.
    row_waste: usize,
    /// The runs, other than rows, that have a dot in the last row.
    ages: Ages,
    /// The last five rows, the last one first.
    shapes: [Shape; 5],
}

/// Verifies that a cap of `rows` rows with waste w always has at least `least[w]` dots.
pub(super) fn verify(rows: usize, least: &[u32], budget: &mut Budget) -> Result<(), Refusal> {
    // A cap with less waste must not be claimed to be smaller: then more dots or more waste never
    // help.
    for (waste, pair) in least.windows(2).enumerate() {
        if pair[0] < pair[1] {
            let (dots, least) = (pair[0], pair[1]);
            return Err(ProofFault::FalseCap { waste: waste + 1, dots, least }.into());
        }
    }
    let enumeration = Enumeration { rows, least };
    let mut caps = enumeration.first_rows()?;
    for row in 1..rows {
        caps = enumeration.next_rows(row, &caps, budget)?;
    }
    match caps.first_key_value() {
        None => Ok(()),
        Some((cap, &dots)) => {
            let waste = cap.waste;
            Err(ProofFault::FalseCap { waste, dots, least: least[waste] }.into())
        }
    }
}

/// The enumeration of all caps that have fewer dots than they should.
struct Enumeration<'l> {
    rows: usize,
    least: &'l [u32],
}

/// Caps with the fewest dots of each.
type Caps = BTreeMap<Cap, u32>;

impl Enumeration<'_> {
    fn first_rows(&self) -> Result<Caps, Refusal> {
        let mut caps = Caps::new();
        for dots in 1..self.least[0] {
            for waste in self.row_wastes(dots, 0) {
                let shapes =
                    [shape(dots, waste), Shape::Other, Shape::Other, Shape::Other, Shape::Other];
                let ages = [0, 3 * dots, 0, 0, 0];
                let cap = Cap { waste, dots, row_waste: waste, ages, shapes };
                self.keep(&mut caps, 1, cap, dots)?;
            }
        }
        Ok(caps)
    }

    /// All caps of one row more.
    fn next_rows(&self, row: usize, caps: &Caps, budget: &mut Budget) -> Result<Caps, Refusal> {
        let mut next = Caps::new();
        for (cap, &total) in caps {
            let endings = endings(&cap.ages, self.least.len() - 1 - cap.waste);
            let below = fewest_below(cap);
            for dots in 1..self.least[cap.waste].saturating_sub(total) {
                budget.spend_product(endings.len(), STEPS_FOR_CAP)?;
                let ends = 3 * cap.dots - most_pairs(cap.dots, dots);
                for ending in &endings {
                    let with_waste: u32 = ending[1..].iter().sum();
                    if with_waste + cap.ages[0] < ends || dots + with_waste < below {
                        continue;
                    }
                    let waste = cap.waste + waste_of(ending);
                    let [_, one, two, three, four] = cap.ages;
                    // Runs of whole fives continue, or end and as many start: all have one dot
                    // more.
                    let started = 3 * dots - (one + two + three + four - with_waste);
                    let ages = [
                        four - ending[4],
                        started,
                        one - ending[1],
                        two - ending[2],
                        three - ending[3],
                    ];
                    for row_waste in self.row_wastes(dots, waste) {
                        let [last, second, third, fourth, _] = cap.shapes;
                        let shapes = [shape(dots, row_waste), last, second, third, fourth];
                        let cap = Cap { waste: waste + row_waste, dots, row_waste, ages, shapes };
                        self.keep(&mut next, row + 1, cap, total + dots)?;
                    }
                }
            }
        }
        Ok(next)
    }

    /// Keeps a cap unless it cannot end with fewer dots than it should.
    fn keep(&self, caps: &mut Caps, row: usize, cap: Cap, total: u32) -> Result<(), Refusal> {
        // Before row 5 every end has waste, and a row has two dots more than the last one less its
        // ends.
        let left = self.least.len() - 1 - cap.waste;
        let to_come = (row + 1..=self.rows).map(|later| match later <= 5 {
            true => (cap.dots as usize + 2 * (later - row)).saturating_sub(left).max(1) as u32,
            false => 1,
        });
        if total + to_come.sum::<u32>() < self.least[cap.waste] {
            let fewest = caps.entry(cap).or_insert(total);
            *fewest = total.min(*fewest);
        }
        match caps.len() > MAX_CAPS {
            true => Err(ProofFault::TooManyCaps.into()),
            false => Ok(()),
        }
    }

    /// The possible wastes of a row of `dots` dots after a waste of `before`.
    fn row_wastes(&self, dots: u32, before: usize) -> impl Iterator<Item = usize> + use<> {
        let most = (dots as usize).min((self.least.len() - 1).saturating_sub(before));
        (dots as usize % 5..=most).step_by(5)
    }
}

/// The most pairs of neighbours in rows of these numbers of dots.
fn most_pairs(one: u32, other: u32) -> u32 {
    let most = 3 * one.min(other);
    match one.abs_diff(other) {
        0 => most - 2,
        1 => most - 1,
        _ => most,
    }
}

fn shape(dots: u32, row_waste: usize) -> Shape {
    match (dots, row_waste) {
        (1, _) => Shape::Single,
        (5, 0) => Shape::Five,
        _ => Shape::Other,
    }
}

/// The fewest dots in the next row, and ends with waste in this one, together.
fn fewest_below(cap: &Cap) -> u32 {
    let both_ends_free: fn(u32) -> bool = match cap.shapes[4] {
        Shape::Single => |long| long == 9,
        Shape::Five => |long| long <= 13,
        Shape::Other => return 0,
    };
    let fewest = (0..=cap.row_waste as u32).map(|short| match cap.dots.saturating_sub(short) {
        0..5 => 0,
        long => long + u32::from(!both_ends_free(long)),
    });
    fewest.min().unwrap_or(0)
}

/// All ways in which runs can end with waste of at most `left`; ends without waste are not counted.
fn endings(ages: &Ages, left: usize) -> Vec<Ages> {
    let mut endings = vec![[0; 5]];
    for age in 1..5 {
        let mut more = Vec::new();
        for ending in endings {
            let room = (left - waste_of(&ending)) / age;
            for count in 0..=ages[age].min(room as u32) {
                let mut ending = ending;
                ending[age] = count;
                more.push(ending);
            }
        }
        endings = more;
    }
    endings
}

/// The waste of runs that end.
fn waste_of(ending: &Ages) -> usize {
    (1..5).map(|age| age * ending[age] as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verify(rows: usize, least: &[u32]) -> Result<(), Refusal> {
        super::verify(rows, least, &mut Budget::of_bytes(0))
    }

    /// The fewest dots of caps with at most this waste.
    fn fewest(rows: usize, waste: usize) -> u32 {
        let mut dots = 1;
        while verify(rows, &vec![dots + 1; waste + 1]).is_ok() {
            dots += 1;
        }
        dots
    }

    #[test]
    fn the_fewest_dots_of_small_caps() {
        let found = |rows| [0, 1, 3, 4, 6].map(|waste| fewest(rows, waste));
        assert_eq!(found(1), [5, 1, 1, 1, 1]);
        assert_eq!(found(4), [50, 31, 21, 17, 12]);
        assert_eq!(found(5), [75, 51, 36, 32, 22]);
    }

    #[test]
    fn a_claim_of_one_dot_more_is_refused_with_the_cap_that_is_smaller() {
        assert!(verify(3, &[30, 16]).is_ok());
        for (least, words) in [
            ([31, 16], "a cap with waste 0 may have 30 dots; the claim is at least 31"),
            ([30, 17], "a cap with waste 1 may have 16 dots; the claim is at least 17"),
            ([15, 16], "a cap with waste 1 may have 15 dots; the claim is at least 16"),
        ] {
            assert_eq!(verify(3, &least).expect_err("too many").to_string(), words);
        }
    }

    /// All sets of places from 0 to 9, against the bound on pairs.
    #[test]
    fn no_two_rows_have_more_pairs() {
        for one in 1u32..1 << 8 {
            for other in 1u32..1 << 10 {
                let shifted = [one, one << 1, one << 2];
                let pairs: u32 = shifted.iter().map(|row| (row & other).count_ones()).sum();
                assert!(pairs <= most_pairs(one.count_ones(), other.count_ones()));
            }
        }
    }
}
