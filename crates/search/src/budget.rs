//! How long a search may go on, and who watches it.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use geometry::Move;
use serde::{Deserialize, Serialize};

use crate::State;

/// How long a search may go on: so many playouts, until a moment, or both. Without either it goes
/// on until its observer stops it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Budget {
    /// At most this many playouts.
    pub playouts: Option<u64>,
    /// No playout begins after this.
    pub deadline: Option<Instant>,
}

/// Watches a search from outside. `Break` asks it to stop after the current playout.
pub trait Observer {
    /// A game better than all before it: the moves after the start.
    fn improved(&mut self, game: &[Move]) -> ControlFlow<()>;

    /// How many playouts the search has made so far; told now and then.
    fn spent(&mut self, _playouts: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Whether the search should hand over its state; asked now and then, and with `last` at its
    /// end.
    fn wants_state(&mut self, _last: bool) -> bool {
        false
    }

    /// The state of the search between two playouts, some time after it was wanted.
    fn state(&mut self, _state: State) {}

    /// Meets the searches of other threads, as often for each number of playouts: tells them what
    /// has ended since the last meeting, and hears what they told at the one before this.
    ///
    /// So what is heard does not depend on who is faster. `Break` if the search is to stop first;
    /// then nothing was told.
    fn meet(&mut self, _ended: Option<Ended>) -> ControlFlow<(), Vec<Ended>> {
        ControlFlow::Continue(Vec::new())
    }
}

/// One of many runs of a search has ended a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ended {
    /// Which round.
    pub round: usize,
    /// The most moves of a game so far.
    pub score: u32,
}

/// An observer that looks away.
pub struct Unwatched;

impl Observer for Unwatched {
    fn improved(&mut self, _game: &[Move]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Counts playouts against a budget and tells the observer.
pub struct Meter<'a> {
    budget: Budget,
    observer: &'a mut dyn Observer,
    spent: u64,
    /// How many playouts to make between two looks at the clock.
    stride: u64,
    /// When, and after how many playouts, the last look was.
    looked: (Instant, u64),
    /// Once over, always over.
    over: bool,
    /// Whether a playout may have been cut before its end.
    cut: bool,
    /// Whether the observer wants the state of the search.
    wanted: bool,
}

impl<'a> Meter<'a> {
    /// A meter with nothing spent.
    pub fn new(budget: Budget, observer: &'a mut dyn Observer) -> Self {
        Self::after(0, budget, observer)
    }

    /// A meter with so many playouts spent before.
    pub(crate) fn after(spent: u64, budget: Budget, observer: &'a mut dyn Observer) -> Self {
        let looked = (Instant::now(), spent);
        let (over, cut, wanted) = (false, false, false);
        Self { budget, observer, spent, stride: 1, looked, over, cut, wanted }
    }

    /// How many playouts were made.
    pub(crate) fn spent(&self) -> u64 {
        self.spent
    }

    /// Counts one more playout; `Break` if it may not begin.
    ///
    /// The clock is looked at every few milliseconds: asking is cheap and stopping is prompt.
    pub fn playout(&mut self) -> ControlFlow<()> {
        if self.over || self.budget.playouts.is_some_and(|most| self.spent >= most) {
            return ControlFlow::Break(());
        }
        if self.spent - self.looked.1 >= self.stride {
            self.look_in_turn()?;
        }
        self.spent += 1;
        ControlFlow::Continue(())
    }

    /// Counts up to `most` more playouts and gives back how many; 0 if none may begin.
    ///
    /// For playouts so short that asking for each would cost too much.
    pub fn playouts(&mut self, most: u64) -> u64 {
        let left = self.budget.playouts.map_or(u64::MAX, |all| all.saturating_sub(self.spent));
        if left == 0 || self.playout().is_break() {
            return 0;
        }
        let granted = most.min(left);
        self.spent += granted - 1;
        granted
    }

