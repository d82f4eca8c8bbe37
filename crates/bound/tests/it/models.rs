//! The programs against published values, against a second solver, and as files.

use std::collections::HashSet;

use bound::certificate::{Certificate, dual_bound};
use bound::program::{
    Cut, DrawingSymmetry, LinearProgram, ProgramFormat, Sense, drawing_of_solution,
};
use bound::{Board, BoardProblem, Formulation, lp};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SupportedConeT};
use geometry::{Game, Line, Point, Start};
use rules::{PlainPosition, Position as _};
use solver::{LpMethod, SolveOptions, SolveStatus};

use crate::common::solver;

fn problem(game: &str, board: &str, formulation: Formulation) -> BoardProblem {
    BoardProblem::new(
        Game::named(game).expect("a game"),
        board.parse().expect("a board"),
        formulation,
    )
}

fn value(program: &LinearProgram, method: LpMethod) -> f64 {
    let solution =
        solver().solve(&program.to_solver(), &SolveOptions::new(method)).expect("solved");
    assert_eq!(solution.status, SolveStatus::Optimal);
    solution.value
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-4, "{found}, not {expected}");
}

#[test]
fn published_values_are_met() {
    let values = [
        ("5T", "square:10", Formulation::Lines, 64.0),
        ("5T", "square:20", Formulation::Lines, 278.5026),
        ("5D", "box:0,0,0,0", Formulation::Births, 64.0),
        ("5D", "box:1,1,1,1", Formulation::Births, 78.857_143),
        ("5D", "box:3,2,2,2", Formulation::Births, 102.7754),
    ];
    for (game, board, formulation, expected) in values {
        near(
            value(
                &problem(game, board, formulation).program().expect("small"),
                LpMethod::InteriorPoint,
            ),
            expected,
        );
    }
}

#[test]
fn every_method_gives_duals_that_prove_the_value() {
    let problem = problem("5D", "box:1,1,1,1", Formulation::Births);
    let program = problem.program().expect("small");
    for method in [LpMethod::InteriorPoint, LpMethod::DualSimplex, LpMethod::FirstOrder] {
        let solution =
            solver().solve(&program.to_solver(), &SolveOptions::new(method)).expect("solved");
        let certificate =
            Certificate::from_duals(&problem, &program, &solution.duals, solution.value);
        assert_eq!(certificate.bound, 78, "{method:?}");
        let text = certificate.to_text();
        let proof =
            verify::verify_proof(&text).unwrap_or_else(|no| panic!("{method:?}: {no}\n{text}"));
        assert_eq!(proof.to_string(), certificate.claim());
    }
}

