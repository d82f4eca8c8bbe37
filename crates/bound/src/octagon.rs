//! Octagons of the lattice, up to translation.
//!
//! The octagonal hull of some dots is the intersection of the half-planes `ax + by + c >= 0` with
//! a, b in {-1, 0, 1} that hold them (Michalewski, Nagórko, Pawlewicz 2015). Each of its eight
//! sides holds a dot, so it is a rectangle with its four corners cut off along diagonals, and all
//! its vertices are lattice points; sides of no length are allowed. Which octagons can be the hull
//! of a position is up to [`HullFamily`](crate::HullFamily).

use std::fmt;

use geometry::Point;

/// An octagon up to translation. Prints as its sides: `10,8,10,12,10,8,10,12`.
///
/// Ordered by width, height and cuts; the least of its eight images stands for its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Octagon {
    /// Steps from the leftmost to the rightmost column.
    width: i32,
    /// Steps from the highest to the lowest row.
    height: i32,
    /// Steps cut off at the corners: top right, bottom right, bottom left, top left.
    cuts: [i32; 4],
}

impl Octagon {
    /// The longest side that a board may have, in steps.
    pub const MAX_SIDE: u32 = 1000;

    /// The octagon with these sides, clockwise from the top, in steps between dots.
    ///
    /// Even sides run along the axes, odd ones along the diagonals; a side of n steps holds n + 1
    /// dots.
    pub fn new(sides: [u32; 8]) -> Result<Self, OctagonError> {
        if let Some(&side) = sides.iter().find(|&&side| side > Self::MAX_SIDE) {
            return Err(OctagonError::TooLong(side));
        }
        let a = sides.map(|side| side as i32);
        let (right, left) = (a[7] + a[0] + a[1], a[3] + a[4] + a[5]);
        if right != left {
            return Err(OctagonError::OpenAcross { top: right, bottom: left });
        }
        let (down, up) = (a[1] + a[2] + a[3], a[5] + a[6] + a[7]);
        if down != up {
            return Err(OctagonError::OpenAlong { right: down, left: up });
        }
        Ok(Self { width: right, height: down, cuts: [a[1], a[3], a[5], a[7]] })
    }

    /// The rectangle of `width` by `height` steps with its corners cut off by these steps: top
    /// right, bottom right, bottom left, top left. `None` if the cuts overlap.
    #[must_use]
    pub fn from_cuts(width: u32, height: u32, cuts: [u32; 4]) -> Option<Self> {
        let (width, height) = (i32::try_from(width).ok()?, i32::try_from(height).ok()?);
        let octagon = Self {
            width,
            height,
            cuts: cuts.map(|cut| i32::try_from(cut).unwrap_or(i32::MAX / 4)),
        };
        octagon.axis_sides().iter().all(|&side| side >= 0).then_some(octagon)
    }

    /// The octagonal hull of some dots and the top left corner of its bounding box; `None` without
    /// dots.
    #[must_use]
    pub fn hull(dots: impl IntoIterator<Item = Point>) -> Option<(Self, Point)> {
        let mut ranges: Option<[(i32, i32); 4]> = None;
        for dot in dots {
            let places = FAMILIES.map(|family| family(dot));
            ranges = Some(match ranges {
                None => places.map(|place| (place, place)),
                Some(found) => {
                    std::array::from_fn(|i| (found[i].0.min(places[i]), found[i].1.max(places[i])))
                }
            });
        }
        let [(left, right), (top, bottom), (least_sum, sum), (least_difference, difference)] =
            ranges?;
        let cuts = [
            right - top - difference,
            right + bottom - sum,
            least_difference - left + bottom,
            least_sum - left - top,
        ];
        Some((Self { width: right - left, height: bottom - top, cuts }, Point::new(left, top)))
    }

    /// The eight sides, clockwise from the top, in steps.
    pub fn sides(&self) -> [u32; 8] {
        let (axis, cuts) = (self.axis_sides(), self.cuts);
        let side = |i: usize| if i.is_multiple_of(2) { axis[i / 2] } else { cuts[i / 2] };
        std::array::from_fn(|i| side(i) as u32)
    }

    /// Steps from the leftmost to the rightmost column.
    pub fn width(&self) -> u32 {
        self.width as u32
    }

