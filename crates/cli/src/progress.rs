//! The progress line on stderr.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
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
        let text = lab::text::escape(&text.to_string());
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

/// Lines about improvements where there is no terminal for a progress line: at most one a second,
/// from the first second on.
pub(crate) struct ImprovementLog {
    is_shown: bool,
    next: Mutex<Instant>,
}

impl ImprovementLog {
    const EVERY: Duration = Duration::from_secs(1);

    /// A log that begins now.
    pub(crate) fn new() -> Self {
        let is_shown = !io::stderr().is_terminal();
        Self { is_shown, next: Mutex::new(Instant::now() + Self::EVERY) }
    }

    /// Shows `text` if the last line was long enough ago.
    pub(crate) fn show(&self, text: impl fmt::Display) {
        let Ok(mut next) = self.next.try_lock() else { return };
        let now = Instant::now();
        if self.is_shown && now >= *next {
            *next = now + Self::EVERY;
            let _ = writeln!(io::stderr().lock(), "{text}");
        }
    }
}

/// Does some work and shows its current stage and the time elapsed until it is done.
pub(crate) fn with_progress<T>(work: impl FnOnce(&dyn Fn(&str)) -> T) -> T {
    let stage = Arc::new(Mutex::new(String::new()));
    // Dropping the sender ends the thread, however the work ends.
    let (working, done) = mpsc::channel::<()>();
    let shown = Arc::clone(&stage);
    let ticker = thread::spawn(move || {
        let (line, start) = (Progress::new(), Instant::now());
        while done.recv_timeout(Duration::from_millis(200)) == Err(RecvTimeoutError::Timeout) {
            if let Ok(stage) = shown.lock() {
                line.show(format_args!("{stage} ... {} s", start.elapsed().as_secs()));
            }
        }
    });
    let result = work(&|what| {
        if let Ok(mut stage) = stage.lock() {
            what.clone_into(&mut stage);
        }
    });
    drop(working);
    // It only prints; the line is gone before anything else is printed.
    let _ = ticker.join();
    result
}
