//! How long a search may run, what it reports, and how it exchanges results with others.

use std::ops::ControlFlow;
use std::time::Duration;

use geometry::Move;
use serde::{Deserialize, Serialize};

use crate::clock::Instant;

/// How long a search may run: a number of playouts, a deadline, or both. Without either it runs
/// until its callback stops it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Budget {
    /// The most playouts.
    pub playouts: Option<u64>,
    /// The time after which no playout begins.
    pub deadline: Option<Instant>,
}

impl Budget {
    /// A budget of some playouts, without a deadline.
    pub fn playouts(playouts: u64) -> Self {
        Self { playouts: Some(playouts), deadline: None }
    }
}

/// What a search reports. A callback that returns `Break` stops it after the current playout.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A game longer than all before it, with the moves it began with.
    Improved(&'a [Move]),
    /// The number of playouts so far; every few milliseconds, and once at the end.
    Progress(u64),
}

/// The callback of a search.
pub type OnEvent<'a> = dyn FnMut(Event<'_>) -> ControlFlow<()> + 'a;

/// Publishes the result of a rung, if one has ended, and returns those of the other threads.
///
/// Every thread calls it after the same numbers of playouts, and receives what the others published
/// one call before, so that the result does not depend on who is faster. `Break` if the search is
/// to stop; then nothing was published.
pub type OnExchange<'a> = dyn FnMut(Option<RungResult>) -> ControlFlow<(), Vec<RungResult>> + 'a;

/// The result of a run that has reached the end of a rung of successive halving.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RungResult {
    /// Which rung, counted from 0.
    #[serde(rename = "round")]
    pub rung: usize,
    /// The most moves of a game of the run.
    pub score: u32,
}

/// Counts playouts against a budget and reports to the callback.
pub struct BudgetMeter<'a> {
    budget: Budget,
    on: &'a mut OnEvent<'a>,
    on_exchange: Option<&'a mut OnExchange<'a>>,
    spent: u64,
    /// The number of playouts between two looks at the clock.
    stride: u64,
    /// The time and the number of playouts at the last look.
    last_look: (Instant, u64),
    /// Once over, always over.
    is_over: bool,
    /// Whether a playout may have been cut short.
    is_cut: bool,
}

impl<'a> BudgetMeter<'a> {
    /// A meter with nothing spent.
    pub fn new(budget: Budget, on: &'a mut OnEvent<'a>) -> Self {
        Self::after(0, budget, on)
    }

    /// A meter with some playouts spent before.
    pub(crate) fn after(spent: u64, budget: Budget, on: &'a mut OnEvent<'a>) -> Self {
        let last_look = (Instant::now(), spent);
        let (is_over, is_cut) = (false, false);
        Self { budget, on, on_exchange: None, spent, stride: 1, last_look, is_over, is_cut }
    }

    /// The same meter, exchanging results with the searches of other threads.
    #[must_use]
    pub fn with_exchange(mut self, on_exchange: &'a mut OnExchange<'a>) -> Self {
        self.on_exchange = Some(on_exchange);
        self
    }

    /// The number of playouts made.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Whether a playout may have been cut short: then the search has taken another course than an
    /// uninterrupted one.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Counts one more playout; `Break` if it may not begin.
    ///
    /// The clock is read every few milliseconds, so that asking is cheap and stopping prompt.
    #[inline]
    pub fn playout(&mut self) -> ControlFlow<()> {
        if self.is_over || self.budget.playouts.is_some_and(|most| self.spent >= most) {
            return ControlFlow::Break(());
        }
        if self.spent - self.last_look.1 >= self.stride {
            self.look_in_turn()?;
        }
        self.spent += 1;
        ControlFlow::Continue(())
    }

    /// Counts up to `most` more playouts and returns how many; 0 if none may begin.
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

    /// Subtracts playouts that were granted and not needed.
    pub(crate) fn give_back(&mut self, playouts: u64) {
        self.spent -= playouts;
    }

    /// Reports a game longer than all before it.
    ///
    /// `Break` if no other playout may begin; the result of this one may still be used.
    pub fn improved(&mut self, game: &[Move]) -> ControlFlow<()> {
        let flow = (self.on)(Event::Improved(game));
        self.is_over |= flow.is_break();
        flow
    }

    /// Reads the clock and reports progress within a long playout; on `Break` the playout is cut.
    ///
    /// Does not change how often [`playout`](Self::playout) looks.
    pub fn look(&mut self) -> ControlFlow<()> {
        let flow = self.look_between();
        self.is_cut |= flow.is_break();
        flow
    }

    /// Reads the clock and reports progress between two playouts.
    pub(crate) fn look_between(&mut self) -> ControlFlow<()> {
        let late = self.budget.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.is_over |= (self.on)(Event::Progress(self.spent)).is_break() || late;
        if self.is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Exchanges results with the searches of other threads.
    pub(crate) fn exchange(
        &mut self,
        result: Option<RungResult>,
    ) -> ControlFlow<(), Vec<RungResult>> {
        if self.is_over {
            return ControlFlow::Break(());
        }
        let received = match &mut self.on_exchange {
            Some(exchange) => exchange(result),
            None => ControlFlow::Continue(Vec::new()),
        };
        self.is_over |= received.is_break();
        received
    }

    /// Looks, and adapts the time until the next look to a few milliseconds.
    fn look_in_turn(&mut self) -> ControlFlow<()> {
        let now = Instant::now();
        let since = now.duration_since(self.last_look.0);
        self.last_look = (now, self.spent);
        if since < Duration::from_millis(2) {
            self.stride = (self.stride * 2).min(1 << 40);
        } else if since > Duration::from_millis(8) {
            self.stride = (self.stride / 2).max(1);
        }
        self.look_between()
    }
}

/// The final number of playouts is always reported.
impl Drop for BudgetMeter<'_> {
    fn drop(&mut self) {
        let _ = (self.on)(Event::Progress(self.spent));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_that_is_over_stays_over() {
        let deadline = Some(Instant::now() + Duration::from_millis(5));
        let mut on = |_: Event<'_>| ControlFlow::Continue(());
        let mut meter = BudgetMeter::new(Budget { playouts: None, deadline }, &mut on);
        // Long playouts read the clock themselves, and may do so in between.
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
        let mut on = |_: Event<'_>| ControlFlow::Continue(());
        let mut meter = BudgetMeter::new(Budget::default(), &mut on);
        for _ in 0..100 {
            assert!(meter.look().is_continue());
        }
        assert_eq!(meter.stride, 1);
    }

    #[test]
    fn playouts_are_granted_up_to_the_budget() {
        let mut on = |_: Event<'_>| ControlFlow::Continue(());
        let mut meter = BudgetMeter::new(Budget::playouts(25), &mut on);
        let granted: Vec<u64> = (0..4).map(|_| meter.playouts(10)).collect();
        assert_eq!(granted, [10, 10, 5, 0]);
    }
}
