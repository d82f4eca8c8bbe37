//! The queue as a folder, for workers who share nothing but a file system.
//!
//! A folder for each plan, in which a file is a message and its place says how it stands:
//!
//! ```text
//! PLAN/terms.toml              what holds for the plan; the plan is there when this file is
//! PLAN/tasks/TASK~N            waits, and was handed out N times
//! PLAN/claimed/TASK~N~WORKER   in the hands of a worker, who touches it as a sign of life
//! PLAN/answers/TASK~WORKER~done, ...~failed
//! PLAN/bests/KEY~N             the N-th value told for the key
//! PLAN/new/...                 being written
//! ```
//!
//! Every step is one rename or one link, which file systems of networks do at once or not at all, too.
//! Clocks of different machines are never compared: a claim is over when the coordinator has seen
//! no sign of life for as long as the lease, by its own clock. Who can write into the folder is trusted
//! not to destroy it; what lies in it is not believed more than a message of NATS.

mod bests;
mod coordinator;
mod worker;

pub(crate) use coordinator::SpoolCoordinator;
pub(crate) use worker::SpoolWorker;

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Name, QueueError, Terms};

/// Between the words of a file name; no name has it.
const MARK: char = '~';

/// How often to look for something new.
const LOOK: Duration = Duration::from_millis(100);

/// The largest task that a worker reads.
const LARGEST_TASK: u64 = 64 << 20;

/// The folder of a plan.
#[derive(Debug, Clone)]
struct Folder(PathBuf);

/// What workers must know of the terms.
#[derive(Debug, Serialize, Deserialize)]
struct Posted {
    lease_milliseconds: u64,
    deliveries: u64,
}

impl Folder {
    fn of(spool: &Path, plan: &Name) -> Self {
        Self(spool.join(plan.as_str()))
    }

    fn tasks(&self) -> PathBuf {
        self.0.join("tasks")
    }

    fn claimed(&self) -> PathBuf {
        self.0.join("claimed")
    }

    fn answers(&self) -> PathBuf {
        self.0.join("answers")
    }

    fn bests(&self) -> PathBuf {
        self.0.join("bests")
    }

    fn drafts(&self) -> PathBuf {
        self.0.join("new")
    }

    fn terms(&self) -> PathBuf {
        self.0.join("terms.toml")
    }

    fn make(&self, terms: &Terms) -> Result<(), QueueError> {
        for folder in [self.tasks(), self.claimed(), self.answers(), self.bests(), self.drafts()] {
            fs::create_dir_all(&folder).map_err(at(&folder))?;
        }
        let posted = Posted {
            lease_milliseconds: terms.lease.as_millis().try_into().unwrap_or(u64::MAX),
            deliveries: terms.deliveries,
        };
        let text = toml::to_string(&posted).expect("two numbers are TOML");
        self.write(text.as_bytes(), &self.terms())
    }

    /// The terms, if the plan is there.
    fn read_terms(&self) -> Result<Option<Posted>, QueueError> {
        let path = self.terms();
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            read => read.map_err(at(&path))?,
        };
        let bad = |error| at(&path)(std::io::Error::new(ErrorKind::InvalidData, error));
        toml::from_str(&text).map(Some).map_err(bad)
    }

    /// Writes a file whole, on disk, under its name or not at all.
    fn write(&self, body: &[u8], path: &Path) -> Result<(), QueueError> {
        let file = self.draft(body)?;
        file.persist(path).map_err(|error| at(path)(error.error))?;
        sync_folder_of(path)
    }

    /// A file on disk that has no name among the others yet.
    fn draft(&self, body: &[u8]) -> Result<tempfile::NamedTempFile, QueueError> {
        let folder = self.drafts();
        let draft = || {
            let mut file = tempfile::Builder::new().prefix("new").tempfile_in(&folder)?;
            file.write_all(body)?;
            file.as_file().sync_all()?;
            Ok(file)
        };
        draft().map_err(at(&folder))
    }
}

fn sync_folder_of(path: &Path) -> Result<(), QueueError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(at(folder))
}

/// Moves a file; no if it is no longer there.
fn rename(from: &Path, to: &Path) -> Result<bool, QueueError> {
    found(fs::rename(from, to), from).map(|moved| moved.is_some())
}

/// Removes a file that may be gone already.
fn remove(path: &Path) -> Result<(), QueueError> {
    found(fs::remove_file(path), path).map(|_| ())
}

/// None where there is nothing.
fn found<T>(result: std::io::Result<T>, path: &Path) -> Result<Option<T>, QueueError> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        other => other.map(Some).map_err(at(path)),
    }
}

/// The names of the files in a folder; none if the folder is gone.
fn list(folder: &Path) -> Result<Vec<String>, QueueError> {
    let Some(entries) = found(fs::read_dir(folder), folder)? else { return Ok(Vec::new()) };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(at(folder))?;
        // A name that is no text is none of ours.
        names.extend(entry.file_name().into_string());
    }
    Ok(names)
}

/// The words of a file name, if they are so many.
fn words<const COUNT: usize>(name: &str) -> Option<[&str; COUNT]> {
    name.split(MARK).collect::<Vec<_>>().try_into().ok()
}

/// What was wrong with which file.
fn at(path: &Path) -> impl Fn(std::io::Error) -> QueueError {
    move |error| QueueError::Spool { path: path.display().to_string(), error }
}
