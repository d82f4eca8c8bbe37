//! A cover of all hulls, made here and judged there.

use bound::certificate::Certificate;
use bound::hull::{Descent, HullProof, Leaf, NoHullProof, Solved, Split, Tree, prove};
use bound::model::{Kind, LatticeLine, Model, Task};
use bound::{Board, Cover, Family, Octagon};
use geometry::{Direction, Game};
use solver::{Method, Settings, SolverError, Status};
use verify::{Fault, Proof};

use crate::common::solver;

/// The bound of a case, by the solver.
fn solve(task: &Task, model: &Model) -> Result<Solved, SolverError> {
    let by = |method| solver().solve(&model.problem(), &Settings::by(method));
    let mut solution = by(Method::InteriorPoint)?;
    if solution.status != Status::Optimal {
        solution = by(Method::DualSimplex)?;
    }
    let (certificate, values) = match &solution.ray {
        Some(ray) => (Certificate::from_ray(task, model, ray).expect("a clear ray"), Vec::new()),
        None => {
            let suggested = Certificate::from_duals(task, model, &solution.duals, solution.value);
            (suggested, solution.columns)
        }
    };
    let Certificate { bound, scale, duals, .. } = certificate;
    Ok(Solved { bound, values, leaf: Leaf { scale, duals } })
}

#[test]
fn cases_of_a_hull_show_less_than_the_board_and_none_may_be_missing() {
    let game = Game::named("5T").expect("a game");
    // Small, but with all the lattice lines that a hull can meet.
    let hull = Octagon::new([8, 1, 36, 1, 8, 1, 36, 1]).expect("closed");
    let whole = Task::new(game.clone(), Board::Octagon(hull), Kind::Lines);
    let whole = solve(&whole, &whole.model().expect("small")).expect("solved").bound;
    let exact = prove(&game, hull, u32::MAX, 1, solve).expect("one case");
    assert_eq!(exact.tree.leaves(), 1);
    // So low that cases must be told apart.
    let bound = whole as u32 - 27;
    let few = prove(&game, hull, bound, 1, solve).expect_err("one case is not enough");
    assert!(matches!(few, NoHullProof::TooManyCases { .. }), "{few}");
    let proof = prove(&game, hull, bound, 100, solve).unwrap_or_else(|no| panic!("{no}"));
    assert!(proof.tree.leaves() > 1);
    check_proof(&game, &proof, bound);
    // Phases, of the longest column.
    let lattice = LatticeLine { direction: Direction::South, place: 5 };
    let task = Task { exact: true, ..Task::new(game.clone(), Board::Octagon(hull), Kind::Lines) };
    let split = Split::Phases(lattice);
    let (mut bound, mut leaves) = (0, Vec::new());
    for supposed in split.cases(5) {
        let case = Task { supposed: vec![supposed], ..task.clone() };
        let solved = solve(&case, &case.model().expect("small")).expect("solved");
        bound = bound.max(solved.bound);
        leaves.push(Tree::Leaf(solved.leaf));
    }
    let one = solve(&task, &task.model().expect("small")).expect("solved").bound;
    assert!((0..one).contains(&bound), "{bound}, {one} without cases");
    check_proof(&game, &HullProof { hull, tree: Tree::Split(split, leaves) }, bound as u32);
}

#[test]
fn a_descent_comes_down_to_what_a_proof_shows() {
    let game = Game::named("5T").expect("a game");
    let hull = Octagon::new([8, 1, 36, 1, 8, 1, 36, 1]).expect("closed");
    let mut descent = Descent::begin(&game, hull, solve).expect("one case");
    let whole = descent.bound();
    assert_eq!(descent.solved(), 1);
    while descent.bound() == whole {
        descent.step(solve).expect("cases");
    }
    let bound = u32::try_from(descent.bound()).expect("games");
    assert!(i128::from(bound) < whole && descent.solved() > 2);
    let proof = prove(&game, hull, bound, descent.solved(), solve);
    assert!(proof.expect("as many cases are enough").tree.leaves() > 1);
}

/// The judge accepts this proof, and none that says less or tells cases apart in another way.
fn check_proof(game: &Game, proof: &HullProof, bound: u32) {
    let text = proof.to_text(game, bound);
    let proven = verify::check(&text).unwrap_or_else(|no| panic!("{no}"));
    let hull = proof.hull;
    assert_eq!(
        proven.claim(),
        format!(
            "5T: no game whose octagonal hull is octagon:{hull} (moved, turned or mirrored) has more than {bound} moves"
        )
    );
    assert_eq!(HullProof::parts(&text).map(|(hull, _)| hull), Some(hull));
    let less = bound - 8;
    let less = text
        .replace(&format!("more than {bound} "), &format!("more than {less} "))
        .replace(&format!("\nbound {bound}\n"), &format!("\nbound {less}\n"));
    assert!(matches!(verify::check(&less).expect_err("less").fault, Fault::FalseBound { .. }));
    let last = text.rfind("scale ").expect("a leaf");
    let refusal = verify::check(&text[..last]).expect_err("a case is missing");
    assert!(matches!(refusal.fault, Fault::BadLine { .. }), "{refusal}");
    let is_split = |line: &&str| line.starts_with("holds ") || line.starts_with("phases ");
    let first = text.lines().find(is_split).expect("a split");
    for other in ["holds E 3", "phases S 0", "phases SE 1"] {
        let changed = text.replacen(&format!("{first}\n"), &format!("{other}\n"), 1);
        assert!(verify::check(&changed).is_err(), "{first} made {other}");
    }
}

#[test]
fn a_hull_stands_for_itself_but_not_for_those_inside() {
    let game = Game::named("5T").expect("a game");
    let family = Family::of(&game).expect("5T has one");
    let mut largest = 0;
    family.for_each_class(|octagon| largest = largest.max(octagon.area()));
    // Only octagons of the largest size count, so what is inside them is small enough.
    let all = cover(largest - 37);
    let mut some = all.clone();
    let Board::Octagon(hull) = some.certificates.remove(0).task.board else { panic!("an octagon") };
    let proof = prove(&game, hull, some.bound, 1, solve).expect("one case");
    let text = proof.to_text(&game, some.bound);
    let (_, cases) = HullProof::parts(&text).expect("a proof");
    some.hulls.push((hull, cases.to_owned()));
    let proof = verify::check(&some.to_text()).unwrap_or_else(|no| panic!("{no}"));
    let Proof::Game(proven) = &proof else { panic!("{proof:?}") };
    assert_eq!((proven.hulls(), proven.boards()), (1, some.certificates.len()));
    // For one move less, those one size smaller count, too, and some of them lie in this hull alone.
    let mut less = some.clone();
    less.bound -= 1;
    let refusal = verify::check(&less.to_text()).expect_err("smaller ones are missing");
    assert!(matches!(refusal.fault, Fault::Uncovered { .. }), "{refusal}");
    let mut tampered = some;
    let (head, numbers) = cases.split_once("\nduals ").expect("a leaf");
    let (count, numbers) = numbers.split_once('\n').expect("numbers");
    let (_, rest) = numbers.split_once(' ').expect("numbers");
    tampered.hulls[0].1 = format!("{head}\nduals {count}\n-999999999 {rest}");
    let refusal = verify::check(&tampered.to_text()).expect_err("another dual");
    assert!(refusal.to_string().starts_with("hull 1: "), "{refusal}");
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
    Cover { rules: game.rules, bound, certificates: certified.collect(), hulls: Vec::new() }
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
