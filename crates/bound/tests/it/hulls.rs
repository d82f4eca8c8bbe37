//! The lemmas on hulls, on random games and on the games of this repository.

use std::collections::HashSet;
use std::path::Path;

use bound::program::{LinearProgram, Sense, VariableMeaning};
use bound::{Board, BoardProblem, Formulation, HullFamily, Octagon, gap_lines};
use geometry::{Direction, Game, Line, Move, Point, Rules};
use proptest::prelude::*;
use rules::{PlainPosition, Position as _};

/// Free half-segments of a position: those beyond which lies no dot, and the others.
fn half_segments(game: &Game, moves: &[Move]) -> (Vec<Point>, usize, usize) {
    let new = moves.iter().map(|mv| mv.dot());
    let dots: Vec<Point> = game.start.dots().iter().copied().chain(new).collect();
    let there: HashSet<Point> = dots.iter().copied().collect();
    let drawn: HashSet<(Point, Direction)> =
        moves.iter().flat_map(|mv| segments(*mv, game.rules)).collect();
    let (mut external, mut internal) = (0, 0);
    for &dot in &dots {
        for direction in Direction::ALL {
            for step in [direction.step(), direction.step() * -1] {
                let segment = if step == direction.step() { dot } else { dot + step };
                if drawn.contains(&(segment, direction)) {
                    continue;
                }
                match (1..100).any(|steps| there.contains(&(dot + step * steps))) {
                    true => internal += 1,
                    false => external += 1,
                }
            }
        }
    }
    (dots, external, internal)
}

/// The segments of a line, each by its first dot.
fn segments(mv: Move, rules: Rules) -> impl Iterator<Item = (Point, Direction)> {
    (0..rules.length() - 1).map(move |offset| (mv.line.point(offset), mv.line.direction))
}

/// Checks the lemmas on every position of a game.
fn check(game: &Game, moves: &[Move]) {
    let family = HullFamily::new(game).expect("lines of five dots");
    for played in (0..=moves.len()).rev().step_by(7) {
        let (dots, external, internal) = half_segments(game, &moves[..played]);
        let (hull, _) = Octagon::hull(dots.iter().copied()).expect("dots");
        let (potential, gaps) = (hull.potential() as usize, gap_lines(&dots));
        let place = format!("{game} after {played} moves, hull {hull}");
        assert_eq!(external + internal, 8 * game.start.dots().len(), "{place}");
        assert_eq!(potential, external + 2 * gaps, "{place}");
        assert!(2 * gaps <= internal + hull.modifier() as usize, "{place}");
        assert!(family.contains(&hull), "{place}");
    }
}

/// Whether a game, moved to where its hull is, keeps all columns and rows of a program.
fn keeps(program: &LinearProgram, dots: &HashSet<Point>, lines: &HashSet<Line>) -> bool {
    let value = |unknown: VariableMeaning| match unknown {
        VariableMeaning::Dot(dot) => i64::from(dots.contains(&dot)),
        VariableMeaning::Line(line) => i64::from(lines.contains(&line)),
        _ => unreachable!("this is a program of lines"),
    };
    let values: Vec<i64> = program.variables.iter().map(|column| value(column.meaning)).collect();
    let columns = program.variables.iter().zip(&values);
    let rows = program.constraints.iter().all(|row| {
        let sum: i64 = row.terms.iter().map(|&(column, factor)| factor * values[column]).sum();
        match row.sense {
            Sense::AtMost => sum <= row.rhs,
            Sense::AtLeast => sum >= row.rhs,
            Sense::Equal => sum == row.rhs,
        }
    });
    rows && columns.into_iter().all(|(column, &value)| column.low <= value && value <= column.high)
}

/// Checks that a game satisfies the linear program of its own hull.
fn check_program(game: &Game, moves: &[Move]) {
    let dots: Vec<Point> =
        game.start.dots().iter().copied().chain(moves.iter().map(|mv| mv.dot())).collect();
    let (hull, corner) = Octagon::hull(dots.iter().copied()).expect("dots");
    let lines =
        moves.iter().map(|mv| Line::new(mv.line.start - corner, mv.line.direction)).collect();
    let dots: HashSet<Point> = dots.iter().map(|&dot| dot - corner).collect();
    let problem = BoardProblem::new(game.clone(), Board::Octagon(hull), Formulation::Lines);
    let problem = BoardProblem { exact: true, ..problem };
    assert!(keeps(&problem.program().expect("small"), &dots, &lines), "{hull}");
}

/// Plays to the end; `choices` says which of the legal moves comes next.
fn play(game: &Game, mut choices: u64) -> Vec<Move> {
    let mut board = PlainPosition::start(game.clone());
    while !board.legal().is_empty() {
        choices = choices.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        board.play_nth((choices >> 33) as usize % board.legal().len());
    }
    board.moves()
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(200)
    })]
    #[test]
    fn random_games_obey_the_lemmas(choices: u64) {
        let game = Game::named("5T").expect("known");
        let moves = play(&game, choices);
        check(&game, &moves);
        check_program(&game, &moves);
    }
}

#[test]
fn the_games_of_this_repository_obey_the_lemmas() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut games = 0;
    for entry in std::fs::read_dir(folder).expect("the games") {
        let bytes = std::fs::read(entry.expect("an entry").path()).expect("a file");
        let record = record::read(&bytes, None).expect("a game");
        let record::Play::Moves(moves) = &record.play else { continue };
        if record.game.rules.length() == 5 {
            // A disjoint game is a touching one.
            let game = Game { rules: "5T".parse().expect("known"), ..record.game.clone() };
            check(&game, moves);
            check_program(&game, moves);
            games += 1;
        }
    }
    assert!(games > 0);
}
