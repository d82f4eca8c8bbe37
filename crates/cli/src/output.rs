//! What goes to stdout and stderr.

use std::fmt;
use std::io::{self, Write};

use anyhow::{Context, Result};
use serde::Serialize;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Answer {
    /// Yes: exit code 0.
    Yes,
    /// A clean no: exit code 1.
    No,
    /// Trouble that has been told already: exit code 2.
    Trouble,
}

/// Prints a result, with a line end, to stdout.
pub(crate) fn print(text: impl fmt::Display) -> Result<()> {
    let mut out = io::stdout().lock();
    unless_closed(writeln!(out, "{text}").and_then(|()| out.flush()))
}

/// Prints bytes to stdout as they are.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    unless_closed(out.write_all(bytes).and_then(|()| out.flush()))
}

/// Whoever read our output may stop reading, as `head` does: the answer is the same.
fn unless_closed(written: io::Result<()>) -> Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("standard output"),
    }
}

/// Prints a result as one JSON document to stdout.
pub(crate) fn print_json(value: &impl Serialize) -> Result<()> {
    print(serde_json::to_string_pretty(value)?)
}

/// Prints a note to stderr. If nobody can read it, there is nobody to tell.
pub(crate) fn note(text: impl fmt::Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// A number of things: `1 move`, `3 moves`.
pub(crate) fn count(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}
