//! Rollouts of both engines against replaying, and against softmax.

use super::*;
use crate::bits::testing::random;
use crate::{
    BitEngine, BitLineBoard, BitPolicyRollout, BitPosition, Engine, PlainEngine, PlainLineBoard,
    Position,
};
use geometry::{Game, Start};
use std::collections::HashMap;

/// Numbers from the exponential distribution.
fn exponential(seed: u64) -> impl FnMut() -> f64 {
    let mut random = random(seed);
    move || -(((random() >> 11) + 1) as f64 / (1u64 << 53) as f64).ln()
}

/// exp(-weight) for weights uniform on (-size, size).
fn waits(lines: usize, size: f64, seed: u64) -> Vec<f32> {
    let mut random = random(seed);
    let uniform = |bits: u64| bits as f64 / u64::MAX as f64 * 2.0 - 1.0;
    (0..lines).map(|_| (size * uniform(random())).exp() as f32).collect()
}

/// When lines were legal in a game, found by playing it on a position.
fn plainly<P: Position>(mut position: P, moves: &[Move]) -> Vec<(Line, u16, u16, bool)> {
    let mut since: HashMap<Line, u16> = HashMap::new();
    let mut found = Vec::new();
    for step in 0..=moves.len() as u16 {
        let legal: Vec<Line> =
            position.legal().iter().map(|&code| position.decode(code).line).collect();
        since.retain(|&line, &mut from| {
            let played = step > 0 && moves[usize::from(step) - 1].line == line;
            let still = legal.contains(&line) && usize::from(step) < moves.len();
            if !still {
                found.push((line, from, step, played));
            }
            still
        });
        if let Some(&mv) = moves.get(usize::from(step)) {
            for &line in &legal {
                since.entry(line).or_insert(step);
            }
            position.play(mv).expect("legal");
        }
    }
    found.sort_unstable();
    found
}

fn check_spans<R: PolicyRollout, P: Position>(
    mut rollout: R,
    line: impl Fn(&R, u32) -> Line,
    position: P,
) {
    for (seed, longest) in [(1, 1000), (2, 1000), (3, 20), (4, 1000), (5, 1), (6, 0)] {
        let waits = waits(4096, 5.0 * seed as f64, seed);
        let score = rollout.play(&waits, longest, exponential(seed));
        let moves = rollout.moves();
        assert_eq!(moves.len(), score);
        assert!(score <= longest);
        let mut legal_spans = Vec::new();
        rollout.legal_spans(&mut legal_spans);
        let mut found: Vec<_> = legal_spans
            .iter()
            .map(|span| (line(&rollout, span.line), span.from, span.to, span.played))
            .collect();
        found.sort_unstable();
        assert_eq!(found, plainly(position.clone(), &moves));
        if longest == 1000 {
            let mut position = position.clone();
            moves.iter().for_each(|&mv| position.play(mv).expect("legal"));
            assert!(position.legal().is_empty());
        }
    }
}

fn check_fast<const LENGTH: usize, const TOUCHING: bool>() {
    let board = BitLineBoard::<LENGTH, TOUCHING>::start();
    let mut position = BitPosition::<LENGTH, TOUCHING>::start();
    let line = |number| board.line(number);
    check_spans(
        BitPolicyRollout::<LENGTH, TOUCHING>::new(&[]),
        |_, number| line(number),
        position.clone(),
    );
    check_spans(
        PlainPolicyRollout::new(board.clone(), &[]),
        |_, number| line(number),
        position.clone(),
    );
    for _ in 0..12 {
        position.play_nth(position.score() % position.legal().len());
    }
    let from = position.moves();
    check_spans(
        BitPolicyRollout::<LENGTH, TOUCHING>::new(&from),
        |_, number| line(number),
        position.clone(),
    );
}