    /// Counts playouts as not made that were granted and not needed.
    pub(crate) fn give_back(&mut self, playouts: u64) {
        self.spent -= playouts;
    }

    /// Tells the observer of a game better than all before it.
    ///
    /// `Break` if no other playout may begin; what this one has brought can be put in its place.
    pub fn improved(&mut self, game: &[Move]) -> ControlFlow<()> {
        let flow = self.observer.improved(game);
        self.over |= flow.is_break();
        flow
    }

    /// Looks at the clock and asks the observer, within a playout that takes long; on `Break` the
    /// playout is cut.
    ///
    /// Says nothing about how long playouts take, so [`playout`](Self::playout) looks as often as
    /// before.
    pub fn look(&mut self) -> ControlFlow<()> {
        let flow = self.look_between();
        self.cut |= flow.is_break();
        flow
    }

    /// Looks at the clock and asks the observer, between two playouts.
    pub(crate) fn look_between(&mut self) -> ControlFlow<()> {
        let late = self.budget.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.over |= self.observer.spent(self.spent).is_break() || late;
        if self.over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Meets the searches of other threads.
    pub(crate) fn meet(&mut self, ended: Option<Ended>) -> ControlFlow<(), Vec<Ended>> {
        if self.over {
            return ControlFlow::Break(());
        }
        let heard = self.observer.meet(ended);
        self.over |= heard.is_break();
        heard
    }

    /// Whether to hand over the state of the search now.
    #[inline(always)]
    pub(crate) fn wants_state(&self) -> bool {
        self.wanted && !self.cut
    }

    /// Whether to hand over the state of the search at its end.
    ///
    /// Not after a cut: that search has gone another way than one that nobody stopped.
    pub(crate) fn wants_last_state(&mut self) -> bool {
        !self.cut && self.observer.wants_state(true)
    }

    /// Hands the state of the search over to the observer.
    pub(crate) fn hand_over(&mut self, state: State) {
        self.wanted = false;
        self.observer.state(state);
    }

    /// Looks, and makes the time until the next look a few milliseconds.
    fn look_in_turn(&mut self) -> ControlFlow<()> {
        let now = Instant::now();
        let since = now.duration_since(self.looked.0);
        self.looked = (now, self.spent);
        if since < Duration::from_millis(2) {
            self.stride = (self.stride * 2).min(1 << 40);
        } else if since > Duration::from_millis(8) {
            self.stride = (self.stride / 2).max(1);
        }
        self.wanted = self.observer.wants_state(false);
        self.look_between()
    }
}

/// The observer is always told the final number of playouts.
impl Drop for Meter<'_> {
    fn drop(&mut self) {
        let _ = self.observer.spent(self.spent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_that_is_over_stays_over() {
        let deadline = Some(Instant::now() + Duration::from_millis(5));
        let mut observer = Unwatched;
        let mut meter = Meter::new(Budget { playouts: None, deadline }, &mut observer);
        // Long playouts look at the clock themselves, and may do so in between.
        while meter.look().is_continue() {
            let _ = meter.playout();
        }
        for _ in 0..100 {
            assert!(meter.playout().is_break());
            assert_eq!(meter.playouts(10), 0);
        }
    }

    #[test]
    fn looking_in_between_does_not_make_looks_rarer() {
        let mut observer = Unwatched;
        let mut meter = Meter::new(Budget::default(), &mut observer);
        for _ in 0..100 {
            assert!(meter.look().is_continue());
        }
        assert_eq!(meter.stride, 1);
    }

    #[test]
    fn playouts_are_granted_up_to_the_budget() {
        let mut observer = Unwatched;
        let mut meter = Meter::new(Budget { playouts: Some(25), deadline: None }, &mut observer);
        let granted: Vec<u64> = (0..4).map(|_| meter.playouts(10)).collect();
        assert_eq!(granted, [10, 10, 5, 0]);
    }
}
