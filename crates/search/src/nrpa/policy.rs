//! A policy: a weight for every line.

use super::playout::PlayedGame;
use super::spans::Spans;

/// Weights by line id; a line never met has weight 0.
#[derive(Debug, Clone, Default)]
pub(super) struct Policy {
    weights: Vec<f32>,
    /// exp(-weight): the mean waiting time of the line.
    waits: Vec<f32>,
}

/// Buffers that adaptations reuse.
#[derive(Debug, Clone, Default)]
pub(super) struct AdaptBuffers {
    spans: Spans,
    /// By span: the weight of its line, exp(-weight) and exp(weight).
    weights: Vec<f32>,
    waits: Vec<f32>,
    rates: Vec<f64>,
}

/// The largest magnitude of a weight: beyond it exp(weight) would overflow `f32`.
pub(super) const LIMIT: f32 = 80.0;

impl Policy {
    /// All lines have weight 0.
    pub(super) fn new(lines: usize) -> Self {
        Self { weights: vec![0.0; lines], waits: vec![1.0; lines] }
    }

    /// exp(-weight) by line id.
    pub(super) fn waits(&self) -> &[f32] {
        &self.waits
    }

    /// Moves the policy towards a game: up by `alpha` for each move played, down for every legal
    /// move by `alpha` times its probability, with the probabilities before the adaptation.
    ///
    /// A line legal from step a to step b goes down by alpha * exp(weight) * (1/z_a + ... + 1/z_b)
    /// with z the sum of exp(weight) over all lines legal at a step: one exponential for each line
    /// instead of one for each line and step.
    pub(super) fn adapt(&mut self, game: &PlayedGame, alpha: f64, buffers: &mut AdaptBuffers) {
        if let Some(most) = game.spans.iter().map(|span| span.line as usize).max()
            && most >= self.weights.len()
        {
            self.weights.resize(most + 1, 0.0);
            self.waits.resize(most + 1, 1.0);
        }
        let AdaptBuffers { spans, weights, waits, rates } = buffers;
        let lines = || game.spans.iter().map(|span| span.line as usize);
        weights.clear();
        weights.extend(lines().map(|line| self.weights[line]));
        rates.clear();
        rates.extend(lines().map(|line| f64::from(1.0 / self.waits[line])));
        spans.clear(game.score());
        for (span, &rate) in game.spans.iter().zip(rates.iter()) {
            spans.add(span.from.into(), span.to.into(), rate);
        }
        spans.map(|z| 1.0 / z);
        for ((span, weight), rate) in game.spans.iter().zip(weights.iter_mut()).zip(rates) {
            let share = *rate * spans.sum(span.from.into(), span.to.into());
            let played = f64::from(u8::from(span.played));
            *weight = (*weight + (alpha * (played - share)) as f32).clamp(-LIMIT, LIMIT);
        }
        waits.clear();
        waits.extend(weights.iter().map(|&weight| exp(-weight)));
        for ((line, &weight), &wait) in lines().zip(weights.iter()).zip(waits.iter()) {
            self.weights[line] = weight;
            self.waits[line] = wait;
        }
    }
}

/// What saving and resuming need.
impl Policy {
    /// The ids of all lines with a weight are below this.
    pub(super) fn line_count(&self) -> usize {
        self.weights.len()
    }

    /// The weight of a line.
    pub(super) fn weight(&self, line: u32) -> f32 {
        self.weights.get(line as usize).copied().unwrap_or(0.0)
    }

    /// The policy for at least `lines` lines with these weights; `None` if one is out of range.
    pub(super) fn from_weights(
        lines: usize,
        weights: impl Iterator<Item = (u32, f32)> + Clone,
    ) -> Option<Self> {
        let most = weights.clone().map(|(line, _)| line as usize + 1).max().unwrap_or(0);
        let mut policy = Self::new(lines.max(most));
        for (line, weight) in weights {
            if !(-LIMIT..=LIMIT).contains(&weight) {
                return None;
            }
            policy.weights[line as usize] = weight;
            policy.waits[line as usize] = exp(-weight);
        }
        Some(policy)
    }
}

/// The exponential function for magnitudes up to about 87, to within 2 units in the last place.
///
/// Without branches and calls, so that loops over it are vectorised. The argument is split into a
/// multiple of ln 2, which goes into the exponent, and a remainder of at most ln 2 / 2, for which
/// the polynomial of the Cephes library (Moshier) is used.
#[inline(always)]
fn exp(x: f32) -> f32 {
    // Adding and subtracting 1.5 * 2^23 rounds to an integer, which is then in the lowest bits.
    const ROUND: f32 = 12_582_912.0;
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let rounded = shifted - ROUND;
    let rest = x - rounded * 0.693_359_4 + rounded * 2.121_944_4e-4;
    let mut sum = 1.987_569_1e-4;
    for term in [1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_66, 0.5] {
        sum = sum * rest + term;
    }
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(127 << 23));
    (sum * rest * rest + rest + 1.0) * power
}

#[cfg(test)]
mod tests {
    use super::super::playout::Player;
    use super::*;
    use crate::Rng;
    use rand::SeedableRng;
    use rules::{BitLineBoard, BitPolicyRollout, LineBoard, PlainPosition, Position};
    use std::collections::HashMap;

    /// Adaptation as in the paper: step by step over all legal moves.
    fn plainly(
        weights: &mut HashMap<geometry::Line, f64>,
        game: &[geometry::Move],
        position: &mut PlainPosition,
        alpha: f64,
    ) {
        let before = weights.clone();
        let old = |line: geometry::Line| before.get(&line).copied().unwrap_or(0.0).exp();
        for &mv in game {
            let z: f64 = position.legal().iter().map(|mv| old(mv.line)).sum();
            for other in position.legal() {
                *weights.entry(other.line).or_default() -= alpha * old(other.line) / z;
            }
            *weights.entry(mv.line).or_default() += alpha;
            position.play(mv).expect("legal");
        }
    }

    #[test]
    fn intervals_adapt_as_steps_do() {
        let board = BitLineBoard::<5, true>::start();
        let mut player = Player::new(BitPolicyRollout::<5, true>::new(&[]), 1000);
        let mut policy = Policy::new(player.line_count());
        let mut buffers = AdaptBuffers::default();
        let mut weights = HashMap::new();
        let mut rng = Rng::seed_from_u64(5);
        for _ in 0..30 {
            let score = player.play(&policy, &mut rng);
            let moves = player.moves(&[]);
            player.set_aside();
            let mut position = PlainPosition::start(board.game().clone());
            policy.adapt(&player.game_set_aside(score), 0.7, &mut buffers);
            plainly(&mut weights, &moves, &mut position, 0.7);
            assert!(position.legal().is_empty());
        }
        assert!(weights.len() > 100);
        for number in 0..policy.weights.len() as u32 {
            let expected = weights.get(&board.line(number)).copied().unwrap_or(0.0);
            let found = f64::from(policy.weights[number as usize]);
            assert!((found - expected).abs() < 1e-3, "{found} {expected}");
        }
    }

    #[test]
    fn the_exponential_function_is_the_known_one() {
        for i in -80_000..=80_000 {
            let x = i as f32 / 1000.0;
            let (found, known) = (f64::from(exp(x)), f64::from(x).exp());
            assert!((found / known - 1.0).abs() < 2.5e-7, "{x}: {found} {known}");
        }
        assert_eq!(exp(0.0), 1.0);
    }
}
