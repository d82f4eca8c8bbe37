//! What was saved of work that takes long, to go on from: tasks of workers, hunts of the pages. Each in a file.

use std::fs;
use std::path::{Path, PathBuf};

use crate::archive::lock;
use crate::files::write_whole;
use crate::{Archive, Lead, StoreError};

/// A folder with the saved states of tasks.
#[derive(Debug, Clone)]
pub struct States {
    folder: PathBuf,
}

impl Archive {
    /// The states of this archive's tasks.
    pub fn states(&self) -> States {
        States::new(self.folder().join("states"))
    }

    /// The states of the hunts that were begun on a page.
    pub fn hunts(&self) -> States {
        States::new(self.folder().join("hunts"))
    }
}

impl States {
    /// The states in this folder.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The bytes that were saved of a task, up to a limit; `None` if there are none to be read.
    pub fn read(&self, task: &str, most: usize) -> Option<Vec<u8>> {
        let path = self.path(task)?;
        let size = fs::metadata(&path).ok()?.len();
        (size <= most as u64).then(|| fs::read(path).ok())?
    }

    /// Saves bytes of a task in place of those before.
    pub fn save(&self, task: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let Some(path) = self.path(task) else { return Ok(()) };
        fs::create_dir_all(&self.folder).map_err(StoreError::file(&self.folder))?;
        write_whole(&path, bytes).map_err(StoreError::file(&path))
    }

    /// The names of all tasks of which something is saved.
    pub fn names(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let name = |entry: fs::DirEntry| {
            let name = entry.file_name();
            Some(name.to_str()?.strip_suffix(".state")?.to_owned())
        };
        entries.flatten().filter_map(name).collect()
    }

    /// Takes these states for one process; `None` if another has them.
    pub fn lead(&self) -> Result<Option<Lead>, StoreError> {
        fs::create_dir_all(&self.folder).map_err(StoreError::file(&self.folder))?;
        let path = self.folder.join("lock");
        lock(&path).map_err(StoreError::file(&path))
    }

    /// Forgets a task.
    pub fn remove(&self, task: &str) {
        if let Some(path) = self.path(task) {
            // There need not be one.
            let _ = fs::remove_file(path);
        }
    }

    /// The file of a task. Names may come from others: only plain ones make a path.
    fn path(&self, task: &str) -> Option<PathBuf> {
        let plain = !task.is_empty() && task.bytes().all(|byte| byte.is_ascii_alphanumeric());
        plain.then(|| self.folder.join(Path::new(task).with_extension("state")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_as_it_was_saved_until_it_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let states = States::new(folder.path().join("states"));
        assert_eq!(states.read("ab12", 100), None);
        states.save("ab12", b"half way").expect("saved");
        states.save("ab12", b"further").expect("saved");
        assert_eq!(states.read("ab12", 100).as_deref(), Some(&b"further"[..]));
        assert_eq!(states.read("ab12", 3), None);
        assert_eq!(states.names(), ["ab12"]);
        states.remove("ab12");
        assert_eq!(states.read("ab12", 100), None);
        assert!(states.names().is_empty());
        states.save("../ab", b"elsewhere").expect("passed over");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn one_process_has_the_states_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let states = States::new(folder.path().join("hunts"));
        let lead = states.lead().expect("a file");
        assert!(lead.is_some());
        assert!(states.lead().expect("a file").is_none());
        drop(lead);
        assert!(states.lead().expect("a file").is_some());
        assert!(states.names().is_empty());
    }
}
