//! The archive, as the pages use it: what hunts find and players keep goes in, through the judge.

use std::sync::{Mutex, MutexGuard};

use store::{Added, Archive, GameEntry, GameFilter, Id, JudgedGame, StoreError, StoredGame};

use crate::refusal::Refusal;

/// An archive, or none.
pub(crate) struct Shelf(Option<Mutex<Archive>>);

impl Shelf {
    pub(crate) fn new(archive: Option<Archive>) -> Self {
        Self(archive.map(Mutex::new))
    }

    /// Whether anything is kept here.
    pub(crate) fn is_there(&self) -> bool {
        self.0.is_some()
    }

    /// Keeps a game in the native format; `origin` says how it came here.
    pub(crate) fn keep(&self, text: &str, origin: &str) -> Result<(Id, Added), Refusal> {
        let game = JudgedGame::judge(text)?;
        let added = self.archive()?.add_game(&game, origin)?;
        Ok((game.id().clone(), added))
    }

    /// The games that are meant, the longest first.
    pub(crate) fn games(&self, filter: &GameFilter) -> Result<Vec<GameEntry>, Refusal> {
        Ok(self.archive()?.games(filter)?)
    }

    /// One game, by the first digits of its id.
    pub(crate) fn game(&self, digits: &str) -> Result<StoredGame, Refusal> {
        Ok(self.archive()?.game(digits)?)
    }

    /// Reads something else from the archive.
    pub(crate) fn look<T>(
        &self,
        read: impl FnOnce(&Archive) -> Result<T, StoreError>,
    ) -> Result<T, Refusal> {
        Ok(read(&*self.archive()?)?)
    }

    fn archive(&self) -> Result<MutexGuard<'_, Archive>, Refusal> {
        let archive = self.0.as_ref().ok_or(Refusal::NoArchive)?;
        Ok(archive.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}
