//! A search under way.

use std::ops::ControlFlow;

use geometry::{Game, Move};
use rules::{Engine, LineBoard};

use crate::state::{MethodState, replayed};
use crate::{
    Budget, BudgetMeter, Event, Method, MoveList, OnEvent, Rng, RungResult, SearchState, StateError,
};

/// A run of a method. Between two steps its state is consistent and can be saved.
pub trait Run: Send {
    /// Makes a step: a playout, or at most some thousand very short ones.
    ///
    /// `Break` when the meter allows no more, or nothing can follow. The state is consistent then
    /// too, unless a playout was cut ([`BudgetMeter::is_cut`]).
    fn step(&mut self, meter: &mut BudgetMeter<'_>, rng: &mut Rng) -> ControlFlow<()>;

    /// The longest game so far, with the moves it began with.
    fn best(&self) -> &[Move];

    /// The state of the method; `None` if it cannot be saved.
    fn state(&self) -> Option<MethodState>;

    /// Restores a saved state into a run that has made no step. On an error the run is unusable.
    fn restore(&mut self, state: &SearchState) -> Result<(), StateError>;

    /// The results published in exchanges with other threads, in order.
    fn published(&self) -> &[Option<RungResult>] {
        &[]
    }

    /// Called once, after the last step and after its state was taken.
    fn finish(&mut self, _meter: &mut BudgetMeter<'_>) {}
}

/// A run together with its random generator.
pub struct Search {
    run: Box<dyn Run>,
    rng: Rng,
    /// The number of playouts made before.
    playouts: u64,
}

impl Search {
    /// Starts a search for long games that begin with the moves `prefix`.
    ///
    /// # Panics
    /// If the moves are not legal.
    pub fn start(method: &dyn Method, game: &Game, prefix: &[Move], mut rng: Rng) -> Self {
        Self { run: method.start(game, prefix, &mut rng), rng, playouts: 0 }
    }

    /// Starts the same search on the plain engine, for comparison.
    pub fn start_plain(method: &dyn Method, game: &Game, prefix: &[Move], mut rng: Rng) -> Self {
        Self { run: method.start_plain(game, prefix, &mut rng), rng, playouts: 0 }
    }

    /// Resumes a search, which continues as if it had never stopped. Its playouts count: the budget
    /// is for both.
    ///
    /// The game, the prefix and the method must be those of the search that was saved. The state
    /// may come from anywhere: it is checked.
    pub fn resume(
        method: &dyn Method,
        game: &Game,
        prefix: &[Move],
        state: &SearchState,
    ) -> Result<Self, StateError> {
        state.check()?;
        // What a run samples when it starts is part of its state.
        let mut run = method.start(game, prefix, &mut state.generator.clone());
        run.restore(state)?;
        Ok(Self { run, rng: state.generator.clone(), playouts: state.playouts })
    }

    /// A meter that counts on from the playouts made.
    pub fn meter<'a>(&self, budget: Budget, on: &'a mut OnEvent<'a>) -> BudgetMeter<'a> {
        BudgetMeter::after(self.playouts, budget, on)
    }

    /// Makes a step; `Break` at the end: see [`Run::step`].
    #[inline]
    pub fn step(&mut self, meter: &mut BudgetMeter<'_>) -> ControlFlow<()> {
        self.run.step(meter, &mut self.rng)
    }

    /// The state between two steps; `None` after a playout that was cut, and for methods that
    /// cannot be saved.
    pub fn state(&self, meter: &BudgetMeter<'_>) -> Option<SearchState> {
        if meter.is_cut() {
            return None;
        }
        Some(SearchState {
            playouts: meter.spent(),
            generator: self.rng.clone(),
            best: MoveList(self.run.best().to_vec()),
            search: self.run.state()?,
        })
    }

    /// The results published in exchanges with other threads, in order.
    pub fn published(&self) -> &[Option<RungResult>] {
        self.run.published()
    }

    /// The number of playouts made before this search was resumed.
    pub fn playouts(&self) -> u64 {
        self.playouts
    }

    /// Ends the search and returns the longest game.
    pub fn finish(mut self, meter: &mut BudgetMeter<'_>) -> Vec<Move> {
        self.run.finish(meter);
        self.run.best().to_vec()
    }

    /// Searches until the budget is spent or the callback stops it, and returns the longest game.
    pub fn run(
        mut self,
        budget: Budget,
        mut on: impl FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Vec<Move> {
        let mut meter = self.meter(budget, &mut on);
        while self.step(&mut meter).is_continue() {}
        self.finish(&mut meter)
    }
}

/// What every search on an engine has: where its games begin, and the longest one so far.
pub(crate) struct SearchBase<E> {
    pub(crate) engine: E,
    /// The moves with which every game begins.
    pub(crate) prefix: Vec<Move>,
    pub(crate) best: Vec<Move>,
}

impl<E: Engine> SearchBase<E> {
    pub(crate) fn new(engine: &E, prefix: &[Move]) -> Self {
        Self { engine: engine.clone(), prefix: prefix.to_vec(), best: prefix.to_vec() }
    }

    /// The position after the prefix.
    pub(crate) fn position(&self) -> E::Position {
        self.engine.position_after(&self.prefix).expect("the first moves are legal")
    }

    /// The line board after the prefix.
    pub(crate) fn line_board(&self) -> E::LineBoard {
        let mut board = self.engine.line_board();
        board.draw_all(&self.prefix);
        board
    }

    /// The number of moves at which a game is cut, those of the prefix included.
    pub(crate) fn max_moves(&self) -> usize {
        max_moves(self.engine.game())
    }

    /// The number of moves after the prefix at which a game is cut.
    pub(crate) fn max_lines(&self) -> usize {
        self.max_moves().saturating_sub(self.prefix.len())
    }

    /// Whether a game with this many moves after the prefix is longer than the best.
    #[inline(always)]
    pub(crate) fn is_better(&self, lines: usize) -> bool {
        self.prefix.len() + lines > self.best.len()
    }

    /// Records a game longer than the best; `Break` if no other playout may begin.
    pub(crate) fn improve(
        &mut self,
        game: Vec<Move>,
        meter: &mut BudgetMeter<'_>,
    ) -> ControlFlow<()> {
        self.best = game;
        meter.improved(&self.best)
    }

    /// Takes over the longest game of a saved search, which must be legal.
    pub(crate) fn restore(&mut self, state: &SearchState) -> Result<(), StateError> {
        replayed(&self.engine, &self.prefix, state.best())?;
        self.best = state.best().to_vec();
        Ok(())
    }
}

/// The number of moves at which a game is cut: some games never end.
///
/// Far beyond every game that is known to end: no standard game exceeds 705 moves (Demaine et al.
/// 2006), and disjoint lines of 5 or more give fewer than four moves for each dot of a start.
pub(crate) fn max_moves(game: &Game) -> usize {
    (4 * game.start.dots().len()).max(10_000)
}
