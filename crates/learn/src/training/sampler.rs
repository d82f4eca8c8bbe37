//! What is learnt from a game: samples, one for each of its positions.

use std::collections::HashSet;

use geometry::Move;
use rules::Position;
use search::Rng;

use super::RankedEpisode;
use crate::encoder::{EncodedPosition, Encoder, SymmetryAction};
use crate::network::TrainingSample;
use search::random::below_wide as below;

/// Where a sample comes from.
pub(super) enum Source<'a> {
    Episode(&'a RankedEpisode),
    /// A good game, only its moves.
    Shown(&'a [Move]),
}

impl Source<'_> {
    pub(super) fn len(&self) -> usize {
        self.moves().len()
    }

    fn moves(&self) -> &[Move] {
        match self {
            Self::Episode(episode) => &episode.moves,
            Self::Shown(moves) => moves,
        }
    }

    /// The ranked reward.
    fn ranked(&self) -> i8 {
        match self {
            Self::Episode(episode) => episode.ranked,
            Self::Shown(_) => 1,
        }
    }

    /// How much its policy matters.
    pub(super) fn weight(&self, imitate: bool) -> f32 {
        if imitate && self.ranked() < 0 { 0.0 } else { 1.0 }
    }
}

/// Makes samples.
pub(super) struct Sampler<'a, B> {
    /// Before the first move.
    pub(super) board: B,
    pub(super) encoder: &'a Encoder,
    /// Symmetries to sample from; none to leave positions as they are.
    pub(super) turns: Vec<SymmetryAction>,
    pub(super) imitate: bool,
    /// Whether games that are imitated are sets of lines, in any order.
    pub(super) whole: bool,
}

impl<B: Position> Sampler<'_, B> {
    /// The sample of the position before move number `step`.
    pub(super) fn sample(&self, source: &Source<'_>, step: usize, rng: &mut Rng) -> TrainingSample {
        let (encoded, policy) = match source {
            Source::Episode(episode) if !self.imitate => {
                let encoded = self.encoder.encode(&self.after(&episode.moves[..step]));
                let policy = encoded.action_probabilities(&episode.policies[step]);
                (encoded, policy)
            }
            _ if self.whole => self.any_of(source.moves(), step, rng),
            _ => self.next_of(source.moves(), step),
        };
        let observation = if self.turns.is_empty() {
            encoded.observation
        } else {
            self.turns[below(rng, self.turns.len())].position(&encoded.observation)
        };
        let weight = source.weight(self.imitate);
        TrainingSample { observation, policy, value: source.ranked().into(), weight }
    }

    fn after(&self, moves: &[Move]) -> B {
        let mut board = self.board.clone();
        for &mv in moves {
            board.play(mv).expect("games that are learnt are legal");
        }
        board
    }

    /// The position before a move of a game, and that move as the policy to learn.
    fn next_of(&self, moves: &[Move], step: usize) -> (EncodedPosition, Vec<f32>) {
        let board = self.after(&moves[..step]);
        self.toward(&board, |mv| mv == moves[step])
    }

    /// A position after `step` of the moves of a game, played in a random order. The length of a
    /// game depends on its lines alone, so the target policy is uniform over its moves that are
    /// legal there.
    fn any_of(&self, moves: &[Move], step: usize, rng: &mut Rng) -> (EncodedPosition, Vec<f32>) {
        let mut board = self.board.clone();
        let mut left: HashSet<Move> = moves.iter().copied().collect();
        for _ in 0..step {
            let mut open = board.legal().to_vec();
            open.retain(|&code| left.contains(&board.decode(code)));
            let chosen = board.decode(open[below(rng, open.len())]);
            left.remove(&chosen);
            board.play(chosen).expect("it is legal");
        }
        self.toward(&board, |mv| left.contains(&mv))
    }

    /// The encoding of a position, and the uniform policy over some of its moves.
    fn toward(&self, board: &B, likes: impl Fn(Move) -> bool) -> (EncodedPosition, Vec<f32>) {
        let encoded = self.encoder.encode(board);
        let is_liked =
            |&(number, _): &(u32, u32)| likes(board.decode(board.legal()[number as usize]));
        let liked: Vec<bool> = encoded.moves.iter().map(is_liked).collect();
        let share = 1.0 / liked.iter().filter(|&&liked| liked).count().max(1) as f32;
        let shares: Vec<f32> = liked.iter().map(|&liked| if liked { share } else { 0.0 }).collect();
        let policy = encoded.action_probabilities(&shares);
        (encoded, policy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Game;
    use rand::SeedableRng;
    use rules::{BitEngine, Engine};

    /// An encoder, and a game on it.
    fn game() -> (Encoder, Vec<Move>) {
        let mut board = BitEngine::<5, false>::new().position();
        let mut rng = Rng::seed_from_u64(3);
        while !board.legal().is_empty() {
            board.play_nth(below(&mut rng, board.legal().len()));
        }
        let encoder = Encoder::new(&Game::named("5D").expect("known"), 30, false).expect("a board");
        (encoder, board.moves())
    }

    fn sampler(encoder: &Encoder, whole: bool) -> Sampler<'_, impl Position> {
        let board = BitEngine::<5, false>::new().position();
        Sampler { board, encoder, turns: Vec::new(), imitate: true, whole }
    }

    #[test]
    fn a_game_as_a_set_of_lines_teaches_all_its_moves_that_are_legal() {
        let (encoder, moves) = game();
        let sampler = sampler(&encoder, true);
        let mut rng = Rng::seed_from_u64(1);
        let mut several = 0;
        for step in 0..moves.len() {
            let TrainingSample { policy, weight, .. } =
                sampler.sample(&Source::Shown(&moves), step, &mut rng);
            let liked: Vec<f32> = policy.iter().copied().filter(|&share| share > 0.0).collect();
            assert!(liked.iter().all(|&share| (share * liked.len() as f32 - 1.0).abs() < 1e-6));
            assert!(!liked.is_empty() && weight == 1.0, "step {step}");
            several += usize::from(liked.len() > 1);
        }
        assert!(several > moves.len() / 2, "{several} of {}", moves.len());
        // At the start all first moves of the game that need no other are open.
        let first = sampler.sample(&Source::Shown(&moves), 0, &mut rng).policy;
        let legal = sampler.board.legal().iter().map(|&code| sampler.board.decode(code));
        let open = legal.filter(|mv| moves.contains(mv)).count();
        assert_eq!(first.iter().filter(|&&share| share > 0.0).count(), open);
    }

    #[test]
    fn orders_are_drawn_anew_and_otherwise_kept() {
        let (encoder, moves) = game();
        let encoded = |whole: bool| {
            let sampler = sampler(&encoder, whole);
            let mut rng = Rng::seed_from_u64(2);
            let half = moves.len() / 2;
            let sample =
                |_| sampler.sample(&Source::Shown(&moves), half, &mut rng).observation.ones;
            let encoded: Vec<_> = (0..10).map(sample).collect();
            encoded.iter().collect::<HashSet<_>>().len()
        };
        assert_eq!(encoded(false), 1);
        assert!(encoded(true) > 5);
    }
}
