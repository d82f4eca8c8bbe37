//! The best games of a plan as numbered files, of which the last one counts.
//!
//! None is removed before its plan is closed: a number that became free again could be taken by a
//! worker that has not seen the later ones. Each is better than the one before, so they are few.

use std::fs;
use std::io::ErrorKind;

use super::{Folder, SEPARATOR, at, found, list, sync_folder_of, words};
use crate::{Name, QueueError, SharedBest};

pub(super) struct SpoolSharedBest {
    pub(super) folder: Folder,
}

impl SpoolSharedBest {
    /// The value published last, with its number.
    fn last(&self, key: &Name) -> Result<Option<(u64, Vec<u8>)>, QueueError> {
        let number = |name: String| {
            let [of, number] = words(&name)?;
            (of == key.as_str()).then(|| number.parse().ok())?
        };
        let numbers = list(&self.folder.bests())?.into_iter().filter_map(number);
        let Some(last) = numbers.max() else { return Ok(None) };
        let path = self.path(key, last);
        // It is gone only if the plan is closed.
        Ok(found(fs::read(&path), &path)?.map(|body| (last, body)))
    }

    fn path(&self, key: &Name, number: u64) -> std::path::PathBuf {
        self.folder.bests().join(format!("{key}{SEPARATOR}{number}"))
    }
}

impl SharedBest for SpoolSharedBest {
    fn latest(&self, key: &Name) -> Result<Option<Vec<u8>>, QueueError> {
        Ok(self.last(key)?.map(|(_, body)| body))
    }

    fn publish(
        &self,
        key: &Name,
        body: &[u8],
        replaces: &dyn Fn(&[u8]) -> bool,
    ) -> Result<bool, QueueError> {
        loop {
            let last = self.last(key)?;
            if last.as_ref().is_some_and(|(_, latest)| !replaces(latest)) {
                return Ok(false);
            }
            let number = last.map_or(0, |(number, _)| number) + 1;
            let (draft, path) = (self.folder.draft(body)?, self.path(key, number));
            match fs::hard_link(draft.path(), &path) {
                // Somebody else has published in between.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                linked => linked.map_err(at(&path))?,
            }
            sync_folder_of(&path)?;
            return Ok(true);
        }
    }
}
