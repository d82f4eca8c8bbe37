//! Patterns say what their formulas say: a SAT solver, truth tables and the judge agree with them.

use std::collections::BTreeSet;

use reduce::closure::Closure;
use reduce::{Assignment, Family, Formula, Pattern, Stage};

use crate::common::games::all_games;
use crate::common::{Chance, all_models, compile, compile_for, formula, judged, solve};

/// What the solver says is what the pattern says, by the way from model to game to model.
fn agrees_with_the_solver(formula: &Formula, pattern: &Pattern) -> bool {
    let Some(model) = solve(formula) else { return false };
    assert_eq!(model.unsatisfied(formula), Vec::<usize>::new(), "the solver errs");
    let moves = pattern.play(&model);
    assert_eq!(judged(pattern, pattern.rules(false), &moves), moves.len());
    assert!(moves.len() >= pattern.threshold(), "{formula}");
    let read = pattern.read(moves.iter().map(|mv| mv.line));
    assert_eq!(read.unsatisfied(formula), Vec::<usize>::new(), "{formula}");
    true
}

/// A model's game is long enough if and only if the model satisfies the formula.
fn plays_as_it_should(formula: &Formula, pattern: &Pattern, model: &Assignment) -> bool {
    let satisfied = model.unsatisfied(formula).is_empty();
    let moves = pattern.play(model);
    assert_eq!(moves.len() >= pattern.threshold(), satisfied, "{formula}");
    let end = pattern.layout().treasure().last();
    assert_eq!(moves.iter().any(|mv| Some(&mv.dot()) == end), satisfied, "{formula}");
    satisfied
}

/// With the lines of all false literals barred, the treasure is within the closure if and only if
/// the model satisfies the formula. This does not use any meaning of any hole.
fn closes_as_it_should(formula: &Formula, pattern: &Pattern, model: &Assignment) {
    let played: BTreeSet<_> = pattern.play(model).into_iter().collect();
    let choices = pattern.layout().choices().iter().flatten();
    let barred = choices.filter(|mv| !played.contains(mv)).map(|mv| mv.dot());
    let length = pattern.layout().length();
    let closure = Closure::new(length, pattern.start().dots(), barred).expect("finite");
    let end = pattern.layout().treasure().last().copied();
    let reached = closure.fillable().any(|point| Some(point) == end);
    assert_eq!(reached, model.unsatisfied(formula).is_empty(), "{formula}");
}

/// All clauses of one to three different variables out of three.
fn all_clauses() -> Vec<Vec<i32>> {
    let signed = |variable: i32| [None, Some(variable), Some(-variable)];
    let mut clauses = Vec::new();
    for one in signed(1) {
        for two in signed(2) {
            for three in signed(3) {
                clauses.push([one, two, three].into_iter().flatten().collect());
            }
        }
    }
    clauses.retain(|clause: &Vec<i32>| !clause.is_empty());
    clauses
}

/// The clauses with their variables renamed, sorted: the least of all renamings stands for all.
fn least_renaming(clauses: &[Vec<i32>]) -> Vec<Vec<i32>> {
    const NAMES: [[i32; 3]; 6] = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]];
    let renamed = |names: &[i32; 3]| {
        let literal = |&l: &i32| names[l.unsigned_abs() as usize - 1] * l.signum();
        let mut all: Vec<Vec<i32>> =
            clauses.iter().map(|clause| clause.iter().map(literal).collect()).collect();
        all.iter_mut().for_each(|clause| clause.sort_unstable());
        all.sort();
        all
    };
    NAMES.iter().map(renamed).min().expect("six renamings")
}

#[test]
fn every_formula_of_three_variables_and_three_clauses_is_told_right() {
    for length in [4, 5] {
        tells_every_small_formula(length);
    }
}