    /// Steps from the highest to the lowest row.
    pub fn height(&self) -> u32 {
        self.height as u32
    }

    /// Steps cut off at the corners: top right, bottom right, bottom left, top left.
    pub fn cuts(&self) -> [u32; 4] {
        self.cuts.map(|cut| cut as u32)
    }

    /// The least and greatest x, y, x + y and x - y of its dots, if its bounding box starts at
    /// (0,0).
    #[must_use]
    pub fn supports(&self) -> [(i32, i32); 4] {
        let (width, height, [a, b, c, d]) = (self.width, self.height, self.cuts);
        [(0, width), (0, height), (d, width + height - b), (c - height, width - a)]
    }

    /// Its eight vertices, clockwise from the left end of the top side, when its bounding box
    /// starts at (0,0). The ends of a side without length coincide.
    #[must_use]
    pub fn vertices(&self) -> [Point; 8] {
        let (width, height, [a, b, c, d]) = (self.width, self.height, self.cuts);
        [
            (d, 0),
            (width - a, 0),
            (width, a),
            (width, height - b),
            (width - b, height),
            (c, height),
            (0, height - c),
            (0, d),
        ]
        .map(|(x, y)| Point::new(x, y))
    }

    /// The number of dots in it.
    #[must_use]
    pub fn area(&self) -> u32 {
        let triangles: i32 = self.cuts.iter().map(|cut| cut * (cut + 1) / 2).sum();
        ((self.width + 1) * (self.height + 1) - triangles) as u32
    }

    /// Twice the number of lattice lines of the four directions that meet it, which is the number
    /// of free half-segments of the full octagon: 8 + 3 for each axis step + 4 for each diagonal
    /// one.
    #[must_use]
    pub fn potential(&self) -> u32 {
        (8 + 6 * (self.width + self.height) - 2 * self.cuts.iter().sum::<i32>()) as u32
    }

    /// The number of corners: diagonal sides without length.
    #[must_use]
    pub fn corners(&self) -> usize {
        self.cuts.iter().filter(|&&cut| cut == 0).count()
    }

    /// By how much the potential of a hull may exceed that of its position: 0 without corners, 4
    /// with two opposite ones, else 2.
    #[must_use]
    pub fn modifier(&self) -> u32 {
        let [a, b, c, d] = self.cuts.map(|cut| cut == 0);
        match (a && c || b && d, a || b || c || d) {
            (true, _) => 4,
            (_, true) => 2,
            _ => 0,
        }
    }

    /// Whether it contains `dot` when its bounding box starts at (0,0).
    #[must_use]
    pub fn contains(&self, dot: Point) -> bool {
        let (left, top) = (dot.x, dot.y);
        let (right, bottom) = (self.width - dot.x, self.height - dot.y);
        let to_corners = [right + top, right + bottom, left + bottom, left + top];
        [left, top, right, bottom].iter().all(|&steps| steps >= 0)
            && to_corners.iter().zip(self.cuts).all(|(&steps, cut)| steps >= cut)
    }

