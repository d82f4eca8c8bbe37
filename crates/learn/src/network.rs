//! A network: from a position to a probability for each legal action and a value.
//!
//! Two shapes: four convolutions and two dense layers, as Wang et al. (2020) used; and a residual
//! one, whose policy is read off at the new dot, so that it has few weights and fits every board.
//! Neither has normalisation: a residual block begins as the identity, and the last layers begin
//! small, so that the policy of an untrained network is almost uniform.

use rand_distr::{Distribution, StandardNormal};
use search::Rng;
use serde::{Deserialize, Serialize};

use crate::encoder::Observation;
use crate::layer::{Layer, Trace, Weights, backward, forward, forward_plainly};
use crate::tensor::{Grid, Tensor};

/// How a network is built.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Places along each edge of the board.
    pub side: usize,
    /// How many numbers each place brings in.
    pub planes: usize,
    /// How many actions each place has.
    pub actions: usize,
    /// How many residual blocks; 0 for the network of four convolutions and two dense layers.
    pub blocks: usize,
    /// How many numbers a place has between convolutions.
    pub channels: usize,
    /// How wide the first dense layer is.
    pub dense: usize,
    /// The probability with which numbers are dropped while learning.
    pub dropout: f32,
}

/// A network with its weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    shape: Shape,
    trunk: Vec<Layer>,
    policy: Vec<Layer>,
    value: Vec<Layer>,
    pub(crate) weights: Vec<f32>,
}

/// The output of a network for a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The probability of each action of the position.
    pub policy: Vec<f32>,
    /// The expected ranked reward, from -1 to 1.
    pub value: f32,
}

/// A position and what a network should have said of it.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainingSample {
    /// The position.
    pub observation: Observation,
    /// The probability of each action of the position.
    pub policy: Vec<f32>,
    /// What the game was worth.
    pub value: f32,
    /// How much the policy matters.
    pub weight: f32,
}

/// How samples are weighed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LossWeights {
    /// How much the value matters beside the policy.
    pub value: f32,
    /// How much it counts that the policy stays undecided.
    pub entropy: f32,
}

/// How far a network was off, added up over samples.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Losses {
    /// Cross-entropy between the policies.
    pub policy: f64,
    /// Square of the difference of the values.
    pub value: f64,
}

impl Losses {
    pub(crate) fn add(&mut self, other: Self) {
        self.policy += other.policy;
        self.value += other.value;
    }
}

/// The batch size of dense layers over the whole board: their many weights are read once per batch.
/// Convolutions have few weights, and a single position stays in the cache.
const TOGETHER: usize = 16;

/// What came out of the layers.
struct Outputs {
    logits: Tensor,
    values: Tensor,
}

impl Shape {
    /// The most weights of a network.
    pub const MAX_WEIGHTS: usize = 1 << 26;

    fn grid(&self) -> Grid {
        Grid { side: self.side }
    }

    /// How many weights such a network has; `None` if they are too many to count with.
    pub fn weights(&self) -> Option<usize> {
        let Self { side, planes, actions, blocks, channels, dense, .. } = *self;
        let layer =
            |inputs: usize, outputs: usize| inputs.checked_mul(outputs)?.checked_add(outputs);
        let convolution = |inputs: usize| layer(inputs.checked_mul(9)?, channels);
        let places = side.checked_mul(side)?;
        let parts = if blocks == 0 {
            vec![
                convolution(planes)?,
                convolution(channels)?.checked_mul(3)?,
                layer(places.checked_mul(channels)?, dense)?,
                layer(dense, dense.div_ceil(2))?,
                layer(dense.div_ceil(2), places.checked_mul(actions)?)?,
                layer(dense.div_ceil(2), 1)?,
            ]
        } else {
            vec![
                convolution(planes)?,
                convolution(channels)?.checked_mul(blocks)?.checked_mul(2)?,
                layer(channels, actions)?,
                layer(channels, dense)?,
                layer(dense, 1)?,
            ]
        };
        parts.into_iter().try_fold(0usize, usize::checked_add)
    }
}

/// Adds layers one after the other, each with the next weights.
struct Builder {
    next: usize,
}

