//! The bit position equals the plain one, move for move.

use geometry::{Game, Point, Start};
use proptest::prelude::*;
use proptest::sample::Index;
use rules::{BitPosition, IllegalMove, PlainPosition, Position};

/// Plays the same choices on both positions and compares all observable state, forward and back.
fn compare<const LENGTH: usize, const TOUCHING: bool>(choices: &[Index]) {
    let mut fast = BitPosition::<LENGTH, TOUCHING>::start();
    let mut plain = PlainPosition::start(fast.game().clone());
    let same = |fast: &BitPosition<LENGTH, TOUCHING>, plain: &PlainPosition| {
        assert!(!fast.is_truncated());
        let decoded: Vec<_> = fast.legal().iter().map(|&code| fast.decode(code)).collect();
        assert_eq!(decoded, plain.legal());
        assert_eq!(fast.hash(), plain.hash());
        assert_eq!(fast.score(), plain.score());
    };
    same(&fast, &plain);
    for choice in choices.iter().cycle() {
        if plain.legal().is_empty() {
            break;
        }
        let index = choice.index(plain.legal().len());
        assert_eq!(fast.play_nth(index), plain.play_nth(index));
        same(&fast, &plain);
    }
    assert_eq!(fast.moves(), plain.moves());
    let copy = fast.clone();
    for y in -12..25 {
        for x in -12..25 {
            assert_eq!(fast.has_dot(Point::new(x, y)), plain.has_dot(Point::new(x, y)));
        }
    }
    while let Some(mv) = plain.undo() {
        assert_eq!(fast.undo(), Some(mv));
        same(&fast, &plain);
    }
    assert_eq!(fast.undo(), None);
    fast.clone_from(&copy);
    assert_eq!(fast.legal(), copy.legal());
    assert_eq!(fast.moves(), copy.moves());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn random_games_are_the_same_on_both_boards(
        choices in prop::collection::vec(any::<Index>(), 30..80),
    ) {
        compare::<5, true>(&choices);
        compare::<5, false>(&choices);
        compare::<4, true>(&choices);
        compare::<4, false>(&choices);
    }

    #[test]
    fn a_move_from_anywhere_is_refused_for_the_same_reason(
        choices in prop::collection::vec(any::<Index>(), 0..30),
        x in -5..15, y in -5..15, direction in 0usize..4, offset in 0u8..6,
    ) {
        let mut fast = BitPosition::<5, true>::start();
        let mut plain = PlainPosition::start(fast.game().clone());
        for choice in choices {
            if plain.legal().is_empty() { break; }
            let index = choice.index(plain.legal().len());
            fast.play_nth(index);
            plain.play_nth(index);
        }
        let line = geometry::Line::new(Point::new(x, y), geometry::Direction::ALL[direction]);
        let mv = geometry::Move::new(line, offset);
        let expected = plain.play(mv);
        prop_assert_eq!(fast.play(mv), expected);
        prop_assert_eq!(fast.score(), plain.score());
    }
}

#[test]
fn a_move_onto_the_ring_is_left_out_and_the_list_truncated() {
    // Rows of four dots that reach from edge to edge of the inner 30 x 30 points.
    let row = |y: i32| (0..30).filter(|x| x % 5 != 4).map(move |x| Point::new(x, y));
    let start = Start::from_dots(row(0).chain(row(29))).expect("few dots");
    let mut fast = BitPosition::<5, false>::start_from(start.clone()).expect("it fits");
    let mut plain = PlainPosition::start(Game { rules: "5D".parse().expect("known"), start });
    assert!(fast.is_truncated());
    assert!(!plain.is_truncated());
    let inside = |p: Point| (0..30).contains(&p.x) && (0..30).contains(&p.y);
    let mut expected = plain.legal().to_vec();
    expected.retain(|mv| inside(mv.dot()));
    let decoded: Vec<_> = fast.legal().iter().map(|&code| fast.decode(code)).collect();
    assert_eq!(decoded, expected);
    let outside = *plain.legal().iter().find(|mv| !inside(mv.dot())).expect("some leave");
    assert_eq!(fast.play(outside), Err(IllegalMove::OffGrid(outside.dot())));
    plain.play(outside).expect("legal on a larger grid");
}

#[test]
fn reaching_the_ring_in_play_is_noticed_and_undone() {
    // Three dots in a row at the edge: the fourth inside makes a fifth outside legal.
    let dots = [(0, 0), (0, 1), (0, 2), (0, 3), (29, 29), (3, 5), (4, 6), (5, 7), (1, 4), (2, 4)];
    let start = Start::from_dots(dots.map(|(x, y)| Point::new(x, y))).expect("few dots");
    let mut fast = BitPosition::<5, false>::start_from(start.clone()).expect("it fits");
    let mut plain = PlainPosition::start(Game { rules: "5D".parse().expect("known"), start });
    let before = fast.is_truncated();
    assert!(before, "(0,-1) is on the ring");
    for index in 0..fast.legal().len() {
        let mv = fast.decode(fast.legal()[index]);
        fast.play_nth(index);
        plain.play(mv).expect("legal");
        let inside = |p: Point| (0..30).contains(&p.x) && (0..30).contains(&p.y);
        let mut expected = plain.legal().to_vec();
        expected.retain(|mv| inside(mv.dot()));
        let decoded: Vec<_> = fast.legal().iter().map(|&code| fast.decode(code)).collect();
        assert_eq!(decoded, expected);
        fast.undo();
        plain.undo();
    }
}

#[test]
fn a_start_that_does_not_fit_is_refused() {
    let start = |x| Start::from_dots([Point::new(0, 0), Point::new(x, 0)]).expect("few dots");
    assert!(BitPosition::<5, true>::start_from(start(29)).is_some());
    assert!(BitPosition::<5, true>::start_from(start(30)).is_none());
    let far = Start::from_dots([Point::new(1 << 20, -(1 << 20))]).expect("one dot");
    assert!(BitPosition::<4, true>::start_from(far).is_some());
}
