//! The real library, on problems small enough to solve by hand.

use std::path::Path;
use std::time::Duration;

use solver::{
    Column, LpMethod, Problem, Row, Session, SolveOptions, SolveStatus, Solver, SolverError,
};

const METHODS: [LpMethod; 3] =
    [LpMethod::InteriorPoint, LpMethod::DualSimplex, LpMethod::FirstOrder];

fn solver() -> Solver {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../solver/libhighs.so.1");
    Solver::open(&file).unwrap_or_else(|error| panic!("{error}; run scripts/solver first"))
}

/// Maximise 3x + 2y for x, y in [0, 10], where x + y <= 4, x >= 1 and x - y = 1: x = 2.5, y = 1.5.
fn small() -> Problem {
    let column = |cost| Column { cost, low: 0.0, high: 10.0 };
    Problem {
        columns: vec![column(3.0), column(2.0)],
        rows: vec![
            Row { low: f64::NEG_INFINITY, high: 4.0, entries: vec![(0, 1.0), (1, 1.0)] },
            Row { low: 1.0, high: f64::INFINITY, entries: vec![(0, 1.0)] },
            Row { low: 1.0, high: 1.0, entries: vec![(0, 1.0), (1, -1.0)] },
        ],
    }
}

#[track_caller]
fn near(found: &[f64], expected: &[f64]) {
    let same = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-4);
    assert!(same && found.len() == expected.len(), "{found:?}, not {expected:?}");
}

#[test]
fn every_method_finds_the_solution_and_its_duals() {
    for method in METHODS {
        let solution = solver().solve(&small(), &SolveOptions::new(method)).expect("solved");
        assert_eq!(solution.status, SolveStatus::Optimal, "{method:?}");
        near(&[solution.value], &[10.5]);
        near(&solution.columns, &[2.5, 1.5]);
        near(&solution.duals, &[2.5, 0.0, 0.5]);
    }
}

#[test]
fn the_dual_of_a_lower_bound_is_not_positive() {
    for method in METHODS {
        let mut problem = small();
        problem.columns[0].cost = -3.0;
        problem.columns[1].cost = 0.0;
        problem.rows.pop();
        let solution = solver().solve(&problem, &SolveOptions::new(method)).expect("solved");
        near(&[solution.value], &[-3.0]);
        near(&solution.duals, &[0.0, -3.0]);
    }
}

#[test]
fn a_session_is_changed_and_solved_again() {
    let mut session = Session::new(solver(), &small()).expect("a session");
    let settings = SolveOptions::new(LpMethod::DualSimplex);
    let value = |session: &mut Session| session.solve(&settings).expect("solved").value;
    near(&[value(&mut session)], &[10.5]);
    session.set_column(0, 0.0, 2.0).expect("a column");
    near(&[value(&mut session)], &[8.0]);
    session.set_column(0, 0.0, 10.0).expect("a column");
    let row = Row { low: f64::NEG_INFINITY, high: 0.5, entries: vec![(1, 1.0)] };
    session.add_row(&row).expect("a row");
    near(&[value(&mut session)], &[5.5]);
    session.set_cost(1, 0.0).expect("a column");
    near(&[value(&mut session)], &[4.5]);
    assert_eq!((session.columns(), session.rows()), (2, 4));
    assert_eq!(session.set_column(2, 0.0, 1.0), Err(SolverError::Column { column: 2 }));
    let row = Row { entries: vec![(5, 1.0)], ..row };
    assert_eq!(session.add_row(&row), Err(SolverError::Row { row: 4 }));
}

#[test]
fn an_infeasible_session_has_a_ray_that_shows_it() {
    let mut session = Session::new(solver(), &small()).expect("a session");
    let settings = SolveOptions::new(LpMethod::DualSimplex);
    assert_eq!(session.solve(&settings).expect("solved").status, SolveStatus::Optimal);
    session.set_column(1, 2.0, 10.0).expect("a column");
    let solution = session.solve(&settings).expect("solved");
    assert_eq!(solution.status, SolveStatus::Infeasible);
    let ray = solution.ray.expect("a warm start keeps the ray");
    // x + y <= 4 and x - y = 1 allow y <= 1.5 only: so many of the first less the second.
    let factor = ray[0];
    assert!(factor > 0.0, "{ray:?}");
    near(&[ray[1] / factor, ray[2] / factor], &[0.0, -1.0]);
}

