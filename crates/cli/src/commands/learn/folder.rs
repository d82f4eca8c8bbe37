//! The folder in which a training lives.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use learn::{Model, Training, to_csv};

use super::{chart, judged_record};
use crate::commands::search::save_longer;
use crate::files;

/// A folder that nobody else trains in as long as this lives.
pub(super) struct Folder {
    path: PathBuf,
    /// Locked; unlocked when this is dropped, or the program ends in whatever way.
    _lock: File,
}

impl Folder {
    /// A folder for a new training.
    pub(super) fn create(path: &Path) -> Result<Self> {
        fs::create_dir_all(path).with_context(|| format!("cannot make {}", files::name(path)))?;
        let folder = Self::open(path)?;
        if folder.state().exists() {
            let name = files::name(path);
            bail!(
                "{name} has a training already: `morpion learn resume {name}` goes on with it; \
                 choose another --out for a new one"
            );
        }
        Ok(folder)
    }

    /// The folder of a training that is there.
    pub(super) fn existing(path: &Path) -> Result<Self> {
        state_of(path)?;
        Self::open(path)
    }

    fn open(path: &Path) -> Result<Self> {
        let place = path.join("lock");
        let lock = File::options().create(true).append(true).open(&place);
        let lock = lock.with_context(|| format!("cannot write {}", files::name(&place)))?;
        if matches!(lock.try_lock(), Err(fs::TryLockError::WouldBlock)) {
            bail!("another morpion trains in {}", files::name(path));
        }
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    fn state(&self) -> PathBuf {
        self.path.join("training.state")
    }

    /// The name for people.
    pub(super) fn name(&self) -> String {
        files::name(&self.path)
    }

    /// The training as it was saved last.
    pub(super) fn read(&self) -> Result<Training> {
        read_state(&self.state())
    }

    /// Saves a training: first its state, which is all that counts, then what people look at.
    pub(super) fn save(&self, training: &Training) -> Result<()> {
        files::write(&self.state(), &training.to_bytes()?)?;
        let model = training.model();
        files::write(&self.path.join("model.net"), &model.to_bytes())?;
        files::write(&self.path.join("curve.csv"), to_csv(training.curve()).as_bytes())?;
        files::write(&self.path.join("curve.svg"), chart::curve(training).as_bytes())?;
        if !training.best().is_empty() {
            let record = judged_record(training.game(), training.best(), &model)?;
            save_longer(&self.path.join("best.json"), &record, false)?;
        }
        Ok(())
    }
}

/// The training in a folder, or in the file itself, without going on with it.
pub(super) fn read(path: &Path) -> Result<Training> {
    if path.is_dir() { read_state(&state_of(path)?) } else { read_state(path) }
}

fn state_of(path: &Path) -> Result<PathBuf> {
    let state = path.join("training.state");
    if !state.is_file() {
        let name = files::name(path);
        bail!("there is no training in {name}; `morpion learn train GAME --out {name}` begins one");
    }
    Ok(state)
}

fn read_state(path: &Path) -> Result<Training> {
    let bytes = files::read_up_to(path, Model::MOST_BYTES as u64)?;
    Training::from_bytes(&bytes).with_context(|| files::name(path))
}
