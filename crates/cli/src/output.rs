//! What goes to stdout and stderr.

use std::fmt;
use std::io::{self, Write};

use anyhow::{Context, Result};
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

/// Prints a result and a newline to stdout.
pub(crate) fn print(text: impl fmt::Display) -> Result<()> {
    let mut out = io::stdout().lock();
    unless_closed(writeln!(out, "{text}").and_then(|()| out.flush()))
}

/// Prints bytes to stdout as they are.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    unless_closed(out.write_all(bytes).and_then(|()| out.flush()))
}

/// A reader may close the pipe early, as `head` does: the result is the same.
fn unless_closed(written: io::Result<()>) -> Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("standard output"),
    }
}

/// Prints a result as one JSON document to stdout.
pub(crate) fn print_json(value: &impl View) -> Result<()> {
    print(serde_json::to_string_pretty(value)?)
}

/// Prints a note to stderr; a failure to do so is ignored.
pub(crate) fn note(text: impl fmt::Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
