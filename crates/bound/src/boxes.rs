//! Boxes that a game grows through, and those that a long one must come to.
//!
//! A move enlarges the box around the dots by at most one step, on one side or on two that meet. So if positions of all
//! boxes up to some size have few moves, a game with more must come to a box that borders on these; and if there are no
//! positions with some box, no game grows beyond it. The format
//! is `morpion-boxes/1` of `docs/formats.md`; the judge finds out by itself what is left.

use std::collections::BTreeSet;

use geometry::Game;

use crate::Margins;
use crate::certificate::compressed;
use crate::tree::Case;

/// All boxes of at most so many steps in all, one of each eight images, the largest first.
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

/// Whether a box, or an image of it, is one of those that a case is about.
pub fn is_closed_by(case: Case, margins: Margins) -> bool {
    margins.images().into_iter().any(|image| match case {
        Case::Within(most) => {
            image.margins().iter().zip(most.margins()).all(|(&steps, most)| steps <= most)
        }
        Case::Meeting(met) => image == met,
        _ => false,
    })
}

/// Whether the text of a tree shows that there are no positions of its case: the scale of every leaf is 0.
pub fn shows_none(tree: &str) -> bool {
    let mut leaves = tree.lines().filter_map(|line| line.strip_prefix("leaf "));
    leaves.all(|leaf| leaf.split(' ').next() == Some("0"))
}

/// A proof: trees for boxes, all with the same bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Boxes {
    /// What is played.
    pub game: Game,
    /// No position with a box that is closed has more moves.
    pub bound: u32,
    /// What is closed, with the text of each tree.
    pub cases: Vec<(Case, String)>,
}

impl Boxes {
    /// The boxes that border on closed ones, or the first one if it is not; one of each eight images.
    pub fn left(&self) -> BTreeSet<Margins> {
        let (mut left, mut seen) = (BTreeSet::new(), BTreeSet::from([Margins::default()]));
        let mut next = vec![Margins::default()];
        while let Some(margins) = next.pop() {
            let closes = |&&(case, _): &&(Case, String)| is_closed_by(case, margins);
            let mut closed = self.cases.iter().filter(closes).peekable();
            if closed.peek().is_none() {
                left.insert(margins);
                continue;
            }
            if closed.any(|(_, tree)| shows_none(tree)) {
                continue;
            }
            let larger = margins.enlarged().into_iter().map(|larger| larger.canonical());
            next.extend(larger.filter(|&larger| seen.insert(larger)));
        }
        left
    }

    /// The bytes of its file: the text, compressed with gzip.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { game, bound, cases } = self;
        let rules = game.rules;
        let words = match self.left().len() {
            0 => format!("no game has more than {bound} moves"),
            left => {
                let boxes = if left == 1 { "1 box" } else { &format!("{left} boxes") };
                format!(
                    "every game of more than {bound} moves comes, turned or mirrored, to one of {boxes}"
                )
            }
        };
        let mut text = format!("morpion-boxes/1\n{rules}: {words}\nrules {rules}\nbound {bound}\n");
        cases.iter().for_each(|(_, tree)| text.push_str(tree));
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
            let is_image = |&&other: &&Margins| is_closed_by(Case::Meeting(other), boxed(margins));
            assert_eq!(boxes.iter().filter(is_image).count(), 1, "{margins:?}");
        }
        // All there are, counted in another way: C(n + 4, 4) boxes fall into classes of 8 at most.
        let all = (0..14u32.pow(4)).map(|n| [n % 14, n / 14 % 14, n / 196 % 14, n / 2744]);
        let small = all.map(boxed).filter(|margins| margins.steps() <= 13);
        let classes: BTreeSet<Margins> = small.map(|margins| margins.canonical()).collect();
        assert_eq!(up_to(13).into_iter().collect::<BTreeSet<_>>(), classes);
    }

    #[test]
    fn what_is_closed_moves_what_is_left_outwards() {
        let left = |cases: &[([u32; 4], bool)]| -> Vec<[u32; 4]> {
            let case = |&(margins, is_empty): &([u32; 4], bool)| match is_empty {
                true => (Case::Meeting(boxed(margins)), "cuts 0\nleaf 0 3:1\n".to_owned()),
                false => {
                    let tree = "cuts 0\nsplit 7\nleaf 0 3:1\nleaf 8 4:1\n";
                    (Case::Within(boxed(margins)), tree.to_owned())
                }
            };
            let game = Game::named("5D").expect("known");
            let boxes = Boxes { game, bound: 70, cases: cases.iter().map(case).collect() };
            boxes.left().into_iter().map(|left| left.margins()).collect()
        };
        assert_eq!(left(&[]), [[0; 4]]);
        assert_eq!(left(&[([0; 4], false)]), [[0, 0, 0, 1], [0, 0, 1, 1]]);
        let one = left(&[([0, 0, 1, 0], false)]);
        assert!(!one.contains(&[0, 0, 0, 1]) && one.contains(&[0, 1, 0, 1]), "{one:?}");
        let none = [([0; 4], false), ([0, 0, 0, 1], true), ([0, 0, 1, 1], true)];
        assert!(left(&none).is_empty());
    }
}
