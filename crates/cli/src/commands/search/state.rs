//! The checkpoint beside `--out`, and the flags allowed when it is resumed.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use geometry::{Game, Move};
use hunt::{Checkpoint, HuntSpec};

use super::method;
use crate::files;
use crate::output::{count, note};

/// The default interval between saves.
const EVERY: Duration = Duration::from_secs(15);

/// Saves a search to a file.
pub(super) struct Keeper {
    path: PathBuf,
    every: Duration,
    /// Whether the file belongs to this search.
    ours: AtomicBool,
    /// Whether a failure to save was reported.
    is_reported: AtomicBool,
}

impl Keeper {
    /// Saves to `best.json.state` for `best.json`; `None` beside what is not a regular file (a
    /// device, a pipe).
    pub(super) fn beside(out: &Path, every: Option<Duration>) -> Result<Option<Self>> {
        if out.exists() && !out.is_file() {
            return Ok(None);
        }
        let path = with_ending(out, ".state");
        if path.exists() && !path.is_file() {
            bail!("cannot save the search to {}; choose another --out", files::name(&path));
        }
        let (ours, is_reported) = (AtomicBool::new(false), AtomicBool::new(false));
        Ok(Some(Self { path, every: every.unwrap_or(EVERY), ours, is_reported }))
    }

    /// The search in the file, if there is one.
    pub(super) fn read(&self) -> Result<Option<Checkpoint>> {
        if !self.path.exists() {
            return Ok(None);
        }
        let saved = Checkpoint::from_bytes(&files::read(&self.path)?);
        let saved = saved.with_context(|| {
            format!("cannot resume {}; leave --resume out to start over", self.name())
        })?;
        self.ours.store(true, Ordering::Relaxed);
        Ok(Some(saved))
    }

    /// Prints whether the search starts or resumes.
    pub(super) fn announce(&self, resume: bool, saved: Option<&Checkpoint>) {
        let name = self.name();
        if let Some(saved) = saved {
            let (playouts, best) = (saved.playouts(), count(saved.best().len(), "move"));
            let what = saved.spec.method.info().playout;
            let seconds = saved.wall().as_secs_f64();
            note(format_args!("resuming {name}: best {best}, {playouts} {what} in {seconds:.0} s"));
        } else if resume {
            note(format_args!("no {name} yet: starting a new search"));
        } else if self.path.exists() {
            let old = files::name(&with_ending(&self.path, ".old"));
            note(format_args!(
                "warning: starting over; the search saved in {name} is kept as {old}. To continue \
                 it instead, use --resume"
            ));
        }
    }

    /// Saves the search. An error is reported once: the search is worth more than its checkpoint.
    pub(super) fn save(&self, saved: &Checkpoint) {
        if let Err(error) = self.try_save(saved)
            && !self.is_reported.swap(true, Ordering::Relaxed)
        {
            note(format_args!("morpion: the search cannot be saved: {error:#}"));
        }
    }

    fn try_save(&self, saved: &Checkpoint) -> Result<()> {
        let bytes = saved.to_bytes()?;
        files::exclusively(&self.path, || {
            if !self.ours.load(Ordering::Relaxed) && self.path.is_file() {
                fs::rename(&self.path, with_ending(&self.path, ".old"))?;
            }
            files::write_locked(&self.path, &bytes)?;
            self.ours.store(true, Ordering::Relaxed);
            Ok(())
        })
    }

    pub(super) fn every(&self) -> Duration {
        self.every
    }

    /// The file's name, safe to print.
    pub(super) fn name(&self) -> String {
        files::name(&self.path)
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// The flags given when a search is resumed; the others stay as saved.
pub(super) struct ResumeFlags<'a> {
    pub(super) game: &'a Game,
    pub(super) method: Option<&'a str>,
    pub(super) parameters: &'a [(&'a str, &'a str)],
    pub(super) from: Option<&'a [Move]>,
    pub(super) seed: Option<u64>,
    pub(super) threads: Option<u32>,
}

impl ResumeFlags<'_> {
    /// Refuses flags that contradict the saved search.
    pub(super) fn check(&self, saved: &HuntSpec) -> Result<()> {
        if *self.game != saved.game {
            let (asked, kept) = (self.game, &saved.game);
            bail!("the saved search is for {kept}, not for {asked}; choose another --out");
        }
        let name = saved.method.info().name;
        same("--method", self.method.unwrap_or(name), name)?;
        let asked = method(name, &saved.game, self.parameters)?;
        for (name, value) in asked.values().iter() {
            if self.parameters.iter().any(|(given, _)| *given == name) {
                let kept = saved.method.values().real(name);
                same("-p", format!("{name}={value}"), format!("{name}={kept}"))?;
            }
        }
        same("--seed", self.seed.unwrap_or(saved.seed), saved.seed)?;
        same("--threads", self.threads.unwrap_or(saved.threads), saved.threads)?;
        if let Some(from) = self.from
            && from != saved.prefix
        {
            let (asked, kept) = (count(from.len(), "move"), count(saved.prefix.len(), "move"));
            let other = if from.len() == saved.prefix.len() { ", but other ones" } else { "" };
            bail!(
                "--from with {asked} contradicts the saved search, which starts with \
                 {kept}{other}; leave --from out, or choose another --out"
            );
        }
        Ok(())
    }
}

fn same<T: PartialEq + fmt::Display>(flag: &str, asked: T, kept: T) -> Result<()> {
    if asked == kept {
        return Ok(());
    }
    bail!(
        "{flag} {asked} contradicts the saved search, which has {kept}; leave {flag} out, or \
         choose another --out"
    );
}
