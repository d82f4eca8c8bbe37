//! Fast games to the end.
//!
//! What is traded for the speed: no undo, no hash, no list of legal moves in order. Candidates are
//! kept in a list from which lines that can no longer be drawn are not taken out at once: a draw
//! that meets one drops it and is repeated, which leaves every legal line equally likely. A line
//! becomes legal at most once in a game, since dots and marks only grow, so none is listed twice.
//! The plain version it is tested against is [`PlainPlayout`](crate::PlainPlayout).

use geometry::Move;

use super::Code;
use super::rows::{DOTS, LINES, Rows};
use crate::{Board, FastBoard, Playout};

/// After so many moves lines that can no longer be drawn are taken out of the list. Draws in vain
/// cost about as much as sweeping does at this rate.
const SWEEP: usize = 8;

/// Plays games of lines of `LENGTH` (4 or 5) to their end.
#[derive(Debug, Clone)]
pub struct FastPlayout<const LENGTH: usize, const TOUCHING: bool> {
    rows: Rows<LENGTH, TOUCHING>,
    /// The candidates, at the front.
    lines: [u16; LINES],
    /// The lines drawn and their new dots.
    made: [(u16, u16); DOTS],
    count: usize,
}

impl<const LENGTH: usize, const TOUCHING: bool> FastPlayout<LENGTH, TOUCHING> {
    pub(crate) fn new() -> Self {
        let rows = Rows::of(&Default::default(), &Default::default());
        Self { rows, lines: [0; LINES], made: [(0, 0); DOTS], count: 0 }
    }
}

impl<const LENGTH: usize, const TOUCHING: bool> Playout for FastPlayout<LENGTH, TOUCHING> {
    type Board = FastBoard<LENGTH, TOUCHING>;

    #[inline]
    fn play(
        &mut self,
        from: &Self::Board,
        longest: usize,
        mut draw: impl FnMut(usize) -> Option<usize>,
    ) -> usize {
        let Self { rows, lines, made, .. } = self;
        *rows = Rows::of(&from.dots, &from.used);
        let mut length = from.legal().len();
        for (line, code) in lines.iter_mut().zip(from.legal()) {
            *line = code.line() as u16;
        }
        let most = longest.saturating_sub(from.score());
        let mut count = 0;
        'game: while count < most {
            let line = loop {
                if length == 0 {
                    break 'game;
                }
                let Some(index) = draw(length) else { break 'game };
                let line = lines[index & (LINES - 1)];
                length -= 1;
                lines[index & (LINES - 1)] = lines[length & (LINES - 1)];
                if rows.is_playable(line) {
                    break line;
                }
            };
            let (dot, mut born) = rows.play(line);
            made[count & (DOTS - 1)] = (line, dot);
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
            // Mostly up to two, and how many is hard to foresee: a branch would cost more.
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

    fn moves(&self, from: &Self::Board) -> Vec<Move> {
        let mut moves = from.moves();
        let code = |&(line, dot): &(u16, u16)| Code::new(line.into(), dot.into());
        moves.extend(self.made[..self.count].iter().map(|made| from.decode(code(made))));
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::testing::generator;
    use crate::{PlainBoard, PlainPlayout};

    /// How many of `games` games have each length.
    fn lengths<P: Playout>(playout: &mut P, from: &P::Board, games: usize) -> Vec<f64> {
        let mut draw = generator(games as u64);
        let mut counts = vec![0.0; 200];
        for _ in 0..games {
            counts[playout.play(from, 1000, |bound| Some(draw(bound)))] += 1.0;
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
            let board = FastBoard::<LENGTH, TOUCHING>::start();
            let found = mean(&lengths(&mut FastPlayout::new(), &board, 40_000));
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
        let board = FastBoard::<4, false>::start();
        let plain = PlainBoard::start(board.game().clone());
        let fast = lengths(&mut FastPlayout::new(), &board, 100_000);
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
        let mut board = FastBoard::<5, true>::start();
        let mut playout = FastPlayout::new();
        let mut draw = generator(3);
        playout.play(&board, 20, |bound| Some(draw(bound)));
        let moves = playout.moves(&board);
        for &mv in &moves {
            board.play(mv).expect("legal");
        }
        let legal: Vec<Move> = board.legal().iter().map(|&code| board.decode(code)).collect();
        // The last two of them are drawn again each time, and leave dead lines in the list.
        let mut early = FastBoard::<5, true>::start();
        for &mv in &moves[..18] {
            early.play(mv).expect("legal");
        }
        let mut counts = vec![0.0; legal.len()];
        let (mut wanted, mut games) = (0.0, 0);
        while wanted < 10_000.0 && games < 3_000_000 {
            games += 1;
            playout.play(&early, 21, |bound| Some(draw(bound)));
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
        let start = FastBoard::<5, false>::start();
        let mut playout = FastPlayout::new();
        let mut draw = generator(7);
        for _ in 0..100 {
            let score = playout.play(&start, 1000, |bound| Some(draw(bound)));
            let mut board = start.clone();
            for mv in playout.moves(&start) {
                board.play(mv).expect("legal");
            }
            assert_eq!(board.score(), score);
            assert!(board.legal().is_empty());
            // From a board on which there are moves already.
            for _ in 0..30 {
                board.undo();
            }
            let before = board.score();
            assert_eq!(playout.play(&board, before, |bound| Some(draw(bound))), before);
            assert!(playout.play(&board, before + 3, |bound| Some(draw(bound))) <= before + 3);
            assert_eq!(playout.moves(&board)[..before], board.moves());
            assert_eq!(playout.play(&board, 1000, |_| None), before);
        }
    }
}
