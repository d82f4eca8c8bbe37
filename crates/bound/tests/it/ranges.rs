//! Ranges of hulls, bounded here and verified there.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use bound::blocks::{
    self, BlockSolution, HullPlace, HullRange, Multipliers, SizeRanges, SizeTree, SizeTreeError,
};
use bound::{Cover, Octagon};
use geometry::Rules;
use proptest::prelude::*;
use verify::{Fault, Place, ProofFault, verify_proof};

use crate::common::solver;

fn octagon(sides: [u32; 8]) -> Octagon {
    Octagon::new(sides).expect("closed sides")
}

/// The range of one hull.
fn alone(sides: [u32; 8]) -> HullRange {
    HullRange { board: octagon(sides), slack: [0; 8] }
}

/// The places of a range at which hulls can lie: each side anywhere within its slack.
fn all_places(range: &HullRange) -> Vec<HullPlace> {
    let mut places = vec![HullPlace::default()];
    for (side, &slack) in range.slack.iter().enumerate() {
        let moved = |place: HullPlace| {
            (0..=slack).map(move |steps| {
                let mut place = place;
                place[side] = steps;
                place
            })
        };
        places = places.into_iter().flat_map(moved).collect();
    }
    places
}

/// The relaxation of all hulls of a range.
fn solve(range: &HullRange, sizes: &SizeRanges, target: u32) -> BlockSolution {
    blocks::solve(solver(), range, &all_places(range), sizes, target).expect("solved")
}

/// A proof with this range alone, which does not cover all hulls.
fn proof(bound: u32, hulls: HullRange, tree: &str) -> String {
    let rules: Rules = "5T".parse().expect("rules");
    let ranges = vec![(hulls, tree.to_owned())];
    Cover { rules, bound, ranges }.to_text()
}

fn written(tree: &SizeTree) -> String {
    let mut text = String::new();
    tree.write(&mut text);
    text
}

/// Whether the verifier accepts the range of a proof, and so finds no fault before the hulls that
/// it does not cover.
fn accepts(text: &str) -> bool {
    let refusal = verify_proof(text).expect_err("other hulls are not covered");
    match refusal.fault {
        Fault::Proof(ProofFault::Uncovered { .. }) => true,
        Fault::Proof(ProofFault::FalseBound { .. } | ProofFault::WrongSign) => {
            assert_eq!(refusal.place, Place::Range(1), "{refusal}");
            false
        }
        other => panic!("{other}"),
    }
}

/// A range of small hulls, with a bound and what proves it.
fn small_range() -> (HullRange, u32, String) {
    let hulls = HullRange { slack: [1, 2, 0, 1, 2, 0, 1, 1], ..alone([4, 4, 3, 4, 4, 4, 3, 4]) };
    let bound = solve(&hulls, &SizeRanges::default(), 0).certified.floor() as u32;
    let solution = solve(&hulls, &SizeRanges::default(), bound);
    assert!(solution.certified < f64::from(bound) + 1.0);
    (hulls, bound, written(&SizeTree::Leaf(Box::new(solution.multipliers))))
}

#[test]
fn the_verifier_accepts_the_bound_of_a_range_and_nothing_stronger() {
    let (hulls, bound, tree) = small_range();
    assert!(accepts(&proof(bound, hulls, &tree)), "{hulls} <= {bound}");
    assert!(!accepts(&proof(bound - 1, hulls, &tree)));
    // More hulls than the multipliers are for.
    for side in 0..8 {
        let mut wider = hulls;
        wider.slack[side] = 9;
        let tree = with_sides(&wider, &tree, |_, _| 0);
        let claimed = (bound / 2..=bound + 40).find(|&bound| accepts(&proof(bound, wider, &tree)));
        assert!(claimed.expect("some bound") >= bound, "side {side}");
    }
}

/// A leaf with other prices of sides.
fn with_sides(range: &HullRange, leaf: &str, price: impl Fn(usize, u32) -> i64) -> String {
    let mut lines: Vec<String> = leaf.lines().map(str::to_owned).collect();
    for (side, slack) in range.slack.into_iter().enumerate() {
        let prices: Vec<String> = (0..=slack).map(|k| price(side, k).to_string()).collect();
        lines[1 + side] = prices.join(" ");
    }
    lines.join("\n") + "\n"
}

