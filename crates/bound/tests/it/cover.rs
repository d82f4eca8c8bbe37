//! A cover of all hulls, made here and verified there.

use bound::hull::{CaseBound, CaseSplitting, CaseTree, HullError, HullProof, Split, prove};
use bound::lp::{self, LpError};
use bound::program::{LatticeLine, LinearProgram};
use bound::{Board, BoardProblem, Cover, Formulation, HullFamily, Octagon};
use geometry::{Direction, Game};
use solver::LpMethod;
use verify::{Fault, FormatFault, ProofFault};

use crate::common::solver;

/// The bound of a case, from the solver.
fn solve(problem: &BoardProblem, program: &LinearProgram) -> Result<CaseBound, LpError> {
    lp::case_bound(solver(), problem, program, 0)
}

#[test]
fn cases_of_a_hull_show_less_than_the_board_and_none_may_be_missing() {
    let game = Game::named("5T").expect("a game");
    // Small, but with all the lattice lines that a hull can meet.
    let hull = Octagon::new([8, 1, 36, 1, 8, 1, 36, 1]).expect("closed");
    let whole = BoardProblem::new(game.clone(), Board::Octagon(hull), Formulation::Lines);
    let whole = solve(&whole, &whole.program().expect("small")).expect("solved").bound;
    let exact = prove(&game, hull, u32::MAX, 1, solve).expect("one case");
    assert_eq!(exact.tree.leaves(), 1);
    // So low that cases must be split.
    let bound = whole as u32 - 27;
    let few = prove(&game, hull, bound, 1, solve).expect_err("one case is not enough");
    assert!(matches!(few, HullError::TooManyCases { .. }), "{few}");
    let proof = prove(&game, hull, bound, 100, solve).unwrap_or_else(|no| panic!("{no}"));
    assert!(proof.tree.leaves() > 1);
    check_proof(&game, &proof, bound);
    // Phases, of the longest column.
    let lattice = LatticeLine { direction: Direction::South, place: 5 };
    let problem = BoardProblem::new_exact(game.clone(), Board::Octagon(hull), Formulation::Lines);
    let split = Split::Phases(lattice);
    let (mut bound, mut leaves) = (0, Vec::new());
    for assumption in split.cases(5) {
        let case = BoardProblem { assumptions: vec![assumption], ..problem.clone() };
        let solved = solve(&case, &case.program().expect("small")).expect("solved");
        bound = bound.max(solved.bound);
        leaves.push(CaseTree::Leaf(solved.duals));
    }
    let one = solve(&problem, &problem.program().expect("small")).expect("solved").bound;
    assert!((0..one).contains(&bound), "{bound}, {one} without cases");
    check_proof(&game, &HullProof { hull, tree: CaseTree::Split(split, leaves) }, bound as u32);
}

#[test]
fn splitting_reaches_the_bound_of_a_proof() {
    let game = Game::named("5T").expect("a game");
    let hull = Octagon::new([8, 1, 36, 1, 8, 1, 36, 1]).expect("closed");
    let mut splitting = CaseSplitting::new(&game, hull, solve).expect("one case");
    let whole = splitting.bound();
    assert_eq!(splitting.solved(), 1);
    while splitting.bound() == whole {
        splitting.step(solve).expect("cases");
    }
    let bound = u32::try_from(splitting.bound()).expect("games");
    assert!(i128::from(bound) < whole && splitting.solved() > 2);
    let proof = prove(&game, hull, bound, splitting.solved(), solve);
    assert!(proof.expect("as many cases are enough").tree.leaves() > 1);
}

/// The verifier accepts this proof, and none that claims less or splits in another way.
fn check_proof(game: &Game, proof: &HullProof, bound: u32) {
    let text = proof.to_text(game, bound);
    let proven = verify::verify_proof(&text).unwrap_or_else(|no| panic!("{no}"));
    let hull = proof.hull;
    assert_eq!(
        proven.to_string(),
        format!(
            "5T: no game whose octagonal hull is octagon:{hull} (moved, turned or mirrored) has \
             more than {bound} moves"
        )
    );
    assert_eq!(HullProof::parse(&text).map(|(hull, _)| hull), Some(hull));
    let less = bound - 8;
    let less = text
        .replace(&format!("more than {bound} "), &format!("more than {less} "))
        .replace(&format!("\nbound {bound}\n"), &format!("\nbound {less}\n"));
    assert!(matches!(
        verify::verify_proof(&less).expect_err("less").fault,
        Fault::Proof(ProofFault::FalseBound { .. })
    ));
    let last = text.rfind("scale ").expect("a leaf");
    let refusal = verify::verify_proof(&text[..last]).expect_err("a case is missing");
    assert!(matches!(refusal.fault, Fault::Format(FormatFault::BadLine { .. })), "{refusal}");
    let is_split = |line: &&str| line.starts_with("holds ") || line.starts_with("phases ");
    let first = text.lines().find(is_split).expect("a split");
    for other in ["holds E 3", "phases S 0", "phases SE 1"] {
        let changed = text.replacen(&format!("{first}\n"), &format!("{other}\n"), 1);
        assert!(verify::verify_proof(&changed).is_err(), "{first} made {other}");
    }
}

