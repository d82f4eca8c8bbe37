//! Optima by trees, from the linear program to the verifier.

use std::ops::ControlFlow;
use std::path::Path;

use bound::branch::{
    BranchError, BranchStep, BranchTree, Event, OptimumProof, Region, RegionProof, SparseDuals,
    prove,
};
use geometry::{Game, Move};
use rules::{PlainPosition, Position as _};

use crate::common::solver;

fn game() -> Game {
    Game::named("6D").expect("a game")
}

fn tree(region: Region, bound: u32) -> Result<RegionProof, BranchError> {
    prove(solver(), &game(), region, bound, Vec::new(), &mut |_| ControlFlow::Continue(()))
}

/// Any game of 6D has 12 moves.
fn longest() -> Vec<Move> {
    let mut board = PlainPosition::start(game());
    while !board.legal().is_empty() {
        board.play_nth(0);
    }
    board.moves()
}

fn optimum() -> OptimumProof {
    let cases = [Region::Leaving(1), Region::Inside(0), Region::Touching(1)];
    let cases = cases.map(|case| tree(case, 12).expect("12 are the most").to_text());
    OptimumProof { game: game(), moves: longest(), regions: cases.into() }
}

fn verdict(text: &str) -> Result<String, &'static str> {
    verify::verify_proof(text)
        .map(|proof| proof.to_string())
        .map_err(|refusal| refusal.fault.name())
}

#[test]
fn the_verifier_accepts_an_optimum_and_nothing_less() {
    let optimum = optimum();
    let text = optimum.to_text();
    assert!(verify::is_proof(&text));
    let proven = verify::verify_proof(&text).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!((&*proven.to_string(), proven.claim().upper_bound()), ("6D = 12", Some(12)));
    assert_eq!(
        proven.stats().leaves,
        text.lines().filter(|line| line.starts_with("leaf ")).count()
    );

    let without = |number: usize| {
        let mut less = optimum.clone();
        less.regions.remove(number);
        verdict(&less.to_text())
    };
    for number in 0..3 {
        assert_eq!(without(number), Err("missing-case"));
    }
    let mut shorter = optimum.clone();
    shorter.moves.pop();
    assert_eq!(verdict(&shorter.to_text()), Err("open-leaf"));
    let mut illegal = optimum.clone();
    illegal.moves.swap(0, 11);
    illegal.moves[0].offset ^= 1;
    assert!(verdict(&illegal.to_text()).is_err());
    let mut idle = optimum.clone();
    let tree = BranchTree::Leaf(SparseDuals { scale: 1, duals: Vec::new() });
    idle.regions[1] = RegionProof { region: Region::Inside(0), cuts: Vec::new(), tree }.to_text();
    assert_eq!(verdict(&idle.to_text()), Err("open-leaf"));
    assert_eq!(verdict(&text.replace("6D = 12: a", "6D = 11: a")), Err("false-words"));
}

#[test]
fn a_claim_that_is_false_has_no_tree_but_a_game() {
    match tree(Region::Inside(1), 11) {
        Err(BranchError::Refuted { moves, .. }) => {
            let mut board = PlainPosition::start(game());
            for mv in moves {
                board.play(mv).expect("legal");
            }
            assert_eq!(board.score(), 12);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_search_that_was_interrupted_after_any_step_resumes() {
    let (game, region) = (Game::named("4D").expect("a game"), Region::Leaving(4));
    let search = |known: Vec<BranchStep>, most: usize| {
        let mut steps = known.clone();
        let proof =
            prove(solver(), &game, region, 35, known, &mut |Event::Step { step, .. }| {
                steps.push(step.clone());
                if steps.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        (proof, steps)
    };
    let (whole, all) = search(Vec::new(), usize::MAX);
    let whole = whole.expect("nothing leaves");
    assert!(whole.tree.leaves() > 1 && all.len() > whole.tree.leaves());
    let mut steps = Vec::new();
    let proof = loop {
        let most = steps.len() + 1;
        match search(steps, most) {
            (Err(BranchError::Interrupted), more) => steps = more,
            (Ok(proof), all) => {
                steps = all;
                break proof;
            }
            (Err(other), _) => panic!("{other}"),
        }
    };
    assert_eq!(
        proof.tree.leaves(),
        steps.iter().filter(|step| matches!(step, BranchStep::Leaf(_))).count()
    );
    // Replayed without the solver, they are the same tree.
    let (again, none) = search(steps.clone(), usize::MAX);
    assert_eq!((again.as_ref(), none.len()), (Ok(&proof), steps.len()));
    steps.insert(0, BranchStep::Leaf(SparseDuals { scale: 1, duals: Vec::new() }));
    let (mismatch, _) = search(steps, usize::MAX);
    assert!(matches!(mismatch, Err(BranchError::Mismatch { .. })), "{mismatch:?}");
}

/// The text with one of its integers changed.
fn mutated(text: &str, which: usize, change: i64) -> String {
    let is_digit = |i: usize| text.as_bytes()[i].is_ascii_digit();
    let starts: Vec<usize> =
        (0..text.len()).filter(|&i| is_digit(i) && (i == 0 || !is_digit(i - 1))).collect();
    let start = starts[which % starts.len()];
    let end = (start..text.len()).find(|&i| !is_digit(i)).unwrap_or(text.len());
    let number: i64 = text[start..end].parse().expect("digits");
    format!("{}{}{}", &text[..start], number.saturating_add(change), &text[end..])
}

#[test]
fn a_changed_number_never_proves_anything_else() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs/4D-35.tree.gz");
    let committed = std::fs::File::open(committed).expect("it comes with the program");
    let committed = verify::read(committed).expect("a text");
    for (text, claim, times) in [(optimum().to_text(), "6D = 12", 1000), (committed, "4D = 35", 50)]
    {
        assert_eq!(verdict(&text).as_deref(), Ok(claim));
        let (mut draw, mut refused) = (1u64, 0);
        for _ in 0..times {
            draw = draw
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let change = [1, -1, 2, 10, i64::MAX][(draw >> 60) as usize % 5];
            let text = mutated(&text, (draw >> 20) as usize, change);
            match verdict(&text) {
                Ok(found) => assert_eq!(found, claim),
                Err(_) => refused += 1,
            }
        }
        assert!(refused > times / 10, "{claim}: {refused} of {times}");
    }
}