#[test]
fn what_a_side_gives_to_a_hull_its_lattice_line_pays() {
    let (hulls, bound, tree) = small_range();
    let largest = |tree: &str| {
        let tree = SizeTree::parse(&hulls, tree).expect("a tree").bound(&hulls);
        let all = |k: u32| std::array::from_fn(|side| k.min(hulls.slack[side]));
        [0, 1, 2].map(|k| tree.at(&all(k) as &HullPlace).expect("hulls"))
    };
    assert!(largest(&tree).iter().all(|priced| *priced <= i64::from(bound)));
    let free = largest(&with_sides(&hulls, &tree, |_, _| 0));
    // What all places of all sides get, all first and last lattice lines pay.
    assert_eq!(largest(&with_sides(&hulls, &tree, |_, _| 1 << 20)), free);
    // A hull that gets more than the others has a bound that is larger by as much.
    let scale: i64 = tree[5..].split(' ').next().expect("a scale").parse().expect("a number");
    let outermost = |_, k| if k == 0 { 100 * scale } else { 0 };
    let [out, .., inside] = largest(&with_sides(&hulls, &tree, outermost));
    assert!(out >= free[0] && inside <= free[2], "{out} {inside} {free:?}");
    let sides = hulls.slack.iter().filter(|slack| **slack > 0).count() as i64;
    assert_eq!(out - inside, 100 * sides);
}

#[test]
fn changed_integers_are_accepted_only_where_they_prove_the_bound_all_the_same() {
    let (hulls, bound, tree) = small_range();
    let text = proof(bound, hulls, &tree);
    let start = text.find("\nleaf ").expect("a leaf");
    let numbers: Vec<(usize, usize)> = {
        let mut numbers = Vec::new();
        let mut from = start + 6;
        for word in text[from..].split_inclusive([' ', '\n']) {
            numbers.push((from, word.trim_end().len()));
            from += word.len();
        }
        numbers
    };
    let mut state = 5u64;
    let mut random = |most: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888);
        (state >> 33) as usize % most
    };
    let mut refused = 0;
    for _ in 0..1000 {
        let (from, length) = numbers[random(numbers.len())];
        let old: i64 = text[from..from + length].parse().expect("a number");
        let change = [-1, 1, -7, 100, -5000][random(5)];
        let new = (old + change).to_string();
        let changed = format!("{}{new}{}", &text[..from], &text[from + length..]);
        if from == start + 6 && old + change < 1 {
            continue;
        }
        let accepted = accepts(&changed);
        let (_, tree) = changed.split_once("\nslack ").expect("the slack");
        let (_, tree) = tree.split_once('\n').expect("the tree");
        assert_eq!(accepted, proves(&hulls, tree, bound), "{old} became {new}");
        refused += usize::from(!accepted);
    }
    assert!(refused > 200, "{refused}");
}

/// The same decision, made in `bound`.
fn proves(hulls: &HullRange, tree: &str, bound: u32) -> bool {
    // Multipliers that are out of range, or negative for an inequality, are not read.
    let Some(tree) = SizeTree::parse(hulls, tree) else { return false };
    let SizeTree::Leaf(multipliers) = &tree else { panic!("no split") };
    let proven = tree.bound(hulls);
    // A hull on whose sides it costs least.
    let least = |side: usize| {
        let price = |k: &u32| multipliers.sides[side][*k as usize];
        (0..=hulls.slack[side]).min_by_key(price).expect("a place")
    };
    let proven = proven.at(&std::array::from_fn(least));
    proven.is_none_or(|proven| proven <= i64::from(bound))
}

#[test]
fn the_parts_of_a_split_have_their_own_sizes() {
    let hulls = alone([4, 4, 3, 4, 4, 4, 3, 4]);
    let (direction, line, most) = (0, 5, 5);
    let [less, more] = [(0, most), (most + 1, 99)].map(|(least, most)| {
        let part = SizeRanges::default().with(direction, line, least, most);
        let bound = solve(&hulls, &part, 0).certified.floor() as u32;
        (bound, solve(&hulls, &part, bound).multipliers)
    });
    assert!(less.0 < more.0, "{} {}", less.0, more.0);
    let tree = |first: &Multipliers, second: &Multipliers, most: i64| {
        let parts = Box::new([first, second].map(|it| SizeTree::Leaf(Box::new(it.clone()))));
        let tree = SizeTree::Split { direction, line, most, parts };
        proof(more.0, hulls, &written(&tree))
    };
    assert!(accepts(&tree(&less.1, &more.1, most)));
    assert!(!accepts(&tree(&more.1, &less.1, most)));
    assert!(!accepts(&tree(&less.1, &more.1, most + 6)));
    for not_there in [-1, 99] {
        let text = tree(&less.1, &more.1, not_there);
        let refusal = verify_proof(&text).expect_err("no such size").to_string();
        assert!(refusal.contains("a split of a lattice line that exists"), "{refusal}");
    }
}

