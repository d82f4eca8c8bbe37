//! The folder of a training run: its state, network, best game and learning curve.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use evidence::{Refusal, VerifiedRecord};
use geometry::{Game, Move};
use learn::{NetworkFile, NetworkFileError, TrainingRun, curve_csv};
use record::{Provenance, Record};

use crate::best_file::{BestFileError, write_if_longer};
use crate::figure::curve::curve;
use crate::files::{self, FileError};

/// A folder locked for one training run.
#[derive(Debug)]
pub struct TrainingFolder {
    path: PathBuf,
    /// Released when this is dropped or the program ends in any way.
    _lock: File,
}

/// Why a training run cannot be read or saved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainingFolderError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is one already.
    #[error(
        "{0} already holds a training run; continue it with `morpion learn resume {0}`, or choose \
         another --out"
    )]
    Exists(String),
    /// There is none.
    #[error("no training run in {0}; start one with `morpion learn train GAME --out {0}`")]
    Missing(String),
    /// Another program trains there.
    #[error("{0} is in use by another training run")]
    InUse(String),
    /// A state or network file is damaged.
    #[error("{0}")]
    Network(String, #[source] NetworkFileError),
    /// The best game cannot be saved.
    #[error(transparent)]
    Best(#[from] BestFileError),
    /// The best game is illegal: a bug.
    #[error("the verifier refused a game of the network: a bug in this program")]
    Refused(#[source] Refusal),
}

impl TrainingFolder {
    /// An error if a folder holds a training run already, or is none. Leaves nothing behind.
    pub fn check_new(path: &Path) -> Result<(), TrainingFolderError> {
        if path.exists() && !path.is_dir() {
            // Says why.
            files::create_folder(path)?;
        }
        match state_of(path) {
            Ok(_) => Err(TrainingFolderError::Exists(files::name(path))),
            Err(_) => Ok(()),
        }
    }

    /// A folder for a new training run.
    pub fn create(path: &Path) -> Result<Self, TrainingFolderError> {
        Self::check_new(path)?;
        files::create_folder(path)?;
        let folder = Self::open(path)?;
        if folder.state().exists() {
            return Err(TrainingFolderError::Exists(files::name(path)));
        }
        Ok(folder)
    }

    /// The folder of an existing training run.
    pub fn existing(path: &Path) -> Result<Self, TrainingFolderError> {
        state_of(path)?;
        Self::open(path)
    }

    fn open(path: &Path) -> Result<Self, TrainingFolderError> {
        let place = path.join("lock");
        let lock = File::options().create(true).append(true).open(&place);
        let lock = lock.map_err(|source| FileError::Write(files::name(&place), source))?;
        if matches!(lock.try_lock(), Err(fs::TryLockError::WouldBlock)) {
            return Err(TrainingFolderError::InUse(files::name(path)));
        }
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    fn state(&self) -> PathBuf {
        self.path.join("training.state")
    }

    /// The folder's name, safe to print.
    #[must_use]
    pub fn name(&self) -> String {
        files::name(&self.path)
    }

    /// The training run as last saved.
    pub fn read(&self) -> Result<TrainingRun, TrainingFolderError> {
        read_state(&self.state())
    }

    /// Saves the training run: first its state, from which it resumes, then the derived files.
    pub fn save(&self, training: &TrainingRun) -> Result<(), TrainingFolderError> {
        let state = training.to_bytes();
        let state = state.map_err(|bad| TrainingFolderError::Network(self.name(), bad))?;
        files::write(&self.state(), &state)?;
        let model = training.model();
        files::write(&self.path.join("model.net"), &model.to_bytes())?;
        files::write(&self.path.join("curve.csv"), curve_csv(training.curve()).as_bytes())?;
        files::write(&self.path.join("curve.svg"), curve(training).as_bytes())?;
        if !training.best().is_empty() {
            let record = network_record(training.game(), training.best(), &model)?;
            write_if_longer(&self.path.join("best.json"), record.record(), false)?;
        }
        Ok(())
    }
}

/// Reads the training run of a folder, or of the state file itself.
pub fn read(path: &Path) -> Result<TrainingRun, TrainingFolderError> {
    if path.is_dir() { read_state(&state_of(path)?) } else { read_state(path) }
}

/// Reads a network file, or the network of a training run's state.
pub fn read_network(path: &Path) -> Result<NetworkFile, TrainingFolderError> {
    let bytes = files::read_up_to(path, NetworkFile::MAX_BYTES as u64)?;
    NetworkFile::from_bytes(&bytes)
        .map_err(|bad| TrainingFolderError::Network(files::name(path), bad))
}

/// A game by a network as a verified record.
pub fn network_record(
    game: &Game,
    moves: &[Move],
    model: &NetworkFile,
) -> Result<VerifiedRecord, TrainingFolderError> {
    let mut record = Record::from_moves(game.clone(), moves.to_vec());
    let parameters = model.settings.values().iter();
    record.provenance = Provenance {
        program: Some(hunt::PROGRAM.to_owned()),
        method: Some("learned".to_owned()),
        parameters: parameters.map(|(name, value)| (name.to_owned(), value.to_string())).collect(),
        seed: Some(model.seed),
        ..Provenance::default()
    };
    VerifiedRecord::new(record).map_err(TrainingFolderError::Refused)
}

fn state_of(path: &Path) -> Result<PathBuf, TrainingFolderError> {
    let state = path.join("training.state");
    match state.is_file() {
        true => Ok(state),
        false => Err(TrainingFolderError::Missing(files::name(path))),
    }
}

fn read_state(path: &Path) -> Result<TrainingRun, TrainingFolderError> {
    let bytes = files::read_up_to(path, NetworkFile::MAX_BYTES as u64)?;
    let training = TrainingRun::from_bytes(&bytes);
    training.map_err(|bad| TrainingFolderError::Network(files::name(path), bad))
}
