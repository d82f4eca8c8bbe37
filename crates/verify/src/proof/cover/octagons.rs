//! All octagons that can be the hull of a position, one of each class up to symmetry, and which of
//! them a range bounds.

use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;

use super::{HullRange, LeafBound};
use crate::fault::ProofFault;
use crate::proof::budget::Budget;

/// An octagon by its sides, clockwise from the top, in steps; even ones run along the axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Octagon {
    /// First, so that of two images the less wide one is less.
    width: i32,
    sides: [i32; 8],
}

impl Octagon {
    pub(super) fn new(sides: [u32; 8]) -> Octagon {
        Octagon::from_sides(sides.map(|side| i32::try_from(side).expect("sides are small")))
    }

    fn from_sides(sides: [i32; 8]) -> Octagon {
        Octagon { width: sides[7] + sides[0] + sides[1], sides }
    }

    /// The octagon in a box of `width` by `height` steps with these corners cut off: top right,
    /// bottom right, bottom left, top left; `None` if the cuts overlap.
    fn cut_from(width: i32, height: i32, [a, b, c, d]: [i32; 4]) -> Option<Octagon> {
        let sides = [width - d - a, a, height - a - b, b, width - b - c, c, height - c - d, d];
        sides.iter().all(|&side| side >= 0).then_some(Octagon { width, sides })
    }

    fn height(&self) -> i32 {
        self.sides[1] + self.sides[2] + self.sides[3]
    }

    fn cuts(&self) -> [i32; 4] {
        [self.sides[1], self.sides[3], self.sides[5], self.sides[7]]
    }

    /// How many dots it has.
    fn dots(&self) -> i32 {
        let corners: i32 = self.cuts().iter().map(|cut| cut * (cut + 1) / 2).sum();
        (self.width + 1) * (self.height() + 1) - corners
    }

    /// Whether twice the lattice lines that meet it are at most 288 and the modifier.
    ///
    /// They are its columns and rows, and as many diagonals of either kind as it has columns and
    /// rows together, less one and less those in two opposite corners.
    fn is_allowed(&self) -> bool {
        let cuts = self.cuts();
        let lines = 3 * (self.width + self.height()) + 4 - cuts.iter().sum::<i32>();
        let [a, b, c, d] = cuts.map(|cut| cut == 0);
        let modifier = match (a && c || b && d, a || b || c || d) {
            (true, _) => 4,
            (false, true) => 2,
            (false, false) => 0,
        };
        2 * lines <= 288 + modifier
    }

    /// Whether the other one lies in it, moved.
    fn contains(&self, inner: &Octagon) -> bool {
        let (width, height) = (self.width - inner.width, self.height() - inner.height());
        let (outer_sums, outer_differences) = self.diagonals();
        let (inner_sums, inner_differences) = inner.diagonals();
        let sums = (outer_sums.0 - inner_sums.0, outer_sums.1 - inner_sums.1);
        let differences =
            (outer_differences.0 - inner_differences.0, outer_differences.1 - inner_differences.1);
        // Moved by x to the right, it may be moved down by what all three pairs of sides allow.
        (0..=width).any(|x| {
            let least = 0.max(sums.0 - x).max(x - differences.1);
            let most = height.min(sums.1 - x).min(x - differences.0);
            least <= most
        })
    }

    /// The least and greatest x + y and x - y, if its box starts at (0,0).
    fn diagonals(&self) -> ((i32, i32), (i32, i32)) {
        let [a, b, c, d] = self.cuts();
        let (width, height) = (self.width, self.height());
        ((d, width + height - b), (c - height, width - a))
    }

    /// Its images under the eight symmetries.
    fn images(&self) -> [Octagon; 8] {
        images(self.sides).map(Octagon::from_sides)
    }
}

impl fmt::Display for Octagon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sides: Vec<String> = self.sides.iter().map(i32::to_string).collect();
        write!(f, "octagon:{}", sides.join(","))
    }
}

/// An image of a range under the eight symmetries: its board, and for each of its sides the slack
/// and which side of the range it is.
struct RangeImage {
    range: usize,
    board: Octagon,
    slack: [i32; 8],
    sides: [usize; 8],
}

