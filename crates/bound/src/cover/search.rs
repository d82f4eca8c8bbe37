//! What is left to certify so that boards and hulls cover a whole family.

use std::collections::HashSet;

use crate::{HullFamily, Octagon};

/// The search for a cover: boards that contain many hulls, and single hulls where no board can.
///
/// When a hull is bounded on its own, the hulls inside it are still to be covered.
#[derive(Debug, Clone)]
pub struct CoverSearch {
    family: HullFamily,
    uncovered: UncoveredHulls,
    boards: Vec<Octagon>,
    hulls: HashSet<Octagon>,
    /// The octagons visited so far, one of each class.
    seen: HashSet<Octagon>,
}

impl CoverSearch {
    /// What is left for a bound if these boards, and these hulls on their own, are known to have
    /// it.
    #[must_use]
    pub fn new(family: HullFamily, bound: u32, boards: &[Octagon], hulls: &[Octagon]) -> Self {
        let mut uncovered = UncoveredHulls::new(&family, bound);
        for board in boards {
            uncovered.cover(board);
        }
        let largest = std::mem::take(&mut uncovered.hulls);
        let hulls = hulls.iter().map(Octagon::canonical).collect();
        let (boards, seen) = (boards.to_vec(), HashSet::new());
        let mut search = Self { family, uncovered, boards, hulls, seen };
        for octagon in largest {
            search.admit(&octagon);
        }
        search
    }

    /// The hulls without a bound, among them all that lie in no other of them.
    #[must_use]
    pub fn uncovered(&self) -> &UncoveredHulls {
        &self.uncovered
    }

    /// Records a board as bounded, with all hulls inside.
    pub fn add_board(&mut self, board: Octagon) {
        self.uncovered.cover(&board);
        self.boards.push(board);
    }

    /// Records a hull as bounded on its own.
    pub fn add_hull(&mut self, hull: &Octagon) {
        let hull = hull.canonical();
        self.hulls.insert(hull);
        let before = self.uncovered.len();
        self.uncovered.hulls.retain(|other| *other != hull);
        if self.uncovered.len() < before {
            self.admit_reductions(&hull);
        }
    }

    fn admit_reductions(&mut self, octagon: &Octagon) {
        let reductions: Vec<Octagon> = octagon.reductions().collect();
        for reduction in reductions {
            self.admit(&reduction);
        }
    }

    fn admit(&mut self, octagon: &Octagon) {
        let octagon = octagon.canonical();
        let is_small = octagon.area() <= self.uncovered.bound + self.family.potential() / 8;
        if is_small
            || !self.seen.insert(octagon)
            || self.boards.iter().any(|board| board.fits_any_image(&octagon))
        {
            return;
        }
        if self.hulls.contains(&octagon) || !self.family.contains(&octagon) {
            self.admit_reductions(&octagon);
        } else {
            self.uncovered.hulls.push(octagon);
        }
    }
}

/// The hulls of a family for which a bound is still to be shown.
#[derive(Debug, Clone)]
pub struct UncoveredHulls {
    pub(super) bound: u32,
    pub(super) hulls: Vec<Octagon>,
}

impl UncoveredHulls {
    /// The maximal hulls with more dots than the bound plus those of the start: the number of dots
    /// alone bounds the others.
    #[must_use]
    pub fn new(family: &HullFamily, bound: u32) -> Self {
        let mut hulls = Vec::new();
        family.for_each_class(|octagon| {
            if octagon.area() > bound + family.potential() / 8 && family.is_maximal(&octagon) {
                hulls.push(octagon);
            }
        });
        Self { bound, hulls }
    }

    /// The number of hulls.
    #[must_use]
    pub fn len(&self) -> usize {
        self.hulls.len()
    }

    /// Whether nothing is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hulls.is_empty()
    }

    /// Removes all hulls of which an image lies in this board.
    pub fn cover(&mut self, board: &Octagon) {
        let images = distinct_images(board);
        self.hulls.retain(|inner| !images.iter().any(|image| image.fits(inner)));
    }

    /// The largest hull, which has least room to grow, except for those that are taken.
    #[must_use]
    pub fn largest(&self, taken: &[Octagon]) -> Option<Octagon> {
        let free = self.hulls.iter().copied().filter(|hull| !taken.contains(hull));
        free.max_by_key(Octagon::area)
    }
}

pub(super) fn distinct_images(board: &Octagon) -> Vec<Octagon> {
    let mut images = board.images().to_vec();
    images.sort_unstable();
    images.dedup();
    images
}