#[test]
fn legal_spans_are_those_found_by_replaying() {
    check_fast::<5, true>();
    check_fast::<5, false>();
    check_fast::<4, true>();
    check_fast::<4, false>();
    let position = BitPosition::<5, false>::start();
    let plain = PlainLineBoard::start(position.game().clone());
    check_spans(
        PlainPolicyRollout::new(plain, &[]),
        |rollout, line| rollout.board.line(line),
        position,
    );
}

/// Plays three moves again and again and compares how often each sequence comes with how often
/// softmax makes it come.
fn check_softmax<R: PolicyRollout>(mut rollout: R, from: &[Move], size: f64) {
    let board = BitLineBoard::<5, true>::start();
    let waits = waits(4096, size, 9);
    let weight = |mv: Move| 1.0 / f64::from(waits[board.line_id(mv.line).expect("known") as usize]);
    let mut position = BitPosition::<5, true>::start();
    from.iter().for_each(|&mv| position.play(mv).expect("legal"));
    let mut expected: HashMap<Vec<Move>, f64> = HashMap::from([(Vec::new(), 1.0)]);
    for _ in 0..3 {
        let mut next = HashMap::new();
        for (moves, probability) in expected {
            moves.iter().for_each(|&mv| position.play(mv).expect("legal"));
            let legal: Vec<Move> =
                position.legal().iter().map(|&code| position.decode(code)).collect();
            let z: f64 = legal.iter().map(|&mv| weight(mv)).sum();
            for &mv in &legal {
                next.insert([moves.as_slice(), &[mv]].concat(), probability * weight(mv) / z);
            }
            for _ in &moves {
                position.undo();
            }
        }
        expected = next;
    }
    const GAMES: u32 = 60_000;
    let mut exponential = exponential(size as u64);
    let mut counts: HashMap<Vec<Move>, f64> = HashMap::new();
    for _ in 0..GAMES {
        rollout.play(&waits, 3, &mut exponential);
        *counts.entry(rollout.moves()).or_default() += 1.0;
    }
    // What is rare is taken together.
    let (mut sum, mut free, mut rare) = (0.0, -1.0f64, (0.0, 0.0f64));
    for (moves, probability) in &expected {
        let (count, mean) = (counts.remove(moves).unwrap_or(0.0), probability * f64::from(GAMES));
        if mean < 10.0 {
            rare = (rare.0 + count, rare.1 + mean);
        } else {
            sum += (count - mean).powi(2) / mean;
            free += 1.0;
        }
    }
    assert!(counts.is_empty(), "a game that cannot be");
    assert!((rare.0 - rare.1).abs() < 5.0 * rare.1.sqrt() + 1.0, "{rare:?}");
    assert!(free > 3.0 && sum < free + 5.0 * (2.0 * free).sqrt(), "{size}: {sum} {free}");
}

#[test]
fn moves_are_as_likely_as_softmax_says() {
    let mut position = BitPosition::<5, true>::start();
    for _ in 0..25 {
        position.play_nth(position.score() % position.legal().len());
    }
    let from = position.moves();
    for size in [0.0, 1.0, 3.0, 10.0, 40.0] {
        check_softmax(BitPolicyRollout::<5, true>::new(&from), &from, size);
    }
    check_softmax(PlainPolicyRollout::new(BitLineBoard::<5, true>::start(), &from), &from, 3.0);
}

#[test]
fn without_a_policy_games_are_uniformly_random() {
    fn check<const LENGTH: usize, const TOUCHING: bool>(known: f64) {
        let mut rollout = BitPolicyRollout::<LENGTH, TOUCHING>::new(&[]);
        let mut exponential = exponential(LENGTH as u64);
        let total: usize =
            (0..20_000).map(|_| rollout.play(&[1.0; 4096], 1000, &mut exponential)).sum();
        // The standard deviation of one game is below 12: 0.09 for the mean.
        let mean = total as f64 / 20_000.0;
        assert!((mean - known).abs() < 0.35, "{mean} {known}");
    }
    check::<5, true>(53.6);
    check::<5, false>(42.9);
    check::<4, true>(37.2);
    check::<4, false>(24.05);
}

