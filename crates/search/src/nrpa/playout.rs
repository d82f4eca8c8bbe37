//! A playout by a policy, and what adaptation needs to know about it.

use geometry::{Line, Move};
use rand_distr::{Distribution, Exp1};
use rules::{LegalSpan, PolicyRollout};

use super::policy::Policy;
use crate::Rng;

/// A finished game as adaptation sees it.
#[derive(Debug, Clone, Default)]
pub(super) struct PlayedGame {
    score: usize,
    hash: u64,
    /// Every line that was legal at some time.
    ///
    /// Adaptation sums in this order, so it must be the same when the game is replayed by its
    /// lines: [`PolicyRollout::replay`] guarantees that.
    pub(super) spans: Vec<LegalSpan>,
}

impl PlayedGame {
    pub(super) fn score(&self) -> usize {
        self.score
    }

    /// The same for the same set of lines, in any order.
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// Analyses the last game of a rollout.
    fn new<R: PolicyRollout>(rollout: &mut R, score: usize) -> Self {
        let mut game = Self { score, ..Self::default() };
        rollout.legal_spans(&mut game.spans);
        for line in rollout.line_ids() {
            game.hash ^= u64::from(line).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        game
    }
}

/// Plays games from one position by any policy.
pub(super) struct Player<R> {
    max_moves: usize,
    rollout: R,
    /// Holds a game that was set aside; line ids in it are those of `rollout`.
    aside: R,
}

impl<R: PolicyRollout> Player<R> {
    pub(super) fn new(rollout: R, max_moves: usize) -> Self {
        Self { max_moves, aside: rollout.clone(), rollout }
    }

    /// A policy must have weights for at least this many lines.
    pub(super) fn line_count(&self) -> usize {
        self.rollout.line_count()
    }

    /// Plays a game and returns its number of moves.
    #[inline]
    pub(super) fn play(&mut self, policy: &Policy, rng: &mut Rng) -> usize {
        self.rollout.play(policy.waits(), self.max_moves, || Exp1.sample(rng))
    }

    /// The last game, after the moves `prefix` that it began with.
    pub(super) fn moves(&self, prefix: &[Move]) -> Vec<Move> {
        [prefix, &self.rollout.moves()].concat()
    }

    /// Sets the last game aside: analysing a game takes time, and most are not worth it.
    pub(super) fn set_aside(&mut self) {
        self.rollout.copy_game_to(&mut self.aside);
    }

    /// The game set aside, which has `score` moves.
    pub(super) fn game_set_aside(&mut self, score: usize) -> PlayedGame {
        PlayedGame::new(&mut self.aside, score)
    }
}

/// What saving and resuming need.
impl<R: PolicyRollout> Player<R> {
    pub(super) fn line(&self, id: u32) -> Line {
        self.rollout.line(id)
    }

    /// The ids of lines in all games to come, met or not; `None` if one lies off the grid.
    pub(super) fn intern_lines(&mut self, lines: &[Line]) -> Option<Vec<u32>> {
        self.rollout.intern_lines(lines)
    }

    /// The ids of the lines of the game set aside, in the order drawn.
    pub(super) fn line_ids_set_aside(&self) -> impl Iterator<Item = u32> {
        self.aside.line_ids()
    }

    /// Plays a game by its lines; `None` if one is not legal when its turn comes.
    pub(super) fn replay(&mut self, lines: &[Line]) -> Option<PlayedGame> {
        let score = self.rollout.replay(lines, self.max_moves)?;
        Some(PlayedGame::new(&mut self.rollout, score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nrpa::policy::AdaptBuffers;
    use rand::SeedableRng;
    use rules::BitPolicyRollout;

    #[test]
    fn a_policy_that_learns_a_game_plays_nearly_that_game() {
        let mut player = Player::new(BitPolicyRollout::<5, true>::new(&[]), 1000);
        let mut rng = Rng::seed_from_u64(2);
        let mut policy = Policy::new(player.line_count());
        let score = player.play(&policy, &mut rng);
        player.set_aside();
        let game = player.game_set_aside(score);
        let played = |game: &PlayedGame| -> std::collections::HashSet<u32> {
            game.spans.iter().filter(|span| span.played).map(|span| span.line).collect()
        };
        let mut share = |policy: &Policy| {
            let mut total = 0;
            for _ in 0..100 {
                let score = player.play(policy, &mut rng);
                player.set_aside();
                total += played(&player.game_set_aside(score)).intersection(&played(&game)).count();
            }
            total as f64 / 100.0 / game.score() as f64
        };
        let before = share(&policy);
        for _ in 0..300 {
            policy.adapt(&game, 1.0, &mut AdaptBuffers::default());
        }
        let after = share(&policy);
        assert!(before < 0.6 && after > 0.9, "{before} {after}");
    }
}
