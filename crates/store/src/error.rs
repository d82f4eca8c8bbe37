//! Why the archive cannot do what was asked.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Why the archive cannot do what was asked. What it held before, it still holds.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is none.
    #[error("no archive in {}", .0.display())]
    NoArchive(PathBuf),
    /// Its database has lost its content.
    #[error("{} is empty: restore a copy, or name another archive", .0.display())]
    Emptied(PathBuf),
    /// The folder is used for something else.
    #[error("{} holds other files and no archive; choose a new or empty folder", .0.display())]
    OtherFolder(PathBuf),
    /// The database belongs to another program.
    #[error("the database in {} belongs to another program", .0.display())]
    OtherDatabase(PathBuf),
    /// It was written by a later version of the program.
    #[error(
        "the archive in {} has version {found}, but this program knows versions up to {known}; \
         use a newer one",
        .path.display()
    )]
    Newer {
        /// The archive.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The latest known version.
        known: i64,
    },
    /// A file operation failed.
    #[error("{}: {reason}", .path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// There is no room for what should be stored.
    #[error("the disk is full; free some space, and the same command continues")]
    Full,
    /// The database failed.
    #[error(
        "the archive's database, archive.sqlite: {0}; restore a copy, or import its games into a \
         new archive"
    )]
    Database(rusqlite::Error),
    /// Something stored has changed.
    #[error("{what} is damaged: {reason}; `morpion store check` checks everything")]
    Damaged {
        /// What is damaged.
        what: String,
        /// How that was noticed.
        reason: String,
    },
    /// Another process coordinates runs here.
    #[error(
        "another `morpion run` uses the archive in {}; see `morpion status`, or `morpion stop` it",
        .0.display()
    )]
    Locked(PathBuf),
    /// No id starts with these digits.
    #[error("nothing in the archive has an id that starts with `{0}`")]
    Unknown(String),
    /// Several ids start with them.
    #[error("several ids in the archive start with `{0}`; give more digits")]
    Ambiguous(String),
}

/// By hand, since the message includes the cause, which must not be repeated as the source.
impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            _ => Self::Database(error),
        }
    }
}

impl StoreError {
    /// The error of a file operation.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |reason| Self::File { path, reason }
    }
}
