//! A playout by a policy, and what adaptation needs to know of it.
//!
//! Softmax without sums: a line that becomes legal draws how long it waits, from an exponential
//! distribution with mean exp(-weight), and the line with the least time left is drawn next. Since
//! such a distribution has no memory, each move has exactly the probability that softmax gives it.

use geometry::{Line, Move};
use rand_distr::{Distribution, Exp1};
use rules::Sheet;

use super::policy::Policy;
use crate::Rng;

/// A finished game as adaptation sees it.
#[derive(Debug, Clone, Default)]
pub(super) struct Game {
    score: usize,
    hash: u64,
    /// Every line that was legal at some time, in the order they ceased to be.
    pub(super) chances: Vec<Chance>,
}

/// When a line was legal: at the steps `from..to`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chance {
    pub(super) line: u32,
    pub(super) from: u16,
    pub(super) to: u16,
    /// Whether it was drawn at the last of them.
    pub(super) made: bool,
}

impl Game {
    pub(super) fn score(&self) -> usize {
        self.score
    }

    /// The same for the same lines, in whatever order.
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }
}

/// Plays games from one position by any policy.
pub(super) struct Player<S> {
    start: S,
    sheet: S,
    longest: usize,
    /// The lines legal now: how long each has still to wait, and since when it is legal.
    waits: Vec<f32>,
    lines: Vec<(u32, u16)>,
    /// By number of a line: its place among the lines legal now.
    places: Vec<u16>,
    /// The moves made: line, and which of its dots is new.
    made: Vec<(u32, u8)>,
    game: Game,
}

impl<S: Sheet> Player<S> {
    pub(super) fn new(start: &S, longest: usize) -> Self {
        Self {
            start: start.clone(),
            sheet: start.clone(),
            longest: longest.min(usize::from(u16::MAX) - 1),
            waits: Vec::new(),
            lines: Vec::new(),
            places: Vec::new(),
            made: Vec::new(),
            game: Game::default(),
        }
    }

    /// The last game played.
    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    /// The last game in the order played.
    pub(super) fn moves_in_order(&self) -> Vec<Move> {
        self.made.iter().map(|&(line, new)| Move::new(self.sheet.line(line), new)).collect()
    }

    /// The last game, after the moves `from` that it began with.
    pub(super) fn moves(&self, from: &[Move]) -> Vec<Move> {
        [from, &self.moves_in_order()].concat()
    }

    /// Plays a game and gives back its number of moves.
    pub(super) fn play(&mut self, policy: &Policy, rng: &mut Rng) -> usize {
        self.sheet.clone_from(&self.start);
        self.waits.clear();
        self.lines.clear();
        self.made.clear();
        self.game.chances.clear();
        self.game.hash = 0;
        self.places.resize(self.sheet.line_numbers(), 0);
        for n in 0..self.sheet.legal_count() {
            let line = self.sheet.nth_legal(n);
            self.places[line as usize] = n as u16;
            self.lines.push((line, 0));
            self.waits.push(draw_wait(policy, line, rng));
        }
        while !self.lines.is_empty() && self.made.len() < self.longest {
            self.step(policy, rng);
        }
        self.end();
        self.game.score
    }

    /// Ends a game: one that was cut ends with lines still legal.
    fn end(&mut self) {
        let to = self.made.len() as u16;
        let rest = self.lines.drain(..).filter(|&(_, from)| from < to);
        let chance = |(line, from)| Chance { line, from, to, made: false };
        self.game.chances.extend(rest.map(chance));
        self.game.score = self.made.len();
    }

    #[inline(always)]
    fn step(&mut self, policy: &Policy, rng: &mut Rng) {
        let place = least(&self.waits);
        let passed = self.waits[place];
        for wait in &mut self.waits {
            *wait -= passed;
        }
        let drawn = self.lines[place].0;
        self.game.hash ^= hash_of(drawn);
        let next = self.made.len() as u16 + 1;
        let Self { sheet, waits, lines, places, game, .. } = self;
        let new = sheet.draw_watched(drawn, |line, legal| {
            if places.len() <= line as usize {
                places.resize(line as usize + 1, 0);
            }
            if legal {
                places[line as usize] = lines.len() as u16;
                lines.push((line, next));
                waits.push(draw_wait(policy, line, rng));
            } else {
                let place = usize::from(places[line as usize]);
                let (_, from) = lines.swap_remove(place);
                waits.swap_remove(place);
                if let Some(&(moved, _)) = lines.get(place) {
                    places[moved as usize] = place as u16;
                }
                game.chances.push(Chance { line, from, to: next, made: line == drawn });
            }
        });
        self.made.push((drawn, new));
    }
}

