//! Games that are symmetric: legal, and the images of their moves belong to them.

use std::collections::HashSet;
use std::ops::ControlFlow;

use geometry::{Game, GameSymmetry, Move};
use rand::SeedableRng;
use rules::{PlainPosition, Position};
use search::{Budget, Event, MethodSpec, Rng};

/// The longest game after some proposals; all games on the way are checked.
fn find(name: &str, symmetry: GameSymmetry, playouts: u64) -> usize {
    let game = Game::named(name).expect("known");
    let group = symmetry.group(&game.start).expect("a cross has all symmetries");
    let number = symmetry.number().to_string();
    let given = [
        ("symmetry", number.as_str()),
        ("round", "2000"),
        ("launch", "1000"),
        ("free", "2"),
        ("remake", "0.3"),
    ];
    let method = MethodSpec::named("temper", &game, given).expect("valid");
    let check = |moves: &[Move]| {
        let mut position = PlainPosition::start(game.clone());
        position.play_all(moves).expect("a legal game");
        let moves: HashSet<Move> = moves.iter().copied().collect();
        for symmetry in &group {
            let image = |&mv: &Move| symmetry.mv(mv, game.rules);
            assert!(moves.iter().all(|mv| moves.contains(&image(mv))), "{name} {symmetry:?}");
        }
    };
    let search = method.start(&game, &[], Rng::seed_from_u64(4));
    let found = search.run(Budget::playouts(playouts), |event| {
        if let Event::Improved(moves) = event {
            check(moves);
        }
        ControlFlow::Continue(())
    });
    found.len()
}

#[test]
fn games_with_every_symmetry_are_found() {
    for name in ["4D", "4T", "5D", "5T", "6T"] {
        for symmetry in GameSymmetry::ALL {
            let moves = find(name, symmetry, 6_000);
            assert!(moves >= 8, "{name} {symmetry}: {moves}");
        }
    }
}

#[test]
fn long_games_symmetric_by_a_half_turn_are_found_soon() {
    assert!(find("5D", GameSymmetry::HalfTurn, 60_000) >= 56);
    assert!(find("5T", GameSymmetry::HalfTurn, 60_000) >= 90);
}
