//! Bounding boxes that a game grows through, and those that a long one must reach.
//!
//! A move enlarges the bounding box of the dots by at most one step, on one side or on two adjacent
//! ones. So if positions of all boxes up to some size have few moves, a longer game must reach a
//! box that borders on these; and if no position has some box, no game grows beyond it. The format
//! is `morpion-boxes/1` of `docs/reference/certificates.md`; the verifier finds the remaining boxes
//! on its own.

use std::collections::BTreeSet;

use geometry::Game;

use crate::Margins;
use crate::branch::Region;
use crate::certificate::compressed;

/// All boxes of at most `steps` steps in total, one of each eight images, the largest first.
#[must_use]
pub fn up_to(steps: u32) -> Vec<Margins> {
    let mut boxes = BTreeSet::from([Margins::default()]);
    let mut last = boxes.clone();
    for _ in 0..steps {
        let larger = last.iter().flat_map(Margins::enlarged).map(|larger| larger.canonical());
        last = larger.filter(|larger| larger.steps() <= steps && !boxes.contains(larger)).collect();
        boxes.extend(&last);
    }
    let mut boxes: Vec<Margins> = boxes.into_iter().collect();
    boxes.sort_by_key(|margins| (std::cmp::Reverse(margins.steps()), *margins));
    boxes
}

/// Whether a region covers a box or an image of it, so that a bound for the region excludes it.
#[must_use]
pub fn is_excluded_by(region: Region, margins: Margins) -> bool {
    margins.images().into_iter().any(|image| match region {
        Region::Within(most) => {
            image.margins().iter().zip(most.margins()).all(|(&steps, most)| steps <= most)
        }
        Region::Meeting(met) => image == met,
        _ => false,
    })
}

/// Whether the text of a tree shows that its region is infeasible: the scale of every leaf is 0.
#[must_use]
pub fn is_infeasible(tree: &str) -> bool {
    let mut leaves = tree.lines().filter_map(|line| line.strip_prefix("leaf "));
    leaves.all(|leaf| leaf.split(' ').next() == Some("0"))
}

/// A proof by trees for boxes, all with the same bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoxesProof {
    /// The game.
    pub game: Game,
    /// No position with an excluded box has more moves.
    pub bound: u32,
    /// The excluded regions, with the text of each tree.
    pub regions: Vec<(Region, String)>,
}

impl BoxesProof {
    /// The boxes that a longer game must reach one of: those that border on excluded ones, or the
    /// smallest box if it is not excluded; one of each eight images.
    #[must_use]
    pub fn remaining(&self) -> BTreeSet<Margins> {
        let (mut remaining, mut seen) = (BTreeSet::new(), BTreeSet::from([Margins::default()]));
        let mut next = vec![Margins::default()];
        while let Some(margins) = next.pop() {
            let covers = |&&(region, _): &&(Region, String)| is_excluded_by(region, margins);
            let mut covering = self.regions.iter().filter(covers).peekable();
            if covering.peek().is_none() {
                remaining.insert(margins);
                continue;
            }
            if covering.any(|(_, tree)| is_infeasible(tree)) {
                continue;
            }
            let larger = margins.enlarged().into_iter().map(|larger| larger.canonical());
            next.extend(larger.filter(|&larger| seen.insert(larger)));
        }
        remaining
    }

    /// The bytes of its file: the text, compressed with gzip.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { game, bound, regions } = self;
        let rules = game.rules;
        let words = match self.remaining().len() {
            0 => format!("no game has more than {bound} moves"),
            left => {
                let boxes = if left == 1 { "1 box" } else { &format!("{left} boxes") };
                format!(
                    "every game of more than {bound} moves comes, turned or mirrored, to one of \
                     {boxes}"
                )
            }
        };
        let mut text = format!("morpion-boxes/1\n{rules}: {words}\nrules {rules}\nbound {bound}\n");
        regions.iter().for_each(|(_, tree)| text.push_str(tree));
        compressed(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed(margins: [u32; 4]) -> Margins {
        Margins::new(margins).expect("small")
    }

    #[test]
    fn every_box_has_one_image_among_those_of_its_size() {
        let boxes = up_to(3);
        assert_eq!(boxes.len(), 1 + 1 + 3 + 4);
        assert!(boxes.is_sorted_by_key(|margins| std::cmp::Reverse(margins.steps())));
        for margins in [[0, 2, 0, 0], [1, 0, 2, 0], [0, 1, 1, 1], [3, 0, 0, 0], [0, 0, 1, 2]] {
            let is_image =
                |&&other: &&Margins| is_excluded_by(Region::Meeting(other), boxed(margins));
            assert_eq!(boxes.iter().filter(is_image).count(), 1, "{margins:?}");
        }
        // All there are, counted in another way: C(n + 4, 4) boxes fall into classes of 8 at most.
        let all = (0..14u32.pow(4)).map(|n| [n % 14, n / 14 % 14, n / 196 % 14, n / 2744]);
        let small = all.map(boxed).filter(|margins| margins.steps() <= 13);
        let classes: BTreeSet<Margins> = small.map(|margins| margins.canonical()).collect();
        assert_eq!(up_to(13).into_iter().collect::<BTreeSet<_>>(), classes);
    }

    #[test]
    fn excluding_boxes_moves_the_remaining_ones_outwards() {
        let remaining = |cases: &[([u32; 4], bool)]| -> Vec<[u32; 4]> {
            let case = |&(margins, is_empty): &([u32; 4], bool)| match is_empty {
                true => (Region::Meeting(boxed(margins)), "cuts 0\nleaf 0 3:1\n".to_owned()),
                false => {
                    let tree = "cuts 0\nsplit 7\nleaf 0 3:1\nleaf 8 4:1\n";
                    (Region::Within(boxed(margins)), tree.to_owned())
                }
            };
            let game = Game::named("5D").expect("known");
            let boxes = BoxesProof { game, bound: 70, regions: cases.iter().map(case).collect() };
            boxes.remaining().into_iter().map(|margins| margins.margins()).collect()
        };
        assert_eq!(remaining(&[]), [[0; 4]]);
        assert_eq!(remaining(&[([0; 4], false)]), [[0, 0, 0, 1], [0, 0, 1, 1]]);
        let one = remaining(&[([0, 0, 1, 0], false)]);
        assert!(!one.contains(&[0, 0, 0, 1]) && one.contains(&[0, 1, 0, 1]), "{one:?}");
        let none = [([0; 4], false), ([0, 0, 0, 1], true), ([0, 0, 1, 1], true)];
        assert!(remaining(&none).is_empty());
    }
}
