//! Games by a policy.

pub(crate) mod retrace;

use geometry::Move;

use crate::Sheet;

/// Plays games to their end, each line with a weight of its own.
///
/// Softmax without sums: a line that becomes legal draws how long it waits, from an exponential
/// distribution with mean exp(-weight), and the line with the least time left is drawn next. Since
/// such a distribution has no memory, each line has exactly the probability that softmax gives it.
pub trait Rollout: Clone {
    /// All numbers of lines are below this, or become known in a game.
    fn line_numbers(&self) -> usize;

    /// Plays a game of at most `longest` moves and gives back how many it has.
    ///
    /// `waits` has exp(-weight) by number of a line, for at least [`line_numbers`](Self::line_numbers)
    /// lines; a line beyond it has weight 0. `exponential` draws from the exponential distribution
    /// with mean 1.
    fn play(&mut self, waits: &[f32], longest: usize, exponential: impl FnMut() -> f64) -> usize;

    /// The last game, without the moves it began with.
    fn moves(&self) -> Vec<Move>;

    /// Every line that was legal at some time of the last game and when, in no particular order.
    fn chances(&mut self, chances: &mut Vec<Chance>);
}

/// When a line was legal: at the steps `from..to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chance {
    /// The number of the line.
    pub line: u32,
    /// The first step.
    pub from: u16,
    /// The step after the last.
    pub to: u16,
    /// Whether it was drawn at the last of them.
    pub made: bool,
}

/// Plays games on any sheet. The reference for the fast ones.
#[derive(Debug, Clone)]
pub struct SheetRollout<S> {
    start: S,
    sheet: S,
    /// The lines legal now: how long each has still to wait, and since when it is legal.
    waits: Vec<f64>,
    lines: Vec<(u32, u16)>,
    /// By number of a line: its place among the lines legal now.
    places: Vec<u16>,
    /// The moves made: line, and which of its dots is new.
    made: Vec<(u32, u8)>,
    chances: Vec<Chance>,
}

impl<S: Sheet> SheetRollout<S> {
    /// Plays games that begin after the moves `from`.
    pub fn new(mut sheet: S, from: &[Move]) -> Self {
        for mv in from {
            let number = sheet.number(mv.line).filter(|&number| sheet.is_legal(number));
            sheet.draw(number.expect("the first moves are legal"));
        }
        Self {
            start: sheet.clone(),
            sheet,
            waits: Vec::new(),
            lines: Vec::new(),
            places: Vec::new(),
            made: Vec::new(),
            chances: Vec::new(),
        }
    }

    fn step(&mut self, waits: &[f32], exponential: &mut impl FnMut() -> f64) {
        let place = least(&self.waits);
        let passed = self.waits[place];
        for wait in &mut self.waits {
            *wait -= passed;
        }
        let drawn = self.lines[place].0;
        let next = self.made.len() as u16 + 1;
        let Self { sheet, waits: left, lines, places, chances, .. } = self;
        let new = sheet.draw_watched(drawn, |line, legal| {
            if places.len() <= line as usize {
                places.resize(line as usize + 1, 0);
            }
            if legal {
                places[line as usize] = lines.len() as u16;
                lines.push((line, next));
                left.push(exponential() * wait_of(waits, line));
            } else {
                let place = usize::from(places[line as usize]);
                let (_, from) = lines.swap_remove(place);
                left.swap_remove(place);
                if let Some(&(moved, _)) = lines.get(place) {
                    places[moved as usize] = place as u16;
                }
                chances.push(Chance { line, from, to: next, made: line == drawn });
            }
        });
        self.made.push((drawn, new));
    }
}

/// exp(-weight) of a line.
fn wait_of(waits: &[f32], line: u32) -> f64 {
    waits.get(line as usize).map_or(1.0, |&wait| wait.into())
}