fn tells_every_small_formula(length: usize) {
    let clauses = all_clauses();
    assert_eq!(clauses.len(), 26);
    let mut formulas: BTreeSet<Vec<Vec<i32>>> = BTreeSet::new();
    for (i, one) in clauses.iter().enumerate() {
        formulas.insert(least_renaming(std::slice::from_ref(one)));
        for (j, two) in clauses.iter().enumerate().skip(i) {
            formulas.insert(least_renaming(&[one.clone(), two.clone()]));
            for three in &clauses[j..] {
                formulas.insert(least_renaming(&[one.clone(), two.clone(), three.clone()]));
            }
        }
    }
    let (mut satisfiable, mut not) = (0, 0);
    for clauses in &formulas {
        let formula = formula(3, clauses);
        let pattern = compile_for(length, &formula);
        let mut models = 0;
        for model in all_models(3) {
            models += usize::from(plays_as_it_should(&formula, &pattern, &model));
        }
        if agrees_with_the_solver(&formula, &pattern) {
            assert!(models > 0, "{formula}");
            satisfiable += 1;
        } else {
            assert_eq!(models, 0, "{formula}");
            not += 1;
        }
    }
    assert_eq!((satisfiable, not), (SATISFIABLE, NOT));
}

/// Formulas of up to three clauses over three variables, up to renaming.
const SATISFIABLE: usize = 714;
const NOT: usize = 23;

#[test]
fn the_eight_sign_clauses_contradict_each_other_and_any_seven_do_not() {
    let all: Vec<Vec<i32>> = all_clauses().into_iter().filter(|clause| clause.len() == 3).collect();
    assert_eq!(all.len(), 8);
    for length in [4, 5] {
        tells_the_sign_clauses(length, &all);
    }
}

fn tells_the_sign_clauses(length: usize, all: &[Vec<i32>]) {
    let eight = formula(3, all);
    let pattern = compile_for(length, &eight);
    assert!(!agrees_with_the_solver(&eight, &pattern));
    for model in all_models(3) {
        assert!(!plays_as_it_should(&eight, &pattern, &model));
        closes_as_it_should(&eight, &pattern, &model);
    }
    let seven = formula(3, &all[1..]);
    let pattern = compile_for(length, &seven);
    assert!(agrees_with_the_solver(&seven, &pattern));
    for model in all_models(3) {
        plays_as_it_should(&seven, &pattern, &model);
        closes_as_it_should(&seven, &pattern, &model);
    }
}

#[test]
fn two_hundred_random_formulas_are_told_as_the_solver_tells_them() {
    let mut chance = Chance(7);
    let mut told = [0, 0];
    for _ in 0..200 {
        let variables = 1 + chance.below(8);
        let count = chance.below(4 * variables + 2);
        let formula = chance.formula(variables, count);
        let pattern = compile(&formula);
        let satisfiable = agrees_with_the_solver(&formula, &pattern);
        told[usize::from(satisfiable)] += 1;
        let models: Vec<Assignment> = all_models(variables as u32).collect();
        let truly = models.iter().any(|model| model.unsatisfied(&formula).is_empty());
        assert_eq!(satisfiable, truly, "{formula}");
        for _ in 0..4 {
            let model = &models[chance.below(models.len())];
            plays_as_it_should(&formula, &pattern, model);
            closes_as_it_should(&formula, &pattern, model);
        }
    }
    assert!(told[0] > 40 && told[1] > 40, "{told:?}");
}

#[test]
fn lines_of_every_length_tell_the_same() {
    for length in Family::LENGTHS {
        let mut chance = Chance(length as u64);
        let mut told = [0, 0];
        for _ in 0..30 {
            let variables = 1 + chance.below(3);
            let count = variables + chance.below(5 * variables);
            let formula = chance.formula(variables, count);
            let pattern = compile_for(length, &formula);
            let satisfiable = agrees_with_the_solver(&formula, &pattern);
            told[usize::from(satisfiable)] += 1;
            let mut models = 0;
            for model in all_models(variables as u32) {
                models += usize::from(plays_as_it_should(&formula, &pattern, &model));
                closes_as_it_should(&formula, &pattern, &model);
                reads_back(&pattern, &model);
            }
            assert_eq!(models > 0, satisfiable, "{formula}");
        }
        assert!(told[0] > 4 && told[1] > 4, "{length}: {told:?}");
    }
}

/// The game of a model is legal in both games, and says the values of all variables in use.
fn reads_back(pattern: &Pattern, model: &Assignment) {
    let moves = pattern.play(model);
    for touching in [true, false] {
        assert_eq!(judged(pattern, pattern.rules(touching), &moves), moves.len());
    }
    let read = pattern.read(moves.iter().map(|mv| mv.line));
    for &variable in pattern.layout().instance().names.iter().flatten() {
        assert_eq!(read.value(variable), model.value(variable));
    }
}

