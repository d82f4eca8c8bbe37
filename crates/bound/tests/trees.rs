//! Optima by trees, from the linear program to the judge.

use std::ops::ControlFlow;
use std::path::Path;

use bound::tree::{Case, CaseProof, Leaf, NoTree, Optimum, Tree, prove};
use geometry::{Game, Move};
use rules::{Board as _, PlainBoard};
use solver::Solver;
use verify::Proof;

fn game() -> Game {
    Game::named("6D").expect("a game")
}

fn tree(case: Case, bound: u32) -> Result<CaseProof, NoTree> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../solver/libhighs.so.1");
    let solver =
        Solver::open(&file).unwrap_or_else(|error| panic!("{error}; run scripts/solver first"));
    prove(solver, &game(), case, bound, &mut |_| ControlFlow::Continue(()))
}

/// Any game of 6D has 12 moves.
fn longest() -> Vec<Move> {
    let mut board = PlainBoard::start(game());
    while !board.legal().is_empty() {
        board.play_nth(0);
    }
    board.moves()
}

fn optimum() -> Optimum {
    let cases = [Case::Leaving(1), Case::Inside(0), Case::Touching(1)];
    let cases = cases.map(|case| tree(case, 12).expect("12 are the most"));
    Optimum { game: game(), moves: longest(), cases: cases.into() }
}

fn verdict(text: &str) -> Result<String, &'static str> {
    verify::check(text).map(|proof| proof.claim()).map_err(|refusal| refusal.fault.name())
}

#[test]
fn the_judge_accepts_an_optimum_and_nothing_less() {
    let optimum = optimum();
    let text = optimum.to_text();
    assert!(verify::is_proof(&text));
    let Ok(Proof::Optimum(proven)) = verify::check(&text) else { panic!("{:?}", verdict(&text)) };
    assert_eq!((proven.claim().as_str(), proven.moves()), ("6D = 12", 12));
    assert_eq!(proven.leaves(), optimum.cases.iter().map(|case| case.tree.leaves()).sum());

    let without = |number: usize| {
        let mut less = optimum.clone();
        less.cases.remove(number);
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
    idle.cases[1].tree = Tree::Leaf(Leaf { scale: 1, duals: Vec::new() });
    assert_eq!(verdict(&idle.to_text()), Err("open-leaf"));
    assert_eq!(verdict(&text.replace("6D = 12: a", "6D = 11: a")), Err("false-words"));
}

#[test]
fn a_claim_that_is_false_has_no_tree_but_a_game() {
    match tree(Case::Inside(1), 11) {
        Err(NoTree::Refuted { moves, .. }) => {
            let mut board = PlainBoard::start(game());
            for mv in moves {
                board.play(mv).expect("legal");
            }
            assert_eq!(board.score(), 12);
        }
        other => panic!("{other:?}"),
    }
}