/// What saving and resuming need.
impl<S: Sheet> Player<S> {
    /// The sheet that knows all lines met.
    pub(super) fn sheet(&self) -> &S {
        &self.sheet
    }

    /// The numbers of lines in all games to come, met or not; `None` if there is no room for one.
    pub(super) fn numbers_anyway(&mut self, lines: &[Line]) -> Option<Vec<u32>> {
        let numbers = lines.iter().map(|&line| self.start.number_anyway(line)).collect();
        self.sheet.clone_from(&self.start);
        numbers
    }

    /// Plays a game by its lines; `None` if one is not legal when it comes.
    ///
    /// The game is then as it was when [`play`](Self::play) played it, to the order of its chances.
    pub(super) fn retrace(&mut self, drawn: &[Line]) -> Option<()> {
        self.sheet.clone_from(&self.start);
        self.lines.clear();
        self.made.clear();
        self.game = Game::default();
        self.lines.extend((0..self.sheet.legal_count()).map(|n| (self.sheet.nth_legal(n), 0)));
        for &line in drawn {
            let drawn = self.sheet.number(line).filter(|&number| self.sheet.is_legal(number))?;
            if self.made.len() == self.longest {
                return None;
            }
            self.game.hash ^= hash_of(drawn);
            let next = self.made.len() as u16 + 1;
            let Self { sheet, lines, game, .. } = self;
            let new = sheet.draw_watched(drawn, |line, legal| {
                if legal {
                    lines.push((line, next));
                } else if let Some(place) = lines.iter().position(|&(other, _)| other == line) {
                    let (_, from) = lines.swap_remove(place);
                    game.chances.push(Chance { line, from, to: next, made: line == drawn });
                }
            });
            self.made.push((drawn, new));
        }
        self.end();
        Some(())
    }
}

/// The share of a line in the hash of a game.
#[inline(always)]
fn hash_of(line: u32) -> u64 {
    u64::from(line).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[inline(always)]
fn draw_wait(policy: &Policy, line: u32, rng: &mut Rng) -> f32 {
    let wait: f32 = Exp1.sample(rng);
    wait * policy.wait(line)
}

/// The place of the least of some numbers.
#[inline(always)]
fn least(numbers: &[f32]) -> usize {
    let (mut place, mut least) = (0, f32::INFINITY);
    for (i, &number) in numbers.iter().enumerate() {
        if number < least {
            (place, least) = (i, number);
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rules::FastSheet;

    #[test]
    fn without_a_policy_games_are_uniformly_random() {
        let mut player = Player::new(&FastSheet::<5, false>::start(), 1000);
        let mut rng = Rng::seed_from_u64(2);
        let policy = Policy::default();
        let total: usize = (0..4000).map(|_| player.play(&policy, &mut rng)).sum();
        let mean = total as f64 / 4000.0;
        assert!((mean - 42.93).abs() < 0.7, "{mean}");
    }

    #[test]
    fn a_policy_that_learns_a_game_plays_nearly_that_game() {
        let mut player = Player::new(&FastSheet::<5, true>::start(), 1000);
        let mut rng = Rng::seed_from_u64(2);
        let mut policy = Policy::default();
        player.play(&policy, &mut rng);
        let game = player.game().clone();
        let made = |game: &Game| -> std::collections::HashSet<u32> {
            game.chances.iter().filter(|chance| chance.made).map(|chance| chance.line).collect()
        };
        let common = |player: &Player<_>| made(player.game()).intersection(&made(&game)).count();
        let mut share = |policy: &Policy| {
            let mut total = 0;
            for _ in 0..100 {
                player.play(policy, &mut rng);
                total += common(&player);
            }
            total as f64 / 100.0 / game.score() as f64
        };
        let before = share(&policy);
        for _ in 0..300 {
            policy.adapt(&game, 1.0);
        }
        let after = share(&policy);
        assert!(before < 0.6 && after > 0.9, "{before} {after}");
    }
}
