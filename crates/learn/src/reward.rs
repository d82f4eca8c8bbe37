//! Ranked reward: is a game better than the recent ones? (Laterre et al. 2018; Wang et al. 2020)

use std::cmp::Ordering;
use std::collections::VecDeque;

use rand::Rng as _;
use search::Rng;

/// The list B of recent rewards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewards {
    /// The oldest first.
    recent: VecDeque<u32>,
    length: usize,
}

impl Rewards {
    /// An empty list for `length` rewards.
    ///
    /// # Panics
    /// If the length is 0.
    pub fn new(length: usize) -> Self {
        assert!(length > 0, "a list of rewards has room for one");
        Self { recent: VecDeque::new(), length }
    }

    /// The list of these rewards, the oldest first; of too many the oldest are left out.
    pub fn from_recent(length: usize, recent: impl IntoIterator<Item = u32>) -> Self {
        let mut rewards = Self::new(length);
        recent.into_iter().for_each(|reward| rewards.store(reward));
        rewards
    }

    /// Stores the reward of a game. A full list forgets its oldest.
    pub fn store(&mut self, reward: u32) {
        if self.recent.len() == self.length {
            self.recent.pop_front();
        }
        self.recent.push_back(reward);
    }

    /// The rewards, the oldest first.
    pub fn recent(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.recent.iter().copied()
    }

    /// The threshold r_alpha: of the rewards in order, the smallest first, that number L times
    /// `alpha`, counted from 0 and rounded down, with L the number of rewards there are. `None`
    /// without any.
    pub fn threshold(&self, alpha: f64) -> Option<u32> {
        let mut sorted: Vec<u32> = self.recent.iter().copied().collect();
        sorted.sort_unstable();
        let number = (sorted.len() as f64 * alpha) as usize;
        sorted.get(number).or(sorted.last()).copied()
    }
}

/// The ranked reward z of Equation 1: 1 for a game above the threshold, -1 for one below it, and at
/// the threshold one of the two at random.
pub fn ranked(reward: u32, threshold: u32, rng: &mut Rng) -> i8 {
    match reward.cmp(&threshold) {
        Ordering::Greater => 1,
        Ordering::Less => -1,
        Ordering::Equal => {
            if rng.next_u64() >> 63 == 0 {
                1
            } else {
                -1
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn the_threshold_is_the_reward_at_l_times_alpha() {
        let rewards = Rewards::from_recent(200, (0..200).rev());
        assert_eq!(rewards.threshold(0.75), Some(150));
        assert_eq!(rewards.threshold(0.0), Some(0));
        assert_eq!(rewards.threshold(1.0), Some(199));
        let rewards = Rewards::from_recent(200, [50, 40, 60, 45]);
        assert_eq!(rewards.threshold(0.75), Some(60));
        assert_eq!(rewards.threshold(0.74), Some(50));
        assert_eq!(Rewards::from_recent(8, [7, 7, 7, 9]).threshold(0.5), Some(7));
    }

    #[test]
    fn with_one_reward_that_is_the_threshold() {
        for alpha in [0.0, 0.75, 1.0] {
            assert_eq!(Rewards::from_recent(200, [43]).threshold(alpha), Some(43));
            assert_eq!(Rewards::from_recent(1, [12, 43]).threshold(alpha), Some(43));
        }
        assert_eq!(Rewards::new(200).threshold(0.75), None);
    }

    #[test]
    fn a_full_list_forgets_its_oldest() {
        let mut rewards = Rewards::from_recent(3, [90, 1, 2]);
        assert_eq!(rewards.threshold(0.75), Some(90));
        rewards.store(3);
        assert_eq!(rewards.recent().collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(rewards.threshold(0.75), Some(3));
        assert_eq!(rewards, Rewards::from_recent(3, [90, 1, 2, 3]));
    }

    #[test]
    fn above_is_good_below_is_poor_and_equal_is_chance() {
        let mut rng = Rng::seed_from_u64(1);
        assert!((0..100).all(|_| ranked(61, 60, &mut rng) == 1));
        assert!((0..100).all(|_| ranked(59, 60, &mut rng) == -1));
        let good = (0..10_000).filter(|_| ranked(60, 60, &mut rng) == 1).count();
        assert!((4_700..5_300).contains(&good), "{good}");
    }
}
