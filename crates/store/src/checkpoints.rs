//! Checkpoints of long work, from which it resumes: jobs of workers, hunts of the pages. Each is a
//! file.

use std::fs;
use std::path::{Path, PathBuf};

use crate::archive::try_lock;
use crate::files::write_atomic;
use crate::{Archive, Lock, StoreError};

/// A folder of checkpoints.
#[derive(Debug, Clone)]
pub struct Checkpoints {
    folder: PathBuf,
}

impl Archive {
    /// The checkpoints of this archive's tasks.
    pub fn checkpoints(&self) -> Checkpoints {
        Checkpoints::new(self.folder().join("states"))
    }

    /// The checkpoints of hunts that were started on a page.
    pub fn hunts(&self) -> Checkpoints {
        Checkpoints::new(self.folder().join("hunts"))
    }
}

impl Checkpoints {
    /// The checkpoints in this folder.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The checkpoint of a task; `None` if there is none of at most `most` bytes.
    pub fn read(&self, task: &str, most: usize) -> Option<Vec<u8>> {
        let path = self.path(task)?;
        let size = fs::metadata(&path).ok()?.len();
        (size <= most as u64).then(|| fs::read(path).ok())?
    }

    /// Saves the checkpoint of a task, in place of the one before.
    pub fn save(&self, task: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let Some(path) = self.path(task) else { return Ok(()) };
        fs::create_dir_all(&self.folder).map_err(StoreError::file(&self.folder))?;
        write_atomic(&path, bytes).map_err(StoreError::file(&path))
    }

    /// The names of all tasks that have a checkpoint.
    pub fn names(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let name = |entry: fs::DirEntry| {
            let name = entry.file_name();
            Some(name.to_str()?.strip_suffix(".state")?.to_owned())
        };
        entries.flatten().filter_map(name).collect()
    }

    /// Locks the folder for one process; `None` if another has locked it.
    pub fn lock(&self) -> Result<Option<Lock>, StoreError> {
        fs::create_dir_all(&self.folder).map_err(StoreError::file(&self.folder))?;
        let path = self.folder.join("lock");
        try_lock(&path).map_err(StoreError::file(&path))
    }

    /// Removes the checkpoint of a task.
    pub fn remove(&self, task: &str) {
        if let Some(path) = self.path(task) {
            // There may be none.
            let _ = fs::remove_file(path);
        }
    }

    /// The file of a task. Names may come from others: only plain ones make a path.
    fn path(&self, task: &str) -> Option<PathBuf> {
        let is_plain = !task.is_empty() && task.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_plain.then(|| self.folder.join(Path::new(task).with_extension("state")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_is_read_as_it_was_saved_until_it_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let checkpoints = Checkpoints::new(folder.path().join("states"));
        assert_eq!(checkpoints.read("ab12", 100), None);
        checkpoints.save("ab12", b"half way").expect("saved");
        checkpoints.save("ab12", b"further").expect("saved");
        assert_eq!(checkpoints.read("ab12", 100).as_deref(), Some(&b"further"[..]));
        assert_eq!(checkpoints.read("ab12", 3), None);
        assert_eq!(checkpoints.names(), ["ab12"]);
        checkpoints.remove("ab12");
        assert_eq!(checkpoints.read("ab12", 100), None);
        assert!(checkpoints.names().is_empty());
        checkpoints.save("../ab", b"elsewhere").expect("ignored");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn one_process_at_a_time_has_the_lock() {
        let folder = tempfile::tempdir().expect("a folder");
        let checkpoints = Checkpoints::new(folder.path().join("hunts"));
        let lock = checkpoints.lock().expect("a file");
        assert!(lock.is_some());
        assert!(checkpoints.lock().expect("a file").is_none());
        drop(lock);
        assert!(checkpoints.lock().expect("a file").is_some());
        assert!(checkpoints.names().is_empty());
    }
}
