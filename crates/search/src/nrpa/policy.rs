//! A policy: a weight for every line.

use super::playout::Game;

/// Weights by number of a line; a line never met has weight 0.
#[derive(Debug, Clone, Default)]
pub(super) struct Policy {
    weights: Vec<f32>,
    /// exp(-weight): how long the line waits on average.
    waits: Vec<f32>,
    /// Working space of an adaptation.
    steps: Vec<f64>,
}

/// The largest size of a weight: beyond it exp(weight) would leave the range of `f32`.
const LIMIT: f32 = 80.0;

impl Policy {
    /// exp(-weight) of a line.
    #[inline(always)]
    pub(super) fn wait(&self, line: u32) -> f32 {
        self.waits.get(line as usize).copied().unwrap_or(1.0)
    }

    /// Moves the policy towards a game: up by `alpha` for each move made, down for every move that
    /// could have been made, by `alpha` times its probability, all probabilities those of before.
    ///
    /// A line legal from step a to step b goes down by alpha * exp(weight) * (1/z_a + ... + 1/z_b)
    /// with z the sum of exp(weight) over all lines legal at a step: one exponential for each line
    /// instead of one for each line and step. The sums are taken afresh and not as differences of
    /// running sums: weights differ by so many powers of ten that nothing would be left of them.
    pub(super) fn adapt(&mut self, game: &Game, alpha: f64) {
        if let Some(most) = game.chances.iter().map(|chance| chance.line as usize).max()
            && most >= self.weights.len()
        {
            self.weights.resize(most + 1, 0.0);
            self.waits.resize(most + 1, 1.0);
        }
        self.steps.clear();
        self.steps.resize(game.score(), 0.0);
        for chance in &game.chances {
            let weight = 1.0 / f64::from(self.waits[chance.line as usize]);
            for z in &mut self.steps[usize::from(chance.from)..usize::from(chance.to)] {
                *z += weight;
            }
        }
        for z in &mut self.steps {
            *z = 1.0 / *z;
        }
        for chance in &game.chances {
            let line = chance.line as usize;
            let steps = &self.steps[usize::from(chance.from)..usize::from(chance.to)];
            let share = steps.iter().sum::<f64>() / f64::from(self.waits[line]);
            let made = if chance.made { 1.0 } else { 0.0 };
            let weight = self.weights[line] + (alpha * (made - share)) as f32;
            self.weights[line] = weight.clamp(-LIMIT, LIMIT);
            self.waits[line] = (-self.weights[line]).exp();
        }
    }
}

/// What saving and resuming need.
impl Policy {
    /// The numbers of all lines with a weight are below this.
    pub(super) fn lines(&self) -> usize {
        self.weights.len()
    }

    /// The weight of a line.
    pub(super) fn weight(&self, line: u32) -> f32 {
        self.weights.get(line as usize).copied().unwrap_or(0.0)
    }

    /// The policy with these weights of lines; `None` if one is out of range.
    pub(super) fn of(weights: impl Iterator<Item = (u32, f32)> + Clone) -> Option<Self> {
        let lines = weights.clone().map(|(line, _)| line as usize + 1).max().unwrap_or(0);
        let mut policy =
            Self { weights: vec![0.0; lines], waits: vec![1.0; lines], steps: Vec::new() };
        for (line, weight) in weights {
            if !(-LIMIT..=LIMIT).contains(&weight) {
                return None;
            }
            policy.weights[line as usize] = weight;
            policy.waits[line as usize] = (-weight).exp();
        }
        Some(policy)
    }
}

#[cfg(test)]
mod tests {
    use super::super::playout::Player;
    use super::*;
    use crate::Rng;
    use rand::SeedableRng;
    use rules::{Board, FastSheet, PlainBoard, Sheet};
    use std::collections::HashMap;

    /// Adaptation as Rosin wrote it: step by step over all legal moves.
    fn plainly(
        weights: &mut HashMap<geometry::Line, f64>,
        game: &[geometry::Move],
        board: &mut PlainBoard,
        alpha: f64,
    ) {
        let before = weights.clone();
        let old = |line: geometry::Line| before.get(&line).copied().unwrap_or(0.0).exp();
        for &mv in game {
            let z: f64 = board.legal().iter().map(|mv| old(mv.line)).sum();
            for other in board.legal() {
                *weights.entry(other.line).or_default() -= alpha * old(other.line) / z;
            }
            *weights.entry(mv.line).or_default() += alpha;
            board.play(mv).expect("legal");
        }
    }

    #[test]
    fn intervals_adapt_as_steps_do() {
        let sheet = FastSheet::<5, true>::start();
        let mut player = Player::new(&sheet, 1000);
        let mut policy = Policy::default();
        let mut weights = HashMap::new();
        let mut rng = Rng::seed_from_u64(5);
        for _ in 0..30 {
            player.play(&policy, &mut rng);
            let mut board = PlainBoard::start(sheet.game().clone());
            policy.adapt(player.game(), 0.7);
            plainly(&mut weights, &player.moves_in_order(), &mut board, 0.7);
            assert!(board.legal().is_empty());
        }
        assert!(weights.len() > 100);
        for number in 0..policy.weights.len() as u32 {
            let expected = weights.get(&sheet.line(number)).copied().unwrap_or(0.0);
            let found = f64::from(policy.weights[number as usize]);
            assert!((found - expected).abs() < 1e-3, "{found} {expected}");
        }
    }
}