fn spans_of<R: PolicyRollout>(rollout: &mut R) -> Vec<LegalSpan> {
    let mut legal_spans = Vec::new();
    rollout.legal_spans(&mut legal_spans);
    legal_spans
}

/// Plays games, some of them cut, and plays them again: on the rollout that played them, and on
/// a new one, where lines may have other numbers.
fn check_replay<E: Engine>(engine: &E, from: &[Move]) {
    let mut random = random(3);
    let mut exponential = || -(((random() >> 11) + 1) as f64 / (1u64 << 53) as f64).ln();
    let mut rollout = engine.policy_rollout(from);
    let mut other = engine.policy_rollout(from);
    for longest in [1000, 1000, 9, 1000, 1, 0, 1000] {
        let score = rollout.play(&[1.0; 4096], longest, &mut exponential);
        let played = spans_of(&mut rollout);
        let lines: Vec<Line> = rollout.line_ids().map(|line| rollout.line(line)).collect();
        let moves = rollout.moves();
        assert!(lines.iter().eq(moves.iter().map(|mv| &mv.line)));

        rollout.copy_game_to(&mut other);
        assert!(other.line_ids().eq(rollout.line_ids()));
        assert_eq!(spans_of(&mut other), played);

        assert_eq!(rollout.replay(&lines, score), Some(score));
        assert_eq!(rollout.moves(), moves);
        assert_eq!(spans_of(&mut rollout), played);

        let mut new = engine.policy_rollout(from);
        let reversed: Vec<Line> = lines.iter().rev().copied().collect();
        let ids = new.intern_lines(&reversed).expect("there is room");
        assert!(ids.iter().zip(&reversed).all(|(&id, &line)| new.line(id) == line));
        assert_eq!(new.replay(&lines, score), Some(score));
        assert_eq!(new.moves(), moves);
        let described = |rollout: &E::PolicyRollout, legal_spans: &[LegalSpan]| -> Vec<_> {
            let describe = |c: &LegalSpan| (rollout.line(c.line), c.from, c.to, c.played);
            legal_spans.iter().map(describe).collect()
        };
        let found = spans_of(&mut new);
        assert_eq!(described(&new, &found), described(&rollout, &played));

        if score > 0 {
            assert_eq!(new.replay(&lines, score - 1), None);
            assert_eq!(new.replay(&[lines[0], lines[0]], 1000), None);
        }
        if score > 20 {
            assert_eq!(new.replay(&reversed, 1000), None);
        }
    }
}

#[test]
fn games_are_found_again_by_their_lines() {
    check_replay(&BitEngine::<5, true>::new(), &[]);
    check_replay(&BitEngine::<5, false>::new(), &[]);
    check_replay(&BitEngine::<4, true>::new(), &[]);
    check_replay(&BitEngine::<4, false>::new(), &[]);
    let start = Start::cross(3).expect("in range");
    let plain = PlainEngine::new(Game { rules: "5D".parse().expect("known"), start });
    check_replay(&plain, &[]);
    let mut first = BitEngine::<5, true>::new().policy_rollout(&[]);
    first.play(&[1.0; 4096], 12, || 1.0);
    check_replay(&BitEngine::<5, true>::new(), &first.moves());
}

#[test]
fn fast_numbers_are_those_of_plain_lines() {
    let engine = BitEngine::<5, true>::new();
    let mut rollout = engine.policy_rollout(&[]);
    let far = Line::new(geometry::Point::new(1 << 20, 0), geometry::Direction::East);
    assert_eq!(rollout.intern_lines(&[far]), None);
    let board = engine.line_board();
    for n in 0..board.legal_count() {
        let number = board.nth_legal(n);
        assert_eq!(rollout.line(number), board.line(number));
        assert_eq!(rollout.intern_lines(&[board.line(number)]), Some(vec![number]));
    }
}
