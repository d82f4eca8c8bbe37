//! Cells: the hulls of a family, split until a linear program bounds each part.
//!
//! All hulls whose boxes are about as wide and high begin as one cell, in a common frame; where
//! there are large hulls, those of each box. If the relaxation of a cell bounds only some of its
//! hulls, the others are split by where one of their sides is: the one in which the hulls that the
//! solution mixes differ most.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crate::blocks::{HullPlace, HullRange};
use crate::{HullFamily, Octagon};

/// How many widths, and how many heights, a cell of small hulls has at first.
const SPAN: u32 = 3;

/// The most dots of small hulls.
const SMALL: u32 = 660;

/// How far beyond the target boxes are split rather than diagonal sides, in moves.
const FAR: f64 = 8.0;

/// Some hulls of a family, moved into one frame.
#[derive(Debug, Clone, PartialEq)]
pub struct HullCell {
    name: CellName,
    /// Where each hull lies in the frame.
    places: Vec<HullPlace>,
}

/// Which cell it is: the widths and heights of its hulls, from first to last, and the parts that
/// lead to it. Prints as `27-29x30-32:0110`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellName {
    widths: (u32, u32),
    heights: (u32, u32),
    parts: String,
}

/// Where a cell is split: a side, and the most steps inside the frame of the first part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellSplit {
    /// The side, clockwise from the top.
    pub side: usize,
    /// The steps.
    pub most: u32,
}

impl HullCell {
    /// The cells of all classes of a family with more dots than the bound plus those of the start.
    #[must_use]
    pub fn all(family: &HullFamily, target: u32) -> Vec<Self> {
        let mut boxes: BTreeMap<(u32, u32), Vec<Octagon>> = BTreeMap::new();
        let mut largest: HashMap<(u32, u32), u32> = HashMap::new();
        let block = |(width, height): (u32, u32)| (width / SPAN, height / SPAN);
        family.for_each_class(|hull| {
            let size = (hull.width(), hull.height());
            let largest = largest.entry(block(size)).or_default();
            *largest = hull.area().max(*largest);
            if hull.area() > target + family.potential() / 8 {
                boxes.entry(size).or_default().push(hull);
            }
        });
        let mut cells: BTreeMap<CellName, Vec<HullPlace>> = BTreeMap::new();
        for (size, hulls) in boxes {
            let (width, height) = block(size);
            let name = match largest[&(width, height)] > SMALL {
                true => CellName::of((size.0, size.0), (size.1, size.1)),
                false => {
                    let all = |first: u32| (first * SPAN, first * SPAN + SPAN - 1);
                    CellName::of(all(width), all(height))
                }
            };
            let frame = name.frame();
            let place = |hull: &Octagon| frame.places(hull).first().copied();
            let places = hulls.iter().map(|hull| place(hull).expect("its box lies in the frame"));
            cells.entry(name).or_default().extend(places);
        }
        cells.into_iter().map(|(name, places)| Self { name, places }).collect()
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &CellName {
        &self.name
    }

    /// The number of hulls.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether it has no hull.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The smallest range of its hulls, and where they lie in it.
    #[must_use]
    pub fn range(&self) -> (HullRange, Vec<HullPlace>) {
        let (range, inside) = self.name.frame().tightened(&self.places);
        let shifted = |place: &HullPlace| std::array::from_fn(|side| place[side] - inside[side]);
        (range, self.places.iter().map(shifted).collect())
    }

    /// Its hulls.
    pub fn hulls(&self) -> impl Iterator<Item = Octagon> + '_ {
        let frame = self.name.frame();
        self.places.iter().map(move |place| frame.tightened(&[*place]).0.board)
    }

    /// Removes hulls, given whether each of them remains.
    pub fn retain(&mut self, mut remains: impl Iterator<Item = bool>) {
        self.places.retain(|_| remains.next().unwrap_or(true));
    }

    /// Both parts of a cell; either may be empty.
    #[must_use]
    pub fn split(self, split: CellSplit) -> [Self; 2] {
        let CellSplit { side, most } = split;
        let Self { name, places } = self;
        let (first, second) = places.into_iter().partition(|place| place[side] <= most);
        [('0', first), ('1', second)].map(|(part, places)| {
            let parts = format!("{}{part}", name.parts);
            Self { name: CellName { parts, ..name }, places }
        })
    }

    /// Where to split a cell whose relaxation is solved, by the bound that is certified for all of
    /// it and the share of each hull in the solution; `None` if it is one hull.
    #[must_use]
    pub fn choose_split(
        &self,
        certified: f64,
        hull_shares: &[f64],
        target: u32,
    ) -> Option<CellSplit> {
        let (range, inside) = self.name.frame().tightened(&self.places);
        let is_far = certified > f64::from(target + 1) + FAR;
        let longest = (0..8).step_by(2).max_by_key(|&side| range.slack[side]);
        if let Some(side) = longest.filter(|&side| is_far && range.slack[side] > 0) {
            let most = inside[side] + (range.slack[side] - 1) / 2;
            return Some(CellSplit { side, most });
        }
        let splits = (0..8).flat_map(|side| {
            let first = self.places.iter().map(|place| place[side]).min().unwrap_or(0);
            let last = self.places.iter().map(|place| place[side]).max().unwrap_or(0);
            (first..last).map(move |most| CellSplit { side, most })
        });
        let score = |split: CellSplit| self.score(split, hull_shares);
        splits.max_by(|one, other| score(*one).total_cmp(&score(*other)))
    }