#[test]
fn a_hull_stands_for_itself_but_not_for_those_inside() {
    let game = Game::named("5T").expect("a game");
    let family = HullFamily::new(&game).expect("5T has one");
    let mut largest = 0;
    family.for_each_class(|octagon| largest = largest.max(octagon.area()));
    // Only octagons of the largest size count, so what is inside them is small enough.
    let all = cover(largest - 37);
    let mut some = all.clone();
    let Board::Octagon(hull) = some.certificates.remove(0).problem.board else {
        panic!("an octagon")
    };
    let proof = prove(&game, hull, some.bound, 1, solve).expect("one case");
    let text = proof.to_text(&game, some.bound);
    let (_, cases) = HullProof::parse(&text).expect("a proof");
    some.hulls.push((hull, cases.to_owned()));
    let proof = verify::verify_proof(&some.to_text()).unwrap_or_else(|no| panic!("{no}"));
    assert_eq!((proof.stats().hulls, proof.stats().boards), (1, some.certificates.len()));
    // For one move less, those one size smaller count, too, and some of them lie in this hull
    // alone.
    let mut less = some.clone();
    less.bound -= 1;
    let refusal = verify::verify_proof(&less.to_text()).expect_err("smaller ones are missing");
    assert!(matches!(refusal.fault, Fault::Proof(ProofFault::Uncovered { .. })), "{refusal}");
    let mut tampered = some;
    let (head, numbers) = cases.split_once("\nduals ").expect("a leaf");
    let (count, numbers) = numbers.split_once('\n').expect("numbers");
    let (_, rest) = numbers.split_once(' ').expect("numbers");
    tampered.hulls[0].1 = format!("{head}\nduals {count}\n-999999999 {rest}");
    let refusal = verify::verify_proof(&tampered.to_text()).expect_err("another dual");
    assert!(refusal.to_string().starts_with("hull 1: "), "{refusal}");
}

/// A cover for this bound: every maximal octagon with more dots, one after the other, unless it
/// lies in one that came before.
fn cover(bound: u32) -> Cover {
    let game = Game::named("5T").expect("a game");
    let family = HullFamily::new(&game).expect("5T has one");
    let mut boards = Vec::new();
    family.for_each_class(|octagon| {
        if octagon.area() > bound + 36 && family.is_maximal(&octagon) {
            boards.push(octagon);
        }
    });
    let certified = boards.into_iter().map(|octagon| {
        let problem = BoardProblem::new(game.clone(), Board::Octagon(octagon), Formulation::Lines);
        let solved = lp::certify(solver(), &problem, LpMethod::InteriorPoint);
        solved.expect("solved").certificate
    });
    Cover {
        rules: game.rules,
        bound,
        certificates: certified.collect(),
        hulls: Vec::new(),
        ranges: Vec::new(),
    }
}

#[test]
fn a_cover_is_proven_and_no_board_of_it_may_be_missing() {
    let cover = cover(704);
    assert!(!cover.certificates.is_empty());
    let proof = verify::verify_proof(&verify::read(&cover.to_bytes()[..]).expect("a text"));
    let proof = proof.unwrap_or_else(|no| panic!("{no}"));
    assert_eq!(proof.to_string(), "5T <= 704");
    let stats = proof.stats();
    assert_eq!((proof.claim().upper_bound(), stats.boards), (Some(704), cover.certificates.len()));

    let mut lacking = cover.clone();
    let board = lacking.certificates.remove(0).problem.board.to_string();
    let refusal = verify::verify_proof(&lacking.to_text()).expect_err("a board is missing");
    assert!(
        matches!(refusal.fault, Fault::Proof(ProofFault::Uncovered { .. })),
        "{refusal}, without {board}"
    );

    let mut tampered = cover.clone();
    tampered.certificates[0].duals[0] += 1 << 30;
    let refusal = verify::verify_proof(&tampered.to_text()).expect_err("a dual is wrong");
    assert!(refusal.to_string().starts_with("board 1: the bound is claimed"), "{refusal}");

    let mut lower = cover;
    lower.bound = 600;
    let refusal = verify::verify_proof(&lower.to_text()).expect_err("many boards are missing");
    assert!(matches!(refusal.fault, Fault::Proof(ProofFault::Uncovered { .. })), "{refusal}");
}
