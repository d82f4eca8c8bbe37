//! Why an experiment has no result.

use std::io;
use std::path::PathBuf;

use hunt::HuntError;

use crate::agent::AgentError;
use crate::journal::JournalError;
use crate::output::display;
use crate::paper::designs::DesignError;
use crate::request::RequestError;
use crate::scale::MeasurementsError;
use crate::starts::StartsTableError;
use crate::survey::{ParseSurveyError, SurveyError};

/// Why an experiment has no result. Finished runs are kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// A parameter does not fit.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The design has a method or parameter that does not exist.
    #[error(transparent)]
    Design(#[from] DesignError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A run failed.
    #[error(transparent)]
    Hunt(#[from] HuntError),
    /// An agent has no result.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// A survey of boards failed.
    #[error(transparent)]
    Survey(#[from] SurveyError),
    /// A table of surveyed boards cannot be continued.
    #[error("{}", display(.0))]
    SurveyTable(PathBuf, #[source] ParseSurveyError),
    /// A search over starts cannot be continued.
    #[error("{}", display(.0))]
    StartsTable(PathBuf, #[source] StartsTableError),
    /// Measured times cannot be read.
    #[error("{}", display(.0))]
    Measurements(PathBuf, #[source] MeasurementsError),
    /// A training run cannot be read or saved.
    #[cfg(feature = "learn")]
    #[error(transparent)]
    TrainingFolder(#[from] lab::training_folder::TrainingFolderError),
    /// A training run failed.
    #[cfg(feature = "learn")]
    #[error(transparent)]
    Training(learn::TrainError),
    /// The folder holds a training run with other settings.
    #[error(
        "{} was trained with other settings; choose another --out, or use the same settings",
        display(.0)
    )]
    OtherSettings(PathBuf),
    /// The system refused to start threads.
    #[error("cannot start {0} threads; ask for fewer")]
    Threads(u32, #[source] io::Error),
    /// A folder cannot be created.
    #[error(transparent)]
    Folder(#[from] lab::files::FileError),
    /// A file cannot be read or written.
    #[error("{}", display(.0))]
    File(PathBuf, #[source] io::Error),
    /// The caller interrupted it; the same request resumes.
    #[error(
        "{experiment}: {done} of {total} {unit} are stored in {}; the same command resumes",
        display(.file)
    )]
    Interrupted {
        /// The name of the experiment.
        experiment: &'static str,
        /// What is counted.
        unit: &'static str,
        /// How many are done.
        done: usize,
        /// How many there are.
        total: usize,
        /// Where they are stored.
        file: PathBuf,
    },
}
