//! A cover of all hulls, made here and verified there.

use bound::blocks::{self, SizeRanges, SizeTree};
use bound::cover::HullCell;
use bound::{Cover, HullFamily};
use geometry::Game;
use verify::{Fault, ProofFault};

use crate::common::solver;

/// The largest hulls, those with 741 dots, are all that counts for this bound.
const BOUND: u32 = 704;

/// A cover for the bound: every cell of the family, bounded in one piece.
fn cover() -> Cover {
    let game = Game::named("5T").expect("a game");
    let family = HullFamily::new(&game).expect("5T has one");
    let ranges = HullCell::all(&family, BOUND).into_iter().map(|cell| {
        let (range, places) = cell.range();
        let all = SizeRanges::default();
        let solution = blocks::solve(solver(), &range, &places, &all, BOUND).expect("solved");
        let tree = SizeTree::Leaf(Box::new(solution.multipliers));
        let bound = tree.bound(&range);
        assert!(places.iter().all(|place| bound.at(place).expect("hulls") <= BOUND.into()));
        let mut text = String::new();
        tree.write(&mut text);
        assert!(SizeTree::parse(&range, &text) == Some(tree), "it is read as it is written");
        (range, text)
    });
    Cover { rules: game.rules, bound: BOUND, ranges: ranges.collect() }
}

#[test]
fn a_cover_is_proven_and_nothing_of_it_may_be_missing() {
    let cover = cover();
    assert!(!cover.ranges.is_empty());
    let proof = verify::verify_proof(&verify::read(&cover.to_bytes()[..]).expect("a text"));
    let proof = proof.unwrap_or_else(|no| panic!("{no}"));
    assert_eq!(proof.to_string(), "5T <= 704");
    let claimed = (proof.claim().upper_bound(), proof.stats().ranges);
    assert_eq!(claimed, (Some(704), cover.ranges.len()));
    let refusal = |cover: &Cover| verify::verify_proof(&cover.to_text()).expect_err("too little");

    let mut lacking = cover.clone();
    lacking.ranges.remove(0);
    let missing = refusal(&lacking);
    assert!(matches!(missing.fault, Fault::Proof(ProofFault::Uncovered { .. })), "{missing}");

    let mut tampered = cover.clone();
    let (head, rest) = tampered.ranges[0].1.split_once("\n").expect("a leaf");
    tampered.ranges[0].1 = format!("{head}9\n{rest}");
    let weak = refusal(&tampered);
    assert!(weak.to_string().starts_with("range 1: the bound is claimed"), "{weak}");

    let lower = Cover { bound: BOUND - 1, ..cover };
    let smaller = refusal(&lower);
    assert!(matches!(smaller.fault, Fault::Proof(ProofFault::Uncovered { .. })), "{smaller}");
}
