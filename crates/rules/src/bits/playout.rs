//! Random games of the bit engine.
//!
//! Traded for speed: no undo, no hash, no ordered list of legal moves. Candidates that are no
//! longer legal stay in the list for a while: a sample that hits one removes it and is repeated,
//! which leaves every legal line equally likely. A line becomes legal at most once in a game, since
//! dots and marks are only added, so none is listed twice. The plain version it is tested against
//! is [`PlainPlayout`](crate::PlainPlayout).

use geometry::Move;

use super::Code;
use super::rows::{DOTS, LINES, Rows};
use crate::{BitPosition, Playout, Position};

/// The number of moves after which illegal lines are removed from the list. At this rate a sweep
/// costs about as much as the repeated samples it saves.
const SWEEP: usize = 8;

/// Random games with lines of `LENGTH` (4 or 5).
#[derive(Debug, Clone)]
pub struct BitPlayout<const LENGTH: usize, const TOUCHING: bool> {
    rows: Rows<LENGTH, TOUCHING>,
    /// The candidates, at the front.
    lines: [u16; LINES],
    /// The lines played and their new dots.
    played: [(u16, u16); DOTS],
    count: usize,
}

impl<const LENGTH: usize, const TOUCHING: bool> BitPlayout<LENGTH, TOUCHING> {
    pub(crate) fn new() -> Self {
        let rows = Rows::new(&Default::default(), &Default::default());
        Self { rows, lines: [0; LINES], played: [(0, 0); DOTS], count: 0 }
    }
}

impl<const LENGTH: usize, const TOUCHING: bool> Playout for BitPlayout<LENGTH, TOUCHING> {
    type Position = BitPosition<LENGTH, TOUCHING>;

    #[inline]
    fn play(
        &mut self,
        from: &Self::Position,
        max_moves: usize,
        mut sample: impl FnMut(usize) -> Option<usize>,
    ) -> usize {
        let Self { rows, lines, played, .. } = self;
        *rows = Rows::new(&from.dots, &from.used);
        let mut length = from.legal().len();
        for (line, code) in lines.iter_mut().zip(from.legal()) {
            *line = code.line() as u16;
        }
        let most = max_moves.saturating_sub(from.score());
        let mut count = 0;
        'game: while count < most {
            let line = loop {
                if length == 0 {
                    break 'game;
                }
                let Some(index) = sample(length) else { break 'game };
                let line = lines[index & (LINES - 1)];
                length -= 1;
                lines[index & (LINES - 1)] = lines[length & (LINES - 1)];
                if rows.is_playable(line) {
                    break line;
                }
            };
            let (dot, mut born) = rows.play(line);
            played[count & (DOTS - 1)] = (line, dot);
            count += 1;
            if count % SWEEP == 0 {
                let mut kept = 0;
                for i in 0..length {
                    let line = lines[i & (LINES - 1)];
                    lines[kept & (LINES - 1)] = line;
                    kept += usize::from(rows.is_playable(line));
                }
                length = kept;
            }
            // Mostly up to two, and unpredictable: a branch would cost more.
            for _ in 0..2 {
                let some = usize::from(born.mask != 0);
                lines[length & (LINES - 1)] = born.take();
                length += some;
            }
            while born.mask != 0 {
                lines[length & (LINES - 1)] = born.take();
                length += 1;
            }
        }
        self.count = count;
        from.score() + count
    }

