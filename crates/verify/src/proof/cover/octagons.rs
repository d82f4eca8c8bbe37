//! All octagons that can be the hull of a position, one of each class up to symmetry, and which of
//! them lie in a board.

use std::collections::HashSet;
use std::fmt;

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
        std::array::from_fn(|image| {
            let from = |side: usize| if image < 4 { side } else { (8 - side) % 8 };
            Octagon::from_sides(std::array::from_fn(|side| {
                self.sides[(from(side) + 2 * image) % 8]
            }))
        })
    }

    /// The representative of all its images.
    fn least_image(&self) -> Octagon {
        self.images().into_iter().min().expect("there are eight images")
    }

    /// Its dots, if its box starts at (0,0).
    fn points(&self) -> Vec<(i32, i32)> {
        let (sums, differences) = self.diagonals();
        let mut points = Vec::new();
        for y in 0..=self.height() {
            for x in 0..=self.width {
                let within = |(least, most): (i32, i32), place| (least..=most).contains(&place);
                if within(sums, x + y) && within(differences, x - y) {
                    points.push((x, y));
                }
            }
        }
        points
    }

    /// The smallest octagons that contain all its dots but those of one side. A smaller octagon
    /// inside it misses some side entirely, so it lies in one of these.
    fn without_a_side(&self) -> Vec<Octagon> {
        let points = self.points();
        let keys: [Key; 8] = [
            |&(x, _)| x,
            |&(x, _)| -x,
            |&(_, y)| y,
            |&(_, y)| -y,
            |&(x, y)| x + y,
            |&(x, y)| -x - y,
            |&(x, y)| x - y,
            |&(x, y)| y - x,
        ];
        let rest = keys.into_iter().filter_map(|key| {
            let side = points.iter().map(key).max()?;
            let rest: Vec<(i32, i32)> =
                points.iter().copied().filter(|point| key(point) < side).collect();
            // How far the dots reach in each of the eight directions.
            let reach = keys.map(|key| rest.iter().map(key).max());
            let [right, left, bottom, top, sum, less_sum, difference, less_difference] = reach;
            let (right, left, bottom, top) = (right?, -left?, bottom?, -top?);
            let cuts = [
                right - top - difference?,
                right + bottom - sum?,
                bottom - left - less_difference?,
                -less_sum? - left - top,
            ];
            Octagon::cut_from(right - left, bottom - top, cuts)
        });
        rest.collect()
    }

    /// Octagons that are a little larger: a diagonal side pushed out, or one along an axis.
    fn larger(&self) -> impl Iterator<Item = Octagon> {
        let (width, height, cuts) = (self.width, self.height(), self.cuts());
        let diagonal = (0..4).filter_map(move |corner| {
            let mut cuts = cuts;
            cuts[corner] -= 1;
            (cuts[corner] >= 0).then(|| Octagon::cut_from(width, height, cuts))?
        });
        let axis = (0..4).filter_map(move |side| {
            // The corners beside the top, right, bottom and left side.
            let mut cuts = cuts;
            cuts[(side + 3) % 4] += 1;
            cuts[side] += 1;
            let across = (side % 2) as i32;
            Octagon::cut_from(width + across, height + 1 - across, cuts)
        });
        diagonal.chain(axis)
    }
}

/// How far a dot lies in a direction.
type Key = fn(&(i32, i32)) -> i32;

impl fmt::Display for Octagon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sides: Vec<String> = self.sides.iter().map(i32::to_string).collect();
        write!(f, "octagon:{}", sides.join(","))
    }
}

/// An octagon with more than `most` dots that can be the hull of a position, lies in no board and
/// is none of the hulls.
pub(super) fn first_uncovered(boards: &[Octagon], hulls: &[Octagon], most: i64) -> Option<Octagon> {
    let cross = Octagon::new([3; 8]);
    let hulls: HashSet<Octagon> = hulls.iter().map(Octagon::least_image).collect();
    let mut seen = HashSet::new();
    let mut last = 0;
    let mut uncovered = None;
    for_each(|octagon| {
        let mut waiting = vec![octagon];
        while let Some(octagon) = waiting.pop() {
            if uncovered.is_some() || i64::from(octagon.dots()) <= most {
                continue;
            }
            let images = octagon.images();
            let contains = |board: &Octagon| images.iter().any(|image| board.contains(image));
            // Neighbours in the enumeration mostly lie in the same board.
            if boards.get(last).is_some_and(contains) {
                continue;
            }
            if let Some(board) = boards.iter().position(contains) {
                last = board;
                continue;
            }
            let octagon = octagon.least_image();
            if !hulls.contains(&octagon) && octagon.is_allowed() && octagon.contains(&cross) {
                uncovered = Some(octagon);
            } else if seen.insert(octagon) {
                waiting.extend(octagon.without_a_side());
            }
        }
    });
    uncovered
}

/// Visits octagons so that each one that is allowed and contains the cross lies in one of them.
fn for_each(mut visit: impl FnMut(Octagon)) {
    let cross = Octagon::new([3; 8]);
    // The cuts at the two ends of a side are together at most as long: all four at most twice the
    // width, and twice the height. So twice the lattice lines are at least 8 + 2 width + 6 height.
    for width in 9..=(284 / 8) {
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
                                && octagon.contains(&cross)
                                && !octagon.larger().any(|larger| larger.is_allowed())
                                && octagon.images().iter().all(|image| octagon <= *image)
                            {
                                visit(octagon);
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hardest_board_has_its_known_numbers() {
        let board = Octagon::new([10, 8, 10, 12, 10, 8, 10, 12]);
        assert_eq!((board.dots(), board.is_allowed()), (733, true));
        assert!(board.larger().all(|larger| !larger.is_allowed() && larger.contains(&board)));
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
    fn every_octagon_inside_another_lies_in_it_without_a_side() {
        let outer = Octagon::new([3, 2, 4, 1, 4, 2, 3, 2]);
        let points = outer.points();
        assert_eq!(points.len() as i32, outer.dots());
        let smaller = outer.without_a_side();
        assert_eq!(smaller.len(), 8);
        let mut inside = 0;
        for width in 0..=outer.width {
            for height in 0..=outer.height() {
                for cuts in (0..4i32.pow(4)).map(|n| [n % 4, n / 4 % 4, n / 16 % 4, n / 64]) {
                    let Some(inner) = Octagon::cut_from(width, height, cuts) else { continue };
                    if outer.contains(&inner) && inner != outer {
                        inside += 1;
                        assert!(smaller.iter().any(|smaller| smaller.contains(&inner)), "{inner}");
                    }
                }
            }
        }
        assert!(inside > 1000, "{inside}");
    }

    #[test]
    fn every_maximal_octagon_is_visited() {
        let (mut count, mut largest) = (0, 0);
        for_each(|octagon| {
            count += 1;
            largest = largest.max(octagon.dots());
        });
        // Exactly those are maximal; visiting a few more does no harm.
        assert!((90_397..100_000).contains(&count), "{count}");
        assert_eq!(largest, 741);
    }
}
