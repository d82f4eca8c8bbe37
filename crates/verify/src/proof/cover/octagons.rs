//! All octagons that can be the hull of a position, one of each class up to symmetry, and which of
//! them lie in a board or in a range.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::ControlFlow;

use super::HullRange;
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

    /// The representative of all its images.
    fn least_image(&self) -> Octagon {
        self.images().into_iter().min().expect("there are eight images")
    }
}

impl fmt::Display for Octagon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sides: Vec<String> = self.sides.iter().map(i32::to_string).collect();
        write!(f, "octagon:{}", sides.join(","))
    }
}

/// An image of a range under the eight symmetries: its board, and the slack of each side.
struct RangeImage {
    board: Octagon,
    slack: [i32; 8],
}

impl RangeImage {
    fn all(range: &HullRange) -> Vec<RangeImage> {
        let board = Octagon::new(range.sides).images();
        let slack = images(range.slack);
        let mut all: Vec<RangeImage> = Vec::new();
        for (board, slack) in board.into_iter().zip(slack) {
            if !all.iter().any(|other| other.board == board && other.slack == slack) {
                all.push(RangeImage { board, slack });
            }
        }
        all
    }

    /// Whether it has this hull, moved.
    fn contains(&self, hull: &Octagon) -> bool {
        let [top, right_top, right, right_bottom, bottom, left_bottom, left, left_top] = self.slack;
        // How far the hull may be moved, so that its first place is at most `first` inside that of
        // the board, and its last one at most `last`.
        let moves = |outer: (i32, i32), inner: (i32, i32), first: i32, last: i32| {
            let (least, most) = (outer.0 - inner.0, outer.1 - inner.1);
            (least.max(most - last), most.min(least + first))
        };
        let x = moves((0, self.board.width), (0, hull.width), left, right);
        let y = moves((0, self.board.height()), (0, hull.height()), top, bottom);
        let (outer, inner) = (self.board.diagonals(), hull.diagonals());
        let sum = moves(outer.0, inner.0, left_top, right_bottom);
        let difference = moves(outer.1, inner.1, left_bottom, right_top);
        (x.0..=x.1).any(|x| {
            let least = y.0.max(sum.0 - x).max(x - difference.1);
            let most = y.1.min(sum.1 - x).min(x - difference.0);
            least <= most
        })
    }
}

/// The ranges by the width and height of their hulls.
struct RangeIndex {
    images: Vec<RangeImage>,
    /// The images that may have a hull of this width and height; the last one that had comes first.
    by_size: HashMap<(i32, i32), Vec<u32>>,
}

impl RangeIndex {
    /// About how long it takes to enter an image for one width and height.
    const STEPS_TO_ENTER: usize = 20;

    /// About how long it takes to compare a hull with an image.
    const STEPS_TO_COMPARE: usize = 20;

    fn new(ranges: &[HullRange], budget: &mut Budget) -> Result<RangeIndex, ProofFault> {
        let images: Vec<RangeImage> = ranges.iter().flat_map(RangeImage::all).collect();
        let mut by_size: HashMap<(i32, i32), Vec<u32>> = HashMap::new();
        for (number, image) in (0..).zip(&images) {
            let (width, height) = (image.board.width, image.board.height());
            let [top, _, right, _, bottom, _, left, _] = image.slack;
            for width in (width - left - right).max(CROSS_WIDTH)..=width.min(MOST_WIDTH) {
                for height in (height - top - bottom).max(width)..=height.min(MOST_WIDTH) {
                    budget.spend(Self::STEPS_TO_ENTER)?;
                    by_size.entry((width, height)).or_default().push(number);
                }
            }
        }
        Ok(RangeIndex { images, by_size })
    }

    /// Whether a range has this hull, which is no wider than high.
    fn contains(&mut self, hull: &Octagon, budget: &mut Budget) -> Result<bool, ProofFault> {
        let Some(near) = self.by_size.get_mut(&(hull.width, hull.height())) else {
            return Ok(false);
        };
        let found = near.iter().position(|&number| self.images[number as usize].contains(hull));
        let compared = found.map_or(near.len(), |place| place + 1);
        budget.spend_product(compared, Self::STEPS_TO_COMPARE)?;
        if let Some(place) = found {
            near[..=place].rotate_right(1);
        }
        Ok(found.is_some())
    }
}

/// About how long the enumeration takes.
const STEPS_TO_ENUMERATE: usize = 50_000_000;

/// About how long it takes to look at the images of an octagon, and into one board.
const STEPS_FOR_OCTAGON: usize = 100;

