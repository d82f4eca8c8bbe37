//! Bounds by extents, found here and verified there; and what is refused of the shipped one.

use std::ops::ControlFlow;

use bound::extents::{self, ExtentCase, ExtentError, ExtentProof, ExtentSplit, ExtentStep, Sketch};
use geometry::{Game, Point};
use verify::{Claim, Fault, ProofFault, verify_proof};

use crate::common::solver;

#[test]
fn long_lines_are_bounded() {
    let (solver, game) = (solver(), Game::named("6D").expect("a game"));
    let (exit, text) = extents::find_exit(solver, &game, 30).expect("solved").expect("an exit");
    let mut proof = ExtentProof { game: game.clone(), bound: 16, exit: text, cases: Vec::new() };
    for case in extents::cases(exit) {
        let go_on = &mut |_: extents::Event<'_>| ControlFlow::Continue(());
        let tree = extents::prove(solver, &game, case, 16, Vec::new(), &Sketch::Open, go_on);
        proof.cases.push(tree.expect("a tree"));
    }
    let proven = verify_proof(&proof.to_text()).expect("accepted");
    assert_eq!(proven.to_string(), "6D <= 16");
}

#[test]
fn a_search_splits_as_in_the_sketch_of_another_target() {
    let (solver, game) = (solver(), Game::named("5D").expect("a game"));
    let case = ExtentCase { from: 3, to: 3 };
    let prove = |target, sketch: &Sketch| {
        let go_on = &mut |_: extents::Event<'_>| ControlFlow::Continue(());
        extents::prove(solver, &game, case, target, Vec::new(), sketch, go_on).expect("a tree")
    };
    let splits = |text: &str| -> Vec<String> {
        text.lines().skip(1).filter(|it| !it.starts_with("leaf")).map(str::to_owned).collect()
    };
    let higher = prove(118, &Sketch::Open);
    let again = prove(118, &Sketch::of_case(&higher, case));
    assert_eq!(splits(&again), splits(&higher));
    let lower = prove(117, &Sketch::of_case(&higher, case));
    assert_eq!(splits(&lower)[0], splits(&higher)[0]);
}

#[test]
fn a_search_resumes_after_any_step_and_only_its_own() {
    let (solver, game) = (solver(), Game::named("5D").expect("a game"));
    let case = ExtentCase { from: 3, to: 3 };
    let mut steps: Vec<ExtentStep> = Vec::new();
    let mut on = |extents::Event::Step { step, .. }: extents::Event<'_>| {
        steps.push(step.clone());
        if steps.len() < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let stopped = extents::prove(solver, &game, case, 118, Vec::new(), &Sketch::Open, &mut on);
    assert_eq!(stopped, Err(ExtentError::Interrupted));
    let mut new = 0;
    let mut on = |_: extents::Event<'_>| {
        new += 1;
        ControlFlow::Continue(())
    };
    let tree = extents::prove(solver, &game, case, 118, steps.clone(), &Sketch::Open, &mut on);
    let tree = tree.expect("a tree");
    assert!(tree.starts_with("case 3 3\n") && new > 0, "{new} new steps");
    steps[1] = ExtentStep::Split(ExtentSplit::Dot(Point::new(500, 0)));
    let go_on = &mut |_: extents::Event<'_>| ControlFlow::Continue(());
    let other = extents::prove(solver, &game, case, 118, steps, &Sketch::Open, go_on);
    assert_eq!(other, Err(ExtentError::Mismatch { case, number: 2 }));
}

/// The text of the proof that ships with the program.
fn shipped() -> String {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../proofs/5D-121.extents.gz");
    verify::read(std::fs::File::open(file).expect("it is there")).expect("a text")
}