/// The same by a solver that shares nothing with the first.
fn value_by_clarabel(program: &LinearProgram) -> f64 {
    let columns = program.variables.len();
    let quadratic = CscMatrix::zeros((columns, columns));
    let costs: Vec<f64> = program.variables.iter().map(|variable| -variable.cost as f64).collect();
    // Equations first, then A x <= b.
    let mut rows: Vec<(Vec<(usize, f64)>, f64)> = Vec::new();
    let mut push = |sense: Sense| {
        for row in program.constraints.iter().filter(|row| row.sense == sense) {
            let sign = if sense == Sense::AtLeast { -1.0 } else { 1.0 };
            let terms = row.terms.iter().map(|&(column, factor)| (column, sign * factor as f64));
            rows.push((terms.collect(), sign * row.rhs as f64));
        }
        rows.len()
    };
    let equations = push(Sense::Equal);
    push(Sense::AtMost);
    push(Sense::AtLeast);
    for (number, column) in program.variables.iter().enumerate() {
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
    let options = DefaultSettings { verbose: false, ..DefaultSettings::default() };
    let mut solver = DefaultSolver::new(&quadratic, &costs, &matrix, &right, &cones, options)
        .expect("a problem");
    solver.solve();
    -solver.solution.obj_val
}

#[test]
fn a_second_solver_agrees_on_small_boards() {
    let problems = [
        problem("5T", "square:10", Formulation::Lines),
        problem("5D", "square:9", Formulation::Lines),
        problem("5D", "box:0,0,0,0", Formulation::Lines),
        problem("5D", "box:0,0,0,0", Formulation::Births),
        problem("4T", "box:1,0,1,0", Formulation::Births),
        BoardProblem { exact: true, ..problem("4T", "square:9", Formulation::Lines) },
        BoardProblem { exact: true, ..problem("4D", "box:1,1,1,1", Formulation::Births) },
    ];
    for problem in problems {
        let program = problem.program().expect("small");
        near(value(&program, LpMethod::DualSimplex), value_by_clarabel(&program));
    }
}

#[test]
fn a_reduced_program_has_the_same_value_and_proves_the_same() {
    let problems = [
        problem("5T", "square:14", Formulation::Lines),
        problem("5D", "box:2,1,2,1", Formulation::Births),
        BoardProblem { exact: true, ..problem("5D", "box:1,1,1,1", Formulation::Births) },
        BoardProblem {
            exact: true,
            ..problem("5T", "octagon:6,4,5,3,6,4,5,3", Formulation::Lines)
        },
    ];
    for problem in problems {
        let program = problem.program().expect("small");
        let solved = lp::certify(solver(), &problem, LpMethod::InteriorPoint).expect("solved");
        let (solution, certificate) = (solved.solution, solved.certificate);
        near(solution.value, value(&program, LpMethod::InteriorPoint));
        assert_eq!(certificate.bound, (solution.value + 1e-6).floor() as i128);
        verify::verify_proof(&certificate.to_text()).unwrap_or_else(|no| panic!("{no}"));
    }
}

#[test]
fn exact_hulls_lower_the_value() {
    let hardest = problem("5T", "octagon:10,8,10,12,10,8,10,12", Formulation::Lines);
    near(value(&hardest.program().expect("small"), LpMethod::InteriorPoint), 9976.0 / 17.0);
    let exact = BoardProblem { exact: true, ..hardest };
    let found = value(&exact.program().expect("small"), LpMethod::InteriorPoint);
    assert!(found < 582.68 && found > 555.0, "{found}");
}

#[test]
fn a_cut_holds_in_the_certificate_too() {
    let dots: Vec<Point> = [(1, 3), (3, 1), (3, 3)].map(|(x, y)| Point::new(x, y)).to_vec();
    let cut = Cut { marked: dots[1], dots };
    let problem = BoardProblem {
        cuts: vec![cut],
        exact: true,
        ..problem("4D", "box:1,0,0,2", Formulation::Births)
    };
    let program = problem.program().expect("small");
    let solution = solver()
        .solve(&program.to_solver(), &SolveOptions::new(LpMethod::DualSimplex))
        .expect("solved");
    let certificate = Certificate::from_duals(&problem, &program, &solution.duals, solution.value);
    let proof = verify::verify_proof(&certificate.to_text()).expect("proven");
    assert_eq!(proof.to_string(), certificate.claim());
    assert_eq!(dual_bound(&program, certificate.scale, &certificate.duals), certificate.bound);
}

#[test]
fn a_board_too_small_for_the_start_has_a_certificate_of_that() {
    let problem = problem("5T", "square:5", Formulation::Lines);
    let program = problem.program().expect("small");
    let solution = solver()
        .solve(&program.to_solver(), &SolveOptions::new(LpMethod::InteriorPoint))
        .expect("solved");
    assert_eq!(solution.status, SolveStatus::Infeasible);
    let ray = solution.ray.expect("a ray");
    let certificate = Certificate::from_ray(&problem, &program, &ray).expect("a clear one");
    assert_eq!(certificate.bound, -1);
    verify::verify_proof(&certificate.to_text()).expect("proven");
}

#[test]
fn files_are_read_back_with_the_same_value() {
    let folder = tempfile::tempdir().expect("a folder");
    let problems = [
        problem("5T", "square:10", Formulation::Lines),
        problem("5D", "box:0,1,0,2", Formulation::Births),
    ];
    for problem in problems {
        let program = BoardProblem { exact: true, ..problem }.program().expect("small");
        let expected = value(&program, LpMethod::DualSimplex);
        for (name, format, sign) in
            [("a.mps", ProgramFormat::Mps, -1.0), ("a.lp", ProgramFormat::Lp, 1.0)]
        {
            let path = folder.path().join(name);
            std::fs::write(&path, program.to_text(format, "a test\nof files", false))
                .expect("a file");
            let mut read = solver::Session::read(solver(), &path).expect("a program");
            assert_eq!(
                (read.columns(), read.rows()),
                (program.variables.len(), program.constraints.len())
            );
            let solution = read.solve(&SolveOptions::new(LpMethod::DualSimplex)).expect("solved");
            near(sign * solution.value, expected);
        }
    }
}

/// The longest game on these dots; an exact one has to reach all four sides.
fn longest(
    board: &mut PlainPosition,
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
        let mut plain = PlainPosition::start(game.clone());
        let longest = longest(&mut plain, &dots, exact, &mut HashSet::new());
        let longest = longest.map_or(-1, |moves| moves as i128);
        for formulation in [Formulation::Lines, Formulation::Births] {
            let problem =
                BoardProblem { exact, ..BoardProblem::new(game.clone(), board, formulation) };
            let program = problem.program().expect("small");
            let options = SolveOptions::new(LpMethod::DualSimplex);
            let solution = solver().solve(&program.to_solver(), &options).expect("solved");
            let certificate = match solution.ray {
                Some(ray) => Certificate::from_ray(&problem, &program, &ray).expect("clear"),
                None => {
                    Certificate::from_duals(&problem, &program, &solution.duals, solution.value)
                }
            };
            verify::verify_proof(&certificate.to_text()).expect("proven");
            assert!(longest <= certificate.bound, "{}: {longest}", certificate.claim());
            met += usize::from(longest == certificate.bound);
        }
    }
    assert!(met > 3, "a bound is met at times: {met}");
}

