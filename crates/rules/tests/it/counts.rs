//! The counts agree with the published ones and with a plain enumeration.

use std::collections::BTreeSet;

use geometry::{Game, Line, Point, Start};
use rules::count::{CountError, CountKind, CountOptions, count};
use rules::{PlainPosition, Position};

const TWO_THREADS: CountOptions<'_> = CountOptions { threads: 2, ..CountOptions::QUIET };

/// The counts listed in `counts.txt`, whose header says what the columns are.
fn table() -> impl Iterator<Item = (Game, CountKind, Vec<u128>)> {
    include_str!("../counts.txt").lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut words = line.split_whitespace();
        let game = Game::named(words.next().expect("a game")).expect("a known game");
        let kind = match words.next().expect("a kind") {
            "classes" => CountKind::Classes,
            "positions" => CountKind::Positions,
            "sequences" => CountKind::Sequences,
            other => panic!("unknown kind {other}"),
        };
        (game, kind, words.map(|word| word.parse().expect("a number")).collect())
    })
}

#[test]
fn known_counts_come_out() {
    let mut rows = 0;
    for (game, kind, expected) in table() {
        let found = count(&game, kind, expected.len() - 1, TWO_THREADS);
        assert_eq!(found.as_ref(), Ok(&expected), "{game} {kind:?}");
        rows += 1;
    }
    assert_eq!(rows, 12, "four games, three kinds");
}

/// All three counts by keeping every position, with nothing clever.
fn plainly(game: &Game, moves: usize) -> [Vec<u128>; 3] {
    let rules = game.rules;
    let symmetries = game.start.symmetries();
    let (mut classes, mut positions, mut sequences) = (vec![1], vec![1], vec![1]);
    let mut games = vec![PlainPosition::start(game.clone())];
    for _ in 0..moves {
        let mut next = Vec::new();
        for position in &games {
            for index in 0..position.legal().len() {
                let mut child = position.clone();
                child.play_nth(index);
                next.push(child);
            }
        }
        games = next;
        let sets: BTreeSet<BTreeSet<Line>> = games
            .iter()
            .map(|position| position.moves().iter().map(|mv| mv.line).collect())
            .collect();
        let least: BTreeSet<BTreeSet<Line>> = sets
            .iter()
            .map(|set| {
                let image =
                    |s: &geometry::Symmetry| set.iter().map(|&l| s.line(l, rules)).collect();
                symmetries.iter().map(image).min().expect("the identity")
            })
            .collect();
        classes.push(least.len() as u128);
        positions.push(sets.len() as u128);
        sequences.push(games.len() as u128);
    }
    [classes, positions, sequences]
}

#[test]
fn all_counts_agree_with_a_plain_enumeration() {
    let rules = |name: &str| name.parse().expect("known rules");
    let dots = |list: &[(i32, i32)]| {
        Start::from_dots(list.iter().map(|&(x, y)| Point::new(x, y))).expect("few dots")
    };
    let corner = dots(&[(0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (2, 2), (3, 3)]);
    let mut games = vec![
        (Game::named("2D").expect("known"), 3),
        (Game::named("2T").expect("known"), 3),
        (Game::named("3T").expect("known"), 2),
        (Game::named("6D").expect("known"), 3),
        (Game { rules: rules("3T"), start: corner.clone() }, 4),
        (Game { rules: rules("3D"), start: corner }, 4),
        (Game { rules: rules("5T"), start: dots(&[(0, 0), (1, 0), (3, 0), (4, 0)]) }, 3),
        (Game { rules: rules("5T"), start: dots(&[]) }, 3),
    ];
    games.extend(["4T", "4D", "5T", "5D"].map(|name| (Game::named(name).expect("known"), 2)));
    for (game, moves) in games {
        let kinds = [CountKind::Classes, CountKind::Positions, CountKind::Sequences];
        for (kind, expected) in kinds.into_iter().zip(plainly(&game, moves)) {
            assert_eq!(count(&game, kind, moves, TWO_THREADS), Ok(expected), "{game} {kind:?}");
        }
    }
}

#[test]
fn lines_of_six_have_nothing_after_twelve_moves() {
    let counts = count(&Game::named("6T").expect("known"), CountKind::Classes, 14, TWO_THREADS);
    let counts = counts.expect("small");
    assert!(counts[12] > 0);
    assert_eq!(counts[13..], [0, 0]);
}

#[test]
fn a_table_that_would_not_fit_is_refused_before_it_is_made() {
    let settings = CountOptions { memory: 100_000, ..TWO_THREADS };
    let game = Game::named("5T").expect("known");
    let refused = count(&game, CountKind::Sequences, 9, settings).expect_err("too large");
    assert!(matches!(refused, CountError::Memory { moves: 4, classes: 2741, .. }), "{refused:?}");
    assert!(count(&game, CountKind::Positions, 5, settings).is_ok(), "needs no table");
}