    /// Its dots, row by row, when its bounding box starts at (0,0).
    pub fn dots(&self) -> impl Iterator<Item = Point> + '_ {
        let rows = 0..=self.height;
        rows.flat_map(|y| (0..=self.width).map(move |x| Point::new(x, y)))
            .filter(|&dot| self.contains(dot))
    }

    /// Whether `inner` fits into it by translation.
    #[must_use]
    pub fn fits(&self, inner: &Self) -> bool {
        let (across, along) = (self.width - inner.width, self.height - inner.height);
        // How far the inner one must keep away from each corner of the bounding box.
        let keep: [i32; 4] = std::array::from_fn(|i| self.cuts[i] - inner.cuts[i]);
        (0..=across).any(|left| {
            let right = across - left;
            let top = 0.max(keep[0] - right).max(keep[3] - left);
            let bottom = 0.max(keep[1] - right).max(keep[2] - left);
            top + bottom <= along
        })
    }

    /// Its images under the eight symmetries, itself first; equal ones are repeated.
    #[must_use]
    pub fn images(&self) -> [Self; 8] {
        let mut image = *self;
        std::array::from_fn(|i| {
            let now = image;
            image = if i == 3 { image.rotated().reflected() } else { image.rotated() };
            now
        })
    }

    /// The least of its images, which represents its class.
    #[must_use]
    pub fn canonical(&self) -> Self {
        self.images().into_iter().min().expect("there are eight images")
    }

    /// The octagons one step larger: each larger octagon that contains a translate of this one is
    /// one of these or contains one of them.
    ///
    /// A larger octagon contains a dot next to this one, and with it the hull of both. The minimal
    /// such hulls are these: a diagonal side pushed out by one; an axis side of at least two steps
    /// pushed out by one, which cuts one more step on either side of it; and one of a single step
    /// with a corner at one end, which keeps that corner. An octagon that is only a segment also
    /// grows at its ends.
    pub fn enlargements(&self) -> impl Iterator<Item = Self> {
        let this = *self;
        let diagonal = (0..4).filter(move |&i| this.cuts[i] > 0).map(move |i| {
            let mut larger = this;
            larger.cuts[i] -= 1;
            larger
        });
        let sides = this.axis_sides();
        let axis = (0..4).flat_map(move |i| {
            let (before, after) = ((i + 3) % 4, i);
            let mut pushed = this;
            *(if i % 2 == 0 { &mut pushed.height } else { &mut pushed.width }) += 1;
            let with = |cuts: &[usize]| {
                let mut larger = pushed;
                cuts.iter().for_each(|&cut| larger.cuts[cut] += 1);
                larger
            };
            let [no_before, no_after] = [before, after].map(|cut| this.cuts[cut] == 0);
            let whole = (sides[i] >= 2).then(|| with(&[before, after]));
            let at_before = (sides[i] == 1 && no_before).then(|| with(&[after]));
            let at_after = (sides[i] == 1 && no_after).then(|| with(&[before]));
            let end = (sides[i] == 0 && no_before && no_after).then_some(pushed);
            [whole, at_before, at_after, end].into_iter().flatten()
        });
        let ends =
            (0..4).filter(move |&i| this.cuts[i] == 0 && sides[i] == 0 && sides[(i + 1) % 4] == 0);
        let ends = ends.map(move |i| {
            let mut larger = Self { width: this.width + 1, height: this.height + 1, ..this };
            larger.cuts[(i + 1) % 4] += 1;
            larger.cuts[(i + 3) % 4] += 1;
            larger
        });
        diagonal.chain(axis).chain(ends)
    }

    /// The hull after moving its sides outwards by these steps, clockwise from the top. A side that
    /// no longer meets it is moved back until it does.
    #[must_use]
    pub fn pushed(&self, steps: [u32; 8]) -> Self {
        let [top, right_top, right, right_bottom, bottom, left_bottom, left, left_top] =
            steps.map(|step| step as i32);
        let (across, along) = (left + right, top + bottom);
        let [a, b, c, d] = self.cuts;
        let cuts = [
            a + right + top - right_top,
            b + right + bottom - right_bottom,
            c + left + bottom - left_bottom,
            d + left + top - left_top,
        ];
        let mut pushed = Self {
            width: self.width + across,
            height: self.height + along,
            cuts: cuts.map(|cut| cut.max(0)),
        };
        // An axis side that its neighbours cut off altogether.
        while let Some(side) = pushed.axis_sides().iter().position(|&side| side < 0) {
            let cut = match pushed.cuts[side] > pushed.cuts[(side + 3) % 4] {
                true => side,
                false => (side + 3) % 4,
            };
            pushed.cuts[cut] -= 1;
        }
        pushed
    }

    /// The sides along the axes: top, right, bottom, left.
    fn axis_sides(&self) -> [i32; 4] {
        let cuts = self.cuts;
        std::array::from_fn(|i| {
            let whole = if i % 2 == 0 { self.width } else { self.height };
            whole - cuts[(i + 3) % 4] - cuts[i]
        })
    }

    /// A quarter turn clockwise.
    fn rotated(&self) -> Self {
        let [a, b, c, d] = self.cuts;
        Self { width: self.height, height: self.width, cuts: [d, a, b, c] }
    }

    /// Left and right exchanged.
    fn reflected(&self) -> Self {
        let [a, b, c, d] = self.cuts;
        Self { cuts: [d, c, b, a], ..*self }
    }
}

