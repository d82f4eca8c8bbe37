//! Ctrl-C, SIGTERM and `--for`: work stops at the next point where nothing is lost. The exit code
//! of an interrupted command is 130; at the end of its time it is that of what was found.

use std::error::Error;
use std::fmt;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::args::duration;
use crate::output::note;

/// The exit code of an interrupted command, as shells have it for SIGINT.
pub(crate) const CODE: u8 = 130;

/// The exit code at the end of the time, if nothing was found.
const NEGATIVE: u8 = 1;

/// How long work that is on disk anyway may take to stop.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Whether Ctrl-C was pressed in a command that stops by a flag.
static REQUESTED: AtomicBool = AtomicBool::new(false);

/// `--for`.
#[derive(Default, clap::Args)]
pub(crate) struct TimeLimit {
    /// Stop after this time, as by Ctrl-C: 90s, 10m, 2h
    #[arg(long = "for", value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    time_limit: Option<Duration>,
}

impl TimeLimit {
    /// A flag that Ctrl-C sets, or the end of the time. Can be called once.
    pub(crate) fn stop_flag(&self) -> Result<Arc<AtomicBool>> {
        self.limit(stop_flag()?)
    }

    /// The same for work whose every step is on disk: what does not stop by itself is cut off after
    /// a moment, with a note.
    pub(crate) fn stop_flag_or_exit(&self, advice: String) -> Result<Arc<AtomicBool>> {
        let text = advice.clone();
        let stop = on_interrupt(move || {
            let text = text.clone();
            thread::spawn(move || cut_off(&text, CODE));
        })?;
        let asked = Arc::clone(&stop);
        self.then(move || {
            asked.store(true, Ordering::Relaxed);
            cut_off(&advice, NEGATIVE);
        });
        Ok(stop)
    }

    fn limit(&self, stop: Arc<AtomicBool>) -> Result<Arc<AtomicBool>> {
        let asked = Arc::clone(&stop);
        self.then(move || asked.store(true, Ordering::Relaxed));
        Ok(stop)
    }

    /// Ends the program after the time: for work that has nothing to keep.
    pub(crate) fn end_program(&self) {
        self.then(|| {
            note("morpion: the time is over; there is no result yet");
            process::exit(NEGATIVE.into());
        });
    }

    fn then(&self, act: impl FnOnce() + Send + 'static) {
        if let Some(time) = self.time_limit {
            thread::spawn(move || {
                thread::sleep(time);
                act();
            });
        }
    }
}

/// Ends the program after a moment.
fn cut_off(advice: &str, code: u8) {
    thread::sleep(PATIENCE);
    note(format_args!("morpion: {}", Interruption(advice.to_owned())));
    process::exit(code.into());
}

/// A flag that Ctrl-C sets; a second Ctrl-C quits at once. Can be called once.
pub(crate) fn stop_flag() -> Result<Arc<AtomicBool>> {
    on_interrupt(|| {})
}

fn on_interrupt(then: impl Fn() + Send + 'static) -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    let handler = move || {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            process::exit(CODE.into());
        }
        asked.store(true, Ordering::Relaxed);
        then();
    };
    ctrlc::set_handler(handler).context("cannot handle Ctrl-C")?;
    Ok(stop)
}

/// Whether Ctrl-C was pressed in a command that stops by a flag.
pub(crate) fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Work that was interrupted, by Ctrl-C or at the end of its time, with what to do.
#[derive(Debug)]
pub(crate) struct Interruption(pub(crate) String);

impl fmt::Display for Interruption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if is_requested() { "interrupted" } else { "the time is over" };
        write!(f, "{what}; {}", self.0)
    }
}

impl Error for Interruption {}
