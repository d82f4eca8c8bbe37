//! The folder of a pattern.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use lab::reduction::start_record;
use reduce::Pattern;

use super::with_stages;
use crate::files;

/// Upper bound for the bytes of one move in a file.
const MOVE_BYTES: u64 = 80;

/// Where the files of a pattern are.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// The dots: a game without moves.
    pub(super) fn start(&self) -> PathBuf {
        self.0.join("start.json")
    }

    /// The layout of the pattern.
    pub(super) fn sidecar(&self) -> PathBuf {
        self.0.join("reduction.json")
    }

    pub(super) fn picture(&self) -> PathBuf {
        self.0.join("pattern.svg")
    }

    /// The default file for the game of a model.
    pub(super) fn game(&self) -> PathBuf {
        self.0.join("game.json")
    }

    /// Checks, before any work, that the files can be written.
    pub(super) fn check(&self) -> Result<()> {
        if files::is_standard(&self.0) {
            bail!("--out must be a folder, not standard output");
        }
        for file in [self.start(), self.sidecar(), self.picture()] {
            files::check_place(&file)?;
        }
        Ok(())
    }

    /// Refuses to overwrite a file of the pattern, or to read one that is about to be written.
    pub(super) fn check_foreign(&self, file: &Path) -> Result<()> {
        let own = [self.start(), self.sidecar(), self.picture()];
        if own.iter().any(|own| files::is_same(own, file)) {
            bail!("{} belongs to the pattern; name another file", files::name(file));
        }
        Ok(())
    }

    /// Does work that may fail; a folder created for it that stayed empty is removed again.
    pub(super) fn remove_if_failed<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let existed = self.0.exists();
        let done = work();
        if done.is_err() && !existed {
            // Fails if anything is in it.
            let _ = std::fs::remove_dir(&self.0);
        }
        done
    }

    /// Writes all files or no new one, the sidecar last: a folder without it is incomplete.
    pub(super) fn write(&self, pattern: &Pattern, picture: &str) -> Result<()> {
        let start = start_record(pattern).to_json();
        let certificate = pattern.certificate();
        let moves = (certificate.fillable() - certificate.unintended_points()) as u64;
        if start.len() as u64 + MOVE_BYTES * moves > verify::MAX_BYTES as u64 {
            bail!(
                "the game of a model might exceed {} bytes; use a smaller formula or gap",
                verify::MAX_BYTES
            );
        }
        let sidecar = pattern.to_sidecar();
        let all = [(self.start(), &*start), (self.picture(), picture), (self.sidecar(), &*sidecar)];
        let new = all.each_ref().map(|(file, _)| (!file.exists()).then_some(file));
        let written = all.iter().try_for_each(|(file, text)| files::write(file, text.as_bytes()));
        if written.is_err() {
            // The error of the write says more than one of the removal.
            new.into_iter().flatten().for_each(|file| drop(std::fs::remove_file(file)));
        }
        Ok(written?)
    }

    /// Recompiles the pattern from its sidecar and checks that the dots are the same.
    pub(super) fn open(&self) -> Result<Pattern> {
        let name = files::name(&self.sidecar());
        if !self.sidecar().exists() {
            bail!("{name}: no such file; make the folder with `morpion reduce FORMULA --out DIR`");
        }
        let bytes = files::read(&self.sidecar())?;
        let text = std::str::from_utf8(&bytes).with_context(|| name.clone())?;
        let pattern = with_stages(|at| Pattern::from_sidecar(text, at)).with_context(|| name)?;
        let dots = record::read_start(&files::read(&self.start())?);
        if dots.with_context(|| files::name(&self.start()))? != *pattern.start() {
            let name = files::name(&self.start());
            bail!("{name}: the dots differ from the sidecar; reduce the formula again");
        }
        Ok(pattern)
    }
}