impl Builder {
    fn weights(&mut self, inputs: usize, outputs: usize, places: usize) -> Weights {
        let weights = Weights { first: self.next, inputs, outputs, places };
        self.next = weights.biases().end;
        weights
    }

    fn dense(&mut self, inputs: usize, outputs: usize) -> Layer {
        Layer::Dense(self.weights(inputs, outputs, 1))
    }

    fn convolution(&mut self, inputs: usize, outputs: usize) -> Layer {
        Layer::Convolution(self.weights(inputs, outputs, 9))
    }
}

impl Network {
    /// A network with random weights from normal distributions that preserve the variance of
    /// activations (He et al. 2015).
    pub fn new(shape: Shape, rng: &mut Rng) -> Self {
        let mut network = Self::with_weights(shape, Vec::new());
        let count = shape.weights().expect("a shape that fits in memory");
        let mut weights = vec![0.0; count];
        let last = |layers: &[Layer]| layers.len().saturating_sub(1);
        let parts = [
            (&network.trunk, usize::MAX),
            (&network.policy, last(&network.policy)),
            (&network.value, last(&network.value)),
        ];
        for (layers, small) in parts {
            for (number, layer) in layers.iter().enumerate() {
                let size = if number == small { 0.1 } else { 1.0 };
                draw_weights(layer, &mut weights, size, rng);
            }
        }
        network.weights = weights;
        network
    }

    /// A network with these weights; there must be as many as the shape has.
    pub(crate) fn with_weights(shape: Shape, weights: Vec<f32>) -> Self {
        let mut b = Builder { next: 0 };
        let Shape { side, planes, actions, blocks, channels, dense, dropout } = shape;
        let (mut trunk, policy, value);
        if blocks == 0 {
            trunk = vec![b.convolution(planes, channels), Layer::Rectify];
            for _ in 0..3 {
                trunk.extend([b.convolution(channels, channels), Layer::Rectify]);
            }
            let half = dense.div_ceil(2);
            trunk.extend([Layer::Flatten, b.dense(side * side * channels, dense)]);
            trunk.extend([Layer::Rectify, Layer::Dropout(dropout), b.dense(dense, half)]);
            trunk.extend([Layer::Rectify, Layer::Dropout(dropout)]);
            policy = vec![b.dense(half, side * side * actions)];
            value = vec![b.dense(half, 1)];
        } else {
            trunk = vec![b.convolution(planes, channels), Layer::Rectify];
            for _ in 0..blocks {
                let first = b.convolution(channels, channels);
                let second = b.convolution(channels, channels);
                trunk.push(Layer::Residual(vec![first, Layer::Rectify, second]));
                trunk.push(Layer::Rectify);
            }
            policy = vec![b.dense(channels, actions)];
            let hidden = b.dense(channels, dense);
            let (drop, last) = (Layer::Dropout(dropout), b.dense(dense, 1));
            value = vec![Layer::Pool, hidden, Layer::Rectify, drop, last];
        }
        debug_assert_eq!(Some(b.next), shape.weights());
        Self { shape, trunk, policy, value, weights }
    }

    /// How it is built.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// How many weights it has.
    pub fn size(&self) -> usize {
        self.weights.len()
    }

    /// Evaluates positions.
    pub fn evaluate(&self, positions: &[Observation]) -> Vec<Evaluation> {
        let together = if self.shape.blocks == 0 { TOGETHER } else { 1 };
        self.evaluate_by(positions, together, |layers, numbers| {
            forward(layers, &self.weights, numbers, None, None)
        })
    }

    /// [`evaluate`](Self::evaluate) sum by sum, as layers are defined: the reference, and slow.
    pub fn evaluate_plainly(&self, positions: &[Observation]) -> Vec<Evaluation> {
        self.evaluate_by(positions, 1, |layers, numbers| {
            forward_plainly(layers, &self.weights, numbers)
        })
    }