impl RangeImage {
    fn all(ranges: &[HullRange], range: usize) -> Vec<RangeImage> {
        let HullRange { sides, slack, .. } = &ranges[range];
        let boards = Octagon::new(*sides).images();
        let sides = images(std::array::from_fn(|side| side));
        let image = |(board, (slack, sides))| RangeImage { range, board, slack, sides };
        boards.into_iter().zip(images(*slack).into_iter().zip(sides)).map(image).collect()
    }

    /// Whether it has this hull at a place, moved, where all leaves of the range prove that it has
    /// at most `moves`.
    fn bounds(
        &self,
        hull: &Octagon,
        leaves: &[LeafBound],
        moves: i64,
        budget: &mut Budget,
    ) -> Result<bool, ProofFault> {
        let (outer, inner) = (self.board.diagonals(), hull.diagonals());
        let (right, bottom) = (self.board.width - hull.width, self.board.height() - hull.height());
        for x in 0..=self.slack[6].min(right) {
            for y in 0..=self.slack[0].min(bottom) {
                budget.spend(STEPS_TO_COMPARE)?;
                let steps = [
                    y,
                    outer.1.1 - inner.1.1 - x + y,
                    right - x,
                    outer.0.1 - inner.0.1 - x - y,
                    bottom - y,
                    inner.1.0 + x - y - outer.1.0,
                    x,
                    inner.0.0 + x + y - outer.0.0,
                ];
                let mut inside = steps.iter().zip(self.slack);
                if !inside.all(|(steps, slack)| (0..=slack).contains(steps)) {
                    continue;
                }
                budget.spend_product(leaves.len(), STEPS_TO_COMPARE)?;
                let mut of_range = [0; 8];
                for (side, steps) in self.sides.into_iter().zip(steps) {
                    of_range[side] = steps as usize;
                }
                let of_side = |prices: &[i64], side: usize| prices[of_range[side]];
                if leaves.iter().all(|leaf| leaf.is_at_most(moves, of_side)) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// The ranges by the width and height of their hulls.
struct RangeIndex<'a> {
    ranges: &'a [HullRange],
    images: Vec<RangeImage>,
    /// The images that may have a hull of this width and height; the last one that had comes first.
    by_size: HashMap<(i32, i32), Vec<u32>>,
}

/// About how long it takes to enter an image for one width and height.
const STEPS_TO_ENTER: usize = 20;

/// About how long it takes to compare a hull with an image at one place, or with a leaf.
const STEPS_TO_COMPARE: usize = 20;

impl RangeIndex<'_> {
    fn new<'a>(ranges: &'a [HullRange], budget: &mut Budget) -> Result<RangeIndex<'a>, ProofFault> {
        let all = |range| RangeImage::all(ranges, range);
        let images: Vec<RangeImage> = (0..ranges.len()).flat_map(all).collect();
        let mut by_size: HashMap<(i32, i32), Vec<u32>> = HashMap::new();
        for (number, image) in (0..).zip(&images) {
            let (width, height) = (image.board.width, image.board.height());
            let [top, _, right, _, bottom, _, left, _] = image.slack;
            for width in (width - left - right).max(CROSS_WIDTH)..=width.min(MOST_WIDTH) {
                for height in (height - top - bottom).max(width)..=height.min(MOST_WIDTH) {
                    budget.spend(STEPS_TO_ENTER)?;
                    by_size.entry((width, height)).or_default().push(number);
                }
            }
        }
        Ok(RangeIndex { ranges, images, by_size })
    }

