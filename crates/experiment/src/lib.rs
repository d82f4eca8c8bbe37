//! Published tables and figures, run again beside the published values.
//!
//! A [`Plan`] is a table of cells, each run many times with seeds of their own; [`conduct`] makes
//! the runs that its file of results does not have yet; [`report`] puts the results beside what was
//! published. Arguments and the remaining files are `cli`'s work.

mod conduct;
mod journal;
mod paper;
mod plan;
pub mod plans;
pub mod report;
pub mod scale;
mod single;
pub mod statistics;
pub mod survey;

pub use conduct::{Audience, ConductError, Ending, Standing, conduct};
pub use journal::{Fault, Improvement, Journal, JournalError, Row};
pub use plan::{Cell, Length, Plan, RunId};
