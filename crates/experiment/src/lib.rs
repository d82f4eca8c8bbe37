//! The experiments of the field, run again: published tables and figures, comparisons of methods
//! by CPU time, a survey of boards, and a simulation of clusters.
//!
//! [`EXPERIMENTS`] has one row per experiment. A row says what can be chosen, what the experiment
//! costs and how it runs; its results are files in a folder and one [`ResultsView`]. An
//! `ExperimentDesign` is a table of cells, each run several times with seeds of its own;
//! `conduct` makes the runs that the journal does not have yet, so an interrupted experiment
//! resumes. Printing is left to the caller.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use morpion_experiment::{Request, find};
//!
//! let folder = tempfile::tempdir()?;
//! let table2 = find("table2").expect("an experiment");
//! let mut request = Request::new(table2, 1);
//! request.set("sizes", "100")?;
//! request.set("repeats", "2")?;
//! request.set("out", folder.path().to_str().expect("UTF-8"))?;
//! let views = (table2.run)(&request, &|_event| ControlFlow::Continue(()))?;
//! assert_eq!(views[0].runs(), Some(4 * 2));
//! assert!(folder.path().join("table2.csv").is_file());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agent;
pub mod bench;
mod chance;
mod conduct;
mod design;
mod error;
mod journal;
mod output;
mod paper;
#[cfg(feature = "learn")]
mod ranked_reward;
mod registry;
mod request;
mod run;
mod scale;
mod starts;
mod statistics;
mod survey;

use std::ops::ControlFlow;
use std::time::Duration;

pub use agent::{AgentError, AgentFault};
pub use error::ExperimentError;
pub use journal::{JournalError, JournalFault};
pub use output::{
    ChanceView, ComparisonView, PaperClaimView, ResultsView, ViewDetails, WallTimeView,
};
pub use paper::designs::DesignError;
pub use registry::{EXPERIMENTS, Experiment, ExperimentCost, find};
pub use request::{
    ExperimentParameter, ParameterKind, PrefixGame, Request, RequestError, ValueError,
};
pub use scale::MeasurementsError;
pub use starts::StartsTableError;
pub use survey::{ParseSurveyError, SurveyError};

/// The progress of an experiment, reported from any of its threads.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// Some of the work is done.
    Progress {
        /// The name of the experiment.
        experiment: &'static str,
        /// What is counted: `runs`, `iterations`, `boards`, `starts` or `clusters`.
        unit: &'static str,
        /// How many of them are done.
        done: usize,
        /// How many there are.
        total: usize,
        /// The estimated remaining time, if any run has made progress yet.
        remaining: Option<Duration>,
    },
}

/// Receives events; `Break` interrupts the experiment, which keeps its finished runs.
pub type OnEvent<'a> = &'a (dyn Fn(Event) -> ControlFlow<()> + Sync);
