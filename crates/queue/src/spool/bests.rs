//! The best games of a plan as numbered files, of which the last one counts.

use std::fs;
use std::io::ErrorKind;

use super::{Folder, MARK, at, found, list, remove, sync_folder_of, words};
use crate::{Bests, Name, QueueError};

pub(super) struct SpoolBests {
    pub(super) folder: Folder,
}

impl SpoolBests {
    /// The number and the value told last.
    fn last(&self, key: &Name) -> Result<Option<(u64, Vec<u8>)>, QueueError> {
        loop {
            let numbers = self.numbers(key)?;
            let Some(&last) = numbers.iter().max() else { return Ok(None) };
            let path = self.path(key, last);
            // If it is gone, a later one is there.
            if let Some(body) = found(fs::read(&path), &path)? {
                return Ok(Some((last, body)));
            }
        }
    }

    fn numbers(&self, key: &Name) -> Result<Vec<u64>, QueueError> {
        let number = |name: String| {
            let [of, number] = words(&name)?;
            (of == key.as_str()).then(|| number.parse().ok())?
        };
        Ok(list(&self.folder.bests())?.into_iter().filter_map(number).collect())
    }

    fn path(&self, key: &Name, number: u64) -> std::path::PathBuf {
        self.folder.bests().join(format!("{key}{MARK}{number}"))
    }
}

impl Bests for SpoolBests {
    fn hear(&self, key: &Name) -> Result<Option<Vec<u8>>, QueueError> {
        Ok(self.last(key)?.map(|(_, body)| body))
    }

    fn tell(
        &self,
        key: &Name,
        body: &[u8],
        replaces: &dyn Fn(&[u8]) -> bool,
    ) -> Result<bool, QueueError> {
        loop {
            let last = self.last(key)?;
            if last.as_ref().is_some_and(|(_, there)| !replaces(there)) {
                return Ok(false);
            }
            let number = last.map_or(0, |(number, _)| number) + 1;
            let (draft, path) = (self.folder.draft(body)?, self.path(key, number));
            match fs::hard_link(draft.path(), &path) {
                // Somebody else told something in between.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                linked => linked.map_err(at(&path))?,
            }
            sync_folder_of(&path)?;
            for old in self.numbers(key)?.into_iter().filter(|&old| old < number) {
                remove(&self.path(key, old))?;
            }
            return Ok(true);
        }
    }
}
