//! Atomic writes, and the files beside the database, which are named by their content.
//!
//! A file is written under another name, synced to disk and then renamed, so that whatever has its
//! final name is complete. A file that a crash left without a row in the database does no harm.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use evidence::seal::{hash, hex};

use crate::StoreError;

/// The folder of an archive's files.
#[derive(Debug, Clone)]
pub(crate) struct Files {
    folder: PathBuf,
}

impl Files {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Stores bytes and returns their name.
    pub(crate) fn add(&self, bytes: &[u8]) -> Result<String, StoreError> {
        let name = hex(&hash(bytes));
        let path = self.path(&name);
        if fs::read(&path).is_ok_and(|old| old == bytes) {
            return Ok(name);
        }
        let folder = path.parent().expect("a file lies in a folder");
        fs::create_dir_all(folder).map_err(StoreError::file(folder))?;
        write_atomic(&path, bytes).map_err(StoreError::file(&path))?;
        sync_folder(&self.folder);
        Ok(name)
    }

    /// The bytes with this name.
    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, StoreError> {
        let path = self.path(name);
        let damaged = |reason: String| StoreError::Damaged {
            what: format!("the file {}", path.display()),
            reason,
        };
        let mut bytes = Vec::new();
        let most = verify::MAX_BYTES as u64 + 1;
        File::open(&path)
            .and_then(|file| file.take(most).read_to_end(&mut bytes))
            .map_err(|error| damaged(error.to_string()))?;
        match hex(&hash(&bytes)) == name {
            true => Ok(bytes),
            false => Err(damaged("its content does not match its name".to_owned())),
        }
    }

    /// The file with this name.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name.get(..2).unwrap_or("")).join(name)
    }
}

/// Writes a file under another name, syncs it and renames it: after a crash or on a full disk, the
/// old or the new content is there, complete.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(format!(".{}.part", std::process::id()));
    write_atomic_as(Path::new(&part), path, bytes)
}

/// [`write_atomic`] with the given name until the file is complete, for callers that are the only
/// writer of it. The file keeps its permissions.
pub fn write_atomic_as(part: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let written = File::create(part).and_then(|mut file| {
        if let Ok(old) = fs::metadata(path) {
            file.set_permissions(old.permissions())?;
        }
        file.write_all(bytes)?;
        file.sync_all()?;
        rename(part, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(part);
    }
    written
}

/// Renames a file, replacing the one with that name, and syncs the folder.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    to.parent().into_iter().for_each(sync_folder);
    Ok(())
}

/// The age at which the writer of an unfinished file is certainly dead.
const ABANDONED: Duration = Duration::from_secs(600);

/// Removes the unfinished files of dead writers in a folder and its subfolders.
pub(crate) fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(data) = entry.metadata() else { continue };
        let age = data.modified().ok().and_then(|time| time.elapsed().ok()).unwrap_or_default();
        if data.is_dir() {
            sweep(&entry.path());
        } else if entry.path().extension().is_some_and(|ending| ending == "part") && age > ABANDONED
        {
            // If it cannot be removed, it does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Syncs a rename in a folder to disk, on systems that can.
fn sync_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_by_its_content_and_damage_is_detected() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = Files::new(folder.path().join("files"));
        let name = files.add(b"certificate").expect("stored");
        assert_eq!(files.add(b"certificate").expect("stored already"), name);
        assert_eq!(files.read(&name).expect("whole"), b"certificate");
        fs::write(files.path(&name), b"certificatf").expect("written");
        let damage = files.read(&name).expect_err("damaged");
        assert!(damage.to_string().contains(&name), "{damage}");
        // Storing it again repairs it.
        files.add(b"certificate").expect("stored again");
        assert_eq!(files.read(&name).expect("whole"), b"certificate");
        fs::remove_file(files.path(&name)).expect("removed");
        assert!(files.read(&name).is_err());
    }

    #[test]
    fn old_unfinished_files_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("ab");
        fs::create_dir(&inner).expect("a folder");
        let [old, new, whole] = ["a.1.part", "b.2.part", "c"].map(|name| inner.join(name));
        for file in [&old, &new, &whole] {
            fs::write(file, "x").expect("written");
        }
        let long_ago = std::time::SystemTime::now() - 2 * ABANDONED;
        for file in [&old, &whole] {
            let file = File::options().append(true).open(file).expect("a file");
            file.set_modified(long_ago).expect("made old");
        }
        sweep(folder.path());
        assert_eq!([old, new, whole].map(|file| file.exists()), [false, true, true]);
    }
}
