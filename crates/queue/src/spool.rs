//! The queue as a folder, for workers that share nothing but a file system.
//!
//! Each plan has a folder, in which a file is a message and its place says what state it is in:
//!
//! ```text
//! PLAN/terms.toml              the plan's options; the plan exists when this file does
//! PLAN/tasks/TASK~N            waiting; was claimed N times before
//! PLAN/claimed/TASK~N~WORKER   claimed by a worker, which touches it as a heartbeat
//! PLAN/answers/TASK~WORKER~done, ...~failed
//! PLAN/bests/KEY~N             the N-th value published for the key
//! PLAN/new/...                 being written
//! ```
//!
//! Every step is one rename or one link, which is atomic on network file systems, too. Clocks of
//! different machines are never compared: a claim is over when the coordinator has seen no
//! heartbeat for the length of the lease, by its own clock. Whoever can write into the folder is
//! trusted not to destroy it; its content is trusted no more than a NATS message.

mod coordinator;
mod shared_best;
mod worker;

pub(crate) use coordinator::SpoolCoordinator;
pub(crate) use worker::SpoolWorker;

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Name, QueueError, QueueOptions};

/// Between the words of a file name; no [`Name`] contains it.
const SEPARATOR: char = '~';

/// How often to look for new files.
const POLL: Duration = Duration::from_millis(100);

/// The largest task that a worker reads.
const LARGEST_TASK: u64 = 64 << 20;

/// The folder of a plan.
#[derive(Debug, Clone)]
struct Folder(PathBuf);

/// The options that workers need to know.
#[derive(Debug, Serialize, Deserialize)]
struct Terms {
    lease_milliseconds: u64,
    deliveries: u64,
}

impl Folder {
    fn new(spool: &Path, plan: &Name) -> Self {
        Self(spool.join(plan.as_str()))
    }

    fn tasks(&self) -> PathBuf {
        self.0.join("tasks")
    }

    fn claimed(&self) -> PathBuf {
        self.0.join("claimed")
    }

    fn replies(&self) -> PathBuf {
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

    fn create(&self, options: &QueueOptions) -> Result<(), QueueError> {
        for folder in [self.tasks(), self.claimed(), self.replies(), self.bests(), self.drafts()] {
            fs::create_dir_all(&folder).map_err(at(&folder))?;
        }
        let terms = Terms {
            lease_milliseconds: options.lease.as_millis().try_into().unwrap_or(u64::MAX),
            deliveries: options.deliveries,
        };
        let text = toml::to_string(&terms).expect("two numbers are TOML");
        self.write(text.as_bytes(), &self.terms())
    }

    /// The terms, if the plan exists.
    fn read_terms(&self) -> Result<Option<Terms>, QueueError> {
        let path = self.terms();
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            read => read.map_err(at(&path))?,
        };
        let invalid = |error| at(&path)(std::io::Error::new(ErrorKind::InvalidData, error));
        toml::from_str(&text).map(Some).map_err(invalid)
    }

    /// Writes a file atomically and durably.
    fn write(&self, body: &[u8], path: &Path) -> Result<(), QueueError> {
        let file = self.draft(body)?;
        file.persist(path).map_err(|error| at(path)(error.error))?;
        sync_folder_of(path)
    }

    /// A file on disk that is not among the others yet.
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

/// Moves a file; returns whether it was still there.
fn rename(from: &Path, to: &Path) -> Result<bool, QueueError> {
    found(fs::rename(from, to), from).map(|moved| moved.is_some())
}

/// Removes a file that may be gone already.
fn remove(path: &Path) -> Result<(), QueueError> {
    found(fs::remove_file(path), path).map(|_| ())
}

/// `None` if there is no such file.
fn found<T>(result: std::io::Result<T>, path: &Path) -> Result<Option<T>, QueueError> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        other => other.map(Some).map_err(at(path)),
    }
}

/// The names of the files in a folder; none if there is no such folder.
fn list(folder: &Path) -> Result<Vec<String>, QueueError> {
    let Some(entries) = found(fs::read_dir(folder), folder)? else { return Ok(Vec::new()) };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(at(folder))?;
        // A name that is not UTF-8 is not ours.
        names.extend(entry.file_name().into_string());
    }
    Ok(names)
}

/// The words of a file name, if there are `COUNT`.
fn words<const COUNT: usize>(name: &str) -> Option<[&str; COUNT]> {
    name.split(SEPARATOR).collect::<Vec<_>>().try_into().ok()
}

/// An error with the file it is about.
fn at(path: &Path) -> impl Fn(std::io::Error) -> QueueError {
    move |error| QueueError::Spool { path: path.display().to_string(), error }
}