/// The best integer solution of a program, by the file that is written of it: its value, and its
/// lines as they are read from a solution.
fn best_drawing(program: &LinearProgram) -> (usize, Vec<Line>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.mps");
    std::fs::write(&path, program.to_text(ProgramFormat::Mps, "", true)).expect("a file");
    let mut read = solver::Session::read(solver(), &path).expect("a program");
    let solution = read.solve(&SolveOptions::new(LpMethod::DualSimplex)).expect("solved");
    assert_eq!(solution.status, SolveStatus::Optimal);
    let text = program.to_text(ProgramFormat::Lp, "", true);
    let (_, bounds) = text.split_once("\nbounds\n").expect("bounds");
    let names = bounds.lines().map(|line| line.split(' ').nth(3).unwrap_or_default());
    let rows = names.zip(&solution.columns).map(|(name, value)| format!("{name} {value}\n"));
    let lines = drawing_of_solution(&rows.collect::<String>()).expect("a drawing");
    ((-solution.value).round() as usize, lines)
}

/// Calls `visit` with the lines of every game on these dots.
fn for_each_game(
    board: &mut PlainPosition,
    dots: &[Point],
    seen: &mut HashSet<u64>,
    lines: &mut Vec<Line>,
    visit: &mut dyn FnMut(&[Line]),
) {
    if !seen.insert(board.hash()) {
        return;
    }
    visit(lines);
    for mv in board.legal().to_vec() {
        if dots.contains(&mv.dot()) {
            board.play(mv).expect("legal");
            lines.push(mv.line);
            for_each_game(board, dots, seen, lines, visit);
            lines.pop();
            board.undo();
        }
    }
}

#[test]
fn the_integer_solutions_of_the_ordered_program_are_the_games() {
    let small = [(0, 0), (1, 0), (0, 1), (1, 1)];
    for (rules, board) in [("3T", "box:1,1,1,1"), ("3D", "box:1,1,1,1"), ("3T", "box:2,0,2,0")] {
        let start = Start::from_dots(small.map(|(x, y)| Point::new(x, y))).expect("dots");
        let game = Game { rules: rules.parse().expect("rules"), start };
        let board: Board = board.parse().expect("a board");
        let dots = board.dots(&game.start);
        let mut program =
            BoardProblem::new(game.clone(), board, Formulation::Births).program().expect("small");
        let unordered = best_drawing(&program).0;
        program.add_order(game.rules);
        let (moves, lines) = best_drawing(&program);
        let (low, high) = (dots[0], dots[dots.len() - 1]);
        let turn = |line: &Line| {
            let image = |dot: Point| Point::new(low.x + high.x - dot.x, low.y + high.y - dot.y);
            Line::between(image(line.start), image(line.end(game.rules)), game.rules)
        };
        let (mut longest, mut symmetric, mut found) = (0, 0, false);
        let drawing: HashSet<Line> = lines.iter().copied().collect();
        let mut position = PlainPosition::start(game.clone());
        let mut visit = |played: &[Line]| {
            let set: HashSet<Line> = played.iter().copied().collect();
            longest = longest.max(set.len());
            found |= set == drawing;
            if played.iter().all(|line| turn(line).is_some_and(|line| set.contains(&line))) {
                symmetric = symmetric.max(set.len());
            }
        };
        for_each_game(&mut position, &dots, &mut HashSet::new(), &mut Vec::new(), &mut visit);
        assert_eq!((moves, lines.len(), found), (longest, longest, true), "{game} on {board}");
        assert!(unordered >= longest);
        program.add_symmetry(DrawingSymmetry::HalfTurn, game.rules).expect("a symmetric board");
        assert_eq!(best_drawing(&program).0, symmetric, "{game} on {board}, turned");
    }
}

#[test]
fn a_symmetry_that_the_board_does_not_have_is_an_error() {
    let mut program = problem("5D", "box:1,0,0,0", Formulation::Births).program().expect("small");
    for symmetry in [DrawingSymmetry::TopBottom, DrawingSymmetry::QuarterTurn] {
        assert!(program.add_symmetry(symmetry, "5D".parse().expect("rules")).is_err());
    }
    assert!(program.add_symmetry(DrawingSymmetry::LeftRight, "5D".parse().expect("rules")).is_ok());
}
