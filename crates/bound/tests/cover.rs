//! A cover of all hulls, made here and judged there.

use std::path::Path;

use bound::certificate::Certificate;
use bound::model::{Kind, Task};
use bound::{Board, Cover, Family};
use geometry::Game;
use solver::{Method, Settings, Solver};
use verify::{Fault, Proof};

fn solver() -> Solver {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../solver/libhighs.so.1");
    Solver::open(&file).unwrap_or_else(|error| panic!("{error}; run scripts/solver first"))
}

/// A cover for this bound: every maximal octagon with more dots, one after the other, unless it lies in
/// one that came before.
fn cover(bound: u32) -> Cover {
    let game = Game::named("5T").expect("a game");
    let family = Family::of(&game).expect("5T has one");
    let mut boards = Vec::new();
    family.for_each_class(|octagon| {
        if octagon.area() > bound + 36 && family.is_maximal(&octagon) {
            boards.push(octagon);
        }
    });
    let certified = boards.into_iter().map(|octagon| {
        let task = Task::new(game.clone(), Board::Octagon(octagon), Kind::Lines);
        let model = task.model().expect("small");
        let settings = Settings::by(Method::InteriorPoint);
        let solution = solver().solve(&model.problem(), &settings).expect("solved");
        Certificate::from_duals(&task, &model, &solution.duals, solution.value)
    });
    Cover { rules: game.rules, bound, certificates: certified.collect() }
}

#[test]
fn a_cover_is_proven_and_no_board_of_it_may_be_missing() {
    let cover = cover(704);
    assert!(!cover.certificates.is_empty());
    let proof = verify::check(&verify::read(&cover.to_bytes()[..]).expect("a text"));
    let proof = proof.unwrap_or_else(|no| panic!("{no}"));
    assert_eq!(proof.claim(), "5T <= 704");
    let Proof::Game(game) = &proof else { panic!("{proof:?}") };
    assert_eq!((game.bound(), game.boards()), (704, cover.certificates.len()));

    let mut lacking = cover.clone();
    let board = lacking.certificates.remove(0).task.board.to_string();
    let refusal = verify::check(&lacking.to_text()).expect_err("a board is missing");
    assert!(matches!(refusal.fault, Fault::Uncovered { .. }), "{refusal}, without {board}");

    let mut tampered = cover.clone();
    tampered.certificates[0].duals[0] += 1 << 30;
    let refusal = verify::check(&tampered.to_text()).expect_err("a dual is wrong");
    assert!(refusal.to_string().starts_with("board 1: the bound is claimed"), "{refusal}");

    let mut lower = cover;
    lower.bound = 600;
    let refusal = verify::check(&lower.to_text()).expect_err("many boards are missing");
    assert!(matches!(refusal.fault, Fault::Uncovered { .. }), "{refusal}");
}
