//! The folder of a training run.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use learn::{NetworkFile, TrainingRun, curve_csv};

use super::{chart, verified_record};
use crate::commands::search::save_longer;
use crate::files;

/// A folder locked for one training run.
pub(super) struct Folder {
    path: PathBuf,
    /// Released when this is dropped or the program ends in any way.
    _lock: File,
}

impl Folder {
    /// A folder for a new training run.
    pub(super) fn create(path: &Path) -> Result<Self> {
        fs::create_dir_all(path).with_context(|| format!("cannot make {}", files::name(path)))?;
        let folder = Self::open(path)?;
        if folder.state().exists() {
            let name = files::name(path);
            bail!(
                "{name} already holds a training run; continue it with `morpion learn resume {name}`, \
                 or choose another --out"
            );
        }
        Ok(folder)
    }

    /// The folder of an existing training run.
    pub(super) fn existing(path: &Path) -> Result<Self> {
        state_of(path)?;
        Self::open(path)
    }

    fn open(path: &Path) -> Result<Self> {
        let place = path.join("lock");
        let lock = File::options().create(true).append(true).open(&place);
        let lock = lock.with_context(|| format!("cannot write {}", files::name(&place)))?;
        if matches!(lock.try_lock(), Err(fs::TryLockError::WouldBlock)) {
            bail!("{} is in use by another training run", files::name(path));
        }
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    fn state(&self) -> PathBuf {
        self.path.join("training.state")
    }

    /// The folder's name, safe to print.
    pub(super) fn name(&self) -> String {
        files::name(&self.path)
    }

    /// The training run as last saved.
    pub(super) fn read(&self) -> Result<TrainingRun> {
        read_state(&self.state())
    }

    /// Saves the training run: first its state, from which it resumes, then the derived files.
    pub(super) fn save(&self, training: &TrainingRun) -> Result<()> {
        files::write(&self.state(), &training.to_bytes()?)?;
        let model = training.model();
        files::write(&self.path.join("model.net"), &model.to_bytes())?;
        files::write(&self.path.join("curve.csv"), curve_csv(training.curve()).as_bytes())?;
        files::write(&self.path.join("curve.svg"), chart::curve(training).as_bytes())?;
        if !training.best().is_empty() {
            let record = verified_record(training.game(), training.best(), &model)?;
            save_longer(&self.path.join("best.json"), record.record(), false)?;
        }
        Ok(())
    }
}

/// Reads the training run of a folder, or of the state file itself.
pub(super) fn read(path: &Path) -> Result<TrainingRun> {
    if path.is_dir() { read_state(&state_of(path)?) } else { read_state(path) }
}

fn state_of(path: &Path) -> Result<PathBuf> {
    let state = path.join("training.state");
    if !state.is_file() {
        let name = files::name(path);
        bail!("no training run in {name}; start one with `morpion learn train GAME --out {name}`");
    }
    Ok(state)
}

fn read_state(path: &Path) -> Result<TrainingRun> {
    let bytes = files::read_up_to(path, NetworkFile::MAX_BYTES as u64)?;
    TrainingRun::from_bytes(&bytes).with_context(|| files::name(path))
}
