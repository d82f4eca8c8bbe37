//! Games that were played by a policy, played again by their lines.

use geometry::Line;

use super::{Chance, Rollout, SheetRollout};
use crate::Sheet;

/// A rollout whose games can be written down and found again.
pub trait Retrace: Rollout {
    /// The line of a number.
    fn line(&self, number: u32) -> Line;

    /// The numbers of lines in all games to come, met or not; `None` if there is no room for one.
    fn numbers_anyway(&mut self, lines: &[Line]) -> Option<Vec<u32>>;

    /// The numbers of the lines of the last game, in the order drawn.
    fn drawn(&self) -> impl Iterator<Item = u32>;

    /// Plays a game by its lines and gives back how many it has; `None` if they are more than
    /// `longest` or one is not legal when it comes.
    ///
    /// The game is then as it was when [`play`](Rollout::play) played it, to the order of its
    /// [`chances`](Rollout::chances).
    fn retrace(&mut self, lines: &[Line], longest: usize) -> Option<usize>;

    /// Makes the last game here that of `other` too, for its [`drawn`](Self::drawn) and
    /// [`chances`](Rollout::chances) only. Numbers of lines in it mean what they mean here.
    fn copy_to(&self, other: &mut Self);
}

impl<S: Sheet> Retrace for SheetRollout<S> {
    fn line(&self, number: u32) -> Line {
        self.sheet.line(number)
    }

    fn numbers_anyway(&mut self, lines: &[Line]) -> Option<Vec<u32>> {
        let numbers = lines.iter().map(|&line| self.start.number_anyway(line)).collect();
        self.sheet.clone_from(&self.start);
        numbers
    }

    fn drawn(&self) -> impl Iterator<Item = u32> {
        self.made.iter().map(|&(line, _)| line)
    }

    fn retrace(&mut self, drawn: &[Line], longest: usize) -> Option<usize> {
        self.sheet.clone_from(&self.start);
        self.lines.clear();
        self.made.clear();
        self.chances.clear();
        // Steps are counted in 16 bits.
        if drawn.len() > longest.min(usize::from(u16::MAX) - 1) {
            return None;
        }
        self.lines.extend((0..self.sheet.legal_count()).map(|n| (self.sheet.nth_legal(n), 0)));
        for &line in drawn {
            let drawn = self.sheet.number(line).filter(|&number| self.sheet.is_legal(number))?;
            let next = self.made.len() as u16 + 1;
            let Self { sheet, lines, chances, .. } = self;
            let new = sheet.draw_watched(drawn, |line, legal| {
                if legal {
                    lines.push((line, next));
                } else if let Some(place) = lines.iter().position(|&(other, _)| other == line) {
                    let (_, from) = lines.swap_remove(place);
                    chances.push(Chance { line, from, to: next, made: line == drawn });
                }
            });
            self.made.push((drawn, new));
        }
        Some(self.made.len())
    }

    fn copy_to(&self, other: &mut Self) {
        other.lines.clone_from(&self.lines);
        other.made.clone_from(&self.made);
        other.chances.clone_from(&self.chances);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::testing::random;
    use crate::{Fast, Kit, Plain};
    use geometry::{Game, Move, Start};

    fn chances<R: Rollout>(rollout: &mut R) -> Vec<Chance> {
        let mut chances = Vec::new();
        rollout.chances(&mut chances);
        chances
    }

    /// Plays games, some of them cut, and plays them again: on the rollout that played them, and on
    /// a new one, where lines may have other numbers.
    fn check<K: Kit>(kit: &K, from: &[Move]) {
        let mut random = random(3);
        let mut exponential = || -(((random() >> 11) + 1) as f64 / (1u64 << 53) as f64).ln();
        let mut rollout = kit.rollout(from);
        let mut other = kit.rollout(from);
        for longest in [1000, 1000, 9, 1000, 1, 0, 1000] {
            let score = rollout.play(&[1.0; 4096], longest, &mut exponential);
            let played = chances(&mut rollout);
            let lines: Vec<Line> = rollout.drawn().map(|line| rollout.line(line)).collect();
            let moves = rollout.moves();
            assert!(lines.iter().eq(moves.iter().map(|mv| &mv.line)));

            rollout.copy_to(&mut other);
            assert!(other.drawn().eq(rollout.drawn()));
            assert_eq!(chances(&mut other), played);

            assert_eq!(rollout.retrace(&lines, score), Some(score));
            assert_eq!(rollout.moves(), moves);
            assert_eq!(chances(&mut rollout), played);

            let mut new = kit.rollout(from);
            let last_first: Vec<Line> = lines.iter().rev().copied().collect();
            let numbers = new.numbers_anyway(&last_first).expect("there is room");
            assert!(
                numbers.iter().zip(&last_first).all(|(&number, &line)| new.line(number) == line)
            );
            assert_eq!(new.retrace(&lines, score), Some(score));
            assert_eq!(new.moves(), moves);
            let told = |rollout: &K::Rollout, chances: &[Chance]| -> Vec<_> {
                let tell = |c: &Chance| (rollout.line(c.line), c.from, c.to, c.made);
                chances.iter().map(tell).collect()
            };
            let found = chances(&mut new);
            assert_eq!(told(&new, &found), told(&rollout, &played));

            if score > 0 {
                assert_eq!(new.retrace(&lines, score - 1), None);
                assert_eq!(new.retrace(&[lines[0], lines[0]], 1000), None);
            }
            if score > 20 {
                assert_eq!(new.retrace(&last_first, 1000), None);
            }
        }
    }

    #[test]
    fn games_are_found_again_by_their_lines() {
        check(&Fast::<5, true>::new(), &[]);
        check(&Fast::<5, false>::new(), &[]);
        check(&Fast::<4, true>::new(), &[]);
        check(&Fast::<4, false>::new(), &[]);
        let start = Start::cross(3).expect("in range");
        let plain = Plain::new(Game { rules: "5D".parse().expect("known"), start });
        check(&plain, &[]);
        let mut first = Fast::<5, true>::new().rollout(&[]);
        first.play(&[1.0; 4096], 12, || 1.0);
        check(&Fast::<5, true>::new(), &first.moves());
    }

    #[test]
    fn fast_numbers_are_those_of_plain_lines() {
        let kit = Fast::<5, true>::new();
        let mut rollout = kit.rollout(&[]);
        let far = Line::new(geometry::Point::new(1 << 20, 0), geometry::Direction::East);
        assert_eq!(rollout.numbers_anyway(&[far]), None);
        let sheet = kit.sheet();
        for n in 0..sheet.legal_count() {
            let number = sheet.nth_legal(n);
            assert_eq!(rollout.line(number), sheet.line(number));
            assert_eq!(rollout.numbers_anyway(&[sheet.line(number)]), Some(vec![number]));
        }
    }
}
