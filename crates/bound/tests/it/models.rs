//! The models against published values, against a second solver, and as files.

use std::collections::HashSet;

use bound::Board;
use bound::certificate::{Certificate, bound};
use bound::model::cuts::Cut;
use bound::model::{Format, Kind, Model, Sense, Task};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SupportedConeT};
use geometry::{Game, Point, Start};
use rules::{Board as _, PlainBoard};
use solver::{Method, Settings, Status};

use crate::common::solver;

fn task(game: &str, board: &str, kind: Kind) -> Task {
    Task::new(Game::named(game).expect("a game"), board.parse().expect("a board"), kind)
}

fn value(model: &Model, method: Method) -> f64 {
    let solution = solver().solve(&model.problem(), &Settings::by(method)).expect("solved");
    assert_eq!(solution.status, Status::Optimal);
    solution.value
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-4, "{found}, not {expected}");
}

#[test]
fn published_values_are_met() {
    let values = [
        ("5T", "square:10", Kind::Lines, 64.0),
        ("5T", "square:20", Kind::Lines, 278.5026),
        ("5D", "box:0,0,0,0", Kind::Births, 64.0),
        ("5D", "box:1,1,1,1", Kind::Births, 78.857_143),
        ("5D", "box:3,2,2,2", Kind::Births, 102.7754),
    ];
    for (game, board, kind, expected) in values {
        near(
            value(&task(game, board, kind).model().expect("small"), Method::InteriorPoint),
            expected,
        );
    }
}

#[test]
fn every_method_gives_duals_that_prove_the_value() {
    let task = task("5D", "box:1,1,1,1", Kind::Births);
    let model = task.model().expect("small");
    for method in [Method::InteriorPoint, Method::DualSimplex, Method::FirstOrder] {
        let solution = solver().solve(&model.problem(), &Settings::by(method)).expect("solved");
        let certificate = Certificate::from_duals(&task, &model, &solution.duals, solution.value);
        assert_eq!(certificate.bound, 78, "{method:?}");
        let text = certificate.to_text();
        let proof = verify::check(&text).unwrap_or_else(|no| panic!("{method:?}: {no}\n{text}"));
        assert_eq!(proof.claim(), certificate.claim());
    }
}

/// The same by a solver that shares nothing with the first.
fn value_by_clarabel(model: &Model) -> f64 {
    let columns = model.columns.len();
    let quadratic = CscMatrix::zeros((columns, columns));
    let costs: Vec<f64> = model.columns.iter().map(|column| -column.cost as f64).collect();
    // Equations first, then A x <= b.
    let mut rows: Vec<(Vec<(usize, f64)>, f64)> = Vec::new();
    let mut push = |sense: Sense| {
        for row in model.rows.iter().filter(|row| row.sense == sense) {
            let sign = if sense == Sense::AtLeast { -1.0 } else { 1.0 };
            let terms = row.terms.iter().map(|&(column, factor)| (column, sign * factor as f64));
            rows.push((terms.collect(), sign * row.right as f64));
        }
        rows.len()
    };
    let equations = push(Sense::Equal);
    push(Sense::AtMost);
    push(Sense::AtLeast);
    for (number, column) in model.columns.iter().enumerate() {
        rows.push((vec![(number, 1.0)], column.high as f64));
        rows.push((vec![(number, -1.0)], -column.low as f64));
    }
    let (mut row_of, mut column_of, mut factors) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (terms, _)) in rows.iter().enumerate() {
        for &(column, factor) in terms {
            row_of.push(number);
            column_of.push(column);
            factors.push(factor);
        }
    }
    let matrix = CscMatrix::new_from_triplets(rows.len(), columns, row_of, column_of, factors);
    let right: Vec<f64> = rows.iter().map(|&(_, right)| right).collect();
    let cones = [
        SupportedConeT::ZeroConeT(equations),
        SupportedConeT::NonnegativeConeT(rows.len() - equations),
    ];
    let settings = DefaultSettings { verbose: false, ..DefaultSettings::default() };
    let mut solver = DefaultSolver::new(&quadratic, &costs, &matrix, &right, &cones, settings)
        .expect("a problem");
    solver.solve();
    -solver.solution.obj_val
}

#[test]
fn a_second_solver_agrees_on_small_boards() {
    let tasks = [
        task("5T", "square:10", Kind::Lines),
        task("5D", "square:9", Kind::Lines),
        task("5D", "box:0,0,0,0", Kind::Lines),
        task("5D", "box:0,0,0,0", Kind::Births),
        task("4T", "box:1,0,1,0", Kind::Births),
        Task { exact: true, ..task("4T", "square:9", Kind::Lines) },
        Task { exact: true, ..task("4D", "box:1,1,1,1", Kind::Births) },
    ];
    for task in tasks {
        let model = task.model().expect("small");
        near(value(&model, Method::DualSimplex), value_by_clarabel(&model));
    }
}

#[test]
fn a_folded_model_has_the_same_value_and_proves_the_same() {
    let tasks = [
        task("5T", "square:14", Kind::Lines),
        task("5D", "box:2,1,2,1", Kind::Births),
        Task { exact: true, ..task("5D", "box:1,1,1,1", Kind::Births) },
        Task { exact: true, ..task("5T", "octagon:6,4,5,3,6,4,5,3", Kind::Lines) },
    ];
    for task in tasks {
        let model = task.model().expect("small");
        let folded = model.folded(task.game.rules);
        let settings = Settings::by(Method::InteriorPoint);
        let solution = solver().solve(&folded.problem, &settings).expect("solved");
        near(solution.value, value(&model, Method::InteriorPoint));
        let duals = folded.unfold(&solution.duals);
        let certificate = Certificate::from_duals(&task, &model, &duals, solution.value);
        assert_eq!(certificate.bound, (solution.value + 1e-6).floor() as i128);
        verify::check(&certificate.to_text()).unwrap_or_else(|no| panic!("{no}"));
    }
}

