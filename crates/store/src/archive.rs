//! One folder: a database and files beside it.

use std::fs::{self, File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use flate2::{Compression, GzBuilder};
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};

use crate::files::{Files, sweep};
use crate::{StoreError, schema};

/// The database in an archive's folder.
const DATABASE: &str = "archive.sqlite";

/// The file that the coordinator of runs keeps locked.
const LOCK: &str = "archive.lead";

/// An archive, open for reading and writing. Each thread and process opens its own.
#[derive(Debug)]
pub struct Archive {
    pub(crate) connection: Connection,
    pub(crate) files: Files,
    folder: PathBuf,
}

/// Exclusive use of an archive or of a part of it, until it is dropped or its process dies.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Archive {
    /// Opens the archive in a folder.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        match fs::metadata(folder.join(DATABASE)) {
            Ok(found) if found.is_file() && found.len() == 0 => {
                Err(StoreError::Emptied(folder.join(DATABASE)))
            }
            Ok(found) if found.is_file() => Self::connect(folder),
            _ => Err(StoreError::NoArchive(folder.to_owned())),
        }
    }

    /// Opens the archive in a folder, or creates one if the folder is new or empty.
    pub fn open_or_create(folder: &Path) -> Result<Self, StoreError> {
        let size = || fs::metadata(folder.join(DATABASE)).map_or(0, |found| found.len());
        if size() == 0 {
            fs::create_dir_all(folder).map_err(StoreError::file(folder))?;
            let other = |entry: std::io::Result<fs::DirEntry>| {
                // Another process may just be creating the same archive.
                entry.is_ok_and(|entry| {
                    !entry.file_name().as_encoded_bytes().starts_with(b"archive.")
                })
            };
            let others = fs::read_dir(folder).map_err(StoreError::file(folder))?.any(other);
            if others && size() == 0 {
                return Err(match folder.join(DATABASE).exists() {
                    true => StoreError::Emptied(folder.join(DATABASE)),
                    false => StoreError::OtherFolder(folder.to_owned()),
                });
            }
        }
        Self::connect(folder)
    }

    fn connect(folder: &Path) -> Result<Self, StoreError> {
        let database = folder.join(DATABASE);
        let mut connection = Connection::open(&database)?;
        connection.busy_handler(Some(wait_for_others))?;
        // First, so that nothing is changed in a database that is not ours.
        schema::migrate(&mut connection, folder)?;
        // With a write-ahead log, readers and one writer do not wait for each other, and what was
        // committed survives the death of any process; a power cut may undo the last moments.
        log_ahead(&connection)?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        let files = Files::new(folder.join("files"));
        Ok(Self { connection, files, folder: folder.to_owned() })
    }

    /// The archive's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Locks the archive for a coordinator: while the lock is held, no other process coordinates
    /// runs in it.
    pub fn lock(&self) -> Result<Lock, StoreError> {
        let path = self.folder.join(LOCK);
        let lock = try_lock(&path).map_err(StoreError::file(&path))?;
        let lock = lock.ok_or_else(|| StoreError::Locked(self.folder.clone()))?;
        sweep(&self.folder);
        Ok(lock)
    }

    /// A transaction.
    pub(crate) fn change(&mut self) -> Result<Transaction<'_>, StoreError> {
        Ok(self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?)
    }
}

/// Locks a file; `None` if another process has locked it.
pub(crate) fn try_lock(path: &Path) -> std::io::Result<Option<Lock>> {
    let file = File::create(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(Lock { _file: file })),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Turns the write-ahead log on. SQLite does not call the busy handler for this change.
fn log_ahead(connection: &Connection) -> rusqlite::Result<()> {
    let mut tries = 0;
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && wait_for_others(tries) =>
            {
                tries += 1;
            }
            result => return result,
        }
    }
}

/// Waits while another process writes, ever longer, up to a minute in all.
fn wait_for_others(tries: i32) -> bool {
    std::thread::sleep(
        Duration::from_micros(200 * (tries as u64 + 1)).min(Duration::from_millis(10)),
    );
    tries < 6000
}

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    now_millis() / 1000
}

/// Now, in milliseconds since 1970, as the archive counts time.
#[must_use]
pub fn now_millis() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// A text compressed with gzip.
pub(crate) fn compressed(text: &str) -> Vec<u8> {
    let mut file = GzBuilder::new().write(Vec::new(), Compression::default());
    let written = file.write_all(text.as_bytes()).and_then(|()| file.finish());
    written.expect("memory takes what is written")
}
