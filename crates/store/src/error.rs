//! Why the archive could not do what was asked.

use std::io;
use std::path::{Path, PathBuf};

/// Why the archive could not do what was asked. What it held before, it holds still.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is none.
    #[error("{} holds no archive", .0.display())]
    NoArchive(PathBuf),
    /// The folder is used for something else.
    #[error("{} holds other things and no archive; choose a folder that is new or empty", .0.display())]
    OtherFolder(PathBuf),
    /// The database is of another program.
    #[error("{} is a database of another program", .0.display())]
    OtherDatabase(PathBuf),
    /// It was written by a later version of the program.
    #[error(
        "{} is an archive of version {found}; this program knows versions up to {known}: use a newer one",
        .path.display()
    )]
    Newer {
        /// The archive.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The latest that is known here.
        known: i64,
    },
    /// The system refused.
    #[error("{}: {source}", .path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The database refused.
    #[error("the archive's database: {0}")]
    Database(rusqlite::Error),
    /// Something that was kept is not what it was.
    #[error("{what} is damaged: {reason}; `morpion store check` goes through everything")]
    Damaged {
        /// What.
        what: String,
        /// How that shows.
        reason: String,
    },
    /// Another process coordinates runs here.
    #[error("another `morpion run` is at work in {}; `morpion status` shows it, `morpion stop` stops it", .0.display())]
    Led(PathBuf),
    /// Nothing begins with these digits.
    #[error("nothing in the archive has an id that begins with `{0}`")]
    Unknown(String),
    /// More than one thing does.
    #[error("several ids in the archive begin with `{0}`; give more digits")]
    Ambiguous(String),
}

/// By hand, since the message tells the cause: it should not be told again as the source.
impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

impl StoreError {
    /// What the system said of a file.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { path, source }
    }
}
