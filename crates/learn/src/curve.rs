//! The learning curve: the results of each iteration of a training run.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

/// One iteration.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CurvePoint {
    /// Games of self-play.
    pub games: u64,
    /// The mean of their moves.
    pub mean: f64,
    /// The half length of its 95 % mean_and_ci95.
    pub error: f64,
    /// The most moves of one of them.
    pub longest: u32,
    /// The most moves of a game so far, those of tree searches included.
    pub best: u32,
    /// The threshold r_alpha after them.
    pub threshold: u32,
    /// How many were cut off at the edge of the board.
    pub cut: u64,
    /// Moves of the game of stage 3, or of a longer one that its tree search saw; 0 without.
    pub last: u32,
    /// Mean loss of the policy.
    pub policy_loss: f64,
    /// Mean loss of the value.
    pub value_loss: f64,
    /// Positions evaluated in self-play.
    pub positions: u64,
    /// Positions learnt.
    pub samples: u64,
    /// How long self-play took.
    pub play_seconds: f64,
    /// How long learning took.
    pub learn_seconds: f64,
}

impl CurvePoint {
    /// Games of self-play in a second.
    pub fn games_per_second(&self) -> f64 {
        rate(self.games, self.play_seconds)
    }

    /// Positions evaluated in a second of self-play.
    pub fn positions_per_second(&self) -> f64 {
        rate(self.positions, self.play_seconds)
    }

    /// Positions learnt in a second of learning.
    pub fn samples_per_second(&self) -> f64 {
        rate(self.samples, self.learn_seconds)
    }
}

fn rate(count: u64, seconds: f64) -> f64 {
    count as f64 / seconds.max(1e-9)
}

/// The mean of some numbers and half the width of its 95 % confidence interval (normal
/// approximation).
pub fn mean_and_ci95(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len() as f64;
    if numbers.is_empty() {
        return (0.0, 0.0);
    }
    let mean = numbers.iter().sum::<f64>() / count;
    if numbers.len() == 1 {
        return (mean, 0.0);
    }
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    (mean, 1.96 * (squares / (count - 1.0) / count).sqrt())
}

/// A curve as CSV, with a line of names; iterations are counted from 1.
pub fn curve_csv(curve: &[CurvePoint]) -> String {
    let mut text = String::from(
        "iteration,games,mean,error95,longest,best,threshold,cut,final,policy_loss,value_loss,\
         positions,samples,play_seconds,learn_seconds\n",
    );
    for (iteration, e) in (1..).zip(curve) {
        let _ = writeln!(
            text,
            "{iteration},{},{:.3},{:.3},{},{},{},{},{},{:.5},{:.5},{},{},{:.3},{:.3}",
            e.games,
            e.mean,
            e.error,
            e.longest,
            e.best,
            e.threshold,
            e.cut,
            e.last,
            e.policy_loss,
            e.value_loss,
            e.positions,
            e.samples,
            e.play_seconds,
            e.learn_seconds
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_mean() {
        assert_eq!(mean_and_ci95(&[]), (0.0, 0.0));
        assert_eq!(mean_and_ci95(&[5.0]), (5.0, 0.0));
        let (mean, error) = mean_and_ci95(&[1.0, 2.0, 3.0, 4.0]);
        assert!((mean - 2.5).abs() < 1e-12);
        assert!((error - 1.96 * (5.0f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn every_line_has_as_many_fields_as_there_are_names() {
        let text = curve_csv(&[
            CurvePoint::default(),
            CurvePoint { games: 3, mean: 43.25, ..CurvePoint::default() },
        ]);
        let fields: Vec<usize> = text.lines().map(|line| line.split(',').count()).collect();
        assert_eq!(fields, [15; 3]);
        assert!(text.lines().nth(2).expect("two entries").starts_with("2,3,43.250,"));
    }
}