/// The place of the least of some numbers.
fn least(numbers: &[f64]) -> usize {
    let (mut place, mut least) = (0, f64::INFINITY);
    for (i, &number) in numbers.iter().enumerate() {
        if number < least {
            (place, least) = (i, number);
        }
    }
    place
}

impl<S: Sheet> Rollout for SheetRollout<S> {
    fn line_numbers(&self) -> usize {
        self.start.line_numbers()
    }

    fn play(
        &mut self,
        waits: &[f32],
        longest: usize,
        mut exponential: impl FnMut() -> f64,
    ) -> usize {
        self.sheet.clone_from(&self.start);
        self.waits.clear();
        self.lines.clear();
        self.made.clear();
        self.chances.clear();
        self.places.resize(self.sheet.line_numbers(), 0);
        for n in 0..self.sheet.legal_count() {
            let line = self.sheet.nth_legal(n);
            self.places[line as usize] = n as u16;
            self.lines.push((line, 0));
            self.waits.push(exponential() * wait_of(waits, line));
        }
        // Steps are counted in 16 bits.
        let longest = longest.min(usize::from(u16::MAX) - 1);
        while !self.lines.is_empty() && self.made.len() < longest {
            self.step(waits, &mut exponential);
        }
        self.made.len()
    }

    fn moves(&self) -> Vec<Move> {
        self.made.iter().map(|&(line, new)| Move::new(self.sheet.line(line), new)).collect()
    }