impl fmt::Display for Octagon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sides = self.sides().map(|side| side.to_string());
        f.write_str(&sides.join(","))
    }
}

/// The number of diagonal lattice lines without a dot that have dots on both sides.
#[must_use]
pub fn gap_lines(dots: &[Point]) -> usize {
    let gaps = |family: fn(Point) -> i32| {
        let mut places: Vec<i32> = dots.iter().map(|&dot| family(dot)).collect();
        places.sort_unstable();
        places.dedup();
        let span = match places[..] {
            [] => 0,
            [first, .., last] => (last - first + 1) as usize,
            [_] => 1,
        };
        span - places.len()
    };
    FAMILIES[2..].iter().map(|&family| gaps(family)).sum()
}

/// The index of the lattice line of each direction through a point: columns, rows, diagonals.
const FAMILIES: [fn(Point) -> i32; 4] = [|p| p.x, |p| p.y, |p| p.x + p.y, |p| p.x - p.y];

/// Why sides do not form an octagon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OctagonError {
    /// A side is too long.
    #[error("a side of {0} steps is too long; the limit is {limit}", limit = Octagon::MAX_SIDE)]
    TooLong(u32),
    /// The upper sides are not as wide as the lower ones.
    #[error(
        "the sides do not close: a7+a0+a1 is {top} and a3+a4+a5 is {bottom}; they must be equal"
    )]
    OpenAcross {
        /// The width of the upper sides.
        top: i32,
        /// The width of the lower sides.
        bottom: i32,
    },
    /// The right sides are not as high as the left ones.
    #[error(
        "the sides do not close: a1+a2+a3 is {right} and a5+a6+a7 is {left}; they must be equal"
    )]
    OpenAlong {
        /// The height of the right sides.
        right: i32,
        /// The height of the left sides.
        left: i32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Start;
    use proptest::prelude::*;

    fn octagon(sides: [u32; 8]) -> Octagon {
        Octagon::new(sides).expect("closed sides")
    }

    fn any_octagon() -> impl Strategy<Value = Octagon> {
        let cut = 0u32..8;
        (0u32..14, 0u32..14, [cut.clone(), cut.clone(), cut.clone(), cut])
            .prop_filter_map("the cuts fit", |(w, h, cuts)| Octagon::from_cuts(w, h, cuts))
    }

    fn any_segment() -> impl Strategy<Value = Octagon> {
        (0u32..9, 0..4).prop_map(|(steps, kind)| {
            let (width, height, cuts) = match kind {
                0 => (steps, 0, [0; 4]),
                1 => (0, steps, [0; 4]),
                2 => (steps, steps, [steps, 0, steps, 0]),
                _ => (steps, steps, [0, steps, 0, steps]),
            };
            Octagon::from_cuts(width, height, cuts).expect("a segment")
        })
    }

    proptest! {
        #[test]
        fn an_octagon_is_the_hull_of_its_vertices(octagon in any_octagon()) {
            prop_assert_eq!(Octagon::hull(octagon.vertices()), Some((octagon, Point::new(0, 0))));
        }
    }

    #[test]
    fn the_hardest_board_has_its_known_numbers() {
        let board = octagon([10, 8, 10, 12, 10, 8, 10, 12]);
        assert_eq!((board.area(), board.potential(), board.modifier()), (733, 288, 0));
        assert_eq!((board.width(), board.height()), (30, 30));
        assert_eq!(board.to_string(), "10,8,10,12,10,8,10,12");
    }

    #[test]
    fn the_hull_of_the_cross_has_eight_equal_sides() {
        let cross = Start::cross(4).expect("a side");
        let (hull, corner) = Octagon::hull(cross.dots().iter().copied()).expect("dots");
        assert_eq!((hull.sides(), corner), ([3; 8], Point::new(0, 0)));
    }

    #[test]
    fn sides_that_do_not_close_are_rejected() {
        let open = OctagonError::OpenAcross { top: 3, bottom: 2 };
        assert_eq!(Octagon::new([3, 0, 2, 0, 2, 0, 2, 0]), Err(open));
        let open = OctagonError::OpenAlong { right: 3, left: 2 };
        assert_eq!(Octagon::new([2, 0, 3, 0, 2, 0, 2, 0]), Err(open));
        assert_eq!(Octagon::new([1001; 8]), Err(OctagonError::TooLong(1001)));
        assert_eq!(Octagon::from_cuts(3, 3, [2, 2, 0, 0]), None);
    }

    #[test]
    fn gaps_are_empty_diagonals_between_dots() {
        let dots = [(0, 0), (2, 0)].map(|(x, y)| Point::new(x, y));
        assert_eq!(gap_lines(&dots), 2);
        assert_eq!(gap_lines(&dots[..1]), 0);
        assert_eq!(gap_lines(&[]), 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::with_cases(2000)
        })]

        #[test]
        fn the_hull_of_its_dots_is_the_octagon_itself(octagon in any_octagon()) {
            let dots: Vec<Point> = octagon.dots().collect();
            prop_assert_eq!(dots.len(), octagon.area() as usize);
            prop_assert_eq!(Octagon::hull(dots), Some((octagon, Point::new(0, 0))));
            prop_assert_eq!(Octagon::new(octagon.sides()), Ok(octagon));
        }

        #[test]
        fn the_potential_counts_lattice_lines_and_free_half_segments(octagon in any_octagon()) {
            let dots: Vec<Point> = octagon.dots().collect();
            let lines: usize = FAMILIES
                .iter()
                .map(|family| {
                    let mut places: Vec<i32> = dots.iter().map(|&dot| family(dot)).collect();
                    places.sort_unstable();
                    places.dedup();
                    places.len()
                })
                .sum();
            // Thin diagonals have gaps: there the lattice lines that meet it hold no dot.
            prop_assert_eq!(octagon.potential() as usize, 2 * (lines + gap_lines(&dots)));
            let steps = [1, -1].into_iter().flat_map(|s| {
                [(s, 0), (0, s), (s, s), (s, -s)].map(|(x, y)| Point::new(x, y))
            });
            let is_free = |step: Point| {
                dots.iter().filter(|&&dot| !octagon.contains(dot + step)).count()
            };
            let free = steps.map(is_free);
            prop_assert_eq!(2 * lines, free.sum::<usize>());
        }

        #[test]
        fn its_images_are_those_of_its_dots(octagon in any_octagon()) {
            let low = Point::new(0, 0);
            let turns = geometry::Symmetry::of_box(low, low);
            let mut expected: Vec<Octagon> = turns
                .iter()
                .map(|turn| {
                    let dots = octagon.dots().map(|dot| turn.point(dot));
                    Octagon::hull(dots).expect("dots").0
                })
                .collect();
            let mut images = octagon.images().to_vec();
            prop_assert_eq!(images[0], octagon);
            for image in octagon.images() {
                prop_assert_eq!(image.canonical(), octagon.canonical());
            }
            expected.sort_unstable();
            images.sort_unstable();
            prop_assert_eq!(images, expected);
        }

        #[test]
        fn fitting_is_having_all_dots_somewhere(outer in any_octagon(), inner in any_octagon()) {
            let at = |shift: Point| inner.dots().all(|dot| outer.contains(dot + shift));
            let somewhere = (0..14).any(|x| (0..14).any(|y| at(Point::new(x, y))));
            prop_assert_eq!(outer.fits(&inner), somewhere);
        }

        #[test]
        fn every_larger_octagon_contains_an_enlargement(
            octagon in prop_oneof![any_octagon(), any_segment()],
            dots in prop::collection::vec((-3..17, -3..17), 1..3),
        ) {
            let dots = dots.into_iter().map(|(x, y)| Point::new(x, y));
            let (hull, corner) = Octagon::hull(octagon.dots().chain(dots)).expect("dots");
            prop_assume!(hull != octagon);
            let fits = octagon.enlargements().any(|larger| hull.fits(&larger));
            prop_assert!(fits, "{octagon} {hull} {corner}");
            for larger in octagon.enlargements() {
                prop_assert!(larger.fits(&octagon) && larger.potential() > octagon.potential());
                prop_assert!(larger.axis_sides().iter().all(|&side| side >= 0), "{larger}");
            }
        }
    }
}
