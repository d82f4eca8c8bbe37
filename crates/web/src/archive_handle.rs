//! The archive as the pages use it: it receives verified games of hunts and players. Beside it lie
//! unfinished games and the checkpoints of hunts.

use std::sync::{Mutex, MutexGuard};

use evidence::{Id, VerifiedRecord};
use hunt::Checkpoint;
use store::{
    Archive, Checkpoints, Draft, GameEntry, GameFilter, Insertion, Lock, StoreError, StoredGame,
};

use crate::refusal::Refusal;

/// The most bytes of a course that are read.
const COURSE_BYTES: usize = 1 << 20;

/// The file of a hunt's course, beside its checkpoint.
fn course_of(id: u64) -> String {
    format!("{id}course")
}

/// An archive, or none.
pub(crate) struct ArchiveHandle {
    archive: Option<Mutex<Archive>>,
    /// Where hunts are saved, unless another server does so there.
    hunts: Option<(Checkpoints, Lock)>,
}

impl ArchiveHandle {
    /// Hunts are not saved if another server holds the lock, or if it cannot be determined.
    pub(crate) fn new(archive: Option<Archive>) -> Self {
        let hunts = archive.as_ref().and_then(|archive| {
            let hunts = archive.hunts();
            let lock = hunts.lock().ok()??;
            Some((hunts, lock))
        });
        Self { archive: archive.map(Mutex::new), hunts }
    }

    /// Whether there is an archive.
    pub(crate) fn exists(&self) -> bool {
        self.archive.is_some()
    }

    /// Adds a game in the native format; `origin` says where it comes from.
    pub(crate) fn add(&self, text: &str, origin: &str) -> Result<(Id, Insertion), Refusal> {
        let game = VerifiedRecord::parse(text)?;
        let added = self.archive()?.add_game(&game, origin)?;
        Ok((game.id(), added))
    }

    /// The selected games, the longest first.
    pub(crate) fn games(&self, filter: &GameFilter) -> Result<Vec<GameEntry>, Refusal> {
        Ok(self.archive()?.games(filter)?)
    }

    /// One game, by the first digits of its id.
    pub(crate) fn game(&self, digits: &str) -> Result<StoredGame, Refusal> {
        Ok(self.archive()?.game(digits)?)
    }

    /// Saves an unfinished game.
    pub(crate) fn save_draft(&self, number: u64, text: &str) -> Result<(), Refusal> {
        let game = VerifiedRecord::parse(text)?;
        Ok(self.archive()?.drafts().save(number, &game)?)
    }

    pub(crate) fn forget_draft(&self, number: u64) -> Result<(), Refusal> {
        self.archive()?.drafts().remove(number);
        Ok(())
    }

    /// The unfinished games, the latest first.
    pub(crate) fn drafts(&self) -> Result<Vec<Draft>, Refusal> {
        let drafts = self.archive()?.drafts();
        Ok(drafts.list())
    }

    /// One unfinished game.
    pub(crate) fn draft(&self, number: u64) -> Result<Draft, Refusal> {
        let drafts = self.archive()?.drafts();
        drafts.get(number).ok_or(Refusal::NotFound)
    }

    /// Reads something else from the archive.
    pub(crate) fn look<T>(
        &self,
        read: impl FnOnce(&Archive) -> Result<T, StoreError>,
    ) -> Result<T, Refusal> {
        Ok(read(&*self.archive()?)?)
    }

    /// Saves a hunt; returns whether this server saves hunts.
    pub(crate) fn save_hunt(&self, id: u64, saved: &Checkpoint) -> Result<bool, Refusal> {
        let Some((hunts, _)) = &self.hunts else { return Ok(false) };
        hunts.save(&id.to_string(), &saved.to_bytes()?)?;
        Ok(true)
    }

    /// Saves what a hunt's page shows and its checkpoint does not say.
    pub(crate) fn save_course(&self, id: u64, course: &[u8]) -> Result<(), Refusal> {
        match &self.hunts {
            Some((hunts, _)) => Ok(hunts.save(&course_of(id), course)?),
            None => Ok(()),
        }
    }

    /// What was saved so.
    pub(crate) fn saved_course(&self, id: u64) -> Option<Vec<u8>> {
        self.hunts.as_ref()?.0.read(&course_of(id), COURSE_BYTES)
    }

    pub(crate) fn forget_hunt(&self, id: u64) {
        if let Some((hunts, _)) = &self.hunts {
            hunts.remove(&id.to_string());
            hunts.remove(&course_of(id));
        }
    }

    /// The ids of all saved hunts, in order.
    pub(crate) fn saved_hunts(&self) -> Vec<u64> {
        let names = self.hunts.iter().flat_map(|(hunts, _)| hunts.names());
        let mut ids: Vec<u64> = names.filter_map(|name| name.parse().ok()).collect();
        ids.sort_unstable();
        ids
    }

    /// A saved hunt.
    pub(crate) fn saved_hunt(&self, id: u64) -> Result<Checkpoint, Refusal> {
        let bytes = self
            .hunts
            .as_ref()
            .and_then(|(hunts, _)| hunts.read(&id.to_string(), Checkpoint::MAX_BYTES));
        Ok(Checkpoint::from_bytes(&bytes.ok_or(Refusal::NoHunt)?)?)
    }

    fn archive(&self) -> Result<MutexGuard<'_, Archive>, Refusal> {
        let archive = self.archive.as_ref().ok_or(Refusal::NoArchive)?;
        Ok(archive.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}
