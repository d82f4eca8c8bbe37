//! Independent pieces of work on several threads.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Does `work` for every item on several threads, until it breaks or fails: the first error counts.
pub(crate) fn for_each<T: Sync, E: Send>(
    items: &[T],
    threads: u32,
    work: &(dyn Fn(&T) -> Result<ControlFlow<()>, E> + Sync),
) -> Result<(), E> {
    let (next, failure) = (AtomicUsize::new(0), Mutex::new(None));
    let run = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            match work(item) {
                Ok(ControlFlow::Continue(())) => continue,
                Ok(ControlFlow::Break(())) => {}
                Err(error) => {
                    failure.lock().expect("no thread panics here").get_or_insert(error);
                }
            }
            next.store(items.len(), Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..(threads.max(1) as usize).min(items.len()) {
            // This thread works too, so the work is done even if no other can be started.
            if std::thread::Builder::new().spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        run();
    });
    failure.into_inner().expect("no thread panics here").map_or(Ok(()), Err)
}
