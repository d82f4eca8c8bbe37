//! A playout by a policy, and what adaptation needs to know of it.

use geometry::{Line, Move};
use rand_distr::{Distribution, Exp1};
use rules::{LegalSpan, PolicyRollout};

use super::policy::Policy;
use crate::Rng;

/// A finished game as adaptation sees it.
#[derive(Debug, Clone, Default)]
pub(super) struct Game {
    score: usize,
    hash: u64,
    /// Every line that was legal at some time.
    ///
    /// Adaptation sums in this order, so it must be the same when the game is played again by its
    /// lines: [`PolicyRollout`] sees to that.
    pub(super) legal_spans: Vec<LegalSpan>,
}

impl Game {
    pub(super) fn score(&self) -> usize {
        self.score
    }

    /// The same for the same lines, in whatever order.
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// Looks into the last game of a rollout.
    fn of<R: PolicyRollout>(rollout: &mut R, score: usize) -> Self {
        let mut game = Self { score, ..Self::default() };
        rollout.legal_spans(&mut game.legal_spans);
        for line in rollout.line_ids() {
            game.hash ^= u64::from(line).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        game
    }
}

/// Plays games from one position by any policy.
pub(super) struct Player<R> {
    longest: usize,
    rollout: R,
    /// Has a game that was set aside; numbers of lines in it mean what they mean to `rollout`.
    aside: R,
}

impl<R: PolicyRollout> Player<R> {
    pub(super) fn new(rollout: R, longest: usize) -> Self {
        Self { longest, aside: rollout.clone(), rollout }
    }

    /// A policy must have weights for at least so many lines.
    pub(super) fn line_count(&self) -> usize {
        self.rollout.line_count()
    }

    /// Plays a game and gives back its number of moves.
    #[inline]
    pub(super) fn play(&mut self, policy: &Policy, rng: &mut Rng) -> usize {
        self.rollout.play(policy.waits(), self.longest, || Exp1.sample(rng))
    }

    /// The last game, after the moves `from` that it began with.
    pub(super) fn moves(&self, from: &[Move]) -> Vec<Move> {
        [from, &self.rollout.moves()].concat()
    }

    /// Sets the last game aside: to look into a game takes time, and most are not worth it.
    pub(super) fn set_aside(&mut self) {
        self.rollout.copy_game_to(&mut self.aside);
    }

    /// The game set aside, which has so many moves.
    pub(super) fn aside(&mut self, score: usize) -> Game {
        Game::of(&mut self.aside, score)
    }
}

/// What saving and resuming need.
impl<R: PolicyRollout> Player<R> {
    pub(super) fn line(&self, number: u32) -> Line {
        self.rollout.line(number)
    }

    /// The numbers of lines in all games to come, met or not; `None` if there is no room for one.
    pub(super) fn intern_lines(&mut self, lines: &[Line]) -> Option<Vec<u32>> {
        self.rollout.intern_lines(lines)
    }

    /// The numbers of the lines of the game set aside, in the order drawn.
    pub(super) fn drawn_aside(&self) -> impl Iterator<Item = u32> {
        self.aside.line_ids()
    }

    /// Plays a game by its lines; `None` if one is not legal when it comes.
    pub(super) fn replay(&mut self, lines: &[Line]) -> Option<Game> {
        let score = self.rollout.replay(lines, self.longest)?;
        Some(Game::of(&mut self.rollout, score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nrpa::policy::Space;
    use rand::SeedableRng;
    use rules::BitPolicyRollout;

    #[test]
    fn a_policy_that_learns_a_game_plays_nearly_that_game() {
        let mut player = Player::new(BitPolicyRollout::<5, true>::new(&[]), 1000);
        let mut rng = Rng::seed_from_u64(2);
        let mut policy = Policy::new(player.line_count());
        let score = player.play(&policy, &mut rng);
        player.set_aside();
        let game = player.aside(score);
        let made = |game: &Game| -> std::collections::HashSet<u32> {
            game.legal_spans.iter().filter(|span| span.played).map(|span| span.line).collect()
        };
        let mut share = |policy: &Policy| {
            let mut total = 0;
            for _ in 0..100 {
                let score = player.play(policy, &mut rng);
                player.set_aside();
                total += made(&player.aside(score)).intersection(&made(&game)).count();
            }
            total as f64 / 100.0 / game.score() as f64
        };
        let before = share(&policy);
        for _ in 0..300 {
            policy.adapt(&game, 1.0, &mut Space::default());
        }
        let after = share(&policy);
        assert!(before < 0.6 && after > 0.9, "{before} {after}");
    }
}