#[test]
fn as_many_second_parts_may_wait_as_the_verifier_allows() {
    let (hulls, bound, leaf) = small_range();
    // Every split leaves the lattice line one size less.
    let mut splits = Vec::new();
    for (direction, along) in [("E", [0, 1]), ("S", [1, 0])] {
        let mut sizes: BTreeMap<i32, i64> = BTreeMap::new();
        for dot in hulls.board.dots() {
            *sizes.entry(along[0] * dot.x + along[1] * dot.y).or_default() += 1;
        }
        for (line, size) in sizes {
            splits.extend((0..size).rev().map(|most| format!("split {direction} {line} {most}\n")));
        }
    }
    for (waiting, is_read) in [(100, true), (101, false)] {
        let first = splits[..waiting].concat() + &leaf.repeat(waiting + 1);
        assert_eq!(SizeTree::parse(&hulls, &first).is_some(), is_read, "{waiting}");
        let text = proof(bound, hulls, &first);
        if is_read {
            assert!(accepts(&text));
        } else {
            let refusal = verify_proof(&text).expect_err("too many wait").to_string();
            assert!(refusal.contains("at most 100 second parts wait"), "{refusal}");
        }
        // In second parts, none waits but the one that is read.
        let second: String =
            splits[..waiting].iter().rev().map(|it| format!("{it}{leaf}")).collect();
        let second = second + &leaf;
        assert!(SizeTree::parse(&hulls, &second).is_some());
    }
}

#[test]
fn a_hull_out_of_reach_is_reported_and_a_search_stops_when_asked() {
    let hulls = alone([3; 8]);
    let prove = |limit, on: &mut dyn FnMut() -> ControlFlow<()>| {
        blocks::prove(solver(), &hulls, &all_places(&hulls), 3, limit, on)
            .expect_err("games have more moves")
    };
    let far = prove(3, &mut || ControlFlow::Continue(()));
    assert!(matches!(far, SizeTreeError::OutOfReach { .. }), "{far}");
    assert_eq!(prove(3, &mut || ControlFlow::Break(())), SizeTreeError::Interrupted);
}

#[test]
fn a_diagonal_said_to_be_empty_in_one_part_may_not_be_left_out_of_it() {
    let (hulls, bound, leaf) = small_range();
    // The same multipliers prove the bound for either part.
    let both = format!("split SE 4 0\n{leaf}{leaf}");
    assert!(accepts(&proof(bound, hulls, &both)));
    let refusal = verify_proof(&proof(bound, hulls, &format!("split SE 4 0\n{leaf}")));
    assert!(refusal.expect_err("one part").is_malformed());
    // A row may be empty in no position of these hulls: that part is void, and any leaf will do.
    let zeros = |line: &str| line.split(' ').map(|_| "0").collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = leaf.lines().skip(1).map(zeros).collect();
    let nothing = format!("leaf 1 0\n{}\n", lines.join("\n"));
    assert!(accepts(&proof(bound, hulls, &format!("split E 5 0\n{nothing}{leaf}"))));
    assert!(!accepts(&proof(bound, hulls, &format!("split E 5 0\n{leaf}{nothing}"))));
    assert!(!accepts(&proof(bound, hulls, &format!("split SE 4 0\n{nothing}{leaf}"))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_hull_lies_where_its_sides_are_and_the_range_around_it_is_its_own(
        cuts in prop::array::uniform4(0u32..4),
        steps in prop::array::uniform8(0u32..3),
        slack in prop::array::uniform8(0u32..4),
    ) {
        let hull = Octagon::from_cuts(9, 8, cuts).expect("small cuts");
        let board = hull.pushed(steps);
        let wide = HullRange { board, slack: [9; 8] };
        let places = wide.places(&hull);
        prop_assert!(!places.is_empty());
        for place in &places {
            let (range, inside) = wide.tightened(&[*place]);
            prop_assert_eq!((range.board, range.slack), (hull, [0; 8]));
            prop_assert_eq!(&inside, place);
        }
        let range = HullRange { board, slack };
        let is_inside = |place: &&HullPlace| place.iter().zip(slack).all(|(k, slack)| *k <= slack);
        let inside: Vec<HullPlace> = places.iter().filter(is_inside).copied().collect();
        prop_assert_eq!(range.places(&hull), inside);
    }
}
