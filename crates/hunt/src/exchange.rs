//! The exchange of results between the searches of a hunt.
//!
//! Each search makes its n-th exchange after as many playouts as every other: it publishes its
//! result and receives what the others published one exchange before. It waits only for those that
//! are more than one exchange behind. So what is received depends only on the searches, not on
//! their speed, and a hunt on several threads finds the same games every time.

use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use search::RungResult;

/// The time between two checks whether to stop, while waiting.
const POLL: Duration = Duration::from_millis(10);

#[derive(Debug)]
pub(crate) struct Exchange {
    searches: Mutex<Vec<Participant>>,
    changed: Condvar,
}

#[derive(Debug)]
struct Participant {
    /// What it has published, exchange by exchange.
    published: Vec<Option<RungResult>>,
    participation: Participation,
}

/// Whether a search will take part in more exchanges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Participation {
    /// It continues.
    Active,
    /// It has spent its playouts, as it would every time: others continue without it.
    Finished,
    /// It was stopped early: what it would have published is unknown.
    Stopped,
}

impl Exchange {
    /// An exchange between searches that have published these results before.
    pub(crate) fn new(published: impl IntoIterator<Item = Vec<Option<RungResult>>>) -> Self {
        let participant =
            |published| Participant { published, participation: Participation::Active };
        let searches = published.into_iter().map(participant).collect();
        Self { searches: Mutex::new(searches), changed: Condvar::new() }
    }

    /// An exchange of search `number`, which has made `before` exchanges.
    ///
    /// `Break` if it is to stop before all results are known.
    pub(crate) fn exchange(
        &self,
        number: usize,
        before: usize,
        result: Option<RungResult>,
        wants_stop: impl Fn() -> bool,
    ) -> ControlFlow<(), Vec<RungResult>> {
        let mut searches = self.searches.lock().expect("no thread panics in an exchange");
        // A search that was stopped here and resumed has published it already.
        if searches[number].published.len() == before {
            searches[number].published.push(result);
            self.changed.notify_all();
        }
        loop {
            let others = searches.iter().enumerate().filter(|&(other, _)| other != number);
            let (mut received, mut is_late, mut is_stopped) = (Vec::new(), false, false);
            for (_, other) in others {
                let last = before.checked_sub(1).map(|last| other.published.get(last));
                match (last, other.participation) {
                    (None, _) | (Some(None), Participation::Finished) => {}
                    (Some(Some(result)), _) => received.extend(*result),
                    (Some(None), Participation::Active) => is_late = true,
                    (Some(None), Participation::Stopped) => is_stopped = true,
                }
            }
            if is_stopped || is_late && wants_stop() {
                return ControlFlow::Break(());
            }
            if !is_late {
                return ControlFlow::Continue(received);
            }
            let woken = self.changed.wait_timeout(searches, POLL);
            searches = woken.expect("no thread panics in an exchange").0;
        }
    }

    /// A search takes part in no more exchanges.
    pub(crate) fn leave(&self, number: usize, participation: Participation) {
        let mut searches = self.searches.lock().expect("no thread panics in an exchange");
        searches[number].participation = participation;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(score: u32) -> Option<RungResult> {
        Some(RungResult { rung: 0, score })
    }

    fn scores(received: ControlFlow<(), Vec<RungResult>>) -> Option<Vec<u32>> {
        match received {
            ControlFlow::Continue(results) => {
                Some(results.iter().map(|result| result.score).collect())
            }
            ControlFlow::Break(()) => None,
        }
    }

    #[test]
    fn each_receives_what_the_others_published_before() {
        let exchange = Exchange::new([vec![], vec![], vec![]]);
        let meet = |number, before, score| {
            scores(exchange.exchange(number, before, result(score), || true))
        };
        assert_eq!(meet(0, 0, 50), Some(vec![]));
        assert_eq!(meet(0, 1, 51), None, "the others are late");
        assert_eq!(meet(1, 0, 60), Some(vec![]));
        assert_eq!(scores(exchange.exchange(2, 0, None, || true)), Some(vec![]));
        assert_eq!(meet(0, 1, 51), Some(vec![60]));
        assert_eq!(meet(2, 1, 71), Some(vec![50, 60]));
    }

    #[test]
    fn nobody_waits_for_those_that_have_finished() {
        let exchange = Exchange::new([vec![result(50), result(51)], vec![result(60)]]);
        assert_eq!(scores(exchange.exchange(0, 2, result(52), || true)), None);
        exchange.leave(1, Participation::Finished);
        assert_eq!(scores(exchange.exchange(0, 2, result(52), || false)), Some(vec![]));
        assert_eq!(scores(exchange.exchange(0, 1, result(51), || false)), Some(vec![60]));
    }

    #[test]
    fn one_that_was_stopped_stops_the_others() {
        let exchange = Exchange::new([vec![result(50), result(51)], vec![result(60)]]);
        exchange.leave(1, Participation::Stopped);
        assert_eq!(scores(exchange.exchange(0, 1, result(51), || false)), Some(vec![60]));
        assert_eq!(scores(exchange.exchange(0, 2, result(52), || false)), None);
    }
}
