//! Which octagons can be the hull of a position.
//!
//! In the touching game with lines of five dots a move adds 8 free half-segments with its dot and
//! uses 8 with its line, so a position that started with n dots always has 8n of them. Those that
//! point outwards number potential(hull) - 2 gaps, and 2 gaps are at most the inner ones + modifier
//! (Michalewski, Nagórko, Pawlewicz 2015). Hence potential(hull) <= 8n + modifier: there are
//! finitely many hulls, and a bound for each of them is a bound for the game. The value of a
//! relaxation grows with the board, so the maximal ones suffice.

use geometry::{Game, Start};

use crate::octagon::Octagon;

/// The octagons that contain the start and have at most its potential + modifier.
///
/// An octagon contains the start if an image of the start fits into it by translation.
#[derive(Debug, Clone)]
pub struct HullFamily {
    /// Free half-segments of every position: 8 for each dot of the start.
    potential: u32,
    /// The hull of the start and its images.
    starts: Vec<Octagon>,
}

impl HullFamily {
    /// The octagons that can be the hull of a position of 5T, and so of 5D, from the usual cross.
    ///
    /// A disjoint game is also a touching one. The lemmas need not hold for other starts: if their
    /// dots are far apart, whole rows of a hull may be empty.
    pub fn new(game: &Game) -> Result<Self, FamilyError> {
        match game.rules.length() == 5 && game.is_usual() {
            true => Ok(Self::containing(&game.start)),
            false => Err(FamilyError { game: game.to_string() }),
        }
    }

    fn containing(start: &Start) -> Self {
        let dots = start.dots();
        let (hull, _) = Octagon::hull(dots.iter().copied()).expect("a start with dots");
        let mut starts = hull.images().to_vec();
        starts.sort_unstable();
        starts.dedup();
        Self { potential: 8 * dots.len() as u32, starts }
    }

    /// The free half-segments of every position.
    #[must_use]
    pub fn potential(&self) -> u32 {
        self.potential
    }

    /// Whether the potential allows this octagon.
    #[must_use]
    pub fn allows(&self, octagon: &Octagon) -> bool {
        octagon.potential() <= self.potential + octagon.modifier()
    }

    /// Whether this octagon is in the family.
    #[must_use]
    pub fn contains(&self, octagon: &Octagon) -> bool {
        self.allows(octagon) && self.starts.iter().any(|start| octagon.fits(start))
    }

    /// Whether no octagon of the family but its images contains this one, which contains the start.
    ///
    /// Potential grows with the octagon, so up to the potential of the family every enlargement is
    /// in the family. Beyond it are only the few with corners, perhaps behind others without:
    /// those are enumerated as far as any potential is allowed.
    #[must_use]
    pub fn is_maximal(&self, octagon: &Octagon) -> bool {
        octagon.enlargements().all(|larger| {
            larger.potential() > self.potential + 4
                || !self.allows(&larger) && self.is_maximal(&larger)
        })
    }

    /// Visits one octagon of each class in the family, in increasing order.
    pub fn for_each_class(&self, mut visit: impl FnMut(Octagon)) {
        let least = self.starts[0].width();
        let most = self.potential + 4;
        // The least potential of a box, all cuts as large as can be: 8 + 2 x (shorter + 3 longer).
        for width in (least..).take_while(|width| 8 + 8 * width <= most) {
            for height in (width..).take_while(|height| 8 + 2 * width + 6 * height <= most) {
                let cuts_needed = (8 + 6 * (width + height)).saturating_sub(most) / 2;
                for_each_cut(width, height, cuts_needed, |octagon| {
                    if octagon.canonical() == octagon && self.contains(&octagon) {
                        visit(octagon);
                    }
                });
            }
        }
    }

    /// The number of classes, and how many of them are maximal.
    #[must_use]
    pub fn count(&self) -> FamilyCounts {
        let mut count = FamilyCounts::default();
        self.for_each_class(|octagon| {
            count.classes += 1;
            count.largest = count.largest.max(octagon.area());
            count.maximal += u64::from(self.is_maximal(&octagon));
        });
        count
    }
}

/// The size of a family.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FamilyCounts {
    /// Classes of octagons under translation and the eight symmetries.
    pub classes: u64,
    /// Those that no other one contains.
    pub maximal: u64,
    /// The number of dots of the largest.
    pub largest: u32,
}

