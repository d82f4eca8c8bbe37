//! What goes to stdout and stderr.

use std::fmt;
use std::io::{self, Write};

use anyhow::{Context, Result, anyhow};
pub(crate) use lab::text::count;
use lab::view::View;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Exit code 0.
    Success,
    /// Refused, target missed, not proven: exit code 1.
    Negative,
    /// An error that has been reported already: exit code 2.
    Error,
}

/// Prints a result and a newline to stdout; what a terminal would obey is escaped.
pub(crate) fn print(text: impl fmt::Display) -> Result<()> {
    let mut out = io::stdout().lock();
    let text = lab::text::escape_lines(&text.to_string());
    unless_closed(writeln!(out, "{text}").and_then(|()| out.flush()))
}

/// Prints bytes to stdout as they are.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    unless_closed(out.write_all(bytes).and_then(|()| out.flush()))
}

/// A reader may close the pipe early, as `head` does: the result is the same.
pub(crate) fn unless_closed(written: io::Result<()>) -> Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("standard output"),
    }
}

/// Adds what to do to an error that says what is wrong and where.
pub(crate) trait Advise<T> {
    fn advise(self, advice: &str) -> Result<T>;
}

impl<T, E: Into<anyhow::Error>> Advise<T> for Result<T, E> {
    fn advise(self, advice: &str) -> Result<T> {
        self.map_err(|error| anyhow!("{:#}; {advice}", error.into()))
    }
}

/// Prints a result as one JSON document to stdout.
pub(crate) fn print_json(value: &impl View) -> Result<()> {
    let json = lab::text::escape_json(&serde_json::to_string_pretty(value)?);
    print_bytes(format!("{json}\n").as_bytes())
}

/// Prints a note to stderr; a failure to do so is ignored.
pub(crate) fn note(text: impl fmt::Display) {
    let text = lab::text::escape_lines(&text.to_string());
    let _ = writeln!(io::stderr().lock(), "{text}");
}
