//! Caps and boards that bound 5D, made here and verified there.

use bound::caps::{CapsProof, ROWS, boards, least_dots};
use bound::{BoardProblem, Formulation, lp};
use geometry::Game;
use solver::LpMethod;
use verify::{Fault, ProofFault};

use crate::common::solver;

/// A proof that 5D has at most this many moves.
fn caps(bound: u32) -> CapsProof {
    let solver = solver();
    let game = Game::named("5D").expect("a game");
    let certified = boards(ROWS).into_iter().map(|board| {
        let problem = BoardProblem::new(game.clone(), board, Formulation::Lines);
        let solved = lp::certify(solver, &problem, LpMethod::InteriorPoint);
        solved.expect("solved").certificate
    });
    let certificates = certified.collect();
    let least = least_dots(ROWS, bound).expect("no room for two caps");
    CapsProof { rules: game.rules, bound, rows: ROWS, least, certificates }
}

#[test]
fn caps_are_proven_and_nothing_of_them_may_be_missing() {
    let caps = caps(133);
    let proof = verify::verify_proof(&verify::read(&caps.to_bytes()[..]).expect("a text"));
    let proof = proof.unwrap_or_else(|no| panic!("{no}"));
    assert_eq!(proof.to_string(), "5D <= 133");
    assert_eq!((proof.claim().upper_bound(), proof.stats().boards), (Some(133), 10));

    for index in 0..caps.certificates.len() {
        let mut lacking = caps.clone();
        let board = lacking.certificates.remove(index).problem.board;
        let refusal = verify::verify_proof(&lacking.to_text()).expect_err("a board is missing");
        assert!(
            matches!(refusal.fault, Fault::Proof(ProofFault::Uncovered { .. })),
            "{refusal}, without {board}"
        );
    }

    let mut tampered = caps.clone();
    tampered.certificates[0].duals[0] += 1 << 30;
    let refusal = verify::verify_proof(&tampered.to_text()).expect_err("a dual is wrong");
    assert!(refusal.to_string().starts_with("board 1: the bound is claimed"), "{refusal}");

    // One dot less leaves room for two caps somewhere; what the search found exactly cannot be
    // more.
    for waste in 0..caps.least.len() {
        let mut fewer = caps.clone();
        fewer.least[waste] = fewer.least[waste].saturating_sub(20);
        assert!(verify::verify_proof(&fewer.to_text()).is_err(), "less for waste {waste}");
        let mut more = caps.clone();
        more.least[waste] += 40;
        let refusal = verify::verify_proof(&more.to_text()).expect_err("too many dots");
        assert!(matches!(refusal.fault, Fault::Proof(ProofFault::FalseCap { .. })), "{refusal}");
    }

    let mut other_rows = caps.clone();
    other_rows.rows = ROWS - 1;
    let refusal =
        verify::verify_proof(&other_rows.to_text()).expect_err("caps of 8 rows are smaller");
    assert!(matches!(refusal.fault, Fault::Proof(ProofFault::FalseCap { .. })), "{refusal}");
}