#[test]
fn every_method_comes_with_a_ray_if_there_is_no_solution() {
    let mut problem = small();
    problem.columns[1].low = 2.0;
    for method in METHODS {
        let solution = solver().solve(&problem, &SolveOptions::new(method)).expect("solved");
        assert_eq!(solution.status, SolveStatus::Infeasible, "{method:?}");
        let ray = solution.ray.expect("looked for again");
        assert!(ray[0] > 0.0, "{method:?}: {ray:?}");
        near(&[ray[1] / ray[0], ray[2] / ray[0]], &[0.0, -1.0]);
    }
}

#[test]
fn a_time_limit_is_kept_for_each_solve() {
    let mut session = Session::new(solver(), &small()).expect("a session");
    let settings = SolveOptions {
        ray: false,
        method: LpMethod::DualSimplex,
        time_limit: Some(Duration::from_secs(60)),
        iteration_limit: None,
        cutoff: None,
    };
    for _ in 0..3 {
        assert_eq!(session.solve(&settings).expect("solved").status, SolveStatus::Optimal);
    }
}

#[test]
fn a_solve_of_few_steps_bounds_the_value_and_leaves_the_way_back() {
    let mut session = Session::new(solver(), &small()).expect("a session");
    let all = SolveOptions::new(LpMethod::DualSimplex);
    let whole = session.solve(&all).expect("solved");
    let basis = session.basis().expect("solved");
    session.set_column(0, 0.0, 2.0).expect("a column");
    let few = SolveOptions { iteration_limit: Some(0), ..all };
    let tried = session.solve(&few).expect("begun");
    assert_eq!(tried.status, SolveStatus::IterationLimit);
    let changed = session.solve(&all).expect("solved");
    near(&[changed.value], &[8.0]);
    assert!(tried.value >= changed.value && changed.value < whole.value, "{tried:?}");
    session.set_column(0, 0.0, 10.0).expect("a column");
    session.set_basis(&basis).expect("as many rows");
    let again = session.solve(&few).expect("nothing is to be done");
    assert_eq!(again.status, SolveStatus::Optimal);
    near(&[again.value], &[whole.value]);
}

#[test]
fn a_file_is_read_by_its_ending() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("small.lp");
    std::fs::write(&path, "max\n obj: 3 x + 2 y\nst\n c1: x + y <= 4\nbounds\n x <= 3\nend\n")
        .expect("a file");
    let mut session = Session::read(solver(), &path).expect("a problem");
    near(
        &[session.solve(&SolveOptions::new(LpMethod::DualSimplex)).expect("solved").value],
        &[11.0],
    );
    let missing = Session::read(solver(), &folder.path().join("none.mps")).expect_err("no file");
    assert!(missing.to_string().contains("none.mps"), "{missing}");
}

#[test]
fn what_is_no_library_says_so() {
    let missing = Solver::open("no/such/library.so").expect_err("nothing there");
    assert!(missing.to_string().contains("no/such/library.so"), "{missing}");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("text.so");
    std::fs::write(&path, "no library").expect("a file");
    assert!(matches!(Solver::open(&path), Err(SolverError::Library { .. })));
    assert!(solver().version().starts_with("1."));
}

#[test]
fn threads_solve_side_by_side_each_with_its_own_session() {
    let solver = solver();
    let values: Vec<f64> = std::thread::scope(|scope| {
        let solve = || {
            solver.solve(&small(), &SolveOptions::new(LpMethod::DualSimplex)).expect("solved").value
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(solve)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    near(&values, &[10.5; 4]);
}
