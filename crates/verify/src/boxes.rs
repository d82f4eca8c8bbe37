//! Boxes that a long game must come to.
//!
//! The box of a position is the smallest that holds its dots, told by how many rows and columns it reaches beyond the one
//! around the start: above, right, below and left. The start is the cross of the rules, so the eight symmetries map games to
//! games and boxes to boxes. A proof has trees (`tree.rs`) for two kinds of cases:
//!
//! - *within B*: no position with all dots in B has more than N moves.
//! - *meeting B*: no position with the box B has more than N moves. If all leaves of the tree have the scale 0, there is none
//!   at all, and B is empty.
//!
//! A box is closed if it, or an image, lies in B of the first kind or is B of the second. The dot of a move lies next to
//! another of its line, so that a move enlarges the box by at most one row and one column: on one side, or on two that
//! meet. A game begins in the box 0,0,0,0. So as long as its boxes are closed, each is one of those that come in that way from
//! closed ones that are not empty; if at last it has more than N moves, its box is not closed, and the first box of the
//! game that is not is one of the boxes that border on these. They are what is left. If nothing is, no game has more than N moves.

use std::collections::BTreeSet;

use crate::bound::text::{Lines, whole};
use crate::refusal::{Fault, Refusal};
use crate::rules::Rules;
use crate::tree::{Case, check_case};

/// The format of such proofs.
const FORMAT: &str = "morpion-boxes/1";

/// How far a box may reach on two opposite sides together.
const MAX_ACROSS: i32 = 24;

/// The most cases of a proof.
const MAX_CASES: usize = 4000;

/// Rows and columns beyond the start: above, right, below, left.
type Sides = [i32; 4];

/// What the judge has found of games by their boxes. Only [`check`](crate::check) makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoxBound {
    rules: Rules,
    bound: u32,
    left: Vec<[u32; 4]>,
    trees: usize,
    leaves: usize,
}

impl BoxBound {
    /// The rules of the game, which starts from the usual cross.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// A game with more moves comes to a box that is left.
    pub fn bound(&self) -> u32 {
        self.bound
    }

    /// The boxes that are left, one of each eight images: rows and columns beyond the start, above, right, below and left.
    pub fn left(&self) -> &[[u32; 4]] {
        &self.left
    }

    /// How many trees the proof has.
    pub fn trees(&self) -> usize {
        self.trees
    }

    /// How many leaves the trees have.
    pub fn leaves(&self) -> usize {
        self.leaves
    }

    /// What is proven.
    pub fn claim(&self) -> String {
        words(self.rules, self.bound, self.left.len())
    }
}

/// What is proven, in words.
fn words(rules: Rules, bound: u32, left: usize) -> String {
    match left {
        0 => format!("{rules}: no game has more than {bound} moves"),
        _ => {
            let boxes = if left == 1 { "1 box" } else { &format!("{left} boxes") };
            format!(
                "{rules}: every game of more than {bound} moves comes, turned or mirrored, to one of {boxes}"
            )
        }
    }
}

/// Whether a text begins as such a proof does.
pub(crate) fn is_boxes(text: &str) -> bool {
    text.strip_prefix('\u{feff}').unwrap_or(text).starts_with("morpion-boxes/")
}

/// Judges a proof: the trees, then which boxes they leave.
pub(crate) fn check(text: &str) -> Result<BoxBound, Refusal> {
    let mut lines = Lines::new(text);
    lines.format(FORMAT, "a bound by boxes is \"morpion-boxes/1\"")?;
    let said = lines.next("what is proven, in words")?.to_owned();
    let rules = lines.after("rules", "`rules` and their name, like 5D", Rules::parse)?;
    let bound = lines.after("bound", "`bound` and a whole number from 0 on", |number| {
        whole(number).and_then(|number| u32::try_from(number).ok())
    })?;
    let (mut cases, mut leaves) = (Vec::new(), 0);
    while !lines.is_over() {
        let case = lines.read(CASE, case)?;
        if cases.len() == MAX_CASES || cases.iter().any(|&(other, _)| other == case) {
            return Err(lines.fault("at most 4000 cases, none of them twice"));
        }
        let checked = check_case(&mut lines, rules, case, bound)?;
        leaves += checked.leaves;
        cases.push((case, checked.is_empty));
    }
    let left = left(&cases);
    let wanted = words(rules, bound, left.len());
    if said != wanted {
        return Err(Fault::FalseWords { wanted }.into());
    }
    let left = left.into_iter().map(|sides| sides.map(i32::unsigned_abs)).collect();
    Ok(BoxBound { rules, bound, left, trees: cases.len(), leaves })
}

const CASE: &str =
    "`within` or `meeting` and four whole numbers from 0 on, opposite ones up to 24 together";

