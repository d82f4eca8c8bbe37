//! The progress line on stderr.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A line that replaces itself: shown after two seconds, at most ten times a second; without a
/// terminal, a plain line every 30 seconds.
pub(crate) struct Progress {
    terminal: bool,
    next: Mutex<Instant>,
}

impl Progress {
    /// A line that is not shown yet.
    pub(crate) fn new() -> Self {
        let terminal = io::stderr().is_terminal();
        let first = Duration::from_secs(if terminal { 2 } else { 30 });
        Self { terminal, next: Mutex::new(Instant::now() + first) }
    }

    /// Shows `text` if the line is due.
    pub(crate) fn show(&self, text: impl fmt::Display) {
        let Ok(mut next) = self.next.try_lock() else { return };
        let now = Instant::now();
        if now < *next {
            return;
        }
        let mut err = io::stderr().lock();
        let _ = if self.terminal {
            *next = now + Duration::from_millis(100);
            write!(err, "\r\x1b[2K{text}").and_then(|()| err.flush())
        } else {
            *next = now + Duration::from_secs(30);
            writeln!(err, "{text}")
        };
    }
}

/// The line disappears when the work is over.
impl Drop for Progress {
    fn drop(&mut self) {
        if self.terminal {
            let _ = write!(io::stderr().lock(), "\r\x1b[2K");
        }
    }
}