    fn evaluate_by(
        &self,
        positions: &[Observation],
        together: usize,
        forward: impl Fn(&[Layer], Tensor) -> Tensor,
    ) -> Vec<Evaluation> {
        let mut found = Vec::with_capacity(positions.len());
        for some in positions.chunks(together) {
            let numbers = forward(&self.trunk, self.input(some.iter()));
            let logits = forward(&self.policy, numbers.clone());
            let answer = Outputs { logits, values: forward(&self.value, numbers) };
            found.extend(some.iter().enumerate().map(|(image, position)| Evaluation {
                policy: self.softmax(&answer, image, position),
                value: answer.values.data[image].tanh(),
            }));
        }
        found
    }

    /// The sum of the losses of some samples; adds the gradient to `sums`, one for each weight.
    pub fn accumulate_gradient(
        &self,
        samples: &[TrainingSample],
        loss_weights: LossWeights,
        rng: &mut Rng,
        sums: &mut [f32],
    ) -> Losses {
        let weights = &self.weights;
        let mut traces: [Vec<Trace>; 3] = Default::default();
        let [trunk, policy, value] = &mut traces;
        let input = self.input(samples.iter().map(|sample| &sample.observation));
        let numbers = forward(&self.trunk, weights, input, Some(trunk), Some(rng));
        let logits = forward(&self.policy, weights, numbers.clone(), Some(policy), Some(rng));
        let values = forward(&self.value, weights, numbers, Some(value), Some(rng));
        let answer = Outputs { logits, values };
        let (losses, back) = self.losses(samples, loss_weights, &answer);
        let [trunk, policy, value] = traces;
        let mut gradient = backward(&self.policy, weights, policy, back.logits, sums);
        let other = backward(&self.value, weights, value, back.values, sums);
        for (number, other) in gradient.data.iter_mut().zip(&other.data) {
            *number += other;
        }
        backward(&self.trunk, weights, trunk, gradient, sums);
        losses
    }

    /// How far an answer is off, and how that changes with every number of the answer.
    fn losses(
        &self,
        samples: &[TrainingSample],
        loss_weights: LossWeights,
        answer: &Outputs,
    ) -> (Losses, Outputs) {
        let like = |of: &Tensor| Tensor::zeros(of.images, of.channels, of.grid);
        let mut back = Outputs { logits: like(&answer.logits), values: like(&answer.values) };
        let mut losses = Losses::default();
        for (image, sample) in samples.iter().enumerate() {
            let policy = self.softmax(answer, image, &sample.observation);
            let logs: Vec<f32> = policy.iter().map(|&p| p.max(f32::MIN_POSITIVE).ln()).collect();
            let entropy: f32 = -policy.iter().zip(&logs).map(|(p, log)| p * log).sum::<f32>();
            for (number, &action) in sample.observation.actions.iter().enumerate() {
                let (p, wanted) = (policy[number], sample.policy[number]);
                losses.policy -= f64::from(sample.weight * wanted * logs[number]);
                back.logits.data[self.place(&answer.logits, image, action)] = sample.weight
                    * (p - wanted)
                    + loss_weights.entropy * p * (logs[number] + entropy);
            }
            let value = answer.values.data[image].tanh();
            let off = value - sample.value;
            losses.value += f64::from(off * off);
            back.values.data[image] = loss_weights.value * 2.0 * off * (1.0 - value * value);
        }
        (losses, back)
    }

    fn softmax(&self, answer: &Outputs, image: usize, position: &Observation) -> Vec<f32> {
        let logits = &answer.logits;
        let of = |&action: &u32| logits.data[self.place(logits, image, action)];
        let mut policy: Vec<f32> = position.actions.iter().map(of).collect();
        let most = policy.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut sum = 0.0;
        for number in &mut policy {
            *number = (*number - most).exp();
            sum += *number;
        }
        policy.iter_mut().for_each(|number| *number /= sum);
        policy
    }

    /// Where the number of an action is.
    fn place(&self, logits: &Tensor, image: usize, action: u32) -> usize {
        let action = action as usize;
        if logits.grid.is_some() {
            return logits.at(image, 0) + action;
        }
        let Shape { side, actions, .. } = self.shape;
        let (row, plane) = (action / actions, action % actions);
        let (y, x) = (row / (side + 1), row % (side + 1));
        logits.at(image, 0) + (y * side + x) * actions + plane
    }

