//! Which of many runs goes on: successive halving without waiting (Li et al. 2020).
//!
//! Runs go through rounds, each several times as long as the one before. A run that has ended a
//! round rests, and goes on only when it is among the best of all that have ended that round: one
//! in so many. While none is, new runs begin. What runs of other threads have come to counts too, but
//! each goes on where it began. So short runs that come to nothing cost little, and
//! good ones get most of the time, however long that is.

/// The most runs that rest after a round; the worst are given up first.
const MOST_RESTING: usize = 16;

#[derive(Debug, Clone)]
pub(super) struct Contest<R> {
    /// One in so many goes on.
    one_in: usize,
    rounds: Vec<Round<R>>,
}

/// What is known of a round.
#[derive(Debug, Clone)]
pub(super) struct Round<R> {
    /// The scores of all runs that have ended it, in the order in which they did.
    pub(super) scores: Vec<u32>,
    /// Those that rest, by their places among the scores.
    pub(super) resting: Vec<(usize, R)>,
}

impl<R> Round<R> {
    /// How many runs are better than the one at this place: longer, or as long and earlier.
    fn better(&self, place: usize) -> usize {
        let own = self.scores[place];
        let better =
            |&(other, &score): &(usize, &u32)| score > own || score == own && other < place;
        self.scores.iter().enumerate().filter(better).count()
    }

    /// The best of those that rest, by its index there.
    fn best(&self) -> Option<usize> {
        let key = |&index: &usize| {
            let place = self.resting[index].0;
            (self.scores[place], std::cmp::Reverse(place))
        };
        (0..self.resting.len()).max_by_key(key)
    }

    /// The worst of those that rest.
    fn worst(&self) -> Option<usize> {
        let key = |&index: &usize| {
            let place = self.resting[index].0;
            (self.scores[place], std::cmp::Reverse(place))
        };
        (0..self.resting.len()).min_by_key(key)
    }
}

impl<R> Contest<R> {
    /// The most rounds there can be; nobody lives to see the last.
    pub(super) const MOST_ROUNDS: usize = 64;

    pub(super) fn new(one_in: usize) -> Self {
        Self { one_in, rounds: Vec::new() }
    }

    /// A contest as it stood; `None` if it cannot have stood so.
    pub(super) fn restored(one_in: usize, rounds: Vec<Round<R>>) -> Option<Self> {
        let sound = |round: &Round<R>| {
            let mut places: Vec<usize> = round.resting.iter().map(|&(place, _)| place).collect();
            places.sort_unstable();
            places.dedup();
            places.len() == round.resting.len()
                && places.len() <= MOST_RESTING
                && places.last().is_none_or(|&last| last < round.scores.len())
        };
        let all = rounds.len() <= Self::MOST_ROUNDS && rounds.iter().all(sound);
        all.then_some(Self { one_in, rounds })
    }

    pub(super) fn rounds(&self) -> &[Round<R>] {
        &self.rounds
    }

    /// The round of this number, which there is from now on.
    fn round(&mut self, number: usize) -> &mut Round<R> {
        while self.rounds.len() <= number {
            self.rounds.push(Round { scores: Vec::new(), resting: Vec::new() });
        }
        &mut self.rounds[number]
    }

    /// A run has ended a round with this score.
    pub(super) fn ended(&mut self, round: usize, score: u32, run: R) {
        let round = self.round(round);
        round.resting.push((round.scores.len(), run));
        round.scores.push(score);
        if round.resting.len() > MOST_RESTING
            && let Some(worst) = round.worst()
        {
            round.resting.remove(worst);
        }
    }

    /// A run that will not go on here has ended a round with this score.
    pub(super) fn counts(&mut self, round: usize, score: u32) {
        self.round(round).scores.push(score);
    }

    /// The run that goes on now, and its next round; `None` if a new one is to begin.
    pub(super) fn next(&mut self) -> Option<(usize, R)> {
        for (number, round) in self.rounds.iter_mut().enumerate().rev() {
            let Some(best) = round.best() else { continue };
            if round.better(round.resting[best].0) < round.scores.len() / self.one_in {
                return Some((number + 1, round.resting.remove(best).1));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets runs with these scores, which stay, come one after the other; gives back which went on
    /// to which round.
    fn play(one_in: usize, scores: &[u32]) -> Vec<(usize, usize)> {
        let mut contest = Contest::new(one_in);
        let mut went = Vec::new();
        for (number, &score) in scores.iter().enumerate() {
            contest.ended(0, score, number);
            while let Some((round, number)) = contest.next() {
                went.push((number, round));
                contest.ended(round, scores[number], number);
            }
        }
        went
    }

    #[test]
    fn one_in_three_goes_on_the_best_first() {
        // The third to end lets the best of three go on, the ninth of the second round likewise.
        assert_eq!(play(3, &[5, 7, 6]), [(1, 1)]);
        assert_eq!(play(3, &[5, 7, 6, 4, 4, 8]), [(1, 1), (5, 1)]);
        let went = play(3, &[5, 7, 6, 4, 4, 8, 9, 1, 1]);
        assert_eq!(went, [(1, 1), (5, 1), (6, 1), (6, 2)]);
        // Of equals the earlier.
        assert_eq!(play(2, &[3, 3, 3, 3]), [(0, 1), (1, 1), (0, 2)]);
    }

    #[test]
    fn one_in_one_always_goes_on() {
        let mut contest = Contest::new(1);
        contest.ended(0, 5, 'a');
        assert_eq!(contest.next(), Some((1, 'a')));
        assert_eq!(contest.next(), None);
    }

    #[test]
    fn only_the_best_rest() {
        let mut contest = Contest::new(1000);
        for score in 0..100 {
            contest.ended(0, score, score);
        }
        let resting: Vec<u32> = contest.rounds()[0].resting.iter().map(|&(_, run)| run).collect();
        assert_eq!(resting, (84..100).collect::<Vec<_>>());
        assert_eq!(contest.rounds()[0].scores.len(), 100);
    }

    #[test]
    fn what_cannot_have_been_is_not_restored() {
        let round = |places: &[usize]| Round {
            scores: vec![5, 6, 7],
            resting: places.iter().map(|&place| (place, ())).collect(),
        };
        assert!(Contest::restored(3, vec![round(&[0, 2])]).is_some());
        assert!(Contest::restored(3, vec![round(&[0, 0])]).is_none());
        assert!(Contest::restored(3, vec![round(&[3])]).is_none());
        assert!(Contest::restored(3, vec![round(&[]); 65]).is_none());
    }
}