    fn moves(&self, from: &Self::Position) -> Vec<Move> {
        let mut moves = from.moves();
        let code = |&(line, dot): &(u16, u16)| Code::new(line.into(), dot.into());
        moves.extend(self.played[..self.count].iter().map(|played| from.decode(code(played))));
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::testing::generator;
    use crate::{PlainPlayout, PlainPosition};

    /// How many of `games` games have each length.
    fn lengths<P: Playout>(playout: &mut P, from: &P::Position, games: usize) -> Vec<f64> {
        let mut sample = generator(games as u64);
        let mut counts = vec![0.0; 200];
        for _ in 0..games {
            counts[playout.play(from, 1000, |bound| Some(sample(bound)))] += 1.0;
        }
        counts
    }

    fn mean(counts: &[f64]) -> f64 {
        let total: f64 = counts.iter().zip(0..).map(|(count, i)| count * f64::from(i)).sum();
        total / counts.iter().sum::<f64>()
    }

    #[test]
    fn mean_lengths_are_the_known_ones() {
        fn check<const LENGTH: usize, const TOUCHING: bool>(known: f64) {
            let position = BitPosition::<LENGTH, TOUCHING>::start();
            let found = mean(&lengths(&mut BitPlayout::new(), &position, 40_000));
            // The standard deviation of one game is below 12: 0.06 for the mean.
            assert!((found - known).abs() < 0.25, "{found} {known}");
        }
        check::<5, true>(53.6);
        check::<5, false>(42.9);
        check::<4, true>(37.2);
        check::<4, false>(24.05);
    }

    #[test]
    fn lengths_are_distributed_as_on_the_plain_board() {
        let position = BitPosition::<4, false>::start();
        let plain = PlainPosition::start(position.game().clone());
        let fast = lengths(&mut BitPlayout::new(), &position, 100_000);
        let plain = lengths(&mut PlainPlayout::new(plain.clone()), &plain, 10_000);
        // Two samples of different size (Press et al., Numerical Recipes, section 14.3).
        let pairs = fast.iter().zip(&plain).filter(|(a, b)| *a + *b > 100.0);
        let terms: Vec<f64> =
            pairs.map(|(a, b)| (a * 0.1f64.sqrt() - b / 0.1f64.sqrt()).powi(2) / (a + b)).collect();
        let (sum, count) = (terms.iter().sum::<f64>(), terms.len() as f64);
        assert!(count > 10.0 && sum < count + 5.0 * (2.0 * count).sqrt(), "{sum} {count}");
    }

    #[test]
    fn every_legal_move_is_equally_likely_late_in_a_game_too() {
        let mut position = BitPosition::<5, true>::start();
        let mut playout = BitPlayout::new();
        let mut sample = generator(3);
        playout.play(&position, 20, |bound| Some(sample(bound)));
        let moves = playout.moves(&position);
        for &mv in &moves {
            position.play(mv).expect("legal");
        }
        let legal: Vec<Move> = position.legal().iter().map(|&code| position.decode(code)).collect();
        // The last two of them are sampled again each time, and leave illegal lines in the list.
        let mut early = BitPosition::<5, true>::start();
        for &mv in &moves[..18] {
            early.play(mv).expect("legal");
        }
        let mut counts = vec![0.0; legal.len()];
        let (mut wanted, mut games) = (0.0, 0);
        while wanted < 10_000.0 && games < 3_000_000 {
            games += 1;
            playout.play(&early, 21, |bound| Some(sample(bound)));
            let game = playout.moves(&early);
            if game[18..20] == moves[18..20]
                && let Some(index) = legal.iter().position(|mv| *mv == game[20])
            {
                counts[index] += 1.0;
                wanted += 1.0;
            }
        }
        let expected = wanted / legal.len() as f64;
        let sum: f64 = counts.iter().map(|count| (count - expected).powi(2) / expected).sum();
        let free = legal.len() as f64 - 1.0;
        assert!(wanted > 500.0 && sum < free + 5.0 * (2.0 * free).sqrt(), "{sum} {free} {wanted}");
    }

    #[test]
    fn games_are_legal_whole_and_cut_where_asked() {
        let start = BitPosition::<5, false>::start();
        let mut playout = BitPlayout::new();
        let mut sample = generator(7);
        for _ in 0..100 {
            let score = playout.play(&start, 1000, |bound| Some(sample(bound)));
            let mut position = start.clone();
            for mv in playout.moves(&start) {
                position.play(mv).expect("legal");
            }
            assert_eq!(position.score(), score);
            assert!(position.legal().is_empty());
            // From a position on which there are moves already.
            for _ in 0..30 {
                position.undo();
            }
            let before = position.score();
            assert_eq!(playout.play(&position, before, |bound| Some(sample(bound))), before);
            assert!(playout.play(&position, before + 3, |bound| Some(sample(bound))) <= before + 3);
            assert_eq!(playout.moves(&position)[..before], position.moves());
            assert_eq!(playout.play(&position, 1000, |_| None), before);
        }
    }
}
