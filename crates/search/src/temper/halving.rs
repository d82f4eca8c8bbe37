//! Which of many runs continues: asynchronous successive halving (Li et al. 2020).
//!
//! Runs climb rungs, each several times as long as the one before. A run at the end of a rung is
//! paused, and promoted only when it is among the best of all that have reached that end: one in
//! `one_in`. While none is, new runs begin. Scores of other threads count too, but each run
//! continues where it began. So short runs that lead nowhere cost little, and good ones get most of
//! the time, however long that is.

/// The most runs that are paused at the end of a rung; the worst are dropped first.
const MAX_PAUSED: usize = 16;

/// The most rungs; no search lasts long enough to reach the last.
pub(super) const MAX_RUNGS: usize = 64;

#[derive(Debug, Clone)]
pub(super) struct SuccessiveHalving<R> {
    /// One in this many runs is promoted.
    one_in: usize,
    rungs: Vec<Rung<R>>,
}

#[derive(Debug, Clone)]
pub(super) struct Rung<R> {
    /// The scores of all runs that have reached its end, in that order.
    pub(super) scores: Vec<u32>,
    /// The paused runs, by their index among the scores.
    pub(super) paused: Vec<(usize, R)>,
}

impl<R> Rung<R> {
    /// The number of runs better than the one at this index: longer, or as long and earlier.
    fn better(&self, place: usize) -> usize {
        let own = self.scores[place];
        let better =
            |&(other, &score): &(usize, &u32)| score > own || score == own && other < place;
        self.scores.iter().enumerate().filter(better).count()
    }

    /// The index of the best paused run.
    fn best(&self) -> Option<usize> {
        let key = |&index: &usize| {
            let place = self.paused[index].0;
            (self.scores[place], std::cmp::Reverse(place))
        };
        (0..self.paused.len()).max_by_key(key)
    }

    /// The index of the worst paused run.
    fn worst(&self) -> Option<usize> {
        let key = |&index: &usize| {
            let place = self.paused[index].0;
            (self.scores[place], std::cmp::Reverse(place))
        };
        (0..self.paused.len()).min_by_key(key)
    }
}

impl<R> SuccessiveHalving<R> {
    pub(super) fn new(one_in: usize) -> Self {
        Self { one_in, rungs: Vec::new() }
    }

    /// The saved rungs; `None` if they are inconsistent.
    pub(super) fn restored(one_in: usize, rungs: Vec<Rung<R>>) -> Option<Self> {
        let is_consistent = |rung: &Rung<R>| {
            let mut places: Vec<usize> = rung.paused.iter().map(|&(place, _)| place).collect();
            places.sort_unstable();
            places.dedup();
            places.len() == rung.paused.len()
                && places.len() <= MAX_PAUSED
                && places.last().is_none_or(|&last| last < rung.scores.len())
        };
        let all = rungs.len() <= MAX_RUNGS && rungs.iter().all(is_consistent);
        all.then_some(Self { one_in, rungs })
    }

    pub(super) fn rungs(&self) -> &[Rung<R>] {
        &self.rungs
    }

    /// The rung of this number, created if need be.
    fn rung(&mut self, number: usize) -> &mut Rung<R> {
        while self.rungs.len() <= number {
            self.rungs.push(Rung { scores: Vec::new(), paused: Vec::new() });
        }
        &mut self.rungs[number]
    }

    /// Pauses a run that has reached the end of a rung with this score.
    pub(super) fn pause(&mut self, rung: usize, score: u32, run: R) {
        let rung = self.rung(rung);
        rung.paused.push((rung.scores.len(), run));
        rung.scores.push(score);
        if rung.paused.len() > MAX_PAUSED
            && let Some(worst) = rung.worst()
        {
            rung.paused.remove(worst);
        }
    }

    /// Counts the score of a run that will not continue here.
    pub(super) fn add_score(&mut self, rung: usize, score: u32) {
        self.rung(rung).scores.push(score);
    }

    /// The run to continue, and its next rung; `None` if a new one is to begin.
    pub(super) fn promote(&mut self) -> Option<(usize, R)> {
        for (number, rung) in self.rungs.iter_mut().enumerate().rev() {
            let Some(best) = rung.best() else { continue };
            if rung.better(rung.paused[best].0) < rung.scores.len() / self.one_in {
                return Some((number + 1, rung.paused.remove(best).1));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets runs with these constant scores begin one after the other; returns which was promoted
    /// to which rung.
    fn play(one_in: usize, scores: &[u32]) -> Vec<(usize, usize)> {
        let mut halving = SuccessiveHalving::new(one_in);
        let mut promoted = Vec::new();
        for (number, &score) in scores.iter().enumerate() {
            halving.pause(0, score, number);
            while let Some((rung, number)) = halving.promote() {
                promoted.push((number, rung));
                halving.pause(rung, scores[number], number);
            }
        }
        promoted
    }

    #[test]
    fn one_in_three_is_promoted_the_best_first() {
        // The third to finish promotes the best of three, the ninth that of the second rung.
        assert_eq!(play(3, &[5, 7, 6]), [(1, 1)]);
        assert_eq!(play(3, &[5, 7, 6, 4, 4, 8]), [(1, 1), (5, 1)]);
        let promoted = play(3, &[5, 7, 6, 4, 4, 8, 9, 1, 1]);
        assert_eq!(promoted, [(1, 1), (5, 1), (6, 1), (6, 2)]);
        // Of equals the earlier.
        assert_eq!(play(2, &[3, 3, 3, 3]), [(0, 1), (1, 1), (0, 2)]);
    }

    #[test]
    fn one_in_one_is_always_promoted() {
        let mut halving = SuccessiveHalving::new(1);
        halving.pause(0, 5, 'a');
        assert_eq!(halving.promote(), Some((1, 'a')));
        assert_eq!(halving.promote(), None);
    }

    #[test]
    fn only_the_best_are_paused() {
        let mut halving = SuccessiveHalving::new(1000);
        for score in 0..100 {
            halving.pause(0, score, score);
        }
        let paused: Vec<u32> = halving.rungs()[0].paused.iter().map(|&(_, run)| run).collect();
        assert_eq!(paused, (84..100).collect::<Vec<_>>());
        assert_eq!(halving.rungs()[0].scores.len(), 100);
    }

    #[test]
    fn inconsistent_rungs_are_not_restored() {
        let rung = |places: &[usize]| Rung {
            scores: vec![5, 6, 7],
            paused: places.iter().map(|&place| (place, ())).collect(),
        };
        assert!(SuccessiveHalving::restored(3, vec![rung(&[0, 2])]).is_some());
        assert!(SuccessiveHalving::restored(3, vec![rung(&[0, 0])]).is_none());
        assert!(SuccessiveHalving::restored(3, vec![rung(&[3])]).is_none());
        assert!(SuccessiveHalving::restored(3, vec![rung(&[]); 65]).is_none());
    }
}