#[test]
fn exact_hulls_lower_the_value() {
    let hardest = task("5T", "octagon:10,8,10,12,10,8,10,12", Kind::Lines);
    near(value(&hardest.model().expect("small"), Method::InteriorPoint), 9976.0 / 17.0);
    let exact = Task { exact: true, ..hardest };
    let found = value(&exact.model().expect("small"), Method::InteriorPoint);
    assert!(found < 582.68 && found > 555.0, "{found}");
}

#[test]
fn a_cut_holds_in_the_certificate_too() {
    let dots: Vec<Point> = [(1, 3), (3, 1), (3, 3)].map(|(x, y)| Point::new(x, y)).to_vec();
    let cut = Cut { marked: dots[1], dots };
    let task = Task { cuts: vec![cut], exact: true, ..task("4D", "box:1,0,0,2", Kind::Births) };
    let model = task.model().expect("small");
    let solution =
        solver().solve(&model.problem(), &Settings::by(Method::DualSimplex)).expect("solved");
    let certificate = Certificate::from_duals(&task, &model, &solution.duals, solution.value);
    let proof = verify::check(&certificate.to_text()).expect("proven");
    assert_eq!(proof.claim(), certificate.claim());
    assert_eq!(bound(&model, certificate.scale, &certificate.duals), certificate.bound);
}

#[test]
fn a_board_too_small_for_the_start_has_a_certificate_of_that() {
    let task = task("5T", "square:5", Kind::Lines);
    let model = task.model().expect("small");
    let solution =
        solver().solve(&model.problem(), &Settings::by(Method::InteriorPoint)).expect("solved");
    assert_eq!(solution.status, Status::Infeasible);
    let ray = solution.ray.expect("a ray");
    let certificate = Certificate::from_ray(&task, &model, &ray).expect("a clear one");
    assert_eq!(certificate.bound, -1);
    verify::check(&certificate.to_text()).expect("proven");
}

#[test]
fn files_are_read_back_with_the_same_value() {
    let folder = tempfile::tempdir().expect("a folder");
    let tasks = [task("5T", "square:10", Kind::Lines), task("5D", "box:0,1,0,2", Kind::Births)];
    for task in tasks {
        let model = Task { exact: true, ..task }.model().expect("small");
        let expected = value(&model, Method::DualSimplex);
        for (name, format, sign) in [("a.mps", Format::Mps, -1.0), ("a.lp", Format::Lp, 1.0)] {
            let path = folder.path().join(name);
            std::fs::write(&path, model.to_text(format, "a test\nof files")).expect("a file");
            let mut read = solver::Model::read(solver(), &path).expect("a model");
            assert_eq!((read.columns(), read.rows()), (model.columns.len(), model.rows.len()));
            let solution = read.solve(&Settings::by(Method::DualSimplex)).expect("solved");
            near(sign * solution.value, expected);
        }
    }
}

/// The longest game on these dots; an exact one has to reach all four sides.
fn longest(
    board: &mut PlainBoard,
    dots: &[Point],
    exact: bool,
    seen: &mut HashSet<u64>,
) -> Option<usize> {
    if !seen.insert(board.hash()) {
        return None;
    }
    let sides = |points: &[Point]| {
        let of =
            |key: fn(&Point) -> i32| (points.iter().map(key).min(), points.iter().map(key).max());
        (of(|dot| dot.x), of(|dot| dot.y))
    };
    let there: Vec<Point> = dots.iter().copied().filter(|&dot| board.has_dot(dot)).collect();
    let mut best = (!exact || sides(&there) == sides(dots)).then(|| board.score());
    for mv in board.legal().to_vec() {
        if dots.contains(&mv.dot()) {
            board.play(mv).expect("legal");
            best = best.max(longest(board, dots, exact, seen));
            board.undo();
        }
    }
    best
}

#[test]
fn no_game_is_longer_than_its_bound() {
    let starts = [[(0, 0), (1, 0), (0, 1)], [(0, 0), (1, 1), (2, 1)]];
    let boards = [("box:1,0,0,1", false), ("box:1,0,0,1", true), ("box:0,0,1,1", true)];
    let cases = starts.into_iter().flat_map(|start| {
        let games = ["3T", "3D", "4T"].into_iter();
        games.flat_map(move |rules| boards.map(|board| (start, rules, board)))
    });
    let mut met = 0;
    for (start, rules, (board, exact)) in cases {
        let start = Start::from_dots(start.map(|(x, y)| Point::new(x, y))).expect("dots");
        let game = Game { rules: rules.parse().expect("rules"), start };
        let board: Board = board.parse().expect("a board");
        let dots = board.dots(&game.start);
        let mut plain = PlainBoard::start(game.clone());
        let longest = longest(&mut plain, &dots, exact, &mut HashSet::new());
        let longest = longest.map_or(-1, |moves| moves as i128);
        for kind in [Kind::Lines, Kind::Births] {
            let task = Task { exact, ..Task::new(game.clone(), board, kind) };
            let model = task.model().expect("small");
            let settings = Settings::by(Method::DualSimplex);
            let solution = solver().solve(&model.problem(), &settings).expect("solved");
            let certificate = match solution.ray {
                Some(ray) => Certificate::from_ray(&task, &model, &ray).expect("clear"),
                None => Certificate::from_duals(&task, &model, &solution.duals, solution.value),
            };
            verify::check(&certificate.to_text()).expect("proven");
            assert!(longest <= certificate.bound, "{}: {longest}", certificate.claim());
            met += usize::from(longest == certificate.bound);
        }
    }
    assert!(met > 3, "a bound is met at times: {met}");
}
