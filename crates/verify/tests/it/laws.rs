//! Laws that hold for every game, tried on random ones; the naive game says what is right.

use std::collections::HashSet;

use proptest::prelude::*;
use verify::{Direction, Fault, GameFault, OrderResult, order, verify_game};

use crate::common::naive::{self, Dot, Game};
use crate::common::random::Random;

fn naive_move(mv: verify::Move) -> naive::Move {
    let direction = Direction::ALL.iter().position(|&it| it == mv.line.direction);
    naive::Move {
        new: (mv.new.x, mv.new.y),
        first: (mv.line.first.x, mv.line.first.y),
        direction: direction.expect("one of four"),
    }
}

/// What the verifier refuses a game for, and where.
fn verdict(game: &Game) -> Option<(u32, &'static str)> {
    let refusal = verify_game(&game.text()).err()?;
    Some((refusal.number().expect("a move"), refusal.fault.name()))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 48,
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn a_random_game_is_accepted_as_it_is(seed: u64, most in 0usize..40) {
        let game = Game::random(&mut Random(seed), most);
        let verified = verify_game(&game.text()).expect("legal moves only");
        prop_assert_eq!(verified.rules().to_string(), game.rules());
        let moves: Vec<naive::Move> = verified.moves().iter().copied().map(naive_move).collect();
        prop_assert_eq!(&moves, &game.moves);
        let left: HashSet<naive::Move> =
            verified.legal_moves().into_iter().map(naive_move).collect();
        prop_assert_eq!(verified.remaining_moves() as usize, left.len());
        prop_assert_eq!(left, game.legal_moves().into_iter().collect::<HashSet<_>>());
    }

    #[test]
    fn a_changed_game_is_refused_at_its_first_fault(seed: u64, change in 0..9) {
        let random = &mut Random(seed);
        let mut game = Game::random(random, 25);
        prop_assume!(game.moves.len() > 1);
        let index = random.below(game.moves.len());
        let mut mv = game.moves[index];
        let line = game.dots_of(mv);
        let other = random.below(game.moves.len());
        match change {
            0 => mv.new = *random.choose(&line),
            1 => mv.new.0 += 1,
            2 => mv.first.1 += 1,
            3 => mv.direction = (mv.direction + 1) % 4,
            4 => (mv.new, mv.first) = ((mv.new.0, mv.new.1 + 500), (mv.first.0, mv.first.1 + 500)),
            5 => drop(game.moves.remove(index)),
            6 => game.moves.swap(index, other),
            7 => game.moves.insert(other, mv),
            _ => game.start.truncate(game.start.len() - 1),
        }
        if change < 5 {
            game.moves[index] = mv;
        }
        prop_assert_eq!(verdict(&game), game.first_fault());
    }

    #[test]
    fn a_line_over_another_is_refused_with_both_named(seed: u64) {
        let random = &mut Random(seed);
        let mut game = Game::random(random, 30);
        let legal: HashSet<naive::Move> = game.legal_moves().into_iter().collect();
        let mut over = game.completions();
        over.retain(|mv| !legal.contains(mv));
        prop_assume!(!over.is_empty());
        let mv = *random.choose(&over);
        let number = game.moves.len() as u32 + 1;
        game.moves.push(mv);
        let refusal = verify_game(&game.text()).expect_err("an overlap");
        prop_assert_eq!((refusal.number(), refusal.fault.name()), (Some(number), "overlap"));
        let Fault::Game(GameFault::Overlap { with, at }) = refusal.fault else {
            panic!("an overlap")
        };
        let other = game.moves[with.number().expect("a move") as usize - 1];
        prop_assert!(game.overlap(mv, other));
        let at: Dot = (at.x, at.y);
        prop_assert!(game.dots_of(mv).contains(&at) && game.dots_of(other).contains(&at));
    }

    #[test]
    fn a_shuffled_game_is_put_in_an_order_that_the_verifier_accepts(seed: u64) {
        let random = &mut Random(seed);
        let mut game = Game::random(random, 40);
        let left = game.legal_moves().len() as u64;
        random.shuffle(&mut game.moves);
        for text in [game.drawing(), game.text()] {
            let Ok(OrderResult::Ordered { game: found, order, .. }) = order(&text) else {
                panic!("a shuffled game has an order")
            };
            prop_assert_eq!(found.remaining_moves(), left);
            let moves = found.moves().iter().copied().map(naive_move);
            let ordered = Game { moves: moves.collect(), ..game.clone() };
            prop_assert_eq!(ordered.first_fault(), None);
            prop_assert_eq!(verdict(&ordered), None);
            for (mv, &index) in ordered.moves.iter().zip(&order) {
                let line = game.moves[index as usize];
                prop_assert_eq!((mv.first, mv.direction), (line.first, line.direction));
            }
        }
        prop_assert_eq!(verify_game(&game.drawing()).map(|game| game.remaining_moves()), Ok(left));
    }

    #[test]
    fn a_stuck_drawing_has_one_number_of_lines_to_draw(seed: u64, lost in 1usize..4) {
        let random = &mut Random(seed);
        let mut game = Game::random(random, 40);
        for _ in 0..lost {
            // A line or a start dot less, and what rests on it is stuck, or fights for a dot.
            match random.below(2) {
                0 if !game.moves.is_empty() => {
                    game.moves.remove(random.below(game.moves.len()));
                }
                _ if !game.start.is_empty() => {
                    game.start.remove(random.below(game.start.len()));
                }
                _ => {}
            }
        }
        random.shuffle(&mut game.moves);
        match order(&game.drawing()).expect("no line overlaps") {
            OrderResult::Ordered { game: found, .. } => {
                prop_assert_eq!(found.score() as usize, game.playable());
                prop_assert_eq!(game.playable(), game.moves.len());
            }
            OrderResult::Stuck { playable, stuck, .. } => {
                prop_assert_eq!(playable as usize, game.playable());
                prop_assert_eq!(playable as usize + stuck.len(), game.moves.len());
                prop_assert!(stuck.is_sorted() && !stuck.is_empty());
                // Without the stuck lines there is an order.
                let kept = (0..).zip(&game.moves).filter(|(index, _)| !stuck.contains(index));
                let rest = Game { moves: kept.map(|(_, &mv)| mv).collect(), ..game.clone() };
                let has_order = matches!(order(&rest.drawing()), Ok(OrderResult::Ordered { .. }));
                prop_assert!(has_order);
            }
        }
    }
}