    /// Whether a range bounds this hull, which is no wider than high.
    fn bounds(
        &mut self,
        hull: &Octagon,
        moves: i64,
        budget: &mut Budget,
    ) -> Result<bool, ProofFault> {
        let Some(near) = self.by_size.get_mut(&(hull.width, hull.height())) else {
            return Ok(false);
        };
        for place in 0..near.len() {
            let image = &self.images[near[place] as usize];
            let leaves = &self.ranges[image.range].leaves;
            if image.bounds(hull, leaves, moves, budget)? {
                near[..=place].rotate_right(1);
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The dots of the cross.
const CROSS: i64 = 36;

/// About how long the enumeration takes.
const STEPS_TO_ENUMERATE: usize = 50_000_000;

/// About how long it takes to look at an octagon.
const STEPS_FOR_OCTAGON: usize = 100;

/// An octagon that can be the hull of a position of more than `moves` moves, and that no range
/// bounds.
pub(super) fn first_uncovered(
    ranges: &[HullRange],
    moves: i64,
    budget: &mut Budget,
) -> Result<Option<Octagon>, ProofFault> {
    let mut ranges = RangeIndex::new(ranges, budget)?;
    let mut uncovered = None;
    // The enumeration itself is always the same.
    budget.spend(STEPS_TO_ENUMERATE)?;
    for_each(|octagon| {
        if i64::from(octagon.dots()) <= moves + CROSS {
            return Ok(ControlFlow::Continue(()));
        }
        budget.spend(STEPS_FOR_OCTAGON)?;
        if ranges.bounds(&octagon, moves, budget)? {
            return Ok(ControlFlow::Continue(()));
        }
        uncovered = Some(octagon);
        Ok(ControlFlow::Break(()))
    })?;
    Ok(uncovered)
}

/// The width and height of the cross, in steps.
const CROSS_WIDTH: i32 = 9;

/// More than the width or height of any octagon that is allowed, in steps.
const MOST_WIDTH: i32 = 48;

/// Visits the least image of every octagon that is allowed and contains the cross, until `visit`
/// breaks.
fn for_each(
    mut visit: impl FnMut(Octagon) -> Result<ControlFlow<()>, ProofFault>,
) -> Result<(), ProofFault> {
    let cross = Octagon::new([3; 8]);
    // The cuts at the two ends of a side are together at most as long: all four at most twice the
    // width, and twice the height. So twice the lattice lines are at least 8 + 2 width + 6 height.
    for width in CROSS_WIDTH..=(284 / 8) {
        for height in width..=(284 - 2 * width) / 6 {
            let needed = (8 + 6 * (width + height) - 292) / 2;
            for a in 0..=width {
                for b in 0..=(height - a).min(width) {
                    for c in 0..=(width - b).min(height) {
                        let least = 0.max(needed - a - b - c);
                        for d in least..=(width - a).min(height - c) {
                            let octagon = Octagon::cut_from(width, height, [a, b, c, d]);
                            let octagon = octagon.expect("no side is negative");
                            if octagon.is_allowed()
                                && octagon.images().iter().all(|image| octagon <= *image)
                                && octagon.contains(&cross)
                                && visit(octagon)?.is_break()
                            {
                                return Ok(());
                            }
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

/// What belongs to the eight sides of an octagon, turned and mirrored like [`Octagon::images`].
fn images<T: Copy>(sides: [T; 8]) -> [[T; 8]; 8] {
    std::array::from_fn(|image| {
        let from = |side: usize| if image < 4 { side } else { (8 - side) % 8 };
        std::array::from_fn(|side| sides[(from(side) + 2 * image) % 8])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hardest_board_has_its_known_numbers() {
        let board = Octagon::new([10, 8, 10, 12, 10, 8, 10, 12]);
        assert_eq!((board.dots(), board.is_allowed()), (733, true));
    }

    #[test]
    fn an_octagon_lies_in_a_box_moved_and_its_images_are_eight() {
        let square = Octagon::new([9, 0, 9, 0, 9, 0, 9, 0]);
        let cross = Octagon::new([3; 8]);
        assert!(square.contains(&cross) && !cross.contains(&square));
        let leaning = Octagon::new([5, 1, 6, 0, 4, 2, 5, 0]);
        let mut images = leaning.images().to_vec();
        images.sort();
        images.dedup();
        assert_eq!(images.len(), 8);
        assert!(images.iter().all(|image| image.dots() == leaning.dots()));
    }

    #[test]
    fn every_octagon_is_visited_once() {
        let (mut count, mut largest) = (0, 0);
        let end = for_each(|octagon| {
            count += 1;
            largest = largest.max(octagon.dots());
            assert!(octagon.height() < MOST_WIDTH && octagon.width <= octagon.height());
            Ok(ControlFlow::Continue(()))
        });
        assert_eq!(end, Ok(()));
        assert_eq!((count, largest), (2_838_304, 741));
    }

    /// How far inside the sides of a hull are, moved in any way that the range allows.
    fn plainly(image: &RangeImage, hull: &Octagon) -> Vec<[i32; 8]> {
        let reach = |octagon: &Octagon, (x, y): (i32, i32)| {
            let ((least_sum, sum), (least_difference, difference)) = octagon.diagonals();
            [
                -y,
                difference + x - y,
                octagon.width + x,
                sum + x + y,
                octagon.height() + y,
                -(least_difference + x - y),
                -x,
                -(least_sum + x + y),
            ]
        };
        let moves = (-9..9).flat_map(|x| (-9..9).map(move |y| (x, y)));
        let steps = |by| {
            let (outer, inner) = (reach(&image.board, (0, 0)), reach(hull, by));
            let steps: [i32; 8] = std::array::from_fn(|side| outer[side] - inner[side]);
            let is_inside = (0..8).all(|side| (0..=image.slack[side]).contains(&steps[side]));
            is_inside.then_some(steps)
        };
        moves.filter_map(steps).collect()
    }

    /// A range of these sides whose hulls have as many moves as their sides get.
    fn range(sides: [u32; 8], slack: [i32; 8], price: impl Fn(usize, i64) -> i64) -> HullRange {
        let prices = |side: usize| (0..=slack[side].into()).map(|k| price(side, k)).collect();
        let leaf = LeafBound { scale: 1, total: 0, sides: (0..8).map(prices).collect() };
        HullRange { sides, slack, leaves: vec![leaf] }
    }

    #[test]
    fn ranges_that_take_too_long_to_look_up_are_refused() {
        let ranges = [range([30, 0, 40, 0, 30, 0, 40, 0], [64; 8], |_, _| 0)];
        let mut budget = Budget::of_bytes(0);
        budget.spend(crate::proof::budget::allowed_steps(0) as usize).expect("all that it has");
        let fault = first_uncovered(&ranges, 0, &mut budget).expect_err("too many");
        assert!(matches!(fault, ProofFault::TooMuchWork { .. }));
        let mut few = RangeIndex::new(&ranges, &mut Budget::of_bytes(0)).expect("few");
        assert!(few.bounds(&Octagon::new([9, 0, 9, 0, 9, 0, 9, 0]), 0, &mut budget).is_err());
        let small = Octagon::new([8, 0, 8, 0, 8, 0, 8, 0]);
        assert_eq!(few.bounds(&small, 0, &mut budget), Ok(false));
    }

    #[test]
    fn a_range_bounds_the_hulls_whose_sides_lie_within_the_slack_as_far_as_its_prices_say() {
        let slack = [1, 0, 2, 1, 0, 2, 1, 1];
        // Primes tell which side is how far inside.
        let price = |side: usize, k: i64| [2, 3, 5, 7, 11, 13, 17, 19][side] * k;
        let ranges = [range([3, 2, 4, 1, 4, 2, 3, 2], slack, price)];
        let all = RangeImage::all(&ranges, 0);
        assert_eq!(all.len(), 8);
        let budget = &mut Budget::of_bytes(1 << 20);
        let (mut inside, mut partly) = (0, 0);
        for width in 3..=9 {
            for height in 3..=9 {
                for cuts in (0..5i32.pow(4)).map(|n| [n % 5, n / 5 % 5, n / 25 % 5, n / 125]) {
                    let Some(hull) = Octagon::cut_from(width, height, cuts) else { continue };
                    let images = hull.images();
                    for moves in [20, 100_000] {
                        let bounds = |image: &RangeImage, hull: &Octagon, budget: &mut Budget| {
                            image.bounds(hull, &ranges[0].leaves, moves, budget).expect("quick")
                        };
                        let cost = |steps: [i32; 8]| {
                            (0..8).map(|side| price(side, steps[side].into())).sum::<i64>()
                        };
                        let expected =
                            plainly(&all[0], &hull).into_iter().any(|it| cost(it) <= moves);
                        assert_eq!(bounds(&all[0], &hull, budget), expected, "{hull}");
                        inside += i32::from(expected);
                        partly += i32::from(!expected && !plainly(&all[0], &hull).is_empty());
                        // An image of the range bounds the image of the hull.
                        for image in &all {
                            let found = images.iter().any(|hull| bounds(image, hull, budget));
                            assert!(!expected || found, "{hull}");
                        }
                    }
                }
            }
        }
        assert!(inside > 50 && partly > 10, "{inside} {partly}");
    }
}
