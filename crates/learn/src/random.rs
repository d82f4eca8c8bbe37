//! One generator per use, seeded by run, iteration and purpose.
//!
//! No generator lives longer than an iteration: each use has its own, seeded by the seed of the
//! training run, the iteration, the purpose and a number. So neither an interruption nor the number
//! of threads changes a training run.

use rand::{Rng as _, SeedableRng};
use rand_distr::{Distribution, Gamma};
use search::Rng;
use search::random::unit;

/// What a generator is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The weights to begin with.
    Weights,
    /// A game.
    Game,
    /// Ranked rewards.
    Rank,
    /// The order of samples.
    Order,
    /// Symmetries and dropout in some samples.
    Samples,
    /// The game of stage 3.
    Final,
}

/// The generator for one use.
pub(crate) fn generator(seed: u64, iteration: u64, what: Purpose, number: u64) -> Rng {
    let mut state = [seed, iteration, what as u64, number];
    // Sponge-like: every word goes through a generator that the words before have chosen.
    let mut mixed = 0u64;
    for word in &mut state {
        mixed = Rng::seed_from_u64(mixed ^ *word).next_u64();
        *word = mixed;
    }
    Rng::seed_from_u64(mixed)
}

/// Samples an index in proportion to the weights. There must be one.
pub(crate) fn sample_index(weights: &[f32], rng: &mut Rng) -> usize {
    let sum: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
    let mut left = unit(rng) * sum;
    for (number, &weight) in weights.iter().enumerate() {
        left -= f64::from(weight);
        if left < 0.0 {
            return number;
        }
    }
    weights.iter().rposition(|&weight| weight > 0.0).unwrap_or(0)
}

/// Mixes a random policy (Dirichlet) into one: so much of it, and so even.
pub(crate) fn add_noise(policy: &mut [f32], share: f32, shape: f32, rng: &mut Rng) {
    if share == 0.0 {
        return;
    }
    let gamma = Gamma::new(f64::from(shape), 1.0).expect("the shape is positive");
    let drawn: Vec<f64> = policy.iter().map(|_| gamma.sample(rng)).collect();
    let sum: f64 = drawn.iter().sum();
    if sum <= 0.0 {
        return;
    }
    for (p, number) in policy.iter_mut().zip(drawn) {
        *p = (1.0 - share) * *p + share * (number / sum) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_use_has_a_generator_of_its_own() {
        let first =
            |seed, iteration, what, number| generator(seed, iteration, what, number).next_u64();
        let mut encoded = std::collections::HashSet::new();
        for seed in 0..4 {
            for iteration in 0..4 {
                for what in [Purpose::Weights, Purpose::Game, Purpose::Rank, Purpose::Order] {
                    for number in 0..4 {
                        assert!(encoded.insert(first(seed, iteration, what, number)));
                        assert_eq!(
                            first(seed, iteration, what, number),
                            first(seed, iteration, what, number)
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn indices_are_sampled_in_proportion_to_their_weights() {
        let mut rng = generator(1, 0, Purpose::Game, 0);
        let mut counts = [0_i32; 4];
        for _ in 0..10_000 {
            counts[sample_index(&[1.0, 0.0, 3.0, 6.0], &mut rng)] += 1;
        }
        assert_eq!(counts[1], 0);
        for (count, expected) in counts.into_iter().zip([1000, 0, 3000, 6000]) {
            assert!((count - expected).abs() < 250, "{counts:?}");
        }
        assert_eq!(sample_index(&[0.0, 0.0], &mut rng), 0);
    }

    #[test]
    fn noise_leaves_a_policy_a_policy() {
        let mut rng = generator(2, 0, Purpose::Game, 0);
        let mut policy = [0.7, 0.2, 0.1];
        add_noise(&mut policy, 0.0, 0.3, &mut rng);
        assert_eq!(policy, [0.7, 0.2, 0.1]);
        add_noise(&mut policy, 0.5, 0.3, &mut rng);
        assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert!(policy[0] >= 0.35 && policy[1] >= 0.1 && policy[2] >= 0.05);
    }
}
