//! Messages about the checkpoint beside `--out`, and the flags allowed when it is resumed.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use geometry::{Game, Move};
use hunt::{Checkpoint, HuntSpec};
use lab::checkpoint_file::CheckpointFile;

use super::method;
use crate::output::{count, note};

/// The search in the file, if there is one.
pub(super) fn read(file: &CheckpointFile) -> Result<Option<Checkpoint>> {
    let advice = || format!("cannot resume {}; leave --resume out to start over", file.name());
    file.read().with_context(advice)
}

/// Prints whether the search starts or resumes.
pub(super) fn announce(file: &CheckpointFile, resume: bool, saved: Option<&Checkpoint>) {
    let name = file.name();
    if let Some(saved) = saved {
        let (playouts, best) = (saved.playouts(), count(saved.best().len(), "move"));
        let what = saved.spec.method.info().playout;
        let seconds = saved.wall().as_secs_f64();
        note(format_args!("resuming {name}: best {best}, {playouts} {what} in {seconds:.0} s"));
    } else if resume {
        note(format_args!("no {name} yet: starting a new search"));
    } else if file.exists() {
        let old = file.name_of_old();
        note(format_args!(
            "warning: starting over; the search saved in {name} is kept as {old}. To continue it \
             instead, use --resume"
        ));
    }
}

/// Saves the search. An error is reported once: the search is worth more than its checkpoint.
pub(super) fn save(file: &CheckpointFile, checkpoint: &Checkpoint, is_lost: &AtomicBool) {
    let saved = file.save(checkpoint);
    let was_lost = is_lost.swap(saved.is_err(), Ordering::Relaxed);
    if let Err(error) = saved
        && !was_lost
    {
        let error = anyhow::Error::new(error);
        note(format_args!("morpion: the search cannot be saved: {error:#}"));
    }
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
