//! Ctrl-C, SIGTERM and `--for`: work stops at the next point where nothing is lost, or prints what
//! is known and ends the program. The exit code of an interrupted command is 130; at the end of its
//! time it is that of what was found.

use std::error::Error;
use std::fmt;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use lab::view::View;

use crate::args::duration;
use crate::output::{note, print_json};

/// The exit code of an interrupted command, as shells have it for SIGINT.
pub(crate) const CODE: u8 = 130;

/// The exit code at the end of the time, if nothing was found.
const NEGATIVE: u8 = 1;

/// How long work that is on disk anyway may take to stop.
const PATIENCE: Duration = Duration::from_millis(1500);

/// When Ctrl-C was pressed.
static REQUESTED: OnceLock<Instant> = OnceLock::new();

/// Signals this soon after the first are the same one: `timeout` and supervisors send it to the
/// program and to its group.
const ONE_SIGNAL: Duration = Duration::from_secs(1);

/// Whether somebody prints the result: the command at its end, or what ends it earlier.
static REPORTED: AtomicBool = AtomicBool::new(false);

/// What Ctrl-C does.
static ACTION: Mutex<Action> = Mutex::new(Action::End);

enum Action {
    /// Ends the program: for commands that have nothing to keep.
    End,
    /// Stops work; a second Ctrl-C ends the program.
    Stop(Box<dyn Fn() + Send>),
    /// Stops a server, which has no other end.
    #[cfg(feature = "serve")]
    StopServer(Box<dyn Fn() + Send>),
}

/// Takes over Ctrl-C and SIGTERM for all commands, before the first of them runs.
pub(crate) fn install() -> Result<()> {
    ctrlc::set_handler(act).context("cannot handle Ctrl-C")
}

fn act() {
    let action = ACTION.lock().expect("no thread panics with it");
    #[cfg(feature = "serve")]
    if let Action::StopServer(stop) = &*action {
        return stop();
    }
    if REQUESTED.set(Instant::now()).is_err() {
        if REQUESTED.get().is_some_and(|first| first.elapsed() >= ONE_SIGNAL) {
            process::exit(CODE.into());
        }
        return;
    }
    match &*action {
        Action::Stop(stop) => stop(),
        _ => {
            note("morpion: interrupted");
            process::exit(CODE.into());
        }
    }
}

/// Stops a server at Ctrl-C.
#[cfg(feature = "serve")]
pub(crate) fn stop_server(stop: impl Fn() + Send + 'static) {
    *ACTION.lock().expect("no thread panics with it") = Action::StopServer(Box::new(stop));
}

/// For work that cannot be stopped: Ctrl-C prints what is known and ends the program. `report`
/// prints it, and returns what to say. A command that prints its result calls [`begin_report`]
/// first.
pub(crate) fn end_with(report: impl Fn() -> String + Send + Clone + 'static) {
    let end = move || {
        let report = report.clone();
        // On a thread of its own: a second Ctrl-C ends a report that nobody reads.
        thread::spawn(move || end_program(&report, CODE));
    };
    *ACTION.lock().expect("no thread panics with it") = Action::Stop(Box::new(end));
}

/// From here on the command prints its result, and nothing else does. Does not return if the
/// program is being ended.
pub(crate) fn begin_report() {
    if REPORTED.swap(true, Ordering::Relaxed) {
        loop {
            thread::park();
        }
    }
}

fn end_program(report: &dyn Fn() -> String, code: u8) {
    begin_report();
    let text = report();
    note(format_args!("morpion: {}", Interruption(text)));
    process::exit(code.into());
}

/// The results of a command so far, which are printed as one JSON list with `--json`: at its end,
/// or when Ctrl-C ends it.
pub(crate) struct ResultList<T> {
    list: Arc<Mutex<Vec<T>>>,
    json: bool,
}

impl<T: Clone + Send + 'static> ResultList<T>
where
    Vec<T>: View,
{
    /// An empty list; `say` tells what is known, by the number of results, when Ctrl-C ends the
    /// command.
    pub(crate) fn new(json: bool, say: fn(usize) -> String) -> Self {
        let results = Self { list: Arc::default(), json };
        let known = results.clone();
        end_with(move || match known.print() {
            Ok(count) => say(count),
            Err(error) => format!("{error:#}"),
        });
        results
    }

    pub(crate) fn push(&self, result: T) {
        self.list.lock().expect("no thread panics with it").push(result);
    }

    /// Prints the list at the end of the command.
    pub(crate) fn finish(&self) -> Result<()> {
        begin_report();
        self.print().map(drop)
    }

    fn print(&self) -> Result<usize> {
        let list = self.list.lock().expect("no thread panics with it").clone();
        if self.json {
            print_json(&list)?;
        }
        Ok(list.len())
    }
}

impl<T> Clone for ResultList<T> {
    fn clone(&self) -> Self {
        Self { list: Arc::clone(&self.list), json: self.json }
    }
}

/// `--for`.
#[derive(Default, clap::Args)]
pub(crate) struct TimeLimit {
    /// Stop after this time, as by Ctrl-C but with exit code 1 if unfinished: 90s, 10m, 2h
    #[arg(long = "for", value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    time_limit: Option<Duration>,
}

impl TimeLimit {
    /// A flag that Ctrl-C sets, or the end of the time.
    pub(crate) fn stop_flag(&self) -> Arc<AtomicBool> {
        let stop = stop_flag();
        let asked = Arc::clone(&stop);
        self.then(move || asked.store(true, Ordering::Relaxed));
        stop
    }

    /// The same for work whose every step is on disk: what does not stop by itself is cut off after
    /// a moment, with a note.
    pub(crate) fn stop_flag_or_exit(
        &self,
        advice: impl Fn() -> String + Send + Clone + 'static,
    ) -> Arc<AtomicBool> {
        let on_time = advice.clone();
        let stop = on_interrupt(move || {
            let advice = advice.clone();
            thread::spawn(move || cut_off(&advice, CODE));
        });
        let asked = Arc::clone(&stop);
        self.then(move || {
            asked.store(true, Ordering::Relaxed);
            cut_off(&on_time, NEGATIVE);
        });
        stop
    }

    /// [`end_with`], also at the end of the time.
    pub(crate) fn end_with(&self, report: impl Fn() -> String + Send + Clone + 'static) {
        end_with(report.clone());
        self.then(move || end_program(&report, NEGATIVE));
    }

    /// The same for work that has nothing to keep.
    pub(crate) fn end_without_result(&self) {
        self.end_with(|| "there is no result yet".to_owned());
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
fn cut_off(advice: &dyn Fn() -> String, code: u8) {
    thread::sleep(PATIENCE);
    note(format_args!("morpion: {}", Interruption(advice())));
    process::exit(code.into());
}

/// A flag that Ctrl-C sets; a second Ctrl-C quits at once.
pub(crate) fn stop_flag() -> Arc<AtomicBool> {
    on_interrupt(|| {})
}

fn on_interrupt(then: impl Fn() + Send + 'static) -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    let act = move || {
        asked.store(true, Ordering::Relaxed);
        then();
    };
    *ACTION.lock().expect("no thread panics with it") = Action::Stop(Box::new(act));
    stop
}

/// Whether Ctrl-C was pressed.
pub(crate) fn is_requested() -> bool {
    REQUESTED.get().is_some()
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
