//! Games that are still being played, each in a file that is replaced as the game continues.
//!
//! A draft is legal, but nobody has decided yet to archive it; so drafts are stored beside the
//! archive's games, not among them, and their number is limited.

use std::fs;
use std::io::Read as _;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::files::write_atomic;
use crate::{Archive, StoreError};
use evidence::VerifiedRecord;

/// The drafts of an archive.
#[derive(Debug, Clone)]
pub struct Drafts {
    folder: PathBuf,
}

/// A game that is still being played.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Identifies it.
    pub number: u64,
    /// When it was saved, in seconds since 1970.
    pub saved: i64,
    /// The game so far.
    pub game: VerifiedRecord,
}

impl Archive {
    /// The drafts of this archive.
    pub fn drafts(&self) -> Drafts {
        Drafts { folder: self.folder().join("drafts") }
    }
}

impl Drafts {
    /// The most drafts; the oldest are removed first.
    pub const MOST: usize = 64;

    /// Saves a game in place of the draft of this number.
    pub fn save(&self, number: u64, game: &VerifiedRecord) -> Result<(), StoreError> {
        fs::create_dir_all(&self.folder).map_err(StoreError::file(&self.folder))?;
        // One at a time, in whatever process, so that there are never too many.
        let lock = fs::File::open(&self.folder).map_err(StoreError::file(&self.folder))?;
        // A file system without locks is used without.
        let _ = lock.lock();
        let others = self.files().into_iter().filter(|&(_, other)| other != number);
        for (_, old) in others.skip(Self::MOST - 1) {
            self.remove(old);
        }
        let path = self.path(number);
        write_atomic(&path, game.to_json().as_bytes()).map_err(StoreError::file(&path))
    }

    /// All drafts, the latest first.
    pub fn list(&self) -> Vec<Draft> {
        let files = self.files().into_iter().take(Self::MOST);
        files.filter_map(|(_, number)| self.get(number)).collect()
    }

    /// The draft of this number, verified again; `None` if there is no legal one.
    pub fn get(&self, number: u64) -> Option<Draft> {
        let mut file = fs::File::open(self.path(number)).ok()?;
        let mut text = String::new();
        (&mut file).take(verify::MAX_BYTES as u64).read_to_string(&mut text).ok()?;
        let saved = file.metadata().ok()?.modified().ok()?.duration_since(UNIX_EPOCH);
        let saved = i64::try_from(saved.unwrap_or_default().as_secs()).unwrap_or(i64::MAX);
        Some(Draft { number, saved, game: VerifiedRecord::parse(&text).ok()? })
    }

    /// Removes a draft, if there is one.
    pub fn remove(&self, number: u64) {
        // If it cannot be removed, it does no harm.
        let _ = fs::remove_file(self.path(number));
    }

    /// When each draft was saved, and its number; the latest first.
    fn files(&self) -> Vec<(SystemTime, u64)> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let file = |entry: fs::DirEntry| {
            let name = entry.file_name();
            let number = u64::from_str_radix(name.to_str()?.strip_suffix(".json")?, 16).ok()?;
            Some((entry.metadata().ok()?.modified().ok()?, number))
        };
        let mut files: Vec<_> = entries.flatten().filter_map(file).collect();
        files.sort_unstable_by(|one, other| other.cmp(one));
        files
    }

    fn path(&self, number: u64) -> PathBuf {
        self.folder.join(format!("{number:016x}.json"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drafts() -> (tempfile::TempDir, Drafts) {
        let folder = tempfile::tempdir().expect("a folder");
        let drafts = Drafts { folder: folder.path().join("drafts") };
        (folder, drafts)
    }

    fn game(moves: &str) -> VerifiedRecord {
        let head = r#"{"format":"morpion-game/1","rules":"5T","start":"cross""#;
        VerifiedRecord::parse(&format!(r#"{head},"moves":[{moves}]}}"#)).expect("legal")
    }

    #[test]
    fn a_draft_is_replaced_as_the_game_continues_until_it_is_removed() {
        let (_folder, drafts) = drafts();
        assert!(drafts.list().is_empty());
        drafts.save(7, &game("")).expect("saved");
        drafts.save(7, &game(r#"{"new":[7,0],"line":[[3,0],"E"]}"#)).expect("saved");
        let list = drafts.list();
        let found: Vec<_> = list.iter().map(|d| (d.number, d.game.score())).collect();
        assert_eq!(found, [(7, 1)]);
        drafts.remove(7);
        drafts.remove(7);
        assert!(drafts.list().is_empty());
    }

    #[test]
    fn the_number_of_drafts_is_limited_and_the_oldest_are_removed() {
        let (_folder, drafts) = drafts();
        let start = SystemTime::now() - std::time::Duration::from_secs(1000);
        for number in 0..Drafts::MOST as u64 + 3 {
            drafts.save(number, &game("")).expect("saved");
            // So that no two have the same time.
            let file = fs::File::options().append(true).open(drafts.path(number)).expect("a file");
            let time = start + std::time::Duration::from_secs(number);
            file.set_modified(time).expect("made older");
        }
        let numbers: Vec<u64> = drafts.list().iter().map(|draft| draft.number).collect();
        let expected: Vec<u64> = (3..Drafts::MOST as u64 + 3).rev().collect();
        assert_eq!(numbers, expected);
    }

    #[test]
    fn there_are_never_too_many_however_many_save_at_once() {
        let (_folder, drafts) = drafts();
        let game = game("");
        let save_some = |thread: u64| {
            let (drafts, game) = (drafts.clone(), game.clone());
            std::thread::spawn(move || {
                for number in 0..20 {
                    drafts.save(thread * 100 + number, &game).expect("saved");
                    assert!(drafts.files().len() <= Drafts::MOST);
                }
            })
        };
        for thread in (0..8).map(save_some).collect::<Vec<_>>() {
            thread.join().expect("never too many");
        }
        assert_eq!(drafts.list().len(), Drafts::MOST);
    }

    #[test]
    fn an_invalid_draft_is_ignored() {
        let (_folder, drafts) = drafts();
        drafts.save(1, &game("")).expect("saved");
        fs::write(drafts.path(2), "{\"format\": \"morpion-game/1\", \"rules\"").expect("written");
        fs::write(drafts.folder.join("notes.txt"), "mine").expect("written");
        assert_eq!(drafts.list().len(), 1);
    }
}
