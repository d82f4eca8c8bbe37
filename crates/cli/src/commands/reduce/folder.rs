//! The folder of a pattern.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use geometry::Game;
use record::Record;
use reduce::Pattern;

use super::compiled;
use crate::files;

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

    /// What the dots mean.
    pub(super) fn sidecar(&self) -> PathBuf {
        self.0.join("reduction.json")
    }

    pub(super) fn picture(&self) -> PathBuf {
        self.0.join("pattern.svg")
    }

    /// Where the game of a model goes unless told otherwise.
    pub(super) fn game(&self) -> PathBuf {
        self.0.join("game.json")
    }

    /// Finds out, before any work, whether the files can be written.
    pub(super) fn check(&self) -> Result<()> {
        if files::is_standard(&self.0) {
            bail!("--out names a folder, and not standard output");
        }
        for file in [self.start(), self.sidecar(), self.picture()] {
            files::check_place(&file)?;
        }
        Ok(())
    }

    /// Writes all files; the sidecar comes last, so that without it nothing counts.
    pub(super) fn write(&self, pattern: &Pattern, picture: &str) -> Result<()> {
        let game = Game { rules: pattern.rules(false), start: pattern.start().clone() };
        let start = Record::of_moves(game, Vec::new());
        files::write(&self.start(), start.to_json().as_bytes())?;
        files::write(&self.picture(), picture.as_bytes())?;
        files::write(&self.sidecar(), pattern.to_sidecar().as_bytes())
    }

    /// Makes the pattern again from its sidecar, and checks that the dots are still the same.
    pub(super) fn open(&self) -> Result<Pattern> {
        let name = files::name(&self.sidecar());
        if !self.sidecar().exists() {
            bail!("{name}: no such file; make the folder with `morpion reduce FORMULA --out DIR`");
        }
        let bytes = files::read(&self.sidecar())?;
        let text = std::str::from_utf8(&bytes).with_context(|| name.clone())?;
        let pattern = compiled(|at| Pattern::from_sidecar(text, at)).with_context(|| name)?;
        let dots = record::read_start(&files::read(&self.start())?);
        if dots.with_context(|| files::name(&self.start()))? != *pattern.start() {
            let name = files::name(&self.start());
            bail!("{name}: other dots than the sidecar says: reduce the formula again");
        }
        Ok(pattern)
    }
}
