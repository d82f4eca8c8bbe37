//! Waiting in tests, of this crate and of those above it.

#![allow(dead_code, reason = "each crate uses a part of this")]

use std::time::{Duration, Instant};

/// Longer than anything takes on a busy machine.
pub(crate) const LONG: Duration = Duration::from_secs(120);

/// Waits until something holds.
#[track_caller]
pub(crate) fn until(holds: impl FnMut() -> bool) {
    wait(LONG, holds, || "it never happened".to_owned());
}

/// Waits until something holds, for at most this long.
#[track_caller]
pub(crate) fn until_within(limit: Duration, holds: impl FnMut() -> bool) {
    wait(limit, holds, || "it never happened".to_owned());
}

/// Waits until something holds; if it never does, the test fails with what there is instead.
#[track_caller]
pub(crate) fn until_or(holds: impl FnMut() -> bool, instead: impl Fn() -> String) {
    wait(LONG, holds, instead);
}

#[track_caller]
fn wait(limit: Duration, mut holds: impl FnMut() -> bool, instead: impl Fn() -> String) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < limit, "{}", instead());
        std::thread::sleep(Duration::from_millis(5));
    }
}
