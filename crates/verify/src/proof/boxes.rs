//! `morpion-boxes`: bounding boxes that a long game must reach.
//!
//! The bounding box of a position is given by how many rows and columns it reaches beyond the one
//! around the start: above, right, below and left. The start is the cross of the rules, so the
//! eight symmetries map games to games and boxes to boxes. A proof has branch-and-bound trees
//! (`lp/branch.rs`) for two kinds of regions:
//!
//! - *within B*: no position with all dots in B has more than N moves.
//! - *meeting B*: no position with the bounding box B has more than N moves. If all leaves of the
//!   tree have the scale 0, there is none at all, and B is infeasible.
//!
//! A box is excluded if it, or an image, lies in B of the first kind or is B of the second. The dot
//! of a move is next to another of its line, so that a move enlarges the box by at most one row and
//! one column: on one side, or on two adjacent ones. A game starts in the box 0,0,0,0. So as long
//! as its boxes are excluded, each is one of those that arise in that way from excluded ones that
//! are not infeasible; if at last it has more than N moves, its box is not excluded, and the first
//! box of the game that is not excluded borders on these. The boxes that border on them are what is
//! left. If none is, no game has more than N moves.

use std::collections::BTreeSet;

use super::board::images;
use super::budget::Budget;
use super::claim::{Claim, ProofStats, ProvenClaim};
use super::lp::{Region, verify_tree};
use super::text::{Text, number};
use crate::fault::ProofFault;
use crate::refusal::Refusal;

/// How far a box may reach on two opposite sides together.
const MAX_ACROSS: i32 = 24;

/// The most regions of a proof.
const MAX_REGIONS: usize = 4000;

/// Rows and columns beyond the start: above, right, below, left.
type Sides = [i32; 4];

/// Verifies the trees, then finds the boxes that they leave.
pub(super) fn verify(text: &mut Text<'_>) -> Result<ProvenClaim, Refusal> {
    const REGION: &str = "`within` or `meeting` and four integers, at least 0, opposite ones up to \
                          24 together";
    let statement = text.statement()?;
    let (rules, moves) = (text.rules()?, text.bound()?);
    let (mut regions, mut leaves) = (Vec::new(), 0);
    while !text.is_over() {
        let region = text.line(REGION, parse_region)?;
        if regions.len() == MAX_REGIONS || regions.iter().any(|&(other, _)| other == region) {
            return Err(text.fault("at most 4000 regions, none of them twice"));
        }
        let tree = verify_tree(text, rules, region, moves)?;
        leaves += tree.leaves;
        regions.push((region, tree.is_infeasible));
    }
    let left = boxes_left(&regions, text.budget())?;
    let left = left.into_iter().map(|sides| sides.map(i32::unsigned_abs));
    let claim = Claim::Reaches { rules, moves, boxes: left.collect() };
    claim.check_statement(statement)?;
    let stats = ProofStats { trees: regions.len(), leaves, ..ProofStats::default() };
    Ok(ProvenClaim::new(claim, stats))
}

fn parse_region(line: &str) -> Option<Region> {
    let (kind, sides) = line.split_once(' ')?;
    let side = |text: &str| number(text).filter(|side| (0..=MAX_ACROSS).contains(side));
    let sides: Vec<i32> = sides.split(',').map(side).collect::<Option<_>>()?;
    let sides: Sides = sides.try_into().ok()?;
    let [above, right, below, left] = sides;
    if above + below > MAX_ACROSS || left + right > MAX_ACROSS {
        return None;
    }
    match kind {
        "within" => Some(Region::Within(sides)),
        "meeting" => Some(Region::Meeting(sides)),
        _ => None,
    }
}

