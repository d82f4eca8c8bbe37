//! Long work on a thread of its own: Python's other threads keep running, and Ctrl-C is handled.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use crate::error;

/// How often signals are looked for.
const TICK: Duration = Duration::from_millis(50);

/// Waits for the result of `work` with the GIL released. Calls `tick` every 50 ms and at the end;
/// its first error, or Ctrl-C, goes to `stop`, is kept, and returned when the work has ended.
///
/// `None` from `stop` leaves work that cannot be stopped to end by itself.
pub(crate) fn wait<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
    mut tick: impl FnMut(Python<'_>) -> PyResult<()>,
    mut stop: impl FnMut() -> Option<()>,
) -> PyResult<(Option<T>, PyResult<()>)> {
    let (sender, mut receiver) = mpsc::channel();
    thread::spawn(move || sender.send(work()));
    let mut outcome = Ok(());
    loop {
        let (received, returned) = py.detach(move || (receiver.recv_timeout(TICK), receiver));
        receiver = returned;
        match received {
            Ok(value) => {
                if outcome.is_ok() {
                    outcome = tick(py);
                }
                return Ok((Some(value), outcome));
            }
            Err(RecvTimeoutError::Disconnected) => return Err(error::panicked()),
            Err(RecvTimeoutError::Timeout) if outcome.is_ok() => {
                outcome = py.check_signals().and_then(|()| tick(py));
                if outcome.is_err() && stop().is_none() {
                    return Ok((None, outcome));
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Waits for work that cannot be stopped: after Ctrl-C it ends by itself, unheard.
pub(crate) fn wait_or_leave<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (value, outcome) = wait(py, work, |_| Ok(()), || None)?;
    outcome?;
    value.ok_or_else(error::panicked)
}
