//! The steps of a tree in a file: each is appended as it is found.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::ProveError;
use crate::parts::{PartsError, PartsFile};

/// A file of steps, locked while it is open.
pub(super) struct StoredSteps {
    file: PartsFile,
    /// The number of the next step.
    next: usize,
    failed: Option<PartsError>,
}

impl StoredSteps {
    /// Opens the file of this work, or creates it; returns the steps in it.
    pub(super) fn open<S: FromStr>(path: &Path, work: &str) -> Result<(Self, Vec<S>), ProveError> {
        let (file, known) = PartsFile::open(path, work, usize::MAX, |_, step| step.parse().ok())?;
        let next = known.last_key_value().map_or(0, |(last, _)| last + 1);
        Ok((Self { file, next, failed: None }, known.into_values().collect()))
    }

    /// Stores a step; [`finish`](Self::finish) says why not.
    pub(super) fn append(&mut self, step: &impl fmt::Display) -> Result<(), ()> {
        let appended = self.file.append(self.next, &step.to_string());
        self.next += 1;
        appended.map_err(|error| self.failed = Some(error))
    }

    /// Whether all steps are stored.
    pub(super) fn finish(self) -> Result<(), ProveError> {
        self.failed.map_or(Ok(()), |error| Err(error.into()))
    }
}