fn case(line: &str) -> Option<Case> {
    let (kind, sides) = line.split_once(' ')?;
    let side = |number: &str| {
        let number = i32::try_from(whole(number)?).ok()?;
        (0..=MAX_ACROSS).contains(&number).then_some(number)
    };
    let sides: Vec<i32> = sides.split(',').map(side).collect::<Option<_>>()?;
    let sides: Sides = sides.try_into().ok()?;
    let [above, right, below, left] = sides;
    if above + below > MAX_ACROSS || left + right > MAX_ACROSS {
        return None;
    }
    match kind {
        "within" => Some(Case::Within(sides)),
        "meeting" => Some(Case::Meeting(sides)),
        _ => None,
    }
}

/// The boxes that border on closed ones, or the first one, each as the least of its images. With each case: whether
/// there is no position of it.
fn left(cases: &[(Case, bool)]) -> BTreeSet<Sides> {
    let is_of = |case: &Case, sides: Sides| match case {
        Case::Within(most) => sides.iter().zip(most).all(|(side, most)| side <= most),
        Case::Meeting(met) => sides == *met,
        _ => false,
    };
    let mut left = BTreeSet::new();
    let mut seen = BTreeSet::from([[0; 4]]);
    let mut next = vec![[0; 4]];
    while let Some(sides) = next.pop() {
        let images = all_images(sides);
        let mut closed = cases
            .iter()
            .filter(|(case, _)| images.iter().any(|&image| is_of(case, image)))
            .peekable();
        if closed.peek().is_none() {
            left.insert(sides);
            continue;
        }
        if closed.any(|&(_, is_empty)| is_empty) {
            continue;
        }
        for side in 0..4 {
            let mut one = sides;
            one[side] += 1;
            let mut two = one;
            two[(side + 1) % 4] += 1;
            for larger in [one, two] {
                let larger = all_images(larger).into_iter().min().expect("there are eight");
                if seen.insert(larger) {
                    next.push(larger);
                }
            }
        }
    }
    left
}

/// A box turned and mirrored.
fn all_images([above, right, below, left]: Sides) -> [Sides; 8] {
    let turned = |[a, b, c, d]: Sides| [[a, b, c, d], [b, c, d, a], [c, d, a, b], [d, a, b, c]];
    let [one, two] = [turned([above, right, below, left]), turned([above, left, below, right])];
    [one[0], one[1], one[2], one[3], two[0], two[1], two[2], two[3]]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left_by(cases: &[Case]) -> BTreeSet<Sides> {
        left(&cases.iter().map(|&case| (case, false)).collect::<Vec<_>>())
    }

    #[test]
    fn what_is_left_borders_on_what_is_closed() {
        assert_eq!(left_by(&[]), BTreeSet::from([[0; 4]]));
        let first = left_by(&[Case::Meeting([0; 4])]);
        assert_eq!(first, BTreeSet::from([[0, 0, 0, 1], [0, 0, 1, 1]]));
        // One step above: two more above, or a corner, or the side below, and so on.
        let second = left_by(&[Case::Within([1, 0, 0, 0])]);
        let wanted = [[0, 0, 0, 2], [0, 0, 1, 1], [0, 0, 1, 2], [0, 1, 0, 1], [0, 1, 1, 1]];
        assert_eq!(second, BTreeSet::from(wanted));
        // A case that no closed box leads to leaves everything as it is.
        assert_eq!(left_by(&[Case::Meeting([2, 0, 0, 0])]), BTreeSet::from([[0; 4]]));
    }

    #[test]
    fn nothing_comes_from_an_empty_box() {
        let corner = (Case::Meeting([1, 1, 0, 0]), true);
        let wanted = [[0, 0, 0, 2], [0, 0, 1, 2], [0, 1, 0, 1], [0, 1, 1, 1]];
        assert_eq!(left(&[(Case::Within([1, 0, 0, 0]), false), corner]), BTreeSet::from(wanted));
        let both = [(Case::Within([0; 4]), false), (Case::Meeting([1, 0, 0, 0]), true), corner];
        assert_eq!(left(&both), BTreeSet::new());
    }

    #[test]
    fn a_turned_or_mirrored_box_is_as_good() {
        for image in all_images([1, 0, 2, 3]) {
            let within = left_by(&[Case::Within(image)]);
            assert_eq!(within, left_by(&[Case::Within([1, 0, 2, 3])]), "{image:?}");
        }
    }

    #[test]
    fn cases_are_boxes_of_some_size() {
        assert_eq!(case("within 4,3,1,2"), Some(Case::Within([4, 3, 1, 2])));
        assert_eq!(case("meeting 0,0,0,0"), Some(Case::Meeting([0; 4])));
        for bad in ["within", "within 1,2,3", "within 1,2,3,4,5", "meeting 1,2,3,-4", "inside 3"] {
            assert_eq!(case(bad), None, "{bad}");
        }
        for large in ["within 25,0,0,0", "within 13,0,12,0", "meeting 0,20,0,5"] {
            assert_eq!(case(large), None, "{large}");
        }
    }
}
