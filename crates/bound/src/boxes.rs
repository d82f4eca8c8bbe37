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
use crate::tree::{Case, Reach};

/// All boxes of at most so many steps in all, one of each eight images, the largest first.
pub fn up_to(steps: u32) -> Vec<Reach> {
    let shares = |most: u32| 0..=most;
    let boxes = shares(steps).flat_map(move |above| {
        shares(steps - above).flat_map(move |right| {
            let rest = steps - above - right;
            shares(rest).flat_map(move |below| {
                shares(rest - below).map(move |left| [above, right, below, left])
            })
        })
    });
    let mut boxes: Vec<Reach> = boxes.filter(|&reach| canonical(reach) == reach).collect();
    boxes.sort_by_key(|reach| (std::cmp::Reverse(reach.iter().sum::<u32>()), *reach));
    boxes
}

/// The least image of a box.
fn canonical(reach: Reach) -> Reach {
    Margins::new(reach).map_or(reach, |margins| margins.canonical().margins())
}

/// Whether a box, or an image of it, is one of those that a case is about.
pub fn is_closed_by(case: Case, reach: Reach) -> bool {
    let mut image = reach;
    (0..8).any(|number| {
        image.rotate_left(1);
        if number == 4 {
            image.swap(1, 3);
        }
        match case {
            Case::Within(most) => image.iter().zip(most).all(|(&steps, most)| steps <= most),
            Case::Meeting(met) => image == met,
            _ => false,
        }
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
    pub fn left(&self) -> BTreeSet<Reach> {
        let (mut left, mut seen) = (BTreeSet::new(), BTreeSet::from([[0; 4]]));
        let mut next = vec![[0; 4]];
        while let Some(reach) = next.pop() {
            let closes = |&&(case, _): &&(Case, String)| is_closed_by(case, reach);
            let mut closed = self.cases.iter().filter(closes).peekable();
            if closed.peek().is_none() {
                left.insert(reach);
                continue;
            }
            if closed.any(|(_, tree)| shows_none(tree)) {
                continue;
            }
            let larger = (0..4).flat_map(|side| {
                let mut one = reach;
                one[side] += 1;
                let mut two = one;
                two[(side + 1) % 4] += 1;
                [canonical(one), canonical(two)]
            });
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

    #[test]
    fn every_box_has_one_image_among_those_of_its_size() {
        let boxes = up_to(3);
        assert_eq!(boxes.len(), 1 + 1 + 3 + 4);
        assert!(boxes.is_sorted_by_key(|reach| std::cmp::Reverse(reach.iter().sum::<u32>())));
        for reach in [[0, 2, 0, 0], [1, 0, 2, 0], [0, 1, 1, 1], [3, 0, 0, 0], [0, 0, 1, 2]] {
            let images = boxes.iter().filter(|&&other| is_closed_by(Case::Meeting(other), reach));
            assert_eq!(images.count(), 1, "{reach:?}");
        }
    }

    #[test]
    fn what_is_closed_moves_what_is_left_outwards() {
        let game = Game::named("5D").expect("known");
        let left = |cases: &[Case]| {
            let some = || "cuts 0\nsplit 7\nleaf 0 3:1\nleaf 8 4:1\n".to_owned();
            let cases = cases.iter().map(|&case| (case, some())).collect();
            Boxes { game: game.clone(), bound: 70, cases }.left()
        };
        assert_eq!(left(&[]), BTreeSet::from([[0; 4]]));
        assert_eq!(left(&[Case::Within([0; 4])]), BTreeSet::from([[0, 0, 0, 1], [0, 0, 1, 1]]));
        let one = left(&[Case::Within([0, 0, 1, 0])]);
        assert!(!one.contains(&[0, 0, 0, 1]) && one.contains(&[0, 1, 0, 1]), "{one:?}");
        let none =
            [[0, 0, 0, 1], [0, 0, 1, 1]].map(|met| (Case::Meeting(met), "leaf 0".to_owned()));
        let first = (Case::Within([0; 4]), "leaf 8 3:1".to_owned());
        let cases = none.into_iter().chain([first]).collect();
        assert_eq!(Boxes { game: game.clone(), bound: 70, cases }.left(), BTreeSet::new());
    }
}