    /// How far a split parts what a solution mixes; if it mixes nothing, how evenly it parts the
    /// hulls.
    fn score(&self, CellSplit { side, most }: CellSplit, shares: &[f64]) -> f64 {
        // The share of either part, the sum of its steps, and how many hulls it has.
        let mut parts = [(0.0, 0.0, 0usize); 2];
        for (place, share) in self.places.iter().zip(shares) {
            let part = &mut parts[usize::from(place[side] > most)];
            part.0 += share;
            part.1 += share * f64::from(place[side]);
            part.2 += 1;
        }
        let [less, more] = parts;
        let even = less.2.min(more.2) as f64 / self.places.len() as f64;
        let smaller = less.0.min(more.0);
        if smaller < 1e-6 {
            return 1e-6 * even;
        }
        let apart = (more.1 / more.0 - less.1 / less.0).min(4.0);
        let weight = if side % 2 == 0 { 2.0 } else { 1.0 };
        smaller * apart * weight
    }
}

impl CellName {
    fn of(widths: (u32, u32), heights: (u32, u32)) -> Self {
        Self { widths, heights, parts: String::new() }
    }

    /// Reads a name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let sizes = |text: &str| {
            let (first, last) = text.split_once('-').unwrap_or((text, text));
            let (first, last) = (first.parse::<u32>().ok()?, last.parse::<u32>().ok()?);
            (first <= last && last <= 100).then_some((first, last))
        };
        let (boxes, parts) = text.split_once(':')?;
        let (widths, heights) = boxes.split_once('x')?;
        let name = Self { parts: parts.to_owned(), ..Self::of(sizes(widths)?, sizes(heights)?) };
        parts.bytes().all(|part| matches!(part, b'0' | b'1')).then_some(name)
    }

    /// Whether this cell is a part of another, or the same.
    #[must_use]
    pub fn is_in(&self, other: &Self) -> bool {
        (self.widths, self.heights) == (other.widths, other.heights)
            && self.parts.starts_with(&other.parts)
    }

    /// The frame: hulls lie at its top left.
    fn frame(&self) -> HullRange {
        let (narrowest, width) = self.widths;
        let (lowest, height) = self.heights;
        let board = Octagon::from_cuts(width, height, [0; 4]).expect("a rectangle");
        let (right, bottom, diagonal) = (width - narrowest, height - lowest, width + height);
        HullRange { board, slack: [0, diagonal, right, diagonal, bottom, diagonal, 0, diagonal] }
    }
}

impl fmt::Display for CellName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = |(first, last): (u32, u32)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        };
        write!(f, "{}x{}:{}", sizes(self.widths), sizes(self.heights), self.parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Game;

    fn family() -> HullFamily {
        HullFamily::new(&Game::named("5T").expect("a game")).expect("hulls")
    }

    #[test]
    fn cells_have_every_hull_once_however_they_are_split() {
        let target = 660;
        let mut expected = Vec::new();
        family().for_each_class(|hull| {
            if hull.area() > target + 36 {
                expected.push(hull);
            }
        });
        let mut cells = HullCell::all(&family(), target);
        let mut found: Vec<Octagon> = Vec::new();
        while let Some(cell) = cells.pop() {
            assert_eq!(CellName::parse(&cell.name().to_string()).as_ref(), Some(cell.name()));
            let (range, places) = cell.range();
            assert_eq!(places.len(), cell.len());
            for (hull, place) in cell.hulls().zip(&places) {
                assert!(range.places(&hull).contains(place), "{hull} in {range}");
            }
            let shares = vec![1.0 / cell.len() as f64; cell.len()];
            let widest = (0..8).flat_map(|side| {
                let steps = cell.places.iter().map(move |place| place[side]);
                (steps.clone().min()?..steps.max()?).next().map(|most| CellSplit { side, most })
            });
            let best = widest.max_by(|one, other| {
                cell.score(*one, &shares).total_cmp(&cell.score(*other, &shares))
            });
            match best.filter(|_| cell.len() > 40) {
                Some(split) => {
                    let parts = cell.clone().split(split);
                    assert!(parts.iter().all(|part| part.name().is_in(cell.name())));
                    assert_eq!(parts.iter().map(HullCell::len).sum::<usize>(), cell.len());
                    cells.extend(parts);
                }
                None => found.extend(cell.hulls()),
            }
        }
        found.sort_unstable();
        expected.sort_unstable();
        assert!(expected.len() > 1000 && found == expected);
    }

    #[test]
    fn names_of_no_cell_are_not_read() {
        for name in ["", "27x30", "x30:", "27x:1", "27x30:012", "27-26x30:", "27x4000000000:0"] {
            assert_eq!(CellName::parse(name), None, "{name}");
        }
    }
}