    fn chances(&mut self, chances: &mut Vec<Chance>) {
        chances.clone_from(&self.chances);
        // A game that was cut ends with lines still legal.
        let to = self.made.len() as u16;
        let rest = self.lines.iter().filter(|&&(_, from)| from < to);
        chances.extend(rest.map(|&(line, from)| Chance { line, from, to, made: false }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::testing::random;
    use crate::{Board, FastBoard, FastRollout, FastSheet, PlainSheet};
    use geometry::Line;
    use std::collections::HashMap;

    /// Numbers from the exponential distribution.
    fn exponential(seed: u64) -> impl FnMut() -> f64 {
        let mut random = random(seed);
        move || -(((random() >> 11) + 1) as f64 / (1u64 << 53) as f64).ln()
    }

    /// exp(-weight) for weights drawn evenly from -size to size.
    fn waits(lines: usize, size: f64, seed: u64) -> Vec<f32> {
        let mut random = random(seed);
        let even = |bits: u64| bits as f64 / u64::MAX as f64 * 2.0 - 1.0;
        (0..lines).map(|_| (size * even(random())).exp() as f32).collect()
    }

    /// When lines were legal in a game, found by playing it on a board.
    fn plainly<B: Board>(mut board: B, moves: &[Move]) -> Vec<(Line, u16, u16, bool)> {
        let mut since: HashMap<Line, u16> = HashMap::new();
        let mut found = Vec::new();
        for step in 0..=moves.len() as u16 {
            let legal: Vec<Line> =
                board.legal().iter().map(|&code| board.decode(code).line).collect();
            since.retain(|&line, &mut from| {
                let made = step > 0 && moves[usize::from(step) - 1].line == line;
                let still = legal.contains(&line) && usize::from(step) < moves.len();
                if !still {
                    found.push((line, from, step, made));
                }
                still
            });
            if let Some(&mv) = moves.get(usize::from(step)) {
                for &line in &legal {
                    since.entry(line).or_insert(step);
                }
                board.play(mv).expect("legal");
            }
        }
        found.sort_unstable();
        found
    }

    fn check_chances<R: Rollout, B: Board>(
        mut rollout: R,
        line: impl Fn(&R, u32) -> Line,
        board: B,
    ) {
        for (seed, longest) in [(1, 1000), (2, 1000), (3, 20), (4, 1000), (5, 1), (6, 0)] {
            let waits = waits(4096, 5.0 * seed as f64, seed);
            let score = rollout.play(&waits, longest, exponential(seed));
            let moves = rollout.moves();
            assert_eq!(moves.len(), score);
            assert!(score <= longest);
            let mut chances = Vec::new();
            rollout.chances(&mut chances);
            let mut found: Vec<_> = chances
                .iter()
                .map(|chance| (line(&rollout, chance.line), chance.from, chance.to, chance.made))
                .collect();
            found.sort_unstable();
            assert_eq!(found, plainly(board.clone(), &moves));
            if longest == 1000 {
                let mut board = board.clone();
                moves.iter().for_each(|&mv| board.play(mv).expect("legal"));
                assert!(board.legal().is_empty());
            }
        }
    }

    fn check_fast<const LENGTH: usize, const TOUCHING: bool>() {
        let sheet = FastSheet::<LENGTH, TOUCHING>::start();
        let mut board = FastBoard::<LENGTH, TOUCHING>::start();
        let line = |number| sheet.line(number);
        check_chances(
            FastRollout::<LENGTH, TOUCHING>::new(&[]),
            |_, number| line(number),
            board.clone(),
        );
        check_chances(
            SheetRollout::new(sheet.clone(), &[]),
            |_, number| line(number),
            board.clone(),
        );
        for _ in 0..12 {
            board.play_nth(board.score() % board.legal().len());
        }
        let from = board.moves();
        check_chances(
            FastRollout::<LENGTH, TOUCHING>::new(&from),
            |_, number| line(number),
            board.clone(),
        );
    }

    #[test]
    fn chances_are_those_found_by_replaying() {
        check_fast::<5, true>();
        check_fast::<5, false>();
        check_fast::<4, true>();
        check_fast::<4, false>();
        let board = FastBoard::<5, false>::start();
        let plain = PlainSheet::start(board.game().clone());
        check_chances(
            SheetRollout::new(plain, &[]),
            |rollout, line| rollout.sheet.line(line),
            board,
        );
    }

    /// Plays three moves again and again and compares how often each sequence comes with how often
    /// softmax makes it come.
    fn check_softmax<R: Rollout>(mut rollout: R, from: &[Move], size: f64) {
        let sheet = FastSheet::<5, true>::start();
        let waits = waits(4096, size, 9);
        let weight =
            |mv: Move| 1.0 / f64::from(waits[sheet.number(mv.line).expect("known") as usize]);
        let mut board = FastBoard::<5, true>::start();
        from.iter().for_each(|&mv| board.play(mv).expect("legal"));
        let mut expected: HashMap<Vec<Move>, f64> = HashMap::from([(Vec::new(), 1.0)]);
        for _ in 0..3 {
            let mut next = HashMap::new();
            for (moves, chance) in expected {
                moves.iter().for_each(|&mv| board.play(mv).expect("legal"));
                let legal: Vec<Move> =
                    board.legal().iter().map(|&code| board.decode(code)).collect();
                let z: f64 = legal.iter().map(|&mv| weight(mv)).sum();
                for &mv in &legal {
                    next.insert([moves.as_slice(), &[mv]].concat(), chance * weight(mv) / z);
                }
                for _ in &moves {
                    board.undo();
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
        for (moves, chance) in &expected {
            let (count, mean) = (counts.remove(moves).unwrap_or(0.0), chance * f64::from(GAMES));
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
        let mut board = FastBoard::<5, true>::start();
        for _ in 0..25 {
            board.play_nth(board.score() % board.legal().len());
        }
        let from = board.moves();
        for size in [0.0, 1.0, 3.0, 10.0, 40.0] {
            check_softmax(FastRollout::<5, true>::new(&from), &from, size);
        }
        check_softmax(SheetRollout::new(FastSheet::<5, true>::start(), &from), &from, 3.0);
    }

    #[test]
    fn without_a_policy_games_are_uniformly_random() {
        fn check<const LENGTH: usize, const TOUCHING: bool>(known: f64) {
            let mut rollout = FastRollout::<LENGTH, TOUCHING>::new(&[]);
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
}