#[test]
fn what_is_changed_in_the_shipped_proof_is_refused_with_the_place() {
    let text = shipped();
    let proven = verify_proof(&text).expect("accepted");
    assert!(matches!(proven.claim(), Claim::AtMost { moves: 121, .. }));
    let refusal = |text: &str| verify_proof(text).expect_err("refused");
    let lines: Vec<&str> = text.lines().collect();
    let place = |key: &str| lines.iter().position(|line| line.starts_with(key)).expect("a line");

    // A missing case, in the middle and at the end.
    let (from, to) = (place("case 5 5"), place("case 6 6"));
    let without = [&lines[..from], &lines[to..]].concat().join("\n");
    let fault = refusal(&without).fault;
    let missing = |case: &str| Fault::Proof(ProofFault::MissingCase { case: case.to_owned() });
    assert_eq!(fault, missing("of largest extent 5"));
    let without = lines[..place("case 17 17")].join("\n");
    assert_eq!(refusal(&without).fault, missing("of largest extent 17"));

    // A wrong extent: of the exit, whose leaf is that of another domain, and of a case.
    let names = |text: &str, places: [&str; 2]| {
        let said = refusal(text).to_string();
        assert!(places.iter().any(|place| said.contains(place)), "{said}");
    };
    let nearer = text.replace("\nexit 18\n", "\nexit 17\n");
    names(&nearer, ["tree exit 17", "of the file: "]);
    let wider = text.replace("\ncase 4 4\n", "\ncase 4 5\n");
    names(&wider, ["tree case 4 5", "of the file: "]);

    // An exit whose leaf counts moves.
    let exit = lines[place("leaf")];
    let counted = text.replacen(exit, &exit.replacen("leaf 0 ", "leaf 1 ", 1), 1);
    assert!(
        refusal(&counted).to_string().starts_with("line 6 of the file: expected a leaf of scale 0")
    );

    // Swapped halves: the leaves of a split that has two.
    let split = (0..lines.len() - 2)
        .find(|&at| {
            let is_leaf = |offset: usize| lines[at + offset].starts_with("leaf");
            at > from && !is_leaf(0) && is_leaf(1) && is_leaf(2) && lines[at + 1] != lines[at + 2]
        })
        .expect("a split with two leaves");
    let mut swapped = lines.clone();
    swapped.swap(split + 1, split + 2);
    let fault = refusal(&swapped.join("\n")).fault;
    assert!(matches!(fault, Fault::Proof(ProofFault::OpenLeaf { .. })), "{fault:?}");

    // A false mirror: a multiplier that would reverse the inequality.
    let first = place("case 0 2");
    let mut changed = lines.clone();
    changed[first + 1] = "leaf 8 32 -1";
    let words = format!("line {} of the file: expected a split", first + 2);
    assert!(refusal(&changed.join("\n")).to_string().starts_with(&words));

    // A price too small, or all of them; and more numbers than the node has.
    let first = place("case 3 3");
    let is_leaf = |line: &&str| line.starts_with("leaf");
    let leaf = first + lines[first..].iter().position(is_leaf).expect("a leaf");
    let numbers = lines[leaf].rfind(' ').expect("numbers") + 1;
    let refused_with = |changed: &str| {
        let lines = [&lines[..leaf], &[changed]].concat();
        refusal(&lines.join("\n"))
    };
    let open = Fault::Proof(ProofFault::OpenLeaf { number: 1, case: "case 3 3".to_owned() });
    assert_eq!(refused_with(&lines[leaf][..numbers - 1]).fault, open);
    let without = |at: usize| format!("{}0{}", &lines[leaf][..at], &lines[leaf][at + 1..]);
    assert!((numbers..lines[leaf].len()).any(|at| refused_with(&without(at)).fault == open));
    let said = refused_with(&format!("{}{}", lines[leaf], "1".repeat(5000))).to_string();
    let words = format!("line {} of the file: expected a leaf with no more numbers", leaf + 1);
    assert!(said.starts_with(&words), "{said}");

    // Swapped splits: one above the other.
    let splits = (from..lines.len() - 1)
        .find(|&at| [at, at + 1].iter().all(|&it| lines[it].starts_with("dot")))
        .expect("a split below another");
    let mut swapped = lines.clone();
    swapped.swap(splits, splits + 1);
    names(&swapped.join("\n"), ["of the tree case", "of the file: "]);

    // A stronger claim.
    let stronger = text.replace("121 moves", "120 moves").replace("bound 121", "bound 120");
    let fault = refusal(&stronger).fault;
    assert!(matches!(fault, Fault::Proof(ProofFault::OpenLeaf { .. })), "{fault:?}");
}
