//! Where the searches of a hunt tell each other how their runs go.
//!
//! Each comes to its n-th meeting after as many playouts as every other, tells what it has to tell,
//! and hears what the others told at their meeting before. It waits only for those that are more
//! than a meeting behind. So what is heard depends on nothing but the searches, not on their speed,
//! and a hunt on several threads finds the same games every time.

use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use search::Ended;

/// How long to wait before asking again whether to stop.
const LOOK: Duration = Duration::from_millis(10);

#[derive(Debug)]
pub(crate) struct Meetings {
    islands: Mutex<Vec<Island>>,
    news: Condvar,
}

#[derive(Debug)]
struct Island {
    /// What it has told, meeting by meeting.
    told: Vec<Option<Ended>>,
    presence: Presence,
}

/// Whether a search will come to more meetings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    /// It goes on.
    Here,
    /// It has spent its playouts, as it would every time: others go on without it.
    Done,
    /// It was stopped on the way: nobody knows what it would have told.
    Gone,
}

impl Meetings {
    /// Meetings of searches that have told this before.
    pub(crate) fn new(told: impl IntoIterator<Item = Vec<Option<Ended>>>) -> Self {
        let island = |told| Island { told, presence: Presence::Here };
        let islands = told.into_iter().map(island).collect();
        Self { islands: Mutex::new(islands), news: Condvar::new() }
    }

    /// The meeting of a search that has been to `before` meetings.
    ///
    /// `Break` if it is to stop before all are heard.
    pub(crate) fn meet(
        &self,
        number: usize,
        before: usize,
        word: Option<Ended>,
        wants_stop: impl Fn() -> bool,
    ) -> ControlFlow<(), Vec<Ended>> {
        let mut islands = self.islands.lock().expect("no thread panics at a meeting");
        // Told already if this search goes a second time where it was before it was stopped.
        if islands[number].told.len() == before {
            islands[number].told.push(word);
            self.news.notify_all();
        }
        loop {
            let others = islands.iter().enumerate().filter(|&(other, _)| other != number);
            let (mut heard, mut late, mut gone) = (Vec::new(), false, false);
            for (_, island) in others {
                match (before.checked_sub(1).map(|last| island.told.get(last)), island.presence) {
                    (None, _) | (Some(None), Presence::Done) => {}
                    (Some(Some(word)), _) => heard.extend(*word),
                    (Some(None), Presence::Here) => late = true,
                    (Some(None), Presence::Gone) => gone = true,
                }
            }
            if gone || late && wants_stop() {
                return ControlFlow::Break(());
            }
            if !late {
                return ControlFlow::Continue(heard);
            }
            let woken = self.news.wait_timeout(islands, LOOK);
            islands = woken.expect("no thread panics at a meeting").0;
        }
    }

    /// A search comes to no more meetings.
    pub(crate) fn leave(&self, number: usize, presence: Presence) {
        let mut islands = self.islands.lock().expect("no thread panics at a meeting");
        islands[number].presence = presence;
        self.news.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(score: u32) -> Option<Ended> {
        Some(Ended { round: 0, score })
    }

    fn scores(heard: ControlFlow<(), Vec<Ended>>) -> Option<Vec<u32>> {
        match heard {
            ControlFlow::Continue(heard) => Some(heard.iter().map(|word| word.score).collect()),
            ControlFlow::Break(()) => None,
        }
    }

    #[test]
    fn each_hears_what_the_others_told_before() {
        let meetings = Meetings::new([vec![], vec![], vec![]]);
        let meet =
            |number, before, score| scores(meetings.meet(number, before, word(score), || true));
        assert_eq!(meet(0, 0, 50), Some(vec![]));
        assert_eq!(meet(0, 1, 51), None, "the others are late");
        assert_eq!(meet(1, 0, 60), Some(vec![]));
        assert_eq!(scores(meetings.meet(2, 0, None, || true)), Some(vec![]));
        assert_eq!(meet(0, 1, 51), Some(vec![60]));
        assert_eq!(meet(2, 1, 71), Some(vec![50, 60]));
    }

    #[test]
    fn nobody_waits_for_those_who_have_done_their_part() {
        let meetings = Meetings::new([vec![word(50), word(51)], vec![word(60)]]);
        assert_eq!(scores(meetings.meet(0, 2, word(52), || true)), None);
        meetings.leave(1, Presence::Done);
        assert_eq!(scores(meetings.meet(0, 2, word(52), || false)), Some(vec![]));
        assert_eq!(scores(meetings.meet(0, 1, word(51), || false)), Some(vec![60]));
    }

    #[test]
    fn who_was_stopped_stops_the_others() {
        let meetings = Meetings::new([vec![word(50), word(51)], vec![word(60)]]);
        meetings.leave(1, Presence::Gone);
        assert_eq!(scores(meetings.meet(0, 1, word(51), || false)), Some(vec![60]));
        assert_eq!(scores(meetings.meet(0, 2, word(52), || false)), None);
    }
}
