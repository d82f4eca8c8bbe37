//! The bit line board equals the plain one, and both give legal games.

use std::collections::BTreeMap;

use geometry::{Direction, Game, Line, Move, play_order};
use proptest::prelude::*;
use proptest::sample::Index;
use rules::{BitLineBoard, LineBoard, LineSet, PlainLineBoard, PlainPosition, Position};

/// The lines drawn on a board, with the offset of the new dot of each.
type Drawn = BTreeMap<Line, (u32, u8)>;

/// Erases a line and all that depends on it, one by one or all at once.
fn erase_with_users<L: LineBoard>(board: &mut L, drawn: &mut Drawn, line: Line, at_once: bool) {
    let rules = board.game().rules;
    let mut doomed = vec![line];
    let mut erased = Vec::new();
    while let Some(line) = doomed.pop() {
        let Some((number, new)) = drawn.remove(&line) else { continue };
        let dot = line.point(usize::from(new));
        doomed.extend(drawn.keys().filter(|other| other.offset_of(dot, rules).is_some()));
        erased.push((number, new));
        if !at_once {
            board.erase(number, new);
        }
    }
    if at_once {
        board.erase_all(&erased);
    }
}

fn legal_lines<L: LineBoard>(board: &L) -> Vec<Line> {
    let mut lines: Vec<Line> =
        (0..board.legal_count()).map(|n| board.line(board.nth_legal(n))).collect();
    lines.sort_unstable();
    lines
}

/// Drawing a line reports the lines it makes legal, if only every second one is wanted.
fn check_wanting<L: LineBoard>(board: &L, number: u32, before: &[Line]) {
    let mut wanted = L::LineSet::default();
    (0..board.line_count() as u32).step_by(2).for_each(|number| wanted.insert(number));
    let mut drawn = board.clone();
    let mut reported = Vec::new();
    drawn.draw_reporting_among(number, &wanted, |number| reported.push(board.line(number)));
    let mut legal = Vec::new();
    drawn.append_legal(&mut legal);
    let is_reported = |&number: &u32| number % 2 == 0 && !before.contains(&drawn.line(number));
    let mut expected: Vec<Line> =
        legal.into_iter().filter(is_reported).map(|number| drawn.line(number)).collect();
    reported.sort_unstable();
    expected.sort_unstable();
    assert_eq!(reported, expected);
}

/// A line may give its dot to another line, or leave it there without one.
fn check_free_dots<L: LineBoard>(board: &L, drawn: &Drawn) -> Vec<Vec<Line>> {
    let mut seen = Vec::new();
    for &(id, new) in drawn.values() {
        let mut board = board.clone();
        let before = legal_lines(&board);
        assert!(board.has_all_dots(id) && !board.is_unblocked(id));
        board.erase_keeping_dot(id);
        assert!(board.has_all_dots(id) && board.is_unblocked(id));
        seen.push(legal_lines(&board));
        for direction in Direction::ALL {
            for offset in 0..board.game().rules.length() as u8 {
                let Some((other, offset)) = board.line_through(id, new, direction, offset) else {
                    continue;
                };
                assert_eq!(board.dot_id(other, offset), board.dot_id(id, new));
                assert_eq!(board.line(other).direction, direction);
                if board.has_all_dots(other) && board.is_unblocked(other) {
                    board.draw_without_dot(other);
                    seen.push(legal_lines(&board));
                    board.erase_keeping_dot(other);
                }
            }
        }
        board.remove_free_dot(id, new);
        board.place_free_dot(id, new);
        board.draw_without_dot(id);
        assert_eq!(legal_lines(&board), before);
        assert_eq!(board.shifted(id, 0), Some(id));
        if let Some(next) = board.shifted(id, 1) {
            assert_eq!(board.shifted(next, -1), Some(id));
            assert_eq!(board.line(next).start, board.line(id).point(1));
        }
    }
    seen
}

/// The legal lines after the changes reported.
fn change(mut lines: Vec<Line>, reported: Vec<(Line, bool)>) -> Vec<Line> {
    for (line, legal) in reported {
        assert_eq!(lines.contains(&line), !legal, "only changes are reported");
        lines.retain(|&other| other != line);
        lines.extend(legal.then_some(line));
    }
    lines.sort_unstable();
    lines
}

fn compare<const LENGTH: usize, const TOUCHING: bool>(choices: &[(bool, Index)]) {
    let mut fast = BitLineBoard::<LENGTH, TOUCHING>::start();
    let mut plain = PlainLineBoard::start(fast.game().clone());
    let (mut on_fast, mut on_plain) = (Drawn::new(), Drawn::new());
    for (forward, choice) in choices {
        let legal = legal_lines(&plain);
        assert_eq!(legal_lines(&fast), legal);
        if *forward && !legal.is_empty() {
            let line = legal[choice.index(legal.len())];
            let number = |board: &dyn Fn(usize) -> u32, name: &dyn Fn(u32) -> Line| {
                (0..legal.len()).map(board).find(|&n| name(n) == line).expect("it is legal")
            };
            let n = number(&|n| fast.nth_legal(n), &|n| fast.line(n));
            assert!(fast.is_legal(n));
            let before = legal_lines(&fast);
            check_wanting(&fast, n, &before);
            let mut reported = Vec::new();
            let new = fast.draw_reporting(n, |number, legal| reported.push((number, legal)));
            on_fast.insert(line, (n, new));
            let reported =
                reported.iter().map(|&(number, legal)| (fast.line(number), legal)).collect();
            assert_eq!(change(before, reported), legal_lines(&fast));
            assert!(!fast.is_legal(n));
            let n = number(&|n| plain.nth_legal(n), &|n| plain.line(n));
            on_plain.insert(line, (n, plain.draw(n)));
            assert_eq!(on_fast[&line].1, on_plain[&line].1);
        } else if !on_plain.is_empty() {
            let line = *on_plain.keys().nth(choice.index(on_plain.len())).expect("not empty");
            erase_with_users(&mut fast, &mut on_fast, line, on_plain.len() % 2 == 0);
            erase_with_users(&mut plain, &mut on_plain, line, false);
        }
        assert!(on_fast.keys().eq(on_plain.keys()));
    }
    assert_eq!(check_free_dots(&fast, &on_fast), check_free_dots(&plain, &on_plain));
    // What is drawn is a legal game, and the position agrees on what can follow.
    let game: &Game = fast.game();
    let drawn = on_fast.iter().map(|(&line, &(_, new))| Move::new(line, new));
    let moves = play_order(game, &[], drawn).expect("there is an order");
    let backwards = moves.iter().rev().copied();
    let other = play_order(game, &[], backwards).expect("there is an order");
    let mut position = PlainPosition::start(game.clone());
    for mv in other {
        position.play(mv).expect("the order is legal");
    }
    let mut position = PlainPosition::start(game.clone());
    for mv in moves {
        position.play(mv).expect("the order is legal");
    }
    let mut next: Vec<Line> = position.legal().iter().map(|mv| mv.line).collect();
    next.sort_unstable();
    assert_eq!(legal_lines(&fast), next);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn drawing_and_erasing_are_the_same_on_both_sheets(
        choices in prop::collection::vec((prop::bool::weighted(0.8), any::<Index>()), 1..120),
    ) {
        compare::<5, true>(&choices);
        compare::<5, false>(&choices);
        compare::<4, true>(&choices);
        compare::<4, false>(&choices);
    }
}