/// The number of boards in the published list for 5T, by modifier 0, 2 and 4: 126,912 in total.
///
/// Its conventions: sides a0 to a7 with potential exactly 288 + modifier, a0+a1+a2, a1+a2+a3 and
/// a7+a0+a1 at least 9, a0 at least a2, a4 and a6, a7 at least a1. It counts some boards several
/// times and omits a few that are in [`HullFamily`].
#[must_use]
pub fn published_boards() -> [u64; 3] {
    let mut counts = [0; 3];
    for width in 9..=142 {
        for height in 9..=142 {
            let all: u32 = 8 + 6 * (width + height);
            let cuts_needed = all.saturating_sub(288 + 4) / 2;
            if all < 288 || cuts_needed > 2 * width.min(height) {
                continue;
            }
            for_each_cut(width, height, cuts_needed, |octagon| {
                let [a0, a1, a2, _, a4, _, a6, a7] = octagon.sides();
                let listed = octagon.potential() == 288 + octagon.modifier()
                    && a0 + a1 + a2 >= 9
                    && a0 >= a2.max(a4).max(a6)
                    && a7 >= a1;
                if listed {
                    counts[octagon.modifier() as usize / 2] += 1;
                }
            });
        }
    }
    counts
}

/// Visits every octagon with this bounding box and at least `least` steps cut off, in order.
fn for_each_cut(width: u32, height: u32, least: u32, mut visit: impl FnMut(Octagon)) {
    for a in 0..=width.min(height) {
        for b in 0..=width.min(height - a) {
            for c in 0..=(width - b).min(height) {
                let most = (height - c).min(width - a);
                for d in least.saturating_sub(a + b + c)..=most {
                    let octagon = Octagon::from_cuts(width, height, [a, b, c, d]);
                    visit(octagon.expect("the cuts leave no side negative"));
                }
            }
        }
    }
}

/// There is no family of hulls for this game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no list of hulls is known for {game}, only for 5T and 5D from the usual cross")]
pub struct FamilyError {
    /// The game.
    pub game: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Point;

    #[test]
    fn the_published_list_is_reproduced() {
        assert_eq!(published_boards(), [96_130, 29_168, 1_614]);
        assert_eq!(published_boards().iter().sum::<u64>(), 126_912);
    }

    #[test]
    fn the_boards_of_5t_are_counted() {
        let family = HullFamily::new(&Game::named("5T").expect("known")).expect("lines of five");
        let count = family.count();
        assert_eq!(count, FamilyCounts { classes: 2_838_304, maximal: 90_397, largest: 741 });
    }

    /// Families of small starts, against brute force: every pair is compared.
    #[test]
    fn maximal_is_what_no_other_contains() {
        let starts: [&[(i32, i32)]; 3] = [
            &[(0, 0), (1, 0), (2, 0), (3, 0), (4, 1), (0, 1)],
            &[(0, 0), (1, 1), (2, 2), (3, 3), (0, 3), (3, 0), (1, 2)],
            &[(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2)],
        ];
        for dots in starts {
            let start = Start::from_dots(dots.iter().map(|&(x, y)| Point::new(x, y)));
            let family = HullFamily::containing(&start.expect("few dots"));
            let mut all = Vec::new();
            family.for_each_class(|octagon| all.push(octagon));
            assert!(all.is_sorted() && all.iter().all(|octagon| family.contains(octagon)));
            let mut maximal = 0;
            for one in &all {
                let contained = all.iter().any(|other| {
                    other != one && one.images().iter().any(|image| other.fits(image))
                });
                assert_eq!(family.is_maximal(one), !contained, "{one}");
                maximal += u64::from(!contained);
            }
            assert_eq!(family.count().maximal, maximal);
            assert!(maximal > 1 && all.len() > 50, "{} {maximal}", all.len());
        }
    }

    /// All octagons in a wide range, against the bounds that the walk through them uses.
    #[test]
    fn no_class_is_skipped() {
        let dots = [(0, 0), (1, 0), (2, 1), (0, 1), (3, 2)].map(|(x, y)| Point::new(x, y));
        let family = HullFamily::containing(&Start::from_dots(dots).expect("few"));
        let mut expected = 0;
        for (width, height) in (0..15).flat_map(|width| (0..15).map(move |h| (width, h))) {
            for_each_cut(width, height, 0, |octagon| {
                expected += u64::from(octagon.canonical() == octagon && family.contains(&octagon));
            });
        }
        assert_eq!(family.count().classes, expected);
    }

    #[test]
    fn games_without_a_family_are_rejected() {
        let family = |name: &str| HullFamily::new(&Game::named(name).expect("known"));
        assert!(family("4D").is_err_and(|no| no.to_string().contains("4D")));
        assert!(family("5D").is_ok());
    }
}