/// An octagon with more than `most` dots that can be the hull of a position, lies in no board, is
/// none of the hulls and in no range.
pub(super) fn first_uncovered(
    boards: &[Octagon],
    hulls: &[Octagon],
    ranges: &[HullRange],
    most: i64,
    budget: &mut Budget,
) -> Result<Option<Octagon>, ProofFault> {
    // What it takes to look into the boards up to each: for eight images, at all places.
    let up_to: Vec<usize> = boards
        .iter()
        .scan(0, |sum, board| {
            *sum += 8 * (board.width as usize + 1);
            Some(*sum)
        })
        .collect();
    let hulls: HashSet<Octagon> = hulls.iter().map(Octagon::least_image).collect();
    let mut ranges = RangeIndex::new(ranges, budget)?;
    let mut last = 0;
    let mut uncovered = None;
    // The enumeration itself is always the same.
    budget.spend(STEPS_TO_ENUMERATE)?;
    for_each(|octagon| {
        if i64::from(octagon.dots()) <= most {
            return Ok(ControlFlow::Continue(()));
        }
        budget.spend(STEPS_FOR_OCTAGON)?;
        let images = octagon.images();
        let contains = |board: &Octagon| images.iter().any(|image| board.contains(image));
        // Neighbours in the enumeration mostly lie in the same board.
        if boards.get(last).is_some_and(contains)
            || hulls.contains(&octagon)
            || ranges.contains(&octagon, budget)?
        {
            return Ok(ControlFlow::Continue(()));
        }
        let board = boards.iter().position(contains);
        let seen_boards = board.map_or(boards.len(), |board| board + 1);
        budget.spend(seen_boards.checked_sub(1).map_or(0, |last| up_to[last]))?;
        match board {
            Some(board) => {
                last = board;
                Ok(ControlFlow::Continue(()))
            }
            None => {
                uncovered = Some(octagon);
                Ok(ControlFlow::Break(()))
            }
        }
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

    /// Whether a hull, moved in any way, has its sides where the range allows.
    fn plainly(image: &RangeImage, hull: &Octagon) -> bool {
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
        moves.into_iter().any(|by| {
            let sides = reach(&image.board, (0, 0)).into_iter().zip(reach(hull, by));
            let mut inside = sides.map(|(outer, inner)| outer - inner).zip(image.slack);
            inside.all(|(steps, slack)| (0..=slack).contains(&steps))
        })
    }

    #[test]
    fn ranges_that_take_too_long_to_look_up_are_refused() {
        let range = HullRange { sides: [30, 0, 40, 0, 30, 0, 40, 0], slack: [64; 8] };
        let mut budget = Budget::of_bytes(0);
        budget.spend(crate::proof::budget::BASE_STEPS as usize).expect("all that it has");
        let fault = first_uncovered(&[], &[], &[range], 0, &mut budget).expect_err("too many");
        assert!(matches!(fault, ProofFault::TooMuchWork { .. }));
        let mut few = RangeIndex::new(&[range], &mut Budget::of_bytes(0)).expect("few");
        assert!(few.contains(&Octagon::new([9, 0, 9, 0, 9, 0, 9, 0]), &mut budget).is_err());
        let small = Octagon::new([8, 0, 8, 0, 8, 0, 8, 0]);
        assert_eq!(few.contains(&small, &mut budget), Ok(false));
    }

    #[test]
    fn a_range_has_the_hulls_whose_sides_lie_within_the_slack() {
        let slack = [1, 0, 2, 1, 0, 2, 1, 1];
        let range = HullRange { sides: [3, 2, 4, 1, 4, 2, 3, 2], slack };
        let all = RangeImage::all(&range);
        assert_eq!(all.len(), 8);
        let mut inside = 0;
        for width in 3..=9 {
            for height in 3..=9 {
                for cuts in (0..5i32.pow(4)).map(|n| [n % 5, n / 5 % 5, n / 25 % 5, n / 125]) {
                    let Some(hull) = Octagon::cut_from(width, height, cuts) else { continue };
                    for image in &all {
                        assert_eq!(image.contains(&hull), plainly(image, &hull), "{hull}");
                    }
                    let is_inside = all[0].contains(&hull);
                    inside += i32::from(is_inside);
                    // An image of the range has the image of the hull.
                    let images = hull.images();
                    let has = |image: &RangeImage| images.iter().any(|hull| image.contains(hull));
                    assert!(!is_inside || all.iter().all(has), "{hull}");
                }
            }
        }
        assert!(inside > 50, "{inside}");
    }
}
