//! Bounded reads and atomic writes of files.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// There is no such file.
    #[error("{0}: no such file")]
    Missing(String),
    /// It cannot be read.
    #[error("{0}")]
    Read(String, #[source] io::Error),
    /// It cannot be written.
    #[error("cannot write {0}")]
    Write(String, #[source] io::Error),
    /// Its folder does not exist.
    #[error("cannot write {name}: there is no folder {folder}; create it first")]
    NoFolder {
        /// The name of the file.
        name: String,
        /// Its folder.
        folder: String,
    },
    /// A folder is needed where a file is.
    #[error("{0} is a file, and a folder is needed; choose another place")]
    NotFolder(String),
    /// Its folder cannot be created.
    #[error("cannot create {0}")]
    Create(String, #[source] io::Error),
    /// It is a folder.
    #[error("{0} is a folder, not a file")]
    Folder(String),
    /// It is a secret that other users can read.
    #[error("{0} can be read by other users; run chmod 600 {0}")]
    Exposed(String),
    /// It is too large.
    #[error("{name}: larger than {limit} MiB")]
    TooLarge {
        /// Its name.
        name: String,
        /// The limit in MiB.
        limit: u64,
    },
}

/// Reads a file, or stdin for `-`, up to the common size limit.
pub fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    read_up_to(path, record::limits::BYTES as u64)
}

/// Reads a file, or stdin for `-`, of at most `limit` bytes.
pub fn read_up_to(path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    let error = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => FileError::Missing(name(path)),
        _ => FileError::Read(name(path), source),
    };
    let mut bytes = Vec::new();
    if is_standard(path) {
        let read = io::stdin().lock().take(limit + 1).read_to_end(&mut bytes);
        read.map_err(|source| FileError::Read("standard input".to_owned(), source))?;
    } else {
        let file = File::open(path).map_err(error)?;
        if file.metadata().is_ok_and(|data| data.is_dir()) {
            return Err(FileError::Folder(name(path)));
        }
        file.take(limit + 1).read_to_end(&mut bytes).map_err(error)?;
    }
    if bytes.len() as u64 > limit {
        return Err(FileError::TooLarge { name: name(path), limit: limit >> 20 });
    }
    Ok(bytes)
}

/// Reads a secret: a file that only its owner can read.
pub fn read_secret(path: &Path) -> Result<Vec<u8>, FileError> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if !is_standard(path) && fs::metadata(path).is_ok_and(|data| data.mode() & 0o077 != 0) {
            return Err(FileError::Exposed(name(path)));
        }
    }
    read(path)
}

/// Writes a file atomically: under another name beside it, then renamed. Links are followed, and
/// what is not a regular file (a device, a pipe) is written to directly.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    exclusively(path, || write_locked(path, bytes))
}

/// Does some work while no other `morpion` writes in the same folder.
pub fn exclusively<T>(path: &Path, work: impl FnOnce() -> T) -> T {
    // A file system without locks is used without: renames are atomic anyway.
    let folder = File::open(folder_of(&target_of(path))).ok();
    let _locked = folder.as_ref().map(File::lock);
    work()
}

/// [`write()`] inside [`exclusively`].
pub fn write_locked(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let target = target_of(path);
    check_folder_of(path, &target)?;
    let error = |source| FileError::Write(name(path), source);
    if fs::metadata(&target).is_ok_and(|data| !data.is_file() && !data.is_dir()) {
        let file = OpenOptions::new().write(true).open(&target);
        return file.and_then(|mut file| file.write_all(bytes)).map_err(error);
    }
    store::files::write_atomic_as(&part_of(&target), &target, bytes).map_err(error)
}

/// Renames a file whose place another is to take; one with the new name is replaced.
pub fn set_aside(path: &Path, to: &Path) -> Result<(), FileError> {
    store::files::rename(path, to).map_err(|source| FileError::Write(name(to), source))
}

/// Checks, before any work, that a file can be written later; creates its folder.
pub fn check_place(path: &Path) -> Result<(), FileError> {
    let folder = folder_of(path);
    create_folder(folder)?;
    check_target(path)
}

/// Creates a folder, with those around it.
pub fn create_folder(folder: &Path) -> Result<(), FileError> {
    if folder.exists() && !folder.is_dir() {
        return Err(FileError::NotFolder(name(folder)));
    }
    fs::create_dir_all(folder).map_err(|source| FileError::Create(name(folder), source))
}

/// Checks that a file can be written. Leaves nothing behind.
pub fn check_target(path: &Path) -> Result<(), FileError> {
    let target = target_of(path);
    let error = |source| FileError::Write(name(path), source);
    if target.is_dir() {
        return Err(error(io::Error::from(io::ErrorKind::IsADirectory)));
    }
    check_folder_of(path, &target)?;
    let part = part_of(&target);
    let tried = exclusively(path, || File::create(&part).and_then(|_| fs::remove_file(&part)));
    tried.map_err(error)
}

/// An error if there is no folder for a file.
fn check_folder_of(path: &Path, target: &Path) -> Result<(), FileError> {
    let folder = folder_of(target);
    match folder.exists() {
        true => Ok(()),
        false => Err(FileError::NoFolder { name: name(path), folder: name(folder) }),
    }
}

/// All regular files in a folder and its subfolders, in order. Links to folders are not followed,
/// so that this terminates; pipes and devices, which need never end, are left out.
pub fn all_in(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let error = |source| FileError::Read(name(&folder), source);
        for entry in fs::read_dir(&folder).map_err(error)? {
            let entry = entry.map_err(error)?;
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(entry.path());
            } else if fs::metadata(entry.path()).is_ok_and(|data| !data.is_file()) {
                continue;
            } else {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Whether a path stands for standard input or output.
#[must_use]
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A path that is safe to print: control characters are escaped.
#[must_use]
pub fn name(path: &Path) -> String {
    crate::text::escape(&path.to_string_lossy())
}

/// The final target of a path, existing or not.
fn target_of(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    // As many links as the system would follow.
    for _ in 0..40 {
        match fs::read_link(&target) {
            Ok(next) => target = folder_of(&target).join(next),
            Err(_) => break,
        }
    }
    target
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The temporary name of a file being written. Always the same, so that one left behind by a
/// killed program is reused.
fn part_of(target: &Path) -> PathBuf {
    let mut part = OsString::from(".");
    part.push(target.file_name().unwrap_or_default());
    part.push(".part");
    target.with_file_name(part)
}
