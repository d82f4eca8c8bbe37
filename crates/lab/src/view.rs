//! Results as plain data, the same for every door.

pub mod method;
mod proof;

pub use proof::{
    BoardBoundView, BoardValueView, BoxesView, CapsView, CoverView, EndgameView, EndlessView,
    EnumerationView, FormulaView, HullCountView, HullView, NoAnswerView, OptimumView,
};
