//! No game is longer than any formula allows.

use bound::formula::{self, BoundFormula};
use geometry::{Game, Point, Rules, Start};
use proptest::prelude::*;
use rules::{PlainPosition, Position};

/// The length of a random game, no longer than `most`.
fn play(game: &Game, mut choices: u64, most: usize) -> usize {
    let mut board = PlainPosition::start(game.clone());
    while !board.legal().is_empty() && board.score() < most {
        choices = choices.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        board.play_nth((choices >> 33) as usize % board.legal().len());
    }
    board.score()
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(500)
    })]
    #[test]
    fn games_keep_to_every_bound(
        length in 2usize..=7,
        touching: bool,
        choices: u64,
        sparse: bool,
        cells in prop::collection::vec((0..6, 0..5), 0..14),
    ) {
        // Sparse starts leave a class of parity free, for that argument to apply.
        let kept = cells.into_iter().filter(|&(x, y)| !sparse || x % 2 == 0 || y % 2 == 0);
        let start = Start::from_dots(kept.map(|(x, y)| Point::new(x, y))).expect("few dots");
        let rules = Rules::new(length, touching).expect("in range");
        let game = Game { rules, start };
        let moves = play(&game, choices, 150) as u64;
        for formula in BoundFormula::ALL {
            if let Ok(bound) = formula::bound(&game, formula) {
                prop_assert!(moves <= bound.bound, "{moves} moves, {bound:?}");
                prop_assert!(bound.reached.is_none_or(|reached| reached <= bound.bound));
            }
        }
    }
}
