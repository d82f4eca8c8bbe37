//! The Adam optimiser.

/// Adam (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019).
#[derive(Debug, Clone, PartialEq)]
pub struct Adam {
    /// How many steps were made.
    pub(crate) steps: u64,
    /// Means of gradients.
    pub(crate) first: Vec<f32>,
    /// Means of their squares.
    pub(crate) second: Vec<f32>,
}

const FIRST: f32 = 0.9;
const SECOND: f32 = 0.999;
const LEAST: f32 = 1e-8;

impl Adam {
    /// Before the first step, for `size` weights.
    pub fn new(weights: usize) -> Self {
        Self { steps: 0, first: vec![0.0; weights], second: vec![0.0; weights] }
    }

    /// Makes a step.
    pub fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32, decay: f32) {
        self.steps += 1;
        let power = self.steps.min(i32::MAX as u64) as i32;
        let (first_sum, second_sum) = (1.0 - FIRST.powi(power), 1.0 - SECOND.powi(power));
        let means = self.first.iter_mut().zip(&mut self.second);
        for ((weight, &slope), (first, second)) in weights.iter_mut().zip(gradient).zip(means) {
            *first = FIRST * *first + (1.0 - FIRST) * slope;
            *second = SECOND * *second + (1.0 - SECOND) * slope * slope;
            let step = (*first / first_sum) / ((*second / second_sum).sqrt() + LEAST);
            *weight -= rate * (step + decay * *weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_is_as_long_as_the_rate() {
        let mut weights = [1.0, 1.0, 1.0];
        Adam::new(3).step(&mut weights, &[5.0, -0.001, 0.0], 0.1, 0.0);
        let [up, down, still] = weights;
        assert!((up - 0.9).abs() < 1e-4 && (down - 1.1).abs() < 1e-4 && still == 1.0);
    }

    #[test]
    fn it_finds_the_bottom_of_a_valley() {
        let mut weights = [3.0, -2.0];
        let mut adam = Adam::new(2);
        for _ in 0..2000 {
            let slope = [2.0 * (weights[0] - 1.0), 20.0 * weights[1]];
            adam.step(&mut weights, &slope, 0.02, 0.0);
        }
        assert!((weights[0] - 1.0).abs() < 1e-2 && weights[1].abs() < 1e-2, "{weights:?}");
    }

    #[test]
    fn decay_makes_weights_small() {
        let mut weights = [1.0];
        Adam::new(1).step(&mut weights, &[0.0], 0.1, 0.5);
        assert!((weights[0] - 0.95f32).abs() < 1e-6);
    }
}
