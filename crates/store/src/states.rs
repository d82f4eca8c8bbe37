//! What workers have saved of tasks that take long, each in a file.

use std::fs;
use std::path::{Path, PathBuf};

use crate::files::write_whole;
use crate::{Archive, StoreError};

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
        states.remove("ab12");
        assert_eq!(states.read("ab12", 100), None);
        states.save("../ab", b"elsewhere").expect("passed over");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
