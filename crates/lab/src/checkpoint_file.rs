//! The checkpoint of a search, in a file beside its best game.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use geometry::Game;
use hunt::{Checkpoint, CheckpointError, CheckpointTooLarge};

use crate::files::{self, FileError};

/// The file a search is saved to. The first save sets another search in it aside.
#[derive(Debug)]
pub struct CheckpointFile {
    path: PathBuf,
    /// Whether the file belongs to this search.
    is_ours: AtomicBool,
    /// Held while the search is running, so that no other one uses the same files.
    _lock: LockFile,
}

/// A file that is locked while it exists for this process, and removed at the end.
#[derive(Debug)]
struct LockFile {
    path: PathBuf,
    _file: File,
}

impl LockFile {
    /// Locks the file; `None` if another process holds it.
    fn acquire(path: PathBuf) -> io::Result<Option<Self>> {
        loop {
            let file = File::options().create(true).append(true).open(&path)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Ok(None),
                // A file system without locks is used without.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            // The one before may have removed the file between these two steps.
            if path.exists() {
                return Ok(Some(Self { path, _file: file }));
            }
        }
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Why a search cannot be saved or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointFileError {
    /// The path is taken by something else.
    #[error("{0} is not a regular file; move it away, or choose another --out")]
    Irregular(String),
    /// Another search uses it.
    #[error("another search writes to {0}; stop it, or choose another --out")]
    InUse(String),
    /// It cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// It does not hold a search.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The search is too large to be saved.
    #[error(transparent)]
    TooLarge(#[from] CheckpointTooLarge),
}

impl CheckpointFile {
    /// `best.json.state` for `best.json`; `None` beside what is not a regular file (a device, a
    /// pipe).
    pub fn beside(game: &Path) -> Result<Option<Self>, CheckpointFileError> {
        if game.exists() && !game.is_file() {
            return Ok(None);
        }
        let path = with_ending(game, ".state");
        if path.exists() && !path.is_file() {
            return Err(CheckpointFileError::Irregular(files::name(&path)));
        }
        let place = with_ending(game, ".lock");
        let locked = LockFile::acquire(place.clone());
        let locked = locked.map_err(|source| FileError::Write(files::name(&place), source))?;
        let lock = locked.ok_or_else(|| CheckpointFileError::InUse(files::name(game)))?;
        Ok(Some(Self { path, is_ours: AtomicBool::new(false), _lock: lock }))
    }

    /// Its name, safe to print.
    #[must_use]
    pub fn name(&self) -> String {
        files::name(&self.path)
    }

    /// The name under which another search in it is kept.
    #[must_use]
    pub fn name_of_old(&self) -> String {
        files::name(&self.old())
    }

    /// Whether it holds a search.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.path.exists()
    }

    /// Whether it holds a search for this game.
    #[must_use]
    pub fn is_of(&self, game: &Game) -> bool {
        let bytes = files::read(&self.path).ok();
        let saved = bytes.and_then(|bytes| Checkpoint::from_bytes(&bytes).ok());
        saved.is_some_and(|saved| saved.spec.game == *game)
    }

    /// The search in it, if there is one; saves continue it.
    pub fn read(&self) -> Result<Option<Checkpoint>, CheckpointFileError> {
        if !self.exists() {
            return Ok(None);
        }
        let checkpoint = Checkpoint::from_bytes(&files::read(&self.path)?)?;
        self.is_ours.store(true, Ordering::Relaxed);
        Ok(Some(checkpoint))
    }

    /// Saves the search.
    pub fn save(&self, checkpoint: &Checkpoint) -> Result<(), CheckpointFileError> {
        let bytes = checkpoint.to_bytes()?;
        files::exclusively(&self.path, || {
            if !self.is_ours.load(Ordering::Relaxed) && self.path.is_file() {
                files::set_aside(&self.path, &self.old())?;
            }
            files::write_locked(&self.path, &bytes)?;
            self.is_ours.store(true, Ordering::Relaxed);
            Ok(())
        })
    }

    /// A place that no earlier search has taken.
    fn old(&self) -> PathBuf {
        let numbered = (2..).map(|number| with_ending(&self.path, &format!(".old.{number}")));
        let mut places = std::iter::once(with_ending(&self.path, ".old")).chain(numbered);
        places.find(|place| !place.exists()).expect("there are numbers enough")
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}