/// The boxes that border on excluded ones, or the first one, each as the least of its images. Each
/// region comes with whether it is infeasible.
fn boxes_left(
    regions: &[(Region, bool)],
    budget: &mut Budget,
) -> Result<BTreeSet<Sides>, ProofFault> {
    let excludes = |region: &Region, sides: Sides| match region {
        Region::Within(most) => sides.iter().zip(most).all(|(side, most)| side <= most),
        Region::Meeting(met) => sides == *met,
        _ => false,
    };
    let mut left = BTreeSet::new();
    let mut seen = BTreeSet::from([[0; 4]]);
    let mut next = vec![[0; 4]];
    while let Some(sides) = next.pop() {
        let images_of_box = images(sides);
        budget.spend_product(images_of_box.len(), 1 + 2 * regions.len())?;
        let mut excluding = regions
            .iter()
            .filter(|(region, _)| images_of_box.iter().any(|&image| excludes(region, image)))
            .peekable();
        if excluding.peek().is_none() {
            left.insert(sides);
            continue;
        }
        if excluding.any(|&(_, is_infeasible)| is_infeasible) {
            continue;
        }
        for side in 0..4 {
            let mut one = sides;
            one[side] += 1;
            let mut two = one;
            two[(side + 1) % 4] += 1;
            for larger in [one, two] {
                let larger = images(larger).into_iter().min().expect("there are eight");
                if seen.insert(larger) {
                    next.push(larger);
                }
            }
        }
    }
    Ok(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left_with(regions: &[(Region, bool)]) -> BTreeSet<Sides> {
        boxes_left(regions, &mut Budget::of_bytes(0)).expect("little work")
    }

    fn left_by(regions: &[Region]) -> BTreeSet<Sides> {
        left_with(&regions.iter().map(|&region| (region, false)).collect::<Vec<_>>())
    }

    #[test]
    fn boxes_left_border_on_excluded_ones() {
        assert_eq!(left_by(&[]), BTreeSet::from([[0; 4]]));
        let first = left_by(&[Region::Meeting([0; 4])]);
        assert_eq!(first, BTreeSet::from([[0, 0, 0, 1], [0, 0, 1, 1]]));
        // One step above: two more above, or a corner, or the side below, and so on.
        let second = left_by(&[Region::Within([1, 0, 0, 0])]);
        let wanted = [[0, 0, 0, 2], [0, 0, 1, 1], [0, 0, 1, 2], [0, 1, 0, 1], [0, 1, 1, 1]];
        assert_eq!(second, BTreeSet::from(wanted));
        // A region that no excluded box leads to changes nothing.
        assert_eq!(left_by(&[Region::Meeting([2, 0, 0, 0])]), BTreeSet::from([[0; 4]]));
    }

    #[test]
    fn an_infeasible_box_leads_nowhere() {
        let corner = (Region::Meeting([1, 1, 0, 0]), true);
        let wanted = [[0, 0, 0, 2], [0, 0, 1, 2], [0, 1, 0, 1], [0, 1, 1, 1]];
        assert_eq!(
            left_with(&[(Region::Within([1, 0, 0, 0]), false), corner]),
            BTreeSet::from(wanted)
        );
        let both = [(Region::Within([0; 4]), false), (Region::Meeting([1, 0, 0, 0]), true), corner];
        assert_eq!(left_with(&both), BTreeSet::new());
    }

    #[test]
    fn a_turned_or_mirrored_box_excludes_the_same() {
        for image in images([1, 0, 2, 3]) {
            let within = left_by(&[Region::Within(image)]);
            assert_eq!(within, left_by(&[Region::Within([1, 0, 2, 3])]), "{image:?}");
        }
    }

    #[test]
    fn regions_are_boxes_of_limited_size() {
        assert_eq!(parse_region("within 4,3,1,2"), Some(Region::Within([4, 3, 1, 2])));
        assert_eq!(parse_region("meeting 0,0,0,0"), Some(Region::Meeting([0; 4])));
        for bad in ["within", "within 1,2,3", "within 1,2,3,4,5", "meeting 1,2,3,-4", "inside 3"] {
            assert_eq!(parse_region(bad), None, "{bad}");
        }
        for large in ["within 25,0,0,0", "within 13,0,12,0", "meeting 0,20,0,5"] {
            assert_eq!(parse_region(large), None, "{large}");
        }
    }
}