#[test]
fn twenty_variables_and_ninety_one_clauses_are_certified_and_played() {
    let formula = Formula::read(include_bytes!("../random-20-91.cnf")).expect("DIMACS");
    for (length, dots) in [(4, 400_505), (5, 171_843), (16, 797_097)] {
        let pattern = compile_for(length, &formula);
        assert_eq!(pattern.start().dots().len(), dots, "{length}");
        assert!(agrees_with_the_solver(&formula, &pattern));
    }
}

#[test]
fn strange_formulas_have_right_answers() {
    for (text, satisfiable) in [
        ("p cnf 0 0\n", true),
        ("p cnf 5 0\n", true),
        ("p cnf 0 1\n0\n", false),
        ("p cnf 2 3\n1 2 0\n0\n-1 0\n", false),
        ("p cnf 1 1\n1 -1 0\n", true),
        ("p cnf 3 2\n1 -1 2 0\n-3 -3 -3 0\n", true),
        ("p cnf 1000000 2\n1000000 999999 0\n-1000000 0\n", true),
        ("p cnf 9 2\n9 9 0\n-9 -9 -9 0\n", false),
    ] {
        let formula = Formula::read(text.as_bytes()).expect(text);
        for length in [4, 5, 7] {
            let pattern = compile_for(length, &formula);
            assert_eq!(agrees_with_the_solver(&formula, &pattern), satisfiable, "{text}");
        }
    }
}

#[test]
fn a_gap_makes_the_treasure_longer_by_that_factor() {
    let formula = formula(2, &[vec![1, 2], vec![-1, -2]]);
    let plain = compile(&formula);
    let wide = Pattern::compile(formula.clone(), 5, 7.5, &mut |_| ()).expect("certified");
    let ceiling = wide.certificate().ceiling();
    assert_eq!(ceiling, plain.certificate().ceiling());
    assert_eq!(wide.threshold(), (7.5 * (ceiling + 1) as f64).ceil() as usize);
    assert_eq!(plain.threshold(), ceiling + 1);
    assert!(agrees_with_the_solver(&formula, &wide));
    for gap in [f64::NAN, f64::INFINITY, 0.0, 0.99, -3.0, 1e7] {
        assert!(Pattern::compile(formula.clone(), 5, gap, &mut |_| ()).is_err(), "{gap}");
    }
    // Refused by arithmetic: the treasure is not even begun.
    for length in Family::LENGTHS {
        let mut stages = Vec::new();
        let far = Pattern::compile(formula.clone(), length, 1e6, &mut |stage| stages.push(stage));
        assert!(far.expect_err("too many dots").to_string().contains("more than 4000000 dots"));
        assert_eq!(stages, [Stage::Layout, Stage::Ceiling], "{length}");
    }
}

#[test]
fn all_games_of_small_formulas_reach_the_treasure_only_by_their_models() {
    // The treasure is cut to one unit: how games go on from there is known.
    let tables = [(4, include_str!("../games-4.txt")), (5, include_str!("../games-5.txt"))];
    for (length, table) in tables {
        let mut found = String::new();
        for line in table.lines() {
            let Some((clauses, _)) = line.split_once(':').filter(|_| !line.starts_with('#')) else {
                found += &format!("{line}\n");
                continue;
            };
            let literals =
                |clause: &str| clause.split(' ').map(|l| l.parse().expect("a literal")).collect();
            let formula: Vec<Vec<i32>> = clauses.split(", ").map(literals).collect();
            let numbers = all_games(length, &formula);
            let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
            found += &format!("{clauses}: {}\n", numbers.join(" "));
        }
        assert_eq!(found, table);
        assert!(table.lines().count() > 5);
    }
}

#[test]
fn patterns_for_lines_of_4_have_these_sizes() {
    for (variables, clauses, dots, threshold) in [
        (1, vec![vec![1]], 269, 98),
        (1, vec![vec![1], vec![-1]], 602, 255),
        (2, vec![vec![1, 2], vec![-1, -2]], 1286, 549),
    ] {
        let pattern = compile_for(4, &formula(variables, &clauses));
        let found = (pattern.start().dots().len(), pattern.threshold());
        assert_eq!(found, (dots, threshold), "{clauses:?}");
    }
}
