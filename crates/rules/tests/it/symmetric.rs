//! Orbits of lines against what they stand for: single moves, played one after the other.

use std::collections::BTreeSet;

use geometry::{Game, GameSymmetry, Line, Move, Symmetry};
use rules::{BitLineBoard, LineBoard, PlainLineBoard, PlainPosition, Position, SymmetricLineBoard};

fn images(mv: Move, group: &[Symmetry], position: &PlainPosition) -> BTreeSet<Move> {
    group.iter().map(|symmetry| symmetry.mv(mv, position.game().rules)).collect()
}

/// The first lines of the orbits whose moves can all be played.
fn expected(position: &PlainPosition, group: &[Symmetry]) -> BTreeSet<Line> {
    let can_play = |mv: &&Move| {
        let mut position = position.clone();
        images(**mv, group, &position).into_iter().all(|image| position.play(image).is_ok())
    };
    let first = |mv: &Move| images(*mv, group, position).into_iter().map(|mv| mv.line).min();
    position.legal().iter().filter(can_play).filter_map(first).collect()
}

fn legal<L: LineBoard>(board: &L) -> BTreeSet<Line> {
    (0..board.legal_count()).map(|n| board.line(board.nth_legal(n))).collect()
}

/// Plays a game by a rule of thumb that goes many ways; erases and draws every orbit again.
fn check<L: LineBoard>(board: L, group: &[Symmetry], seed: usize) {
    let mut position = PlainPosition::start(board.game().clone());
    let mut board = SymmetricLineBoard::new(board, group);
    let mut random = seed;
    loop {
        let now = legal(&board);
        assert_eq!(now, expected(&position, group));
        if now.is_empty() || position.score() > 200 {
            break;
        }
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let id = board.nth_legal((random >> 33) % now.len());
        assert!(board.is_legal(id) && board.is_name(board.line(id)));
        let mut changed = now.clone();
        let new = board.draw_reporting(id, |_, _| {});
        let mut moves = Vec::new();
        board.append_moves(id, new, &mut moves);
        assert_eq!(moves.len(), board.multiplicity(id));
        board.erase_reporting(id, new, |_, _| {});
        assert_eq!(legal(&board), now);
        let mut reported = Vec::new();
        board.draw_reporting(id, |id, is_legal| reported.push((id, is_legal)));
        for (id, is_legal) in reported {
            let line = board.line(id);
            assert!(if is_legal { changed.insert(line) } else { changed.remove(&line) });
        }
        assert_eq!(legal(&board), changed);
        // The orbit leaves its dots and takes them back.
        board.erase_keeping_dot(id);
        assert!(board.has_all_dots(id) && board.is_unblocked(id));
        board.remove_free_dot(id, new);
        assert_eq!(legal(&board), now);
        board.place_free_dot(id, new);
        board.draw_without_dot(id);
        assert_eq!(legal(&board), changed);
        for mv in moves {
            position.play(mv).expect("an orbit is legal in any order");
        }
    }
}

#[test]
fn an_orbit_is_legal_when_its_moves_can_all_be_played() {
    for symmetry in GameSymmetry::ALL {
        for seed in 0..3 {
            let group = |name: &str| {
                symmetry.group(&Game::named(name).expect("known").start).expect("a cross has all")
            };
            check(BitLineBoard::<5, true>::start(), &group("5T"), seed);
            check(BitLineBoard::<5, false>::start(), &group("5D"), seed);
            check(BitLineBoard::<4, true>::start(), &group("4T"), seed);
            check(BitLineBoard::<4, false>::start(), &group("4D"), seed);
            for name in ["4T", "5D", "6T"] {
                let plain = PlainLineBoard::start(Game::named(name).expect("known"));
                check(plain, &group(name), seed);
            }
        }
    }
}