    fn input<'a>(&self, positions: impl ExactSizeIterator<Item = &'a Observation>) -> Tensor {
        let grid = self.shape.grid();
        let mut numbers = Tensor::zeros(positions.len(), self.shape.planes, Some(grid));
        for (image, position) in positions.enumerate() {
            let first = numbers.at(image, 0);
            for row in grid.places() {
                numbers.data[first + row * self.shape.planes] = 1.0;
            }
            for &one in &position.ones {
                numbers.data[first + one as usize] = 1.0;
            }
        }
        numbers
    }
}

/// Initialises the weights of a layer. Biases and the last convolution of a residual block are 0.
fn draw_weights(layer: &Layer, weights: &mut [f32], size: f32, rng: &mut Rng) {
    match layer {
        Layer::Convolution(own) | Layer::Dense(own) => {
            let deviation = size * (2.0 / own.fan_in() as f32).sqrt();
            for weight in &mut weights[own.matrices()] {
                let drawn: f32 = StandardNormal.sample(rng);
                *weight = deviation * drawn;
            }
        }
        Layer::Residual(layers) => {
            let last = layers.len() - 1;
            for layer in &layers[..last] {
                draw_weights(layer, weights, size, rng);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng as _, SeedableRng};

    const PLANES: usize = 5;
    const ACTIONS: usize = 3;

    fn shape(blocks: usize) -> Shape {
        let (side, channels, dense) = (4, 3, 6);
        Shape { side, planes: PLANES, actions: ACTIONS, blocks, channels, dense, dropout: 0.0 }
    }

    fn below(rng: &mut Rng, bound: u32) -> u32 {
        rng.next_u32() % bound
    }

    fn samples(count: usize, rng: &mut Rng) -> Vec<TrainingSample> {
        let rows: Vec<u32> = Grid { side: 4 }.places().map(|row| row as u32).collect();
        let draw_row = |rng: &mut Rng| rows[below(rng, rows.len() as u32) as usize];
        (0..count)
            .map(|number| {
                let ones = (0..12).map(|_| draw_row(rng) * PLANES as u32 + 1 + below(rng, 4));
                let ones = ones.collect();
                let mut actions: Vec<u32> =
                    (0..4).map(|_| draw_row(rng) * ACTIONS as u32 + below(rng, 3)).collect();
                actions.sort_unstable();
                actions.dedup();
                let mut policy: Vec<f32> =
                    actions.iter().map(|_| 0.1 + below(rng, 10) as f32).collect();
                let sum: f32 = policy.iter().sum();
                policy.iter_mut().for_each(|p| *p /= sum);
                let value = if number % 2 == 0 { 1.0 } else { -1.0 };
                let position = Observation { ones, actions };
                TrainingSample { observation: position, policy, value, weight: 0.5 + number as f32 }
            })
            .collect()
    }

    /// A network all of whose weights matter.
    fn network(blocks: usize, rng: &mut Rng) -> Network {
        let mut network = Network::new(shape(blocks), rng);
        for weight in &mut network.weights {
            let drawn: f32 = StandardNormal.sample(rng);
            *weight += 0.1 * drawn;
        }
        network
    }

    #[test]
    fn gradients_are_those_of_finite_differences() {
        let loss_weights = LossWeights { value: 0.7, entropy: 0.3 };
        for blocks in [0, 2] {
            let mut rng = Rng::seed_from_u64(3);
            let network = network(blocks, &mut rng);
            let samples = samples(3, &mut rng);
            let mut sums = vec![0.0; network.size()];
            network.accumulate_gradient(&samples, loss_weights, &mut rng, &mut sums);
            let total = |network: &Network| -> f64 {
                let mut nothing = vec![0.0; network.size()];
                let mut rng = Rng::seed_from_u64(0);
                let losses =
                    network.accumulate_gradient(&samples, loss_weights, &mut rng, &mut nothing);
                let positions: Vec<Observation> =
                    samples.iter().map(|sample| sample.observation.clone()).collect();
                let entropy: f64 = network
                    .evaluate(&positions)
                    .iter()
                    .flat_map(|found| &found.policy)
                    .map(|&p| -f64::from(p * p.ln()))
                    .sum();
                losses.policy + 0.7 * losses.value - 0.3 * entropy
            };
            let (mut checked, mut off) = (0, Vec::new());
            for (number, &found) in sums.iter().enumerate() {
                const STEP: f32 = 2e-3;
                let moved = |by: f32| {
                    let mut moved = network.clone();
                    moved.weights[number] += by;
                    total(&moved)
                };
                let difference = (moved(STEP) - moved(-STEP)) / f64::from(2.0 * STEP);
                let found = f64::from(found);
                checked += usize::from(found.abs() > 0.01);
                if (difference - found).abs() > 0.02 + 0.02 * found.abs() {
                    off.push((number, difference, found));
                }
            }
            // Where a number changes its sign within the step, the difference is no derivative.
            assert!(checked > network.size() / 4, "{checked} of {}", network.size());
            assert!(off.len() * 200 < network.size(), "{blocks}: {off:?}");
        }
    }

    #[test]
    fn a_network_says_what_its_definition_says() {
        let mut rng = Rng::seed_from_u64(5);
        for blocks in [0, 2] {
            let network = network(blocks, &mut rng);
            let positions: Vec<Observation> =
                samples(20, &mut rng).into_iter().map(|sample| sample.observation).collect();
            let known = network.evaluate_plainly(&positions);
            for (found, known) in network.evaluate(&positions).iter().zip(&known) {
                assert!((found.value - known.value).abs() < 1e-4, "{found:?} {known:?}");
                for (found, known) in found.policy.iter().zip(&known.policy) {
                    assert!((found - known).abs() < 1e-4, "{found} {known}");
                }
            }
        }
    }

    #[test]
    fn a_convolution_is_what_its_definition_says() {
        let mut rng = Rng::seed_from_u64(5);
        let own = Weights { first: 2, inputs: 3, outputs: 4, places: 9 };
        let normal = |rng: &mut Rng| -> f32 { StandardNormal.sample(rng) };
        let weights: Vec<f32> = (0..own.biases().end).map(|_| normal(&mut rng)).collect();
        let layers = [Layer::Convolution(own.clone())];
        for (images, side) in [(1, 1), (2, 5), (3, 2)] {
            let mut numbers = Tensor::zeros(images, own.inputs, Some(Grid { side }));
            numbers.matrix_mut().iter_mut().for_each(|number| *number = normal(&mut rng));
            numbers.clear_beyond();
            let known = forward_plainly(&layers, &weights, numbers.clone());
            let found = forward(&layers, &weights, numbers, None, None);
            for (found, known) in found.data.iter().zip(&known.data) {
                assert!((found - known).abs() < 1e-5, "{found} {known}");
            }
        }
    }

    #[test]
    fn probabilities_add_up_and_an_untrained_network_is_undecided() {
        let mut rng = Rng::seed_from_u64(1);
        for blocks in [0, 2] {
            let network = Network::new(shape(blocks), &mut rng);
            let positions: Vec<Observation> =
                samples(40, &mut rng).into_iter().map(|sample| sample.observation).collect();
            for (found, position) in network.evaluate(&positions).iter().zip(&positions) {
                assert_eq!(found.policy.len(), position.actions.len());
                assert!((found.policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                let even = 1.0 / position.actions.len() as f32;
                assert!(found.policy.iter().all(|p| (p - even).abs() < 0.3), "{found:?}");
                assert!((-1.0..=1.0).contains(&found.value));
            }
        }
    }

    #[test]
    fn dropout_changes_learning_and_not_playing() {
        let mut rng = Rng::seed_from_u64(1);
        let network = Network::new(Shape { dropout: 0.5, ..shape(0) }, &mut rng);
        let samples = samples(4, &mut rng);
        let loss_weights = LossWeights { value: 1.0, entropy: 0.0 };
        let study = |seed| {
            let mut sums = vec![0.0; network.size()];
            network.accumulate_gradient(
                &samples,
                loss_weights,
                &mut Rng::seed_from_u64(seed),
                &mut sums,
            );
            sums
        };
        assert_eq!(study(1), study(1));
        assert_ne!(study(1), study(2));
        let positions = [samples[0].observation.clone()];
        assert_eq!(network.evaluate(&positions), network.evaluate(&positions));
    }
}
