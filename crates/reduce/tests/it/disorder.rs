//! Games in any order, with lines that were never intended, still say a model.

use std::collections::HashSet;

use geometry::{Game, Move, Rules};
use reduce::Pattern;
use rules::{PlainPosition, Position};

use crate::common::{Chance, all_models, compile_for, formula, judged};

/// Moves without some whose dots no other line of them needs: room for lines that were never meant.
fn without_some_ends(rules: Rules, mut moves: Vec<Move>, chance: &mut Chance) -> Vec<Move> {
    for _ in 0..6 {
        let needed = |mv: &Move, all: &[Move]| {
            let others = all.iter().filter(|other| *other != mv);
            others.flat_map(|other| other.line.points(rules)).any(|point| point == mv.dot())
        };
        let ends: Vec<usize> = (0..moves.len()).filter(|&i| !needed(&moves[i], &moves)).collect();
        moves.remove(ends[chance.below(ends.len())]);
    }
    moves
}

/// Plays `planned` moves in a random order, and then whatever can still be played.
fn disordered(pattern: &Pattern, rules: Rules, planned: &[Move], chance: &mut Chance) -> Vec<Move> {
    let mut board = PlainPosition::start(Game { rules, start: pattern.start().clone() });
    let mut left: HashSet<Move> = planned.iter().copied().collect();
    while !left.is_empty() {
        let legal = board.legal().iter().filter(|mv| left.contains(mv));
        let legal: Vec<Move> = legal.copied().collect();
        let mv = legal[chance.below(legal.len())];
        board.play(mv).expect("it is in the list");
        left.remove(&mv);
    }
    while !board.legal().is_empty() {
        board.play_nth(chance.below(board.legal().len()));
    }
    board.moves()
}

#[test]
fn the_order_of_moves_and_junk_do_not_matter() {
    let formulas = [
        formula(2, &[vec![1, 2], vec![-1, -2]]),
        formula(3, &[vec![1, -2, 3], vec![-1, -3], vec![2]]),
    ];
    let mut chance = Chance(11);
    let (mut junk, mut long) = (0, 0);
    for (length, formula) in [4, 5].into_iter().flat_map(|l| formulas.iter().map(move |f| (l, f))) {
        let pattern = compile_for(length, formula);
        let models = all_models(formula.variables());
        let models = models.filter(|model| model.unsatisfied(formula).is_empty());
        let model = models.max_by_key(|model| pattern.play(model).len()).expect("satisfiable");
        let moves = pattern.play(&model);
        for rules in [true, false].map(|touching| pattern.rules(touching)) {
            for _ in 0..12 {
                let planned = without_some_ends(rules, moves.clone(), &mut chance);
                let game = disordered(&pattern, rules, &planned, &mut chance);
                assert_eq!(judged(&pattern, rules, &game), game.len());
                let read = pattern.read(game.iter().map(|mv| mv.line));
                assert_eq!(read, model, "{formula}");
                let with_junk = game.iter().any(|mv| !moves.contains(mv));
                junk += usize::from(with_junk);
                long += usize::from(with_junk && game.len() >= pattern.threshold());
            }
        }
    }
    assert!(junk > 40 && long > 40, "{junk} {long}");
}
